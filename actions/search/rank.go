package search

import (
	"cmp"
	_ "embed" // for hosts.txt
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/publicsuffix"
)

// The weights of the ranking. A page's score for a query is the sum of 1/(flatness+rank) over the lists of
// that query that it is on, times the weight of each list's kind, times 1 + the sum of what follows. Near the
// top of a list 1 % is worth about two thirds of a rank, and no weight here outdoes a second list (100 %).
const (
	// flatness is the constant of reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009): the higher it
	// is, the less the first rank of one provider counts against two providers agreeing.
	flatness = 60
	// High-signal sources come first, by a few places and no more: an index of papers finds something for any
	// words.
	ofOwn, ofSignal, ofTalk = 1.10, 1.04, 0.95
	// byHost is added for a host of primary sources, and taken off for one that mostly retells others.
	byHost = 0.10
	// byWords is added if title and snippet hold all words of the query, and less for fewer. It is small,
	// since a good page may use other words, or Chinese.
	byWords = 0.15
	// byMeaning is added for the page nearest in meaning to a query, by cosine, down to nothing for the
	// farthest of those compared.
	byMeaning = 0.25
	// byFreshness is added for a page of today; half of it is left after freshYears, and nothing without a
	// date. It is small, since a standard or a founding paper is old.
	byFreshness, freshYears = 0.06, 2.0
	// pageOfLists is taken off for logins, searches, tags and the like, which hold no answer.
	pageOfLists = 0.30
	// repeated multiplies a score once for each better page of the same site: three pages of one site seldom
	// say more than one.
	repeated = 0.85
	// mostCompared bounds the pages of a query that are compared by meaning, and so what an embedding costs.
	mostCompared = 24
)

// ofKind are the weights of the lists of a kind; others have 1.
var ofKind = map[Kind]float64{Own: ofOwn, Internal: ofOwn, Scholarly: ofSignal, Code: ofSignal,
	Reference: ofSignal, Patents: ofSignal, Talk: ofTalk}

// ranked orders the pages of a query by the weights above.
func ranked(pages []*finding, query string) []*finding {
	now := time.Now()
	for _, p := range pages {
		weight := 1 + byWords*wordShare(p.hit, query) + freshness(p.hit.Published, now) +
			hostWeight(p.at.Hostname())
		if p.at.Host != "" && listPage.MatchString(p.at.Path) { // a user's document has no host
			weight -= pageOfLists
		}
		p.score *= weight
	}
	slices.SortStableFunc(pages, byScore)
	return pages
}

func byScore(a, b *finding) int { return cmp.Compare(b.score, a.score) }

// wordShare returns the share of the query's words that a hit shows. It is 1 for the user's documents: their
// search has weighed the words already, and has seen more of them than a snippet shows.
func wordShare(hit Hit, query string) float64 {
	if strings.HasPrefix(hit.URL, DocScheme) {
		return 1
	}
	text := hit.Title + " " + hit.Snippet
	for _, more := range hit.More {
		text += " " + more.Text
	}
	wanted := words.Terms(query)
	return words.Share(words.Sightings(text, wanted), wanted)
}

// freshness returns byFreshness halved every freshYears. A year alone counts from its middle.
func freshness(published string, now time.Time) float64 {
	rest := map[int]string{len("2006"): "-07-01", len("2006-01"): "-01"}[len(published)]
	date, err := time.Parse(time.DateOnly, published+rest)
	if err != nil {
		return 0
	}
	years := max(0, now.Sub(date).Hours()/24/365.25)
	return byFreshness * math.Pow(0.5, years/freshYears)
}

//go:embed hosts.txt
var hostLists string

// weights maps a host's name to what lifts or lowers it and all hosts below it.
var weights = sync.OnceValue(func() map[string]float64 {
	all := map[string]float64{}
	for title, hosts := range prose.Sections(hostLists) {
		for host := range strings.FieldsSeq(hosts) {
			all[strings.TrimPrefix(host, ".")] = byHost
			if !strings.HasPrefix(title, "primary") {
				all[host] = -byHost
			}
		}
	}
	return all
})

// hostWeight is positive for primary sources and documentation, and negative for what retells them.
func hostWeight(host string) float64 {
	for rest := host; rest != ""; _, rest, _ = strings.Cut(rest, ".") {
		if weight := weights()[rest]; weight != 0 {
			return weight
		}
	}
	if documentation.MatchString(host) {
		return byHost
	}
	return 0
}

// documentation matches a host that has documentation, by its name.
var documentation = regexp.MustCompile(`^(?:docs?|developer)\.`)

// listPage matches pages to enter by, named so anywhere in the path, and lists, named so at its ends.
var listPage = regexp.MustCompile(
	`(?i)/(?:login|sign-?(?:in|up)|register|auth|logout|cart|checkout|account)(?:/|$)` +
		`|^/(?:` + lists + `)(?:/|$)|/(?:` + lists + `)(?:/[^/]*)?$`)

const lists = `tags?|category|categories|topics|archives?|search|labels?|authors?`

// site returns the registered domain of a host, or "" where many people write independently and several pages
// are no repetition.
func site(host string) string {
	name, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		name = host // an IP address, or a host of the user's own network
	}
	if slices.Contains([]string{"arxiv.org", "doi.org", "github.com", "wikipedia.org"}, name) {
		return ""
	}
	return name
}

// spread takes the best page again and again; each one taken lowers the score of its site's other pages.
func spread(pages []*finding) []*finding {
	left := slices.Clone(pages[:min(len(pages), mostHits)])
	taken := map[string]int{}
	var list []*finding
	for len(left) > 0 {
		best, score := 0, math.Inf(-1)
		for i, p := range left {
			if now := p.score * math.Pow(repeated, float64(taken[site(p.at.Hostname())])); now > score {
				best, score = i, now
			}
		}
		if name := site(left[best].at.Hostname()); name != "" {
			taken[name]++
		}
		list, left = append(list, left[best]), slices.Delete(left, best, best+1)
	}
	return list
}
