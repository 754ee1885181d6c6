package page

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
)

var (
	errTooLarge  = errors.New("more bytes than the limit")
	errRedirects = errors.New("more redirects than the limit")
	errEncoding  = errors.New("a compression nobody asked for")
)

// readBody reads and decompresses at most limit bytes, on either side of the decompression: a gzip stream may hold no
// data and have no end.
func readBody(response *http.Response, limit int64) ([]byte, error) {
	wire := &limitedReader{from: response.Body, left: limit}
	switch encoding := strings.ToLower(response.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return io.ReadAll(wire)
	case "gzip", "x-gzip":
		unzipped, err := gzip.NewReader(wire)
		if errors.Is(err, io.EOF) {
			return nil, nil // an empty body under a header of gzip
		}
		if err != nil {
			return nil, err
		}
		return io.ReadAll(&limitedReader{from: unzipped, left: limit})
	default:
		return nil, errEncoding
	}
}

// limitedReader fails beyond its limit, where io.LimitReader would pass off a part as the whole.
type limitedReader struct {
	from io.Reader
	left int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
