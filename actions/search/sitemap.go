package search

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	maxSitemap     = 16 << 20 // bytes of one, unpacked; the protocol allows 50 MB
	maxEntries     = 50_000   // of one sitemap, as the protocol says
	maxSitemapText = 4 << 10  // bytes of one address or title
)

// sitemap is what a site says of its pages: the pages themselves, or other sitemaps.
type sitemap struct {
	pages []article
	files []article // url and day of the last change
}

var errNoSitemap = errors.New("this is no sitemap")

// readSitemap reads a sitemap or an index of sitemaps as XML, or a list of addresses as text; packed by gzip
// or not. What breaks off gives what came before.
func readSitemap(body []byte) (sitemap, error) {
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		packed, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return sitemap{}, err
		}
		// A damaged end costs the entries there and no more, so the error says nothing of use when something
		// came.
		if body, err = io.ReadAll(io.LimitReader(packed, maxSitemap)); err != nil && len(body) == 0 {
			return sitemap{}, err
		}
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), maxSitemap)], []byte("\xef\xbb\xbf")))
	if !bytes.HasPrefix(body, []byte("<")) {
		return readAddresses(string(body))
	}
	decoder := bounds.LooseXML(string(body))
	r := sitemapReader{}
	for len(r.found.pages)+len(r.found.files) < maxEntries {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		if !r.take(token) {
			return sitemap{}, errNoSitemap
		}
	}
	if !r.isSitemap {
		return sitemap{}, errNoSitemap
	}
	return r.found, nil
}

// sitemapReader follows the elements of a sitemap. Addresses of pictures and films have the same name as
// those of pages, so it is the element around them that counts.
type sitemapReader struct {
	found     sitemap
	open      []string // local names
	text      strings.Builder
	entry     article
	isSitemap bool
}

// take is false for a document that is something else.
func (r *sitemapReader) take(token xml.Token) bool {
	switch t := token.(type) {
	case xml.StartElement:
		if len(r.open) == 0 {
			r.isSitemap = t.Name.Local == "urlset" || t.Name.Local == "sitemapindex"
			if !r.isSitemap {
				return false
			}
		}
		r.open = append(r.open, t.Name.Local)
		r.text.Reset()
		if len(r.open) == 2 {
			r.entry = article{}
		}
	case xml.CharData:
		if len(r.open) > 2 && r.text.Len() < maxSitemapText {
			r.text.Write(t)
		}
	case xml.EndElement:
		r.end()
	}
	return true
}

func (r *sitemapReader) end() {
	n := len(r.open)
	if n == 0 {
		return
	}
	name, parent := r.open[n-1], ""
	if n > 1 {
		parent = r.open[n-2]
	}
	r.open = r.open[:n-1]
	value := strings.TrimSpace(r.text.String())
	r.text.Reset()
	switch {
	case n == 2 && name == "url" && r.entry.url != "":
		r.found.pages = append(r.found.pages, r.entry)
	case n == 2 && name == "sitemap" && r.entry.url != "":
		r.found.files = append(r.found.files, r.entry)
	case n == 3 && name == "loc":
		r.entry.url = webAddress(value)
	case n == 3 && name == "lastmod" && r.entry.published == "", parent == "news" && name == "publication_date":
		r.entry.published = fullDay(value)
	case parent == "news" && name == "title":
		r.entry.title = oneLine(value)
	}
}

// fullDay is a date with a day, by which the fresh are told from the old.
func fullDay(value string) string {
	date := day(value)
	if len(date) < len("2006-01-02") {
		return ""
	}
	return date
}

// readAddresses reads the plain form of a sitemap: one address a line.
func readAddresses(text string) (sitemap, error) {
	var found sitemap
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		address := webAddress(line)
		if address == "" {
			return sitemap{}, errNoSitemap
		}
		if found.pages = append(found.pages, article{url: address}); len(found.pages) == maxEntries {
			break
		}
	}
	if len(found.pages) == 0 {
		return sitemap{}, errNoSitemap
	}
	return found, nil
}
