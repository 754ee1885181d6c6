package search

import (
	"cmp"
	"context"
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
	list  []article
	at    map[string]int // where in the list a page stands

	feeds, maps int   // read
	answered    bool  // the site gave anything at all
	err         error // the first
}

// get fetches a file of the site, once. With elsewhere, it may be on another host.
func (v *visit) get(ctx context.Context, address string, elsewhere bool) (page.Raw, bool) {
	if ctx.Err() != nil || len(v.asked) == maxRequests || v.asked[address] ||
		!elsewhere && !v.owns(address) {
		return page.Raw{}, false
	}
	v.asked[address] = true
	raw, err := v.fetch(ctx, address)
	if err != nil {
		if v.err == nil {
			v.err = err
		}
		return page.Raw{}, false
	}
	if !elsewhere && !v.owns(cmp.Or(raw.URL, address)) {
		return page.Raw{}, false // it was sent on to another site
	}
	v.answered = true
	raw.URL = cmp.Or(raw.URL, address)
	return raw, true
}

// owns tells whether an address is one of the site or of a subdomain. www. is one and the same.
func (v *visit) owns(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	own := strings.TrimPrefix(v.base.Hostname(), "www.")
	return host == own || strings.HasSuffix(host, "."+own)
}

// add keeps the articles that are on the site. Of two mentions the one with a title stays: it is a feed's,
// which tells the day of publishing, where a sitemap tells that of the last change.
func (v *visit) add(list []article) {
	for _, a := range list {
		a.url, _, _ = strings.Cut(a.url, "#")
		key := strings.TrimSuffix(a.url, "/")
		i, known := v.at[key]
		switch {
		case known && v.list[i].title == "" && a.title != "":
			a.published = cmp.Or(a.published, v.list[i].published)
			v.list[i] = a
		case !known && len(v.list) < maxArticles && v.owns(a.url):
			v.at[key] = len(v.list)
			v.list = append(v.list, a)
		}
	}
}

func (v *visit) readFeed(ctx context.Context, address string, elsewhere bool) {
	if raw, ok := v.get(ctx, address, elsewhere); ok {
		v.addFeed(raw)
	}
}

func (v *visit) addFeed(raw page.Raw) {
	if feed, err := page.ReadFeed(raw); err == nil {
		v.feeds++
		v.add(articlesOf(feed))
	}
}

// readSitemaps reads sitemaps and those that they name, the ones that changed last first, until most files of
// the site were asked for. One may be a feed, which a robots.txt may name too.
func (v *visit) readSitemaps(ctx context.Context, addresses []string, most int) {
	for len(addresses) > 0 && len(v.asked) < most {
		raw, ok := v.get(ctx, addresses[0], false)
		addresses = addresses[1:]
		if !ok {
			continue
		}
		pages, files, err := readSitemap(raw.Body)
		if err != nil {
			v.addFeed(raw)
			continue
		}
		v.maps++
		v.add(pages)
		slices.SortStableFunc(files, func(a, b article) int {
			return strings.Compare(b.published, a.published)
		})
		for _, file := range files[:min(len(files), maxRequests)] {
			addresses = append(addresses, file.url)
		}
	}
}

// sitemapLines are the sitemaps that a robots.txt names.
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

// alternates are the feeds that a page names in its head, without those of comments.
func alternates(home page.Raw) []string {
	const most = 1 << 20 // bytes; a head with its styles and scripts is shorter
	base, err := url.Parse(home.URL)
	if err != nil {
		return nil
	}
	root, err := bounds.HTML(string(home.Body[:min(len(home.Body), most)]))
	if err != nil {
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
