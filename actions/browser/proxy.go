package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxBytes is how much the browser may load for one page, with its scripts and styles; pictures are not
	// loaded.
	maxBytes = 24 << 20
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
	faults sync.Map // by host, since the last page was opened
}

func newProxy(dial Dial) (*proxy, error) {
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening the browser's way out: %w", err)
	}
	p := &proxy{dial: dial, listen: listen}
	silent := log.New(io.Discard, "", 0)
	forward := &httputil.ReverseProxy{
		Rewrite:  func(*httputil.ProxyRequest) {}, // the browser's requests name the whole address
		ErrorLog: silent,
		Transport: &http.Transport{DialContext: p.connect, DisableCompression: true,
			ResponseHeaderTimeout: maxWait, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: maxWait},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.faults.Store(r.URL.Hostname(), err)
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

// close ends what the browser asks for; tunnels end with the browser.
func (p *proxy) close() { _ = p.server.Close() }

// anew begins to count for another page.
func (p *proxy) anew() {
	p.loaded.Store(0)
	p.faults.Clear()
}

// tooMuch says whether the page was cut off since it loads without end.
func (p *proxy) tooMuch() bool { return p.loaded.Load() > maxBytes }

// why is why a host was not reached, nil when it was.
func (p *proxy) why(host string) error {
	if err, ok := p.faults.Load(host); ok {
		return err.(error)
	}
	return nil
}

// tunnel connects the browser with a server that it speaks to itself: over TLS, or as a socket.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
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

// connect makes a connection to what the browser asks for, if it may be reached.
func (p *proxy) connect(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := p.dial(ctx, network, address)
	return &counted{conn, &p.loaded}, err
}

// counted is a connection of the browser whose bytes are counted.
type counted struct {
	net.Conn
	loaded *atomic.Int64
}

// Read implements net.Conn.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.loaded.Add(int64(n)) > maxBytes {
		return 0, errTooMuch
	}
	return n, err
}
