package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync/atomic"

	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	// maxFrame bounds one message of a server, in bytes: a result has at most maxResult.
	maxFrame = 8 << 20
	// edge is how much of the end of a message that is too long is kept: some servers write its id last.
	edge = 4 << 10
	// maxAsked is how many questions of its own a server may ask between two of its answers. Each costs the
	// library a goroutine until the server reads what it is told.
	maxAsked = 200
)

// frames reads the messages of a server, a line each, and passes on those that are meant for the library:
// what is no JSON is dropped, and so are notifications, which nobody listens to and a server may send without
// end. Instead of a message that is too long comes an error for the call that it answers.
type frames struct {
	in      *bufio.Reader
	close   func() error
	changed *atomic.Bool // set when the server says that its tools are others now
	left    []byte
	asked   int // questions of the server since it answered last
}

func newFrames(in io.ReadCloser, changed *atomic.Bool) *frames {
	return &frames{in: bufio.NewReaderSize(in, 64<<10), close: in.Close, changed: changed}
}

// Read implements io.Reader.
func (f *frames) Read(into []byte) (int, error) {
	for len(f.left) == 0 {
		line, err := f.next()
		if err != nil {
			return 0, err
		}
		f.left = f.pass(line)
		if f.asked > maxAsked {
			return 0, errors.Join(errors.New("it asks without end"), f.close())
		}
	}
	n := copy(into, f.left)
	f.left = f.left[n:]
	return n, nil
}

// Close implements io.Closer.
func (f *frames) Close() error { return f.close() }

// next is the next line, or an error in the place of one that is too long.
func (f *frames) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		piece, err := f.in.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > maxFrame {
			long = true
			line = append(line[:edge], line[len(line)-edge:]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0:
			return nil, err
		case long:
			return tooLong(line), nil
		}
		return line, nil
	}
}

var frameID = regexp.MustCompile(`"id"\s*:\s*(\d{1,18})\s*[,}]`)

// tooLong is an error for the call that a message answers, of which these are the beginning and the end; none
// when they do not tell which.
func tooLong(edges []byte) []byte {
	ids := frameID.FindAllSubmatch(edges, -1)
	if len(ids) == 0 {
		return nil
	}
	id := ids[len(ids)-1][1]
	if head := frameID.FindSubmatch(edges[:min(len(edges), 64)]); head != nil {
		id = head[1]
	}
	return fmt.Appendf(nil,
		`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"the result is no JSON, or has more than `+
			`%d MiB; ask for less"}}`+"\n",
		id, maxFrame>>20)
}

// pass is the line, or nothing when it is dropped.
func (f *frames) pass(line []byte) []byte {
	var message struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Method  string `json:"method"`
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return nil
	}
	if bounds.JSON(line, &message) != nil { // not JSON, or more of it than a result may hold
		return tooLong(append(slices.Clone(line[:min(edge, len(line))]), line[max(0, len(line)-edge):]...))
	}
	if message.Version != "2.0" {
		return nil
	}
	if message.Method != "" && message.ID == nil {
		if message.Method == toolsChanged {
			f.changed.Store(true)
		}
		return nil
	}
	if f.asked++; message.Method == "" {
		f.asked = 0
	}
	return append(line, '\n')
}

const toolsChanged = "notifications/tools/list_changed"
