package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxMessage is how long one message of the browser may be, in bytes: the picture of a page of 44,000
// elements has 3 MB.
const maxMessage = 64 << 20

// errGone says that the browser ended, or that what it said could not be understood.
var errGone = errors.New("the browser is gone")

// wire speaks the Chrome DevTools Protocol over a pair of pipes: JSON, each message ended by a zero byte.
type wire struct {
	in    *bufio.Reader
	pipes []io.Closer

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	hear    func(event)
	ended   chan struct{} // closed when nothing more comes
}

// reply is what a command came to.
type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// event is something that happened in the browser.
type event struct {
	Session string `json:"sessionId"`
	Method  string
	Params  json.RawMessage
}

// newWire listens until the browser ends. Events are heard one by one, and whoever hears must not wait.
func newWire(in io.ReadCloser, out io.WriteCloser, hear func(event)) *wire {
	w := &wire{in: bufio.NewReaderSize(in, 64<<10), out: out, pipes: []io.Closer{in, out},
		waiting: map[int]chan reply{}, hear: hear, ended: make(chan struct{})}
	go w.listen()
	return w
}

func (w *wire) listen() {
	defer close(w.ended)
	for {
		message, err := w.next()
		if err != nil {
			return
		}
		var m struct {
			ID int
			reply
			event
		}
		if json.Unmarshal(message, &m) != nil {
			return
		}
		if m.ID == 0 {
			w.hear(m.event)
			continue
		}
		w.mu.Lock()
		waits := w.waiting[m.ID]
		delete(w.waiting, m.ID)
		w.mu.Unlock()
		if waits != nil {
			waits <- m.reply
		}
	}
}

// next is the next message. One that is too long ends the connection: the browser is started again for the
// next page.
func (w *wire) next() ([]byte, error) {
	var message []byte
	for {
		piece, err := w.in.ReadSlice(0)
		if message = append(message, piece...); err == nil {
			return message[:len(message)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) || len(message) > maxMessage {
			return nil, fmt.Errorf("listening to the browser: %w", err)
		}
	}
}

// tell gives a command whose outcome nobody waits for.
func (w *wire) tell(session, method string, params any) {
	_, _ = w.send(session, method, params, nil)
}

func (w *wire) send(session, method string, params any, waits chan reply) (id int, err error) {
	w.mu.Lock()
	w.last++
	id = w.last
	if waits != nil {
		w.waiting[id] = waits
	}
	w.mu.Unlock()
	message, err := json.Marshal(struct {
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{id, method, params, session})
	if err != nil {
		return id, fmt.Errorf("writing the command %s: %w", method, err)
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if _, err := w.out.Write(append(message, 0)); err != nil {
		return id, fmt.Errorf("%w: giving it the command %s: %w", errGone, method, err)
	}
	return id, nil
}

// call gives a command and waits for what it comes to; into may be nil.
func (w *wire) call(ctx context.Context, session, method string, params, into any) error {
	waits := make(chan reply, 1)
	id, err := w.send(session, method, params, waits)
	defer func() {
		w.mu.Lock()
		delete(w.waiting, id)
		w.mu.Unlock()
	}()
	if err != nil {
		return err
	}
	select {
	case got := <-waits:
		switch {
		case got.Error != nil:
			return fmt.Errorf("%s: %s", method, got.Error.Message)
		case into == nil:
			return nil
		}
		if err := json.Unmarshal(got.Result, into); err != nil {
			return fmt.Errorf("reading what %s came to: %w", method, err)
		}
		return nil
	case <-w.ended:
		return fmt.Errorf("%s: %w", method, errGone)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}

func (w *wire) close() {
	for _, pipe := range w.pipes {
		_ = pipe.Close()
	}
	<-w.ended
}
