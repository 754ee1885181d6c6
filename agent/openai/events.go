package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// next returns the data of the next server-sent event, or io.EOF. An event ends with an empty line or, if a
// server leaves that out, with its object. go-openai's reader drops a last line without a newline, breaks on
// data of several lines, cannot tell a broken stream from an ended one, and loses most errors.
func (b *body) next() ([]byte, error) {
	var data []byte
	for len(data) <= maxPiece && b.lines.Scan() {
		line := bytes.TrimSpace(b.lines.Bytes())
		more, isData := bytes.CutPrefix(line, []byte("data:"))
		if more = bytes.TrimSpace(more); string(more) == "[DONE]" && isData && len(data) == 0 {
			b.done = true
			return nil, io.EOF
		}
		if isData || bytes.HasPrefix(line, []byte("{")) { // otherwise a comment, a name or a number
			data = append(data, more...)
		}
		if len(data) > 0 && (len(line) == 0 || bytes.HasSuffix(data, []byte("}")) && json.Valid(data)) {
			return data, nil
		}
	}
	switch err := b.lines.Err(); {
	case len(data) > maxPiece, errors.Is(err, bufio.ErrTooLong):
		return nil, tooLarge("one event of the stream has more than %d MB", maxPiece>>20)
	case err != nil:
		return nil, err
	case len(data) > 0:
		return data, nil
	}
	return nil, io.EOF
}

// isStream reports whether an answer is a stream or one object, by how it begins. It skips a byte order mark.
func (b *body) isStream() (bool, error) {
	for {
		start, err := b.in.Peek(1)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return false, err
		case len(start) == 0:
			return false, unusable(errEmpty)
		case strings.IndexByte(" \t\r\n\xef\xbb\xbf", start[0]) >= 0:
			_, _ = b.in.Discard(1) // it was seen
		case start[0] == '<':
			return false, unusable(errHTML)
		case start[0] == '{', strings.IndexByte(":deir", start[0]) >= 0: // data, event, id, retry
			return start[0] != '{', nil
		default:
			return false, unusable(errNotJSON)
		}
	}
}
