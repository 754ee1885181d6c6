package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// maxMessage bounds a browser's message, in bytes; a page of 44,000 elements has 3 MB.
const maxMessage = 64 << 20

// errGone is the error for a browser that ended, or sent something unintelligible.
var errGone = errors.New("the browser is gone")

// wire speaks the Chrome DevTools Protocol over a pair of pipes: JSON, each message ended by a zero byte.
type wire struct {
	in      io.ReadCloser
	out     io.WriteCloser
	hear    func(*wire, event) // gets events, one by one; it must not wait
	writing sync.Mutex
	last    atomic.Int64
	waiting sync.Map      // channels for replies, by the number of the command
	ended   chan struct{} // closed after the last message
}

// reply is the outcome of a command.
type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// event is something that happened in the browser.
type event struct {
	Method string
	Params json.RawMessage
}

// newWire returns a wire that listens until the browser ends.
func newWire(in io.ReadCloser, out io.WriteCloser, hear func(*wire, event)) *wire {
	w := &wire{in: in, out: out, hear: hear, ended: make(chan struct{})}
	go w.listen()
	return w
}

func (w *wire) listen() {
	defer close(w.ended)
	lines := bufio.NewScanner(w.in)
	lines.Buffer(make([]byte, 64<<10), maxMessage)
	lines.Split(func(data []byte, _ bool) (int, []byte, error) {
		if end := bytes.IndexByte(data, 0); end >= 0 {
			return end + 1, data[:end], nil
		}
		return 0, nil, nil
	})
	for lines.Scan() {
		var m struct {
			ID int64
			reply
			event
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return
		}
		if m.ID == 0 {
			w.hear(w, m.event)
		} else if waits, ok := w.waiting.LoadAndDelete(m.ID); ok {
			waits.(chan reply) <- m.reply
		}
	}
}

// tell sends a command without waiting for its outcome.
func (w *wire) tell(session, method string, params any) {
	_ = w.send(w.last.Add(1), session, method, params)
}

func (w *wire) send(id int64, session, method string, params any) error {
	message, err := json.Marshal(struct {
		ID      int64  `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{id, method, params, session})
	if err != nil {
		return fmt.Errorf("writing the command %s: %w", method, err)
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if _, err := w.out.Write(append(message, 0)); err != nil {
		return fmt.Errorf("%w: giving it the command %s: %w", errGone, method, err)
	}
	return nil
}

// call sends a command and waits for its outcome; into may be nil.
func (w *wire) call(ctx context.Context, session, method string, params, into any) error {
	waits, id := make(chan reply, 1), w.last.Add(1)
	w.waiting.Store(id, waits)
	defer w.waiting.Delete(id)
	if err := w.send(id, session, method, params); err != nil {
		return err
	}
	select {
	case got := <-waits:
		if got.Error != nil {
			return fmt.Errorf("%s: %s", method, got.Error.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(got.Result, into)
	case <-w.ended:
		return fmt.Errorf("%s: %w", method, errGone)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}
