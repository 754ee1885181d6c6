package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// events puts a stream of server-sent events into the form that go-openai reads without loss: one line "data:
// …" an event, and nothing else. Left to itself go-openai drops a last line without a newline, breaks on data
// of several lines, cannot tell a stream that was ended from one that broke off, and loses the text of most
// errors.
type events struct {
	in      *bufio.Reader
	line    []byte       // what was read of the current line
	pending []byte       // data of the current event
	out     bytes.Buffer // events to hand on
	done    bool         // the server said [DONE]
	err     error        // why there is no more
}

// Read implements io.Reader.
func (e *events) Read(p []byte) (int, error) {
	for e.out.Len() == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.readLine()
	}
	return e.out.Read(p)
}

func (e *events) readLine() {
	part, err := e.in.ReadSlice('\n')
	e.line = append(e.line, part...)
	if len(e.line)+len(e.pending) > maxPiece {
		e.err = tooLarge("one event of the stream has more than %d MB", maxPiece>>20)
		return
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		return
	}
	if err != nil && !errors.Is(err, io.EOF) {
		e.err = err
		return
	}
	e.take(bytes.TrimSpace(e.line))
	e.line = e.line[:0]
	if err != nil {
		e.err = err
		e.flush()
	}
}

// take adds a line to the current event. Servers that put no empty line between events are understood too: no
// JSON has a line that ends in } before one that begins with { or [.
func (e *events) take(line []byte) {
	if len(line) == 0 {
		e.flush()
		return
	}
	data, isData := bytes.CutPrefix(line, []byte("data:"))
	if !isData && line[0] != '{' {
		return // a comment, a name or number of the event
	}
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return
	}
	if bytes.HasSuffix(e.pending, []byte("}")) && (data[0] == '{' || data[0] == '[') {
		e.flush()
	}
	e.pending = append(e.pending, data...)
	if string(e.pending) == "[DONE]" {
		e.flush()
	}
}

func (e *events) flush() {
	if len(e.pending) == 0 {
		return
	}
	e.done = e.done || string(e.pending) == "[DONE]"
	e.out.WriteString("data: ")
	if rest, isError := bytes.CutPrefix(e.pending, []byte(`{"error"`)); isError {
		e.out.WriteString(`{ "error"`) // the space keeps go-openai from taking the error for itself
		e.out.Write(rest)
	} else {
		e.out.Write(e.pending)
	}
	e.out.WriteByte('\n')
	e.pending = e.pending[:0]
}

// form is what an answer looks like.
type form int

const (
	aStream form = iota + 1
	anObject
)

// form looks at the beginning of the answer. A byte order mark is skipped.
func (e *events) form() (form, error) {
	for {
		start, err := e.in.Peek(1)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return 0, unusable(ErrEmpty)
			}
			return 0, err
		}
		if strings.IndexByte(" \t\r\n\xef\xbb\xbf", start[0]) < 0 {
			break
		}
		if _, err := e.in.Discard(1); err != nil {
			return 0, err
		}
	}
	start, err := e.in.Peek(len("event:"))
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	switch {
	case start[0] == '{':
		return anObject, nil
	case start[0] == '<':
		return 0, unusable(ErrHTML)
	case fieldName(start):
		return aStream, nil
	}
	return 0, unusable(ErrNotJSON)
}

// fieldName says whether a line begins as those of a stream do. The stream may have ended in the middle of
// the name.
func fieldName(start []byte) bool {
	for _, name := range []string{":", "data:", "event:", "id:", "retry:"} {
		if n := min(len(name), len(start)); string(start[:n]) == name[:n] {
			return true
		}
	}
	return false
}
