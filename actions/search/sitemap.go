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
	d := xml.NewTokenDecoder(bounds.LooseXML(string(body)))
	isSitemap := false
	for len(pages)+len(files) < maxEntries {
		token, err := d.Token()
		if err != nil {
			break
		}
		start, _ := token.(xml.StartElement)
		switch start.Name.Local {
		case "urlset", "sitemapindex":
			isSitemap = true
		case "url":
			pages = appendEntry(pages, d, start)
		case "sitemap":
			files = appendEntry(files, d, start)
		}
	}
	if !isSitemap {
		return nil, nil, errNoSitemap
	}
	return pages, files, nil
}

// appendEntry reads an entry of a sitemap. Pictures and films have addresses and titles of their own, which
// are not those of the page.
func appendEntry(list []article, d *xml.Decoder, start xml.StartElement) []article {
	var entry struct {
		Address string `xml:"loc"`
		Changed string `xml:"lastmod"`
		News    struct {
			Title     string `xml:"title"`
			Published string `xml:"publication_date"`
		} `xml:"news"`
	}
	if d.DecodeElement(&entry, &start) != nil || webAddress(entry.Address) == "" {
		return list
	}
	return append(list, article{title: oneLine(entry.News.Title), url: webAddress(entry.Address),
		published: cmp.Or(fullDay(entry.News.Published), fullDay(entry.Changed))})
}

// fullDay is a date with a day, by which the fresh are told from the old.
func fullDay(value string) string {
	date := day(value)
	if len(date) < len("2006-01-02") {
		return ""
	}
	return date
}
