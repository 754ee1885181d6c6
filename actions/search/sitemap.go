package search

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	maxSitemap = 16 << 20 // bytes of one, unpacked; the protocol allows 50 MB
	maxEntries = 50_000   // of one sitemap, as the protocol says
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
	var file struct {
		XMLName xml.Name
		Pages   sitemapEntries `xml:"url"`
		Files   sitemapEntries `xml:"sitemap"`
	}
	err := bounds.LooseXML(string(body)).Decode(&file)
	if name := file.XMLName.Local; name != "urlset" && name != "sitemapindex" {
		return sitemap{}, errors.Join(errNoSitemap, err)
	}
	return sitemap{file.Pages, file.Files}, nil
}

// sitemapEntries are the pages, or the other sitemaps, that a sitemap lists.
type sitemapEntries []article

// UnmarshalXML takes one more of them. Pictures and films have addresses and titles of their own, which are
// not those of the page.
func (e *sitemapEntries) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var entry struct {
		Address string `xml:"loc"`
		Changed string `xml:"lastmod"`
		News    struct {
			Title     string `xml:"title"`
			Published string `xml:"publication_date"`
		} `xml:"news"`
	}
	if err := d.DecodeElement(&entry, &start); err != nil {
		return err
	}
	if len(*e) == maxEntries {
		return io.EOF
	}
	if address := webAddress(entry.Address); address != "" {
		*e = append(*e, article{
			title: oneLine(entry.News.Title), url: address,
			published: cmp.Or(fullDay(entry.News.Published), fullDay(entry.Changed)),
		})
	}
	return nil
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
