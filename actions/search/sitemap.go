package search

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"

	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	maxSitemap = 16 << 20 // bytes of one, unpacked; the protocol allows 50 MB
	maxEntries = 50_000   // of one sitemap, as the protocol says
)

var errNoSitemap = errors.New("this is no sitemap")

// readSitemap reads a sitemap or an index of sitemaps as XML, or a list of addresses as text; packed by gzip
// or not. It gives the pages, or the other sitemaps, that are listed. What breaks off gives what came before.
func readSitemap(body []byte) (pages, files []article, err error) {
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		packed, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, nil, err
		}
		// A damaged end costs the entries there and no more, so the error says nothing of use when something
		// came.
		if body, err = io.ReadAll(io.LimitReader(packed, maxSitemap)); err != nil && len(body) == 0 {
			return nil, nil, err
		}
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), maxSitemap)], []byte("\xef\xbb\xbf")))
	if !bytes.HasPrefix(body, []byte("<")) {
		for line := range bytes.Lines(body) {
			address := webAddress(string(line))
			if address == "" && len(bytes.TrimSpace(line)) > 0 {
				return nil, nil, errNoSitemap
			}
			if address != "" && len(pages) < maxEntries {
				pages = append(pages, article{url: address})
			}
		}
		if len(pages) == 0 {
			return nil, nil, errNoSitemap
		}
		return pages, nil, nil
	}
	var list struct {
		XMLName xml.Name
		Pages   []sitemapEntry `xml:"url"`
		Files   []sitemapEntry `xml:"sitemap"`
	}
	_ = bounds.LooseXML(string(body)).Decode(&list) // what came before a fault is there
	if name := list.XMLName.Local; name != "urlset" && name != "sitemapindex" {
		return nil, nil, errNoSitemap
	}
	return articlesIn(list.Pages), articlesIn(list.Files), nil
}

// sitemapEntry is a page or another sitemap. Pictures and films have addresses and titles of their own, which
// are not those of the page.
type sitemapEntry struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod"`
	News    struct {
		Title     string `xml:"title"`
		Published string `xml:"publication_date"`
	} `xml:"news"`
}

func articlesIn(entries []sitemapEntry) (list []article) {
	for _, e := range entries[:min(len(entries), maxEntries)] {
		if address := webAddress(e.Address); address != "" {
			list = append(list, article{title: oneLine(e.News.Title), url: address,
				published: cmp.Or(fullDay(e.News.Published), fullDay(e.Changed))})
		}
	}
	return list
}

// fullDay is a date with a day, by which the fresh are told from the old.
func fullDay(value string) string {
	date := day(value)
	if len(date) < len("2006-01-02") {
		return ""
	}
	return date
}
