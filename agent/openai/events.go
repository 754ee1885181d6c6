package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// events reads server-sent events. go-openai's reader drops a last line without a newline, breaks on data of
// several lines, cannot tell a broken stream from an ended one, and loses most errors.
type events struct {
	in    *bufio.Reader
	ahead []byte // data of the next event
	done  bool   // the server said [DONE]
}

// next is the data of the next event, or io.EOF; also of servers that put no empty line between events.
func (e *events) next() ([]byte, error) {
	data := e.ahead
	e.ahead = nil
	for string(data) != "[DONE]" {
		line, err := e.readLine(maxPiece - len(data))
		more, isData := bytes.CutPrefix(line, []byte("data:"))
		more = bytes.TrimSpace(more)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case len(line) == 0 && len(data) > 0:
			return data, nil
		case len(line) == 0 && err != nil:
			return nil, err
		case len(more) == 0, !isData && line[0] != '{':
			// a comment, a name or number of the event, or nothing
		case bytes.HasSuffix(data, []byte("}")) && (more[0] == '{' || more[0] == '['):
			e.ahead = more
			return data, nil
		default:
			data = append(data, more...)
		}
	}
	e.done = true
	return nil, io.EOF
}

func (e *events) readLine(most int) ([]byte, error) {
	var line []byte
	for {
		part, err := e.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > most {
			return nil, tooLarge("one event of the stream has more than %d MB", maxPiece>>20)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// isStream says whether an answer is a stream or one object, by how it begins. A byte order mark is skipped.
func (e *events) isStream() (bool, error) {
	for {
		start, err := e.in.Peek(1)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return false, err
		case len(start) == 0:
			return false, unusable(errEmpty)
		case strings.IndexByte(" \t\r\n\xef\xbb\xbf", start[0]) >= 0:
			_, _ = e.in.Discard(1) // it was seen
		case start[0] == '<':
			return false, unusable(errHTML)
		case start[0] == '{', strings.IndexByte(":deir", start[0]) >= 0: // data, event, id, retry
			return start[0] != '{', nil
		default:
			return false, unusable(errNotJSON)
		}
	}
}
