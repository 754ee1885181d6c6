package search

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// The weights of the ranking. A page's score is the sum of 1/(flatness+rank) over the lists that it stands on, times the weight of
// each list's kind, times 1 + the sum of what follows. Near the top of a list 1 % is worth about two thirds of a rank: 10 % lift a
// page by seven places, and no weight here outdoes a second list that names it (100 %).
const (
	// flatness is the constant of reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009): the higher it is, the less
	// the first rank of one provider counts against two providers agreeing.
	flatness = 60
	// ofScholarly and ofCodeAndTalk weigh the lists of indexes that hold one kind of page. They find something for any words, so
	// their first is less surely an answer than the first of those who know all kinds. A few places, no more: on their own ground
	// they are better.
	ofScholarly, ofCodeAndTalk = 0.95, 0.92
	// byProvider is for each further provider, besides its list's share: two services that agree know more than one service
	// asked twice.
	byProvider, mostProviders = 0.05, 3
	// byWords is for all words of the query in title and snippet, and less for less. It keeps what a service returned for want of
	// anything better behind what bears on the question. Small, for the words of a good page may be others, or Chinese.
	byWords = 0.15
	// byMeaning is for the page nearest in meaning to a query, by cosine, down to nothing for the farthest of those compared. Meaning
	// tells more than words do, and is not wrong as often.
	byMeaning = 0.25
	// byFreshness is for a page of today; half of it is left after freshYears. A newer page is likelier to hold still; small,
	// since a standard or a founding paper is old. Without a date there is none of it, for a date can not be guessed.
	byFreshness, freshYears = 0.06, 2.0
	// deep is taken off for each part of a path beyond fewParts, at most deepest times: deep pages are often one comment, one
	// file or one of many copies.
	deep, fewParts, deepest = 0.015, 3, 4
	// pageOfLists is taken off for logins, searches, tags and the like: they hold links or a form, and no answer.
	pageOfLists = 0.30
	// repeated is what is left of a score for each page of the same site that stands before it: three pages of one site seldom say more
	// than one, and one site must not be the whole list.
	repeated = 0.85
	// mostCompared is how many pages, the best first, are compared by meaning: it bounds what an embedding costs.
	mostCompared = 64
)

// positionScore is a hit's share of its page's score; rank counts from 0.
func positionScore(rank int, kind Kind) float64 {
	score := 1 / float64(flatness+rank+1)
	switch kind {
	case Scholarly:
		return score * ofScholarly
	case Code, Talk:
		return score * ofCodeAndTalk
	}
	return score
}

// ranked orders pages by the weights above and gives the best. An error of embed is returned beside the order without it.
func ranked(ctx context.Context, pages []*finding, queries []string, limit int, embed Embed) ([]Hit, error) {
	now := time.Now()
	for _, p := range pages {
		p.score *= 1 + byProvider*float64(min(len(p.names)-1, mostProviders)) + byWords*wordShare(p.hit, queries) +
			freshness(p.hit.Published, now) - pathPenalty(p.key)
	}
	byScore := func(a, b *finding) int { return compareFloat(b.score, a.score) }
	slices.SortStableFunc(pages, byScore)
	var failed error
	if embed != nil && len(pages) > 1 {
		failed = weighMeaning(ctx, pages[:min(len(pages), mostCompared)], queries, embed)
		slices.SortStableFunc(pages, byScore)
	}
	list := seated(spread(pages, limit), pages, len(queries), limit)
	hits := make([]Hit, len(list))
	for i, p := range list {
		hits[i] = p.hit
	}
	return hits, failed
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// wordShare is the share of a query's words that a hit shows, of the query it answers best. A person's documents have it whole: their
// search has weighed the words already, and has seen more of them than a snippet shows.
func wordShare(hit Hit, queries []string) float64 {
	if strings.HasPrefix(hit.URL, docScheme) {
		return 1
	}
	text := hit.Title + " " + hit.Snippet
	for _, more := range hit.More {
		text += " " + more.Text
	}
	best := 0.0
	for _, query := range queries {
		if wanted := terms(query); len(wanted) > 0 {
			best = max(best, share(sightings(text, wanted), wanted))
		}
	}
	return best
}

// freshness halves every freshYears. A year alone counts from its middle.
func freshness(published string, now time.Time) float64 {
	var date time.Time
	var err error
	switch len(published) {
	case len("2006-01-02"):
		date, err = time.Parse("2006-01-02", published)
	case len("2006-01"):
		date, err = time.Parse("2006-01", published)
	case len("2006"):
		date, err = time.Parse("2006-01", published+"-07")
	default:
		return 0
	}
	if err != nil {
		return 0
	}
	years := max(0, now.Sub(date).Hours()/24/365.25)
	return byFreshness * math.Pow(0.5, years/freshYears)
}

// pathPenalty looks at the address alone: whether it is a deep one, or one of a page that only leads on.
func pathPenalty(key string) float64 {
	u, err := url.Parse(key)
	if err != nil || u.Host == "" {
		return 0 // a person's document
	}
	parts := strings.FieldsFunc(strings.ToLower(u.Path), func(r rune) bool { return r == '/' })
	penalty := deep * float64(max(0, min(len(parts)-fewParts, deepest)))
	for i, part := range parts {
		switch part {
		case "login", "signin", "sign-in", "signup", "sign-up", "register", "auth", "logout", "cart", "checkout", "account":
			return penalty + pageOfLists
		case "tag", "tags", "category", "categories", "topics", "archive", "archives", "search", "label", "labels", "author":
			if i == 0 || i >= len(parts)-2 {
				return penalty + pageOfLists
			}
		}
	}
	return penalty
}

// site is the domain that somebody registered, or "" where many write independently of each other and repeats are no repetition.
func site(key string) string {
	u, err := url.Parse(key)
	if err != nil {
		return ""
	}
	name, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname())
	if err != nil {
		name = u.Hostname() // an IP address, or a host of the person's own network
	}
	if slices.Contains([]string{"arxiv.org", "doi.org", "github.com", "wikipedia.org"}, name) {
		return ""
	}
	return name
}

// spread takes the best page again and again, where what a site's pages score falls with every one of it that was taken.
func spread(pages []*finding, limit int) []*finding {
	taken := map[string]int{}
	sites := make([]string, len(pages))
	for i, p := range pages {
		sites[i] = site(p.key)
	}
	used := make([]bool, len(pages))
	list := make([]*finding, 0, min(limit, len(pages)))
	for len(list) < cap(list) {
		best, score := -1, math.Inf(-1)
		for i, p := range pages {
			if now := p.score * math.Pow(repeated, float64(taken[sites[i]])); !used[i] && now > score {
				best, score = i, now
			}
		}
		used[best] = true
		if sites[best] != "" {
			taken[sites[best]]++
		}
		list = append(list, pages[best])
	}
	return list
}
