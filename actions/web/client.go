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
	maxHeaderBytes = 64 << 10 // of an answer; Go's own limit is 10 MB
	connectTimeout = 10 * time.Second
)

// control judges the very address to connect to, after names and redirects have played their tricks.
type control = func(network, address string, c syscall.RawConn) error

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// newDial takes nil for "no guard" and for the machine's own resolver.
func newDial(guard control, resolver *net.Resolver) dial {
	dialer := &net.Dialer{Timeout: connectTimeout, Control: guard, Resolver: resolver}
	return dialer.DialContext
}

// guarded is the dial of a Fetcher with the defaults: public addresses alone, and the two ports of the web.
func guarded() dial { return newDial(ssrf.New().Safe, nil) }

// newTransport has no Proxy: a proxy would connect where the guard cannot see it.
func newTransport(connect dial) *http.Transport {
	return &http.Transport{
		DialContext:            connect,
		ForceAttemptHTTP2:      true, // a dialer of one's own turns it off
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
		MaxIdleConns:           20,
		MaxIdleConnsPerHost:    8, // pages of one site are often read together
		IdleConnTimeout:        30 * time.Second,
	}
}

// limitRedirects is what holds for every redirect, of a page and of a robots.txt.
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
