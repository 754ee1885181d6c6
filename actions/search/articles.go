package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/daybook-agent/daybook/actions/page"
)

// article is one entry of a site's feed or sitemap.
type article struct {
	title     string // "" in most sitemaps
	url       string
	author    string
	published string // 2006-01-02, or ""
	text      string // plain, or ""
}

func articlesOf(feed page.Feed) []article {
	list := make([]article, 0, len(feed.Items))
	for _, item := range feed.Items {
		list = append(list, article{item.Title, item.URL, item.Author, item.Published, spaced(plain(item.Text))})
	}
	return list
}

// listAge is how long a list of articles is good: several queries in a row need it once, and nobody publishes every minute.
const listAge = 15 * time.Minute

// articleList keeps a list of articles between queries. The zero value is empty.
type articleList struct {
	once sync.Once
	turn chan struct{} // holds something while one caller loads; the others wait for it, and for their contexts
	list []article
	at   time.Time
}

// get is the list as it was loaded lately, or as load gives it now. What was loaded when time ran out is given and not kept.
func (a *articleList) get(ctx context.Context, load func(context.Context) ([]article, error)) ([]article, error) {
	a.once.Do(func() { a.turn = make(chan struct{}, 1) })
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return nil, unavailable(ctx, ctx.Err())
	}
	if !a.at.IsZero() && time.Since(a.at) < listAge {
		return a.list, nil
	}
	list, err := load(ctx)
	if err != nil {
		return nil, err
	}
	if ctx.Err() == nil {
		a.list, a.at = list, time.Now()
	}
	return list, nil
}

// What a word counts by where it stands. A title is chosen to say what an article is about, and so is its address.
const (
	titleWeight = 3.0
	pathWeight  = 2.0
	textWeight  = 1.0
	// newness is what an article of today gains over one without a date, when the best match counts 1. It halves every year.
	newness = 0.15
)

// weighed is an article with the words that it holds: a bit for each term, of which there are at most 64.
type weighed struct {
	article
	title, path, text uint64
	score             float64
}

func (r weighed) held() uint64 { return r.title | r.path | r.text }

// matching gives the articles that hold at least as many words of the query as least says for their number, the best first. A word that
// few articles hold counts more. All articles are given for a query without words, the newest first.
func matching(query string, list []article, least func(terms int) int) []article {
	wanted := terms(query)
	all := make([]weighed, 0, len(list))
	holders := make([]int, len(wanted))
	need := 0
	if len(wanted) > 0 {
		need = max(1, least(len(wanted)))
	}
	for _, a := range list {
		r := weighed{
			article: a,
			title:   mask(a.title, wanted),
			path:    mask(wordsOfPath(a.url), wanted),
			text:    mask(a.text, wanted),
		}
		for held := r.held(); held != 0; held &= held - 1 {
			holders[bits.TrailingZeros64(held)]++
		}
		if bits.OnesCount64(r.held()) >= need {
			all = append(all, r)
		}
	}
	now := time.Now()
	for i := range all {
		all[i].score = all[i].weigh(holders, len(list)) + fresh(all[i].published, now)
	}
	slices.SortStableFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.published, a.published))
	})
	best := make([]article, len(all))
	for i, r := range all {
		best[i] = r.article
	}
	return best
}

// weigh is the share of the words' weight that the article holds, from 0 to 1.
func (r weighed) weigh(holders []int, articles int) float64 {
	sum, whole := 0.0, 0.0
	for i, n := range holders {
		rare := math.Log(1 + float64(articles)/float64(1+n))
		whole += rare * titleWeight
		switch bit := uint64(1) << i; {
		case r.title&bit != 0:
			sum += rare * titleWeight
		case r.path&bit != 0:
			sum += rare * pathWeight
		case r.text&bit != 0:
			sum += rare * textWeight
		}
	}
	if whole == 0 {
		return 0
	}
	return sum / whole
}

func fresh(published string, now time.Time) float64 {
	at, err := time.Parse(time.DateOnly, published)
	if err != nil {
		return 0
	}
	const yearHours = 365 * 24
	return newness * math.Exp2(-max(0, now.Sub(at).Hours())/yearHours)
}

func mask(text string, wanted []term) uint64 {
	var held uint64
	if text == "" {
		return 0
	}
	for _, s := range sightings(text, wanted) {
		held |= 1 << s.term
	}
	return held
}

// wordsOfPath is the path of an address as words: /blog/go-1.22_released.html is "blog go 1 22 released".
func wordsOfPath(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return asWords(u.Path)
}

func asWords(name string) string {
	switch ending := path.Ext(name); ending {
	case ".html", ".htm", ".shtml", ".php", ".asp", ".aspx", ".jsp", ".md":
		name = strings.TrimSuffix(name, ending)
	}
	return oneLine(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, name))
}

// hitsOf shows articles. One without a title is called by the last part of its address.
func hitsOf(provider, query string, list []article, limit int) []Hit {
	hits := make([]Hit, 0, min(len(list), limit))
	for _, a := range list {
		if len(hits) == limit {
			break
		}
		title := a.title
		if title == "" {
			if u, err := url.Parse(a.url); err == nil {
				title = asWords(path.Base(u.Path))
			}
		}
		hits = append(hits, Hit{
			Title: title, URL: a.url, Published: a.published, Author: a.author,
			Snippet: snippetOf(query, []string{a.published}, a.text),
		})
	}
	return tidy(provider, hits, limit)
}
