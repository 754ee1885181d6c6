package web

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
)

var (
	errRedirects = errors.New("more redirects than the limit")
	errEncoding  = errors.New("a compression nobody asked for")
	errDownload  = errors.New("neither text nor a document")
)

// readBody reads and decompresses at most limit bytes, on either side of the decompression: a gzip stream may
// hold no data and have no end. With sniff it reads on only if the first bytes look like text or a document.
func readBody(response *http.Response, limit int64, sniff bool) ([]byte, error) {
	unpacked, err := unpack(response, http.MaxBytesReader(nil, response.Body, limit))
	if err != nil {
		return nil, err
	}
	plain := bufio.NewReaderSize(http.MaxBytesReader(nil, io.NopCloser(unpacked), limit), 512)
	if sniff {
		first, err := plain.Peek(512)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		switch found := http.DetectContentType(first); {
		case strings.HasPrefix(found, "text/"), found == "application/pdf", found == "application/zip":
		default:
			return nil, errDownload
		}
	}
	return io.ReadAll(plain)
}

// unpack takes off the compression that was asked for and no other.
func unpack(response *http.Response, wire io.Reader) (io.Reader, error) {
	switch encoding := strings.ToLower(response.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return wire, nil
	case "gzip", "x-gzip":
		buffered := bufio.NewReader(wire) // or else a member would take bytes of the next one
		member, err := gzip.NewReader(buffered)
		if errors.Is(err, io.EOF) {
			return wire, nil // an empty body under a header of gzip
		}
		if err != nil {
			return nil, err
		}
		member.Multistream(false)
		return &members{wire: buffered, member: member}, nil
	default:
		return nil, errEncoding
	}
}

// members reads gzip members; rubbish behind a whole one is passed over, one that breaks off an error.
type members struct {
	wire   *bufio.Reader
	member *gzip.Reader
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.member.Read(p)
		if n > 0 && errors.Is(err, io.EOF) {
			return n, nil
		}
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		err = m.member.Reset(m.wire)
		if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		m.member.Multistream(false)
	}
}
