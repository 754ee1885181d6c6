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
	// maxLoaded is how many bytes a program may load for one page, with scripts and styles.
	maxLoaded = 24 << 20
	// proxyWait is how long a server may take to begin its answer.
	proxyWait = 20 * time.Second
)

// errTooMuch cuts a connection of a page that loads without end.
var errTooMuch = errors.New("the page loads too much")

// Proxy is the only way out of a program that gets pages by itself, such as a browser, which knows no name
// and no route but to it. It connects to what its Fetcher would connect to: every request, whatever makes it,
// is judged by the address that it leads to.
type Proxy struct {
	pages  *Fetcher
	except []string
	listen net.Listener
	server *http.Server
	loaded atomic.Int64
	faults sync.Map // by host, since the last page was opened
}

// NewProxy opens a proxy on this machine. It does not connect to the hosts that are excepted, which the
// program calls of its own accord.
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
			if !errors.Is(err, context.Canceled) { // by a browser that went on
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
	go func() { _ = p.server.Serve(listen) }() // ends with close
	return p, nil
}

// Address is where the proxy listens.
func (p *Proxy) Address() string { return p.listen.Addr().String() }

// Close ends it; tunnels end with the program that it is for.
func (p *Proxy) Close() { _ = p.server.Close() }

// Anew begins to count for another page.
func (p *Proxy) Anew() {
	p.loaded.Store(0)
	p.faults.Clear()
}

// Why is why a page did not come: since it loads without end, since its host may not be reached, or since its
// server said so by a status; nil when nothing is known to be wrong.
func (p *Proxy) Why(address string, status int) error {
	if p.loaded.Load() > maxLoaded {
		return page.NewError(page.TooLarge, "reading", address,
			fmt.Sprintf("the page loads more than %s and was cut off: "+
				"look for a smaller page or a summary of it", plain.Size(maxLoaded)))
	}
	if u, err := url.Parse(address); err == nil {
		// a part of a page that came may have failed as well
		if why, ok := p.faults.Load(u.Hostname()); ok && (status == 0 || status >= http.StatusBadRequest) {
			return unreachable(address, why.(error))
		}
	}
	if status >= http.StatusBadRequest {
		return badStatus(address, status)
	}
	return nil
}

// tunnel connects the program with a server that it speaks to itself: over TLS, or as a socket.
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

// connect makes a connection to what the program asks for, if it may be reached.
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
