package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"code.dny.dev/ssrf"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serve starts a site of the test's own; only a Fetcher with AllowPrivate may reach it.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestFetch(t *testing.T) {
	var seen http.Header
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			w.Header().Set("Set-Cookie", "a=b")
			http.Redirect(w, r, "/page?x=1", http.StatusFound)
		default:
			seen = r.Header
			w.Header().Set("Content-Type", "text/html; charset=gbk")
			fmt.Fprint(w, "<p>hello")
		}
	})
	fetcher := web.Fetcher{AllowPrivate: true}
	raw, err := fetcher.Fetch(t.Context(), site+"/moved?secret=1")
	require.NoError(t, err)
	assert.Equal(t, page.Raw{URL: site + "/page?x=1", ContentType: "text/html; charset=gbk",
		Body: []byte("<p>hello")}, raw)
	assert.Equal(t, "Daybook/0.1 (+https://github.com/daybook-agent/daybook)", seen.Get("User-Agent"))
	for _, header := range []string{"Cookie", "Referer", "Authorization"} {
		assert.Empty(t, seen.Get(header), header)
	}
	fetcher = web.Fetcher{AllowPrivate: true, UserAgent: "Mine/1"}
	_, err = fetcher.Fetch(t.Context(), site)
	require.NoError(t, err)
	assert.Equal(t, "Mine/1", seen.Get("User-Agent"))
}

// Addresses that lead into a private network, in the spellings attackers use. Which error comes depends on
// the resolver of the machine; that nothing is reached does not.
func TestFetchBlocksPrivateAddresses(t *testing.T) {
	reached := make(chan string, 100)
	trap := serve(t, func(_ http.ResponseWriter, r *http.Request) { reached <- r.Host })
	port := trap[strings.LastIndex(trap, ":"):]
	var fetcher web.Fetcher
	for _, host := range []string{
		"127.0.0.1", "127.127.127.127", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1",
		"100.100.100.200",
		"169.254.169.254", "169.254.170.2", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255",
		"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[::ffff:7f00:1]",
		"[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001::1]", "[fc00::1]",
		"[fd00:ec2::254]", "[ff02::1]", "[fe80::1]",
		"localhost", "LOCALHOST",
	} {
		for _, suffix := range []string{"", port} {
			t.Run(host+suffix, func(t *testing.T) {
				_, err := fetcher.Fetch(t.Context(), "http://"+host+suffix+"/latest?key=secret")
				e := asError(t, err)
				assert.Equal(t, page.Blocked, e.Kind, err.Error())
				assert.NotContains(t, err.Error(), "secret")
				assert.Contains(t, err.Error(), "look for a public source")
			})
		}
	}
	for _, host := range []string{
		"127.1", "0", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.000.000.001",
		"2852039166", "0xA9FEA9FE",
		"①②⑦.⓪.⓪.①", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "127。0。0。1", "localhost.", "[fe80::1%25lo]", "[::1%25lo]",
	} {
		t.Run(host, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := fetcher.Fetch(ctx, "http://"+host+port+"/")
			assert.Contains(t, []page.Kind{page.Blocked, page.Unreachable, page.BadURL}, asError(t, err).Kind,
				err.Error())
		})
	}
	assert.Empty(t, reached, "the trap was reached")
}

func TestFetchBadURLs(t *testing.T) {
	fetcher := web.Fetcher{AllowPrivate: true}
	for _, address := range []string{
		"", "example.org", "/etc/passwd", "file:///etc/passwd", "ftp://e.org/", "gopher://e.org",
		"javascript:alert(1)", "data:text/html,x",
		"view-source:http://e.org", "unix:/run/x", "http://", "http:///x", "http://[::1", `http://a\@b/`,
		"http://a b/", "http://a\r\nb/",
		"http://user:pw@e.org/?token=pw", "http://e.org@127.0.0.1/", "http://e.org:99999/",
		"http://e.org/%zz",
		"https://e.org/" + strings.Repeat("x", 100_000),
	} {
		t.Run(fmt.Sprintf("%.40q", address), func(t *testing.T) {
			_, err := fetcher.Fetch(t.Context(), address)
			e := asError(t, err)
			assert.Contains(t, []page.Kind{page.BadURL, page.Unreachable}, e.Kind)
			if !strings.Contains(address, ":99999") {
				assert.Equal(t, page.BadURL, e.Kind, err.Error())
			}
			assert.NotContains(t, err.Error(), "pw")
			assert.Less(t, len(err.Error()), 500)
		})
	}
}

func TestFetchRedirects(t *testing.T) {
	var hops atomic.Int32
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hops.Add(1)
		switch to := r.URL.Query().Get("to"); r.URL.Path {
		case "/to":
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/5", "/4", "/3", "/2", "/1":
			http.Redirect(w, r, fmt.Sprintf("/%d", r.URL.Path[1]-'1'), http.StatusMovedPermanently)
		case "/0":
			fmt.Fprint(w, "there")
		}
	})
	fetcher := web.Fetcher{AllowPrivate: true}
	raw, err := fetcher.Fetch(t.Context(), site+"/5")
	require.NoError(t, err, "five redirects are followed")
	assert.Equal(t, "there", string(raw.Body))

	hops.Store(0)
	_, err = fetcher.Fetch(t.Context(), site+"/loop?key=secret")
	assert.Equal(t, page.Unreachable, asError(t, err).Kind)
	assert.Contains(t, err.Error(), "redirects more than 5 times")
	assert.EqualValues(t, 6, hops.Load())

	for _, target := range []string{"file:///etc/passwd", "http://user:secret@e.org/",
		"gopher://127.0.0.1:6379/x", "http://a%0d%0a/?k=secret", "http://[::1/?k=secret"} {
		_, err = fetcher.Fetch(t.Context(), site+"/to?to="+
			strings.NewReplacer(":", "%3A", "/", "%2F", "?", "%3F", "%", "%25", "[", "%5B").Replace(target))
		assert.Contains(t, []page.Kind{page.BadURL, page.Unreachable}, asError(t, err).Kind, target)
		assert.NotContains(t, err.Error(), "secret")
	}
}

// A site that may be reached redirects to addresses that may not: the guard looks at every hop, not at the
// first alone.
func TestFetchRedirectIntoPrivateNetwork(t *testing.T) {
	public := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	})
	guard := ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.1/32")))
	for _, target := range []string{"http://[::1]:8080/", "http://169.254.169.254/latest/meta-data",
		"http://127.0.0.2:8080/", "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/"} {
		t.Run(target, func(t *testing.T) {
			fetcher := web.FetcherDialing(web.NewDial(guard.Safe, nil))
			_, err := fetcher.Fetch(t.Context(), public+"/?to="+url.QueryEscape(target))
			assert.Equal(t, page.Blocked, asError(t, err).Kind, err.Error())
		})
	}
	fetcher := web.FetcherDialing(web.NewDial(guard.Safe, nil))
	_, err := fetcher.Fetch(t.Context(), public+"/?to="+url.QueryEscape(public+"/?to="))
	assert.NotEqual(t, page.Blocked, asError(t, err).Kind,
		"the control: without a private address nothing is blocked")
}

func TestFetchStatus(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		_, err := fmt.Sscanf(r.URL.Path, "/%d", &status)
		if err != nil {
			status = http.StatusInternalServerError
		}
		w.WriteHeader(status)
	})
	fetcher := web.Fetcher{AllowPrivate: true}
	for status, says := range map[int]string{
		400: "bad request", 401: "not open to everyone", 403: "not open to everyone",
		404: "check the address", 410: "check the address",
		429: "busy", 451: "not open", 500: "a fault", 503: "busy", 599: "599", 304: "not modified",
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			_, err := fetcher.Fetch(t.Context(), fmt.Sprintf("%s/%d?q=secret", site, status))
			e := asError(t, err)
			assert.Equal(t, page.Status, e.Kind)
			assert.Equal(t, status, e.Status)
			assert.Contains(t, err.Error(), says)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestFetchSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	bomb := zipped(t, make([]byte, 64<<20))
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/declared":
			w.Header().Set("Content-Length", "52428800")
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			writeAll(t, w, bomb)
		case "/hollow": // compressed data without end that holds nothing
			w.Header().Set("Content-Encoding", "gzip")
			nothing := zipped(t, nil)
			for r.Context().Err() == nil {
				if _, err := w.Write(nothing); err != nil {
					return
				}
			}
		case "/zipped":
			w.Header().Set("Content-Encoding", "gzip")
			writeAll(t, w, zipped(t, []byte("<p>hello")))
		case "/rubbish":
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "this is no gzip at all")
		case "/torn":
			w.Header().Set("Content-Encoding", "gzip")
			writeAll(t, w, bomb[:100])
		case "/br", "/zstd", "/gzip, gzip":
			w.Header().Set("Content-Encoding", r.URL.Path[1:])
			writeAll(t, w, zipped(t, bomb))
		case "/trailer": // a whole page, then rubbish
			w.Header().Set("Content-Encoding", "gzip")
			writeAll(t, w, append(zipped(t, []byte("<p>hello")), "rubbish, and more of it"...))
		case "/members":
			w.Header().Set("Content-Encoding", "gzip")
			writeAll(t, w, append(zipped(t, []byte("<p>he")), zipped(t, []byte("llo"))...))
		case "/torn-member":
			w.Header().Set("Content-Encoding", "gzip")
			writeAll(t, w, append(zipped(t, []byte("<p>he")), bomb[:100]...))
		case "/disk.iso":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Length", "734003200")
		case "/small.iso":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Length", "102400")
			writeAll(t, w, make([]byte, 100<<10))
		case "/notes":
			w.Header().Set("Content-Type", "application/octet-stream")
			fmt.Fprint(w, "# text")
		case "/exact":
			writeAll(t, w, make([]byte, 1<<20))
		case "/headers":
			w.Header().Set("X", strings.Repeat("x", 100<<10))
		case "/cookie":
			w.Header().Set("Set-Cookie", "a="+strings.Repeat("x", 1<<20))
		case "/png":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, "x")
		}
	})
	fetcher := web.Fetcher{AllowPrivate: true, MaxBytes: 1 << 20, Timeout: 5 * time.Minute}
	for _, test := range []struct {
		path, says string
		kind       page.Kind
	}{
		{"/declared", "the limit is 1 MB and this page has 50 MB: look for a smaller page or a summary of it",
			page.TooLarge},
		{"/endless", "has more than that", page.TooLarge},
		{"/bomb", "has more than that", page.TooLarge},
		{"/hollow", "has more than that", page.TooLarge},
		{"/rubbish", "compression", page.Unreachable},
		{"/torn", "breaks off before its end", page.Unreachable},
		{"/torn-member", "breaks off before its end", page.Unreachable},
		{"/br", "compression", page.Unreachable},
		{"/zstd", "compression", page.Unreachable},
		{"/gzip,%20gzip", "compression", page.Unreachable},
		{"/disk.iso", "application/octet-stream of 700 MB", page.Unsupported},
		{"/small.iso", "application/octet-stream of 100 KB", page.Unsupported},
		{"/headers", "", page.Unreachable},
		{"/cookie", "", page.Unreachable},
		{"/empty", "no text", page.Empty},
		{"/png", "image/png", page.Unsupported},
	} {
		t.Run(test.path, func(t *testing.T) {
			_, err := fetcher.Fetch(t.Context(), site+test.path)
			assert.Equal(t, test.kind, asError(t, err).Kind, err.Error())
			assert.Contains(t, err.Error(), test.says)
		})
	}
	for path, size := range map[string]int{"/zipped": 8, "/trailer": 8, "/members": 8, "/notes": 6,
		"/exact": 1 << 20} {
		raw, err := fetcher.Fetch(t.Context(), site+path)
		require.NoError(t, err, path)
		assert.Len(t, raw.Body, size)
	}
}

func TestFetchTime(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/drip" {
			w.WriteHeader(http.StatusOK)
			fmt.Fprint(w, "x")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		}
		<-r.Context().Done()
	})
	fetcher := web.Fetcher{AllowPrivate: true, Timeout: 100 * time.Millisecond}
	for _, path := range []string{"/silent", "/drip"} {
		_, err := fetcher.Fetch(t.Context(), site+path)
		assert.Equal(t, page.Unreachable, asError(t, err).Kind)
		assert.Contains(t, err.Error(), "no answer in time")
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := fetcher.Fetch(ctx, site)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Contains(t, err.Error(), "stopped by the caller")
}

// A part is never taken for the whole, whatever the server says of its length.
func TestFetchOfAPart(t *testing.T) {
	const whole = "<html><body><h1>Bridges</h1><p>How they are built, and kept for long.</p></body></html>"
	for name, test := range map[string]struct {
		head, body, partial string
		kind                page.Kind
	}{
		"whole":          {"200 OK\r\nContent-Length: 87", whole, "", ""},
		"without length": {"200 OK\r\nX: y", whole, "", ""},
		"a part": {"206 Partial Content\r\nContent-Range: bytes 0-86/900\r\nContent-Length: 87",
			whole, "the server sent a part of it", ""},
		"longer":  {"200 OK\r\nContent-Length: 60", whole, "it breaks off before its end", ""},
		"shorter": {"200 OK\r\nContent-Length: 900", whole, "", page.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, whole, 87)
			site := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				fmt.Fprintf(conn, "HTTP/1.1 %s\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n%s",
					test.head, test.body)
			})
			fetcher := web.Fetcher{AllowPrivate: true}
			raw, err := fetcher.Fetch(t.Context(), site+"/a")
			if test.kind != "" {
				assert.Equal(t, test.kind, asError(t, err).Kind)
				return
			}
			require.NoError(t, err)
			doc, err := page.Read(t.Context(), raw)
			require.NoError(t, err)
			assert.Equal(t, test.partial, doc.Partial)
		})
	}
}

func TestFetchNoServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	fetcher := web.Fetcher{AllowPrivate: true}
	_, err = fetcher.Fetch(t.Context(), "http://"+address+"/?key=secret")
	assert.Equal(t, page.Unreachable, asError(t, err).Kind)
	assert.NotContains(t, err.Error(), "secret")
	assert.Contains(t, err.Error(), "refused")
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// writeAll does not mind a reader that has gone: most of these readers must go.
func writeAll(t *testing.T, w http.ResponseWriter, data []byte) {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Logf("the reader has gone: %v", err)
	}
}

func asError(t *testing.T, err error) *page.Error {
	t.Helper()
	e, ok := errors.AsType[*page.Error](err)
	require.True(t, ok, "want a *page.Error, got %v", err)
	return e
}
