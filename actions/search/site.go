package search

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Site searches the articles of one site, as its feeds and sitemaps list them: titles, addresses, and what
// feeds show of the texts. It asks for at most 16 files of the site, as many as there is time for, and keeps
// the list for a quarter of an hour. Do not copy one after its first Search.
//
// It never leaves Host and its subdomains, except for feeds that the site's home page names.
type Site struct {
	Host  string // such as go.dev; an address of the site will do
	Most  int    // articles to search, the first that are listed; 0 for all
	Fetch func(ctx context.Context, url string) (page.Raw, error)

	known articleList
}

var _ Provider = (*Site)(nil)

// Name returns the host.
func (s *Site) Name() string { return s.base().Host }

// Kind returns Web.
func (*Site) Kind() Kind { return Web }

// IsOneSite returns true.
func (*Site) IsOneSite() bool { return true }

// Search returns articles with at least a third of the query's words, or all, the newest first, for a query
// without words. A site without feed and sitemap is an error, since what it holds is unknown.
func (s *Site) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if s.Fetch == nil || s.base().Hostname() == "" {
		return nil, &ServiceError{Reason: Strange,
			Detail: "it has no host, or no way to fetch pages; check the settings"}
	}
	query = strings.Join(slices.DeleteFunc(strings.Fields(query),
		func(word string) bool { return strings.HasPrefix(word, "site:") }), " ")
	if newest.MatchString(query + " ") {
		query = ""
	}
	return s.known.search(ctx, s.Name(), query, limit, s.load, func(terms int) int { return (terms + 2) / 3 })
}

// newest matches a query that only asks for a list of what is new: "latest", "newest articles", 最新文章.
var newest = regexp.MustCompile(
	`(?i)^\s*(?:(?:latest|newest|new|recent|articles|posts|list|all|最新|最新文章|文章|文章列表)\s+)*$`)

// base returns the address of the home page.
func (s *Site) base() *url.URL {
	host := withoutScheme.ReplaceAllString(strings.ToLower(strings.TrimSpace(s.Host)), "$1")
	u, err := url.Parse("https://" + host + "/")
	if err != nil || u.User != nil {
		return &url.URL{}
	}
	return u
}

var withoutScheme = regexp.MustCompile(`^(?:[^/]*://)?([^/]*).*`)

// load reads the site's lists: feeds that the home page names, which have titles and texts, then the
// sitemaps, and if no feed was read those at the usual addresses. The least promising come last, since a
// polite program asks once a second and time may run out.
func (s *Site) load(ctx context.Context) ([]page.FeedItem, error) {
	v := visit{fetch: s.Fetch, base: s.base(), asked: map[string]bool{}, at: map[string]int{}}
	at := func(path string) string { return v.base.ResolveReference(&url.URL{Path: path}).String() }
	home, _ := v.get(ctx, v.base.String(), false)
	if isOut(v.err) {
		return nil, siteError(v.err)
	}
	v.readLists(ctx, alternates(home), maxRequests, true)
	robots, _ := v.get(ctx, at("/robots.txt"), false)
	maps := sitemapLines(robots.Body, v.base)
	if len(maps) == 0 {
		maps = []string{at("/sitemap.xml")}
	}
	guesses := []string{"/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml"}
	v.readLists(ctx, maps, maxRequests-len(guesses), false)
	for _, path := range guesses {
		if v.feeds == 0 {
			v.readLists(ctx, []string{at(path)}, maxRequests, false)
		}
	}
	switch {
	case v.feeds+v.maps > 0:
		return v.list[:min(len(v.list), cmp.Or(s.Most, maxArticles))], nil
	case ctx.Err() != nil:
		return nil, unavailable(ctx, ctx.Err())
	case v.answered:
		return nil, &ServiceError{Reason: Strange,
			Detail: "the site shows no feed and no sitemap that can be read; read its pages instead"}
	}
	return nil, siteError(v.err)
}

// isOut reports whether no address of the site can be read, so that asking for more only takes time.
func isOut(err error) bool {
	fetched, ok := errors.AsType[*page.Error](err)
	return ok && slices.Contains([]page.Kind{page.BadURL, page.Blocked, page.Unreachable}, fetched.Kind)
}

// siteError returns the error for a site of which nothing was read; the reason is the home page's status.
func siteError(err error) error {
	e := &ServiceError{Reason: Unavailable, Detail: "the site cannot be reached", cause: err}
	if fetched, ok := errors.AsType[*page.Error](err); ok {
		e.Reason, e.Detail = cmp.Or(ofStatus[fetched.Status], Unavailable), fetched.Error()
	}
	return e
}

// listAge is the lifetime of a list of articles: several queries in a row share it, and nobody publishes
// every minute.
const listAge = 15 * time.Minute

// articleList keeps a list of articles between queries. The zero value is empty.
type articleList struct {
	mu   sync.Mutex // held while one caller loads, within its time
	list []page.FeedItem
	at   time.Time
}

// get returns a recently loaded list, or loads one. What was loaded when time ran out is returned but not
// kept.
func (a *articleList) get(ctx context.Context, load func(context.Context) ([]page.FeedItem, error)) (
	[]page.FeedItem, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.at) < listAge {
		return a.list, nil
	}
	list, err := load(ctx)
	if err == nil && ctx.Err() == nil {
		a.list, a.at = list, time.Now()
	}
	return list, err
}

// search returns the articles that hold at least least(n) of the query's n words: first those with most of
// them, above all in their titles, and of these the newest. A query without words returns all articles. One
// without a title is named after the last part of its address.
func (a *articleList) search(ctx context.Context, provider, query string, limit int,
	load func(context.Context) ([]page.FeedItem, error), least func(terms int) int) ([]Hit, error) {
	list, err := a.get(ctx, load)
	if err != nil {
		return nil, err
	}
	wanted := words.Terms(query)
	held := func(text string) int { return len(words.Sightings(text, wanted)) }
	type found struct {
		page.FeedItem
		score int
	}
	var all []found
	for _, a := range list {
		a.Text = prose.OneLine(words.Plain(a.Text))
		path := asWords(pathOf(a.URL))
		whole := held(a.Title + " " + path + " " + a.Text)
		if len(wanted) == 0 || whole >= max(1, least(len(wanted))) {
			all = append(all, found{a, 3*held(a.Title) + 2*held(path) + whole})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.Published, a.Published))
	})
	var hits []Hit
	for _, a := range all[:min(len(all), limit)] {
		hits = append(hits, Hit{Title: cmp.Or(a.Title, asWords(path.Base(pathOf(a.URL)))), URL: a.URL,
			Published: a.Published, Author: a.Author,
			Snippet: snippetOf(query, []string{a.Published}, a.Text)})
	}
	return tidy(provider, hits, limit), nil
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}

// asWords returns a path as words: "blog go 1 22 released" for /blog/go-1.22_released.html.
func asWords(name string) string {
	return oneLine(noWord.ReplaceAllString(ending.ReplaceAllString(name, ""), " "))
}

var (
	ending = regexp.MustCompile(`\.(?:s?html?|php|aspx?|jsp|md)$`)
	noWord = regexp.MustCompile(`[^\pL\pN\pM]`)
)
