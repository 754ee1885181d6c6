package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxBytes is how much the browser may load for one page, with its scripts and styles; pictures are not
	// loaded.
	maxBytes = 24 << 20
	// maxConnections is how many connections it may have at a time.
	maxConnections = 64
	// maxWait is how long a server may take to begin its answer.
	maxWait = 20 * time.Second
)

// errTooMuch cuts a connection of a page that loads without end.
var errTooMuch = errors.New("the page loads too much")

// Dial makes a connection, or refuses to.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// proxy is the browser's only way out. The browser knows no name and no route but to it, so that every
// request, whatever makes it, is a connection that dial judges by the address it leads to.
type proxy struct {
	dial   Dial
	listen net.Listener
	server *http.Server

	loaded atomic.Int64
	slots  chan struct{}

	mu    sync.Mutex
	open  map[net.Conn]bool
	fault map[string]error // by host, since the last page was opened
}

func newProxy(dial Dial) (*proxy, error) {
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening the browser's way out: %w", err)
	}
	p := &proxy{dial: dial, listen: listen, slots: make(chan struct{}, maxConnections),
		open: map[net.Conn]bool{}, fault: map[string]error{}}
	silent := log.New(io.Discard, "", 0)
	forward := &httputil.ReverseProxy{
		Rewrite:  func(*httputil.ProxyRequest) {}, // the browser's requests name the whole address
		ErrorLog: silent,
		Transport: &http.Transport{DialContext: p.connect, DisableCompression: true,
			ResponseHeaderTimeout: maxWait, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: maxWait},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.note(r.URL.Hostname(), err)
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	p.server = &http.Server{ErrorLog: silent, ReadHeaderTimeout: maxWait,
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
	go func() { _ = p.server.Serve(listen) }() // ends with close
	return p, nil
}

func (p *proxy) address() string { return p.listen.Addr().String() }

func (p *proxy) close() {
	_ = p.server.Close()
	p.mu.Lock()
	open := slices.Collect(maps.Keys(p.open))
	p.mu.Unlock()
	for _, conn := range open {
		_ = conn.Close()
	}
}

// anew begins to count for another page.
func (p *proxy) anew() {
	p.loaded.Store(0)
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.fault)
}

// tooMuch says whether the page was cut off since it loads without end.
func (p *proxy) tooMuch() bool { return p.loaded.Load() > maxBytes }

func (p *proxy) note(host string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.fault) < maxConnections {
		p.fault[host] = err
	}
}

// why is why a host was not reached, nil when it was.
func (p *proxy) why(host string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault[host]
}

// tunnel connects the browser with a server that it speaks to itself: over TLS, or as a socket.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	there, err := p.connect(r.Context(), "tcp", r.Host)
	if err != nil {
		host, _, _ := net.SplitHostPort(r.Host)
		p.note(host, err)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	here, buffered, err := hijacker.Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, buffered)
		_ = there.Close()
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
	_ = there.Close()
	<-done
}

// connect makes a connection to what the browser asks for, if it may be reached.
func (p *proxy) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if address == p.address() {
		return nil, fmt.Errorf("connecting the browser to itself: %w", errTooMuch)
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	conn, err := p.dial(ctx, network, address)
	if err != nil {
		<-p.slots
		return nil, err
	}
	c := &counted{Conn: conn, proxy: p}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[c] = true
	return c, nil
}

// counted is a connection of the browser whose bytes are counted.
type counted struct {
	net.Conn
	proxy *proxy
	once  sync.Once
}

// Read implements net.Conn.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.proxy.loaded.Add(int64(n)) > maxBytes {
		return 0, errTooMuch
	}
	return n, err
}

// Close implements net.Conn.
func (c *counted) Close() error {
	c.once.Do(func() {
		c.proxy.mu.Lock()
		delete(c.proxy.open, c)
		c.proxy.mu.Unlock()
		<-c.proxy.slots
	})
	return c.Conn.Close()
}
