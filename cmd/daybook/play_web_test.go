package main

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// playWeb serves a small web: each file of a txtar archive is a page, its name the page's URL or, on any host,
// its path. A page's type goes by the ending of its name; without one it is HTML if it begins with <, and
// plain text otherwise. What is not in the archive is 404.
//
// A URL with a host is found by the Host header, and by the whole URL in the request line, so that a program
// that has the handler as its HTTP proxy reaches every page that begins with http:.
func playWeb(archive []byte) (http.Handler, error) {
	pages := map[string][]byte{}
	for _, file := range txtar.Parse(archive).Files {
		at, err := url.Parse(file.Name)
		if err != nil {
			return nil, fmt.Errorf("reading the name of page %q: %w", file.Name, err)
		}
		key := pageKey(at.Host, at.RequestURI())
		if _, ok := pages[key]; ok {
			return nil, fmt.Errorf("page %q is there twice", file.Name)
		}
		pages[key] = file.Data
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[pageKey(r.Host, r.URL.RequestURI())]
		if !ok {
			body, ok = pages[pageKey("", r.URL.RequestURI())]
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", pageType(r.URL.Path, body))
		w.Write(body)
	}), nil
}

func pageKey(host, uri string) string {
	return strings.ToLower(host) + "/" + strings.TrimPrefix(uri, "/")
}

// pageType knows the common endings itself, for a machine's own list of types is different on each.
func pageType(name string, body []byte) string {
	switch ending := strings.ToLower(path.Ext(name)); ending {
	case ".html", ".htm":
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".xml", ".atom", ".rss":
		return "application/xml"
	case "":
		if !strings.HasPrefix(strings.TrimSpace(string(body)), "<") {
			return "text/plain; charset=utf-8"
		}
	default:
		if known := mime.TypeByExtension(ending); known != "" {
			return known
		}
		return "application/octet-stream"
	}
	return "text/html; charset=utf-8"
}

const smallWeb = `
-- https://example.org/ --
<h1>Home</h1>
-- http://example.org/data.json?page=2 --
{"page":2}
-- /notes.md --
# Notes
-- /robots --
nothing
-- /a%20b.txt --
spaces
`

func TestThePagesOfAStory(t *testing.T) {
	handler, err := playWeb([]byte(smallWeb))
	require.NoError(t, err)
	cases := map[string]struct {
		status     int
		kind, body string
	}{
		"http://example.org/":                 {200, "text/html; charset=utf-8", "<h1>Home</h1>\n"},
		"http://example.org/data.json?page=2": {200, "application/json", "{\"page\":2}\n"},
		"http://example.org/data.json":        {404, "", ""},
		"http://example.net/":                 {404, "", ""},
		"http://example.net/notes.md":         {200, "text/markdown; charset=utf-8", "# Notes\n"},
		"http://EXAMPLE.org/robots":           {200, "text/plain; charset=utf-8", "nothing\n"},
		"http://example.org/a%20b.txt":        {200, "text/plain; charset=utf-8", "spaces\n"},
	}
	for at, c := range cases {
		t.Run(at, func(t *testing.T) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, at, nil))
			assert.Equal(t, c.status, w.Code)
			if c.status == http.StatusOK {
				assert.Equal(t, c.kind, w.Header().Get("Content-Type"))
				assert.Equal(t, c.body, w.Body.String())
			}
		})
	}
	t.Run("as a proxy", func(t *testing.T) {
		site, err := agenttest.Listen(handler)
		require.NoError(t, err)
		defer site.Close()
		proxy, err := url.Parse(site.URL)
		require.NoError(t, err)
		transport := &http.Transport{Proxy: http.ProxyURL(proxy)}
		defer transport.CloseIdleConnections()
		resp, err := (&http.Client{Transport: transport}).Get("http://example.org/data.json?page=2")
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, "{\"page\":2}\n", string(body))
	})
	t.Run("a page twice", func(t *testing.T) {
		_, err := playWeb([]byte("-- /a --\n-- /a --\n"))
		assert.ErrorContains(t, err, "twice")
	})
}
