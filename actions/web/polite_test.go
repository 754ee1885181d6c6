package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests here and in pace_test.go run in a bubble, where waiting takes no time and the seconds can be
// counted to the letter. The web in it is one handler that answers for every host.

// pipes is a listener without a network.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// everyHost gives a Fetcher for which handler is every host there is.
func everyHost(t *testing.T, handler http.HandlerFunc) *web.Fetcher {
	t.Helper()
	listener := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fetcher := web.FetcherDialing(listener.dial)
	fetcher.Timeout = 30 * time.Second
	t.Cleanup(func() {
		fetcher.HangUp()
		assert.NoError(t, server.Close())
		assert.ErrorIs(t, <-served, http.ErrServerClosed)
		synctest.Wait()
	})
	return fetcher
}

// visits notes when each page was asked for, in seconds after the start.
type visits struct {
	mu    sync.Mutex
	start time.Time
	seen  map[string][]float64
}

func newVisits() *visits { return &visits{start: time.Now(), seen: map[string][]float64{}} }

func (v *visits) note(r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	key := r.Host + r.URL.Path
	v.seen[key] = append(v.seen[key], time.Since(v.start).Seconds())
}

func (v *visits) of(key string) []float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.seen[key]
}

func TestFetchAsksRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newVisits()
		fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
			seen.note(r)
			switch r.URL.Path {
			case "/robots.txt":
				assert.Equal(t, "Daybook/0.1 (+https://github.com/daybook-agent/daybook)", r.UserAgent())
				fmt.Fprint(w, "User-agent: daybook\nDisallow: /closed\n")
			case "/into":
				http.Redirect(w, r, "/closed/a", http.StatusFound)
			case "/over":
				http.Redirect(w, r, "http://b.test/closed/a", http.StatusFound)
			default:
				fmt.Fprint(w, "<p>hello")
			}
		})
		for range 2 {
			_, err := fetcher.Fetch(t.Context(), "http://a.test/open")
			require.NoError(t, err)
		}
		for _, path := range []string{"/closed/a?key=secret", "/into", "/over"} {
			_, err := fetcher.Fetch(t.Context(), "http://a.test"+path)
			assert.Equal(t, page.Robots, asError(t, err).Kind)
			assert.Contains(t, err.Error(), "robots.txt asks programs to stay away")
			assert.Contains(t, err.Error(), "look for another source")
			assert.NotContains(t, err.Error(), "secret")
		}
		assert.Len(t, seen.of("a.test/robots.txt"), 1, "once for one site")
		assert.Len(t, seen.of("b.test/robots.txt"), 1, "and for the site a redirect leads to")
		assert.Empty(t, seen.of("a.test/closed/a"))
		assert.Empty(t, seen.of("b.test/closed/a"))
		assert.Len(t, seen.of("a.test/open"), 2, "while what is open is read")
	})
}

// What a site can answer instead of a robots.txt. The page is read or the site is left alone; the run never
// hangs.
func TestFetchRobotsAnswers(t *testing.T) {
	bomb := zipped(t, make([]byte, 64<<20))
	var sent atomic.Int64
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		says   string // "" = the page is read
		within float64
	}{
		{"404", status(404), "", 0},
		{"401", status(401), "", 0},
		{"403", status(403), "", 0},
		{"410", status(410), "", 0},
		{"204", status(204), "", 0},
		{"302 to nowhere", status(302), "", 0},
		{"429", status(429), "answers 429 when asked for its robots.txt", 0},
		{"500", status(500), "answers 500 when asked for its robots.txt", 0},
		{"503", status(503), "answers 503 when asked for its robots.txt", 0},
		{"redirects round and round", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/robots.txt", 301)
		}, "", 0},
		{"redirects out of the web", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", 301)
		}, "", 0},
		{"redirects to rules", func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "a.test" {
				http.Redirect(w, r, "http://rules.test/robots.txt", 301)
				return
			}
			fmt.Fprint(w, "User-agent: *\nDisallow: /")
		}, "stay away", 0},
		{"silence", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"no answer in time", 10},
		{"drops", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				fmt.Fprint(w, "#")
				if http.NewResponseController(w).Flush() != nil {
					return
				}
				select {
				case <-time.After(time.Second):
				case <-r.Context().Done():
				}
			}
		}, "no answer in time", 10},
		{"100 MB", func(w http.ResponseWriter, _ *http.Request) {
			for range 100 << 10 {
				n, err := w.Write([]byte(strings.Repeat("#", 1023) + "\n"))
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}, "", 0},
		{"rules, then 100 MB", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
			for range 100 << 10 {
				if _, err := w.Write([]byte(strings.Repeat("#", 1023) + "\n")); err != nil {
					return
				}
			}
		}, "stay away", 0},
		{"bomb", encoded("gzip", bomb), "", 0},
		{"zipped rules", encoded("gzip", zipped(t, []byte("User-agent: *\nDisallow: /"))), "stay away", 0},
		{"rubbish for gzip", encoded("gzip", []byte("no gzip at all")), "", 0},
		{"brotli", encoded("br", []byte("x")), "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := newVisits()
				fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
					if seen.note(r); r.URL.Path == "/robots.txt" {
						test.answer(w, r)
						return
					}
					fmt.Fprint(w, "<p>hello")
				})
				for range 2 {
					_, err := fetcher.Fetch(t.Context(), "http://a.test/page?key=secret")
					if test.says == "" {
						require.NoError(t, err)
						continue
					}
					assert.Contains(t, err.Error(), test.says)
					assert.Contains(t, err.Error(), "a.test/page")
					assert.NotContains(t, err.Error(), "secret")
				}
				assert.InDelta(t, test.within, time.Since(seen.start).Seconds(), 0.01,
					"and the second call knows at once")
				if test.says != "" {
					assert.Empty(t, seen.of("a.test/page"))
				}
			})
		})
	}
	assert.Less(t, sent.Load(), int64(2<<20), "of 100 MB only the beginning was taken")
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// encoded does not mind a reader that has had enough.
func encoded(encoding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		if _, err := w.Write(body); err != nil {
			return
		}
	}
}

func TestFetchRobotsFailureIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var well atomic.Bool
		fetcher := everyHost(t, func(w http.ResponseWriter, r *http.Request) {
			if !well.Load() {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			fmt.Fprint(w, "<p>hello")
		})
		_, err := fetcher.Fetch(t.Context(), "http://a.test/")
		assert.Equal(t, http.StatusBadGateway, asError(t, err).Status)
		well.Store(true)
		_, err = fetcher.Fetch(t.Context(), "http://a.test/")
		require.Error(t, err, "nothing is asked within a minute")
		<-time.After(time.Minute)
		_, err = fetcher.Fetch(t.Context(), "http://a.test/")
		require.NoError(t, err)
	})
}
