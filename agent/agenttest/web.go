package agenttest

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Web serves a small web: each file of a txtar archive is a page, its name the page's URL or, on any host,
// its path. A page's type goes by the ending of its name; without one it is HTML if it begins with <, and
// plain text otherwise. What is not in the archive is 404.
//
// A URL with a host is found by the Host header, and by the whole URL in the request line, so that a program
// that has the handler as its HTTP proxy reaches every page that begins with http:.
func Web(archive []byte) (http.Handler, error) {
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
