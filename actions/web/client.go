package web

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

const (
	maxRedirects   = 5
	maxHeaderBytes = 64 << 10 // of a response; Go's own limit is 10 MB
	connectTimeout = 10 * time.Second
)

// control checks the actual address to connect to, after names and redirects have been resolved.
type control = func(network, address string, c syscall.RawConn) error

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// newDial returns a dial; guard nil means no guard, resolver nil the machine's own.
func newDial(guard control, resolver *net.Resolver) dial {
	dialer := &net.Dialer{Timeout: connectTimeout, Control: guard, Resolver: resolver}
	return dialer.DialContext
}

// guarded is the default dial of a Fetcher: only public addresses, and the two ports of the web.
func guarded() dial { return newDial(ssrf.New().Safe, nil) }

// newTransport sets no Proxy: a proxy would connect where the guard cannot see it.
func newTransport(connect dial) *http.Transport {
	return &http.Transport{
		DialContext:            connect,
		ForceAttemptHTTP2:      true, // a custom dialer turns it off
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
		MaxIdleConns:           20,
		MaxIdleConnsPerHost:    8, // pages of one site are often read together
		IdleConnTimeout:        30 * time.Second,
	}
}

// limitRedirects is the check for every redirect, of a page and of a robots.txt.
func limitRedirects(next *http.Request, before []*http.Request) error {
	if len(before) > maxRedirects {
		return errRedirects
	}
	next.Header.Del("Referer") // it would carry the query of one site to another
	if e := checkAddress(next.URL); e != nil {
		return e
	}
	return nil
}

var (
	errRedirects = errors.New("more redirects than the limit")
	errEncoding  = errors.New("a compression nobody asked for")
	errDownload  = errors.New("neither text nor a document")
)

// readBody reads and decompresses at most limit bytes, before and after decompression: a gzip stream may be
// endless and contain no data. With sniff it continues only if the first bytes look like text or a document.
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

// unpack removes the compression that was requested, and rejects any other.
func unpack(response *http.Response, wire io.Reader) (io.Reader, error) {
	switch encoding := strings.ToLower(response.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return wire, nil
	case "gzip", "x-gzip":
		buffered := bufio.NewReader(wire) // otherwise a member would read into the next one
		member, err := gzip.NewReader(buffered)
		if errors.Is(err, io.EOF) {
			return wire, nil // an empty body with a gzip header
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

// members reads gzip members. It ignores garbage after a complete one; a truncated one is an error.
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
