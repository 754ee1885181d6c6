package search

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/xml"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html/atom"
)

const (
	maxRequests = 16
	maxArticles = 50_000
	maxFeeds    = 4 // that the home page names: blogs have one for each category too
)

// visit is one reading of a site's lists.
type visit struct {
	fetch func(context.Context, string) (page.Raw, error)
	base  *url.URL
	asked map[string]bool // addresses
	list  []page.FeedItem
	at    map[string]int // the index of a page in list

	feeds, maps int   // how many were read
	answered    bool  // the site returned anything at all
	err         error // the first
}

// get fetches a file of the site, once. With elsewhere, it may be on another host.
func (v *visit) get(ctx context.Context, address string, elsewhere bool) (page.Raw, bool) {
	isTo := func(address string) bool { return elsewhere || v.owns(address) }
	if ctx.Err() != nil || len(v.asked) == maxRequests || v.asked[address] || !isTo(address) {
		return page.Raw{}, false
	}
	v.asked[address] = true
	raw, err := v.fetch(ctx, address)
	raw.URL = cmp.Or(raw.URL, address)
	if v.err = cmp.Or(v.err, err); err != nil || !isTo(raw.URL) { // it may be redirected to another site
		return page.Raw{}, false
	}
	v.answered = true
	return raw, true
}

// owns reports whether an address belongs to the site or to a subdomain. www. makes no difference.
func (v *visit) owns(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	own := strings.TrimPrefix(v.base.Hostname(), "www.")
	return host == own || strings.HasSuffix(host, "."+own)
}

// add keeps the articles that are on the site. Of two mentions, the one with a title stays: it comes from a
// feed, which has the day of publication, while a sitemap has that of the last change.
func (v *visit) add(list []page.FeedItem) {
	for _, a := range list {
		a.URL, _, _ = strings.Cut(a.URL, "#")
		key := strings.TrimSuffix(a.URL, "/")
		i, known := v.at[key]
		switch {
		case known && v.list[i].Title == "" && a.Title != "":
			a.Published = cmp.Or(a.Published, v.list[i].Published)
			v.list[i] = a
		case !known && len(v.list) < maxArticles && v.owns(a.URL):
			v.at[key] = len(v.list)
			v.list = append(v.list, a)
		}
	}
}

// readLists reads feeds and sitemaps, and the sitemaps that these name, the last changed first. It stops when
// the site was asked for as many files as most says.
func (v *visit) readLists(ctx context.Context, addresses []string, most int, elsewhere bool) {
	for len(addresses) > 0 && len(v.asked) < most {
		raw, ok := v.get(ctx, addresses[0], elsewhere)
		addresses = addresses[1:]
		if !ok {
			continue
		}
		pages, files, isSitemap := readSitemap(raw.Body)
		if feed, err := page.ReadFeed(raw); err == nil {
			v.feeds++
			pages = feed.Items
		} else if isSitemap {
			v.maps++
		} else {
			continue
		}
		v.add(pages)
		slices.SortStableFunc(files, func(a, b page.FeedItem) int {
			return strings.Compare(b.Published, a.Published)
		})
		for _, file := range files[:min(len(files), maxRequests)] {
			if v.owns(file.URL) {
				addresses = append(addresses, file.URL)
			}
		}
	}
}

// sitemapLines returns the sitemaps that a robots.txt names.
func sitemapLines(robots []byte, base *url.URL) []string {
	const most = 512 << 10 // bytes that search engines read of one
	var list []string
	for _, line := range sitemapLine.FindAllSubmatch(robots[:min(len(robots), most)], maxRequests) {
		if u, err := base.Parse(string(line[1])); err == nil {
			list = append(list, u.String())
		}
	}
	return list
}

var sitemapLine = regexp.MustCompile(`(?im)^\s*sitemap\s*:[ \t]*(.*?)\s*$`)

// alternates returns the feeds that a page names in its head, except those of comments.
func alternates(home page.Raw) []string {
	const most = 1 << 20 // bytes; a head with its styles and scripts is shorter
	base, err := url.Parse(home.URL)
	root, badHTML := bounds.HTML(string(home.Body[:min(len(home.Body), most)]))
	if err != nil || badHTML != nil {
		return nil
	}
	var list []string
	for n := range root.Descendants() {
		href := strings.TrimSpace(tree.Attr(n, "href"))
		u, err := base.Parse(href)
		if len(list) < maxFeeds && err == nil && n.DataAtom == atom.Link && href != "" &&
			slices.Contains(strings.Fields(strings.ToLower(tree.Attr(n, "rel"))), "alternate") &&
			feedType.MatchString(tree.Attr(n, "type")) && !strings.Contains(href, "comments") &&
			webAddress(u.String()) != "" && !slices.Contains(list, u.String()) {
			list = append(list, u.String())
		}
	}
	return list
}

var feedType = regexp.MustCompile(`(?i)^\s*application/(?:(?:rss|atom|rdf)\+xml|feed\+json)\s*(?:;|$)`)

const (
	maxSitemap = 16 << 20 // bytes of one, unpacked; the protocol allows 50 MB
	maxEntries = 50_000   // of one sitemap, as the protocol says
)

// readSitemap reads a sitemap or an index of sitemaps as XML, or a list of addresses as text, with or without
// gzip. It returns the pages, or the other sitemaps, that are listed; ok is false for anything else. From a
// file that breaks off it returns what came before.
func readSitemap(body []byte) (pages, files []page.FeedItem, ok bool) {
	if packed, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		body, _ = io.ReadAll(io.LimitReader(packed, maxSitemap))
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), maxSitemap)], []byte("\xef\xbb\xbf")))
	var list struct {
		XMLName xml.Name
		Pages   []sitemapEntry `xml:"url"`
		Files   []sitemapEntry `xml:"sitemap"`
	}
	if !bytes.HasPrefix(body, []byte("<")) {
		for line := range strings.FieldsSeq(string(body)) {
			if list.Pages = append(list.Pages, sitemapEntry{Address: line}); len(list.Pages) > maxEntries {
				break
			}
		}
		pages = articlesIn(list.Pages)
		return pages, nil, len(pages) > 0 && len(pages) == min(len(list.Pages), maxEntries)
	}
	_ = bounds.LooseXML(string(body)).Decode(&list) // what came before a fault is there
	name := list.XMLName.Local
	return articlesIn(list.Pages), articlesIn(list.Files), name == "urlset" || name == "sitemapindex"
}

// sitemapEntry is a page or another sitemap. Pictures and videos have addresses and titles of their own,
// which are not the page's.
type sitemapEntry struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod"`
	News    struct {
		Title     string `xml:"title"`
		Published string `xml:"publication_date"`
	} `xml:"news"`
}

func articlesIn(entries []sitemapEntry) (list []page.FeedItem) {
	for _, e := range entries[:min(len(entries), maxEntries)] {
		if address := webAddress(e.Address); address != "" {
			list = append(list, page.FeedItem{Title: oneLine(e.News.Title), URL: address,
				Published: cmp.Or(fullDay(e.News.Published), fullDay(e.Changed))})
		}
	}
	return list
}

// fullDay returns a date that has a day, to tell new from old, or "".
func fullDay(value string) string {
	date := day(value)
	if len(date) < len("2006-01-02") {
		return ""
	}
	return date
}
