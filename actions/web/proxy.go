package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/page/plain"
)

const (
	// maxLoaded bounds what a program may load for one page, with scripts and styles, in bytes.
	maxLoaded = 24 << 20
	// proxyWait is how long a server may take to begin its answer.
	proxyWait = 20 * time.Second
)

// errTooMuch ends a connection of a page that loads too much.
var errTooMuch = errors.New("the page loads too much")

// Proxy is the only way out for a program that fetches pages by itself, such as a browser, which has no other
// name service and no other route. It connects only where its Fetcher would: every request, whatever makes
// it, is judged by the address it leads to.
type Proxy struct {
	pages  *Fetcher
	except []string
	listen net.Listener
	server *http.Server
	loaded atomic.Int64
	faults sync.Map // by host, since the last page was opened
}

// NewProxy opens a proxy on this machine. It does not connect to the hosts in except, which the program calls
// of its own accord.
func NewProxy(pages *Fetcher, except []string) (*Proxy, error) {
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening a proxy: %w", err)
	}
	p := &Proxy{pages: pages, except: except, listen: listen}
	silent := log.New(io.Discard, "", 0)
	forward := &httputil.ReverseProxy{
		Rewrite:  func(*httputil.ProxyRequest) {}, // a request to a proxy names the whole address
		ErrorLog: silent,
		Transport: &http.Transport{DialContext: p.connect, DisableCompression: true,
			ResponseHeaderTimeout: proxyWait, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: proxyWait},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if !errors.Is(err, context.Canceled) { // the browser moved on
				p.faults.Store(r.URL.Hostname(), err)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	p.server = &http.Server{ErrorLog: silent, ReadHeaderTimeout: proxyWait,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				p.tunnel(w, r)
			case r.URL.Scheme == "http" && r.URL.Host != "":
				forward.ServeHTTP(w, r)
			default:
				w.WriteHeader(http.StatusBadRequest)
			}
		})}
	go func() { _ = p.server.Serve(listen) }() // ends with Close
	return p, nil
}

// Address returns the address on which the proxy listens.
func (p *Proxy) Address() string { return p.listen.Addr().String() }

// Close ends the proxy; tunnels end with the program that uses it.
func (p *Proxy) Close() { _ = p.server.Close() }

// Anew restarts the counting for another page.
func (p *Proxy) Anew() {
	p.loaded.Store(0)
	p.faults.Clear()
}

// Why returns why a page did not come: it loads without end, its host may not be reached, or its server
// answered with an error status; nil if nothing is known to be wrong.
func (p *Proxy) Why(address string, status int) error {
	if p.loaded.Load() > maxLoaded {
		return page.NewError(page.TooLarge, "reading", address,
			fmt.Sprintf("the page loads more than %s and was cut off: "+
				"look for a smaller page or a summary of it", plain.Size(maxLoaded)))
	}
	if u, err := url.Parse(address); err == nil {
		// a page may come although a part of it failed
		if why, ok := p.faults.Load(u.Hostname()); ok && (status == 0 || status >= http.StatusBadRequest) {
			return unreachable(address, why.(error))
		}
	}
	if status >= http.StatusBadRequest {
		return badStatus(address, status)
	}
	return nil
}

// tunnel connects the program to a server with which it speaks directly, over TLS or a socket.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	there, err := p.connect(r.Context(), "tcp", r.Host)
	if err != nil {
		host, _, _ := net.SplitHostPort(r.Host)
		p.faults.Store(host, err)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, buffered)
		_ = there.Close()
	}()
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err == nil {
		_, _ = io.Copy(here, there)
	}
	_ = here.Close()
	<-done
}

// connect connects to the address that the program asks for, if it may be reached.
func (p *Proxy) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if host, _, err := net.SplitHostPort(address); err != nil || slices.Contains(p.except, host) {
		return nil, fmt.Errorf("connecting to %s: this is not asked for", host)
	}
	p.pages.once.Do(p.pages.start)
	conn, err := p.pages.connect(ctx, network, address)
	return &counted{conn, &p.loaded}, err
}

// counted is a connection whose bytes are counted.
type counted struct {
	net.Conn
	loaded *atomic.Int64
}

// Read implements net.Conn.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.loaded.Add(int64(n)) > maxLoaded {
		return 0, errTooMuch
	}
	return n, err
}
