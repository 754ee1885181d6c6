package search

import (
	"cmp"
	"context"
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

// article is one entry of a site's feed or sitemap.
type article struct {
	title     string // "" in most sitemaps
	url       string
	author    string
	published string // 2006-01-02, or ""
	text      string // plain, or ""
	score     int    // of a query
}

func articlesOf(feed page.Feed) []article {
	list := make([]article, 0, len(feed.Items))
	for _, item := range feed.Items {
		list = append(list, article{title: item.Title, url: item.URL, author: item.Author,
			published: item.Published, text: prose.OneLine(words.Plain(item.Text))})
	}
	return list
}

// listAge is how long a list of articles is good: several queries in a row need it once, and nobody publishes
// every minute.
const listAge = 15 * time.Minute

// articleList keeps a list of articles between queries. The zero value is empty.
type articleList struct {
	mu   sync.Mutex // held while one caller loads, within its time
	list []article
	at   time.Time
}

// get is the list as it was loaded lately, or as load gives it now. What was loaded when time ran out is
// given and not kept.
func (a *articleList) get(ctx context.Context, load func(context.Context) ([]article, error)) (
	[]article, error) {
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

// search gives the articles that hold at least as many words of the query as least says for their number,
// those first that hold most of them, in their titles above all, and of these the newest. All articles are
// given for a query without words. One without a title is called by the last part of its address.
func (a *articleList) search(ctx context.Context, provider, query string, limit int,
	load func(context.Context) ([]article, error), least func(terms int) int) ([]Hit, error) {
	list, err := a.get(ctx, load)
	if err != nil {
		return nil, err
	}
	wanted := words.Terms(query)
	var all []article
	for _, a := range list {
		title := len(words.Sightings(a.title, wanted))
		path := len(words.Sightings(wordsOfPath(a.url), wanted))
		held := len(words.Sightings(a.title+" "+wordsOfPath(a.url)+" "+a.text, wanted))
		if a.score = 3*title + 2*path + held; len(wanted) == 0 || held >= max(1, least(len(wanted))) {
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b article) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.published, a.published))
	})
	var hits []Hit
	for _, a := range all[:min(len(all), limit)] {
		hits = append(hits, Hit{
			Title: cmp.Or(a.title, asWords(path.Base(pathOf(a.url)))), URL: a.url,
			Published: a.published, Author: a.author,
			Snippet: snippetOf(query, []string{a.published}, a.text),
		})
	}
	return tidy(provider, hits, limit), nil
}

// wordsOfPath is the path of an address as words: /blog/go-1.22_released.html is "blog go 1 22 released".
func wordsOfPath(address string) string { return asWords(pathOf(address)) }

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}

func asWords(name string) string {
	return oneLine(noWord.ReplaceAllString(ending.ReplaceAllString(name, ""), " "))
}

var (
	ending = regexp.MustCompile(`\.(?:s?html?|php|aspx?|jsp|md)$`)
	noWord = regexp.MustCompile(`[^\pL\pN\pM]`)
)
