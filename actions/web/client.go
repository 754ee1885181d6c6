package web

import (
	"context"
	"net"
	"net/http"
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
