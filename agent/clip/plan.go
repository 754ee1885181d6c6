package clip

import (
	"fmt"
	"github.com/daybook-agent/daybook/agent"
	"math"
	"sort"
	"strings"
)

// Bounds of the first, broad look.
const (
	planVisits    = 8
	planLastPart  = 5 // of a long document
	planMoreParts = 8
	mostChapters  = 5
	fewChapters   = 3
)

// plan searches broadly, reads the best hits, and lays out chapters from what the documents themselves speak of.
func plan(s *stretch) agent.Reply {
	keys := keywords(s.brief.question)
	queries := s.brief.questionQueries()
	if calls := s.searches(queries); len(calls) > 0 {
		return ask(calls...)
	}
	if len(rankHits(s.hits(queries[:1]), keys)) >= planVisits {
		queries = queries[:1] // what holds all the keywords comes before what holds two of them
	}
	if len(rankHits(s.hits(queries), keys)) == 0 {
		queries = append(queries, singles(keys)...)
		if calls := s.searches(queries); len(calls) > 0 {
			return ask(calls...)
		}
	}
	if calls := s.visits(addressesOf(rankHits(s.hits(queries), keys), planVisits)); len(calls) > 0 {
		return ask(calls...)
	}
	if calls := s.furtherParts(planLastPart, planMoreParts); len(calls) > 0 {
		return ask(calls...)
	}
	ps := passages(s.pages())
	scorer, ranked := bearing(ps, keys)
	chapters := outline(scorer, ranked)
	if len(chapters) == 0 {
		return report(s)
	}
	for i := range chapters {
		s.ask(&chapters[i], keys)
	}
	nameFiles(chapters)
	return s.layOut(chapters, ranked)
}

// layOut is the reply that puts the chapters on record.
func (s *stretch) layOut(chapters []chapter, ranked []rated) agent.Reply {
	var items, learned []string
	for _, c := range chapters {
		items = append(items, c.lay(s.say))
	}
	speaks := map[string]int{}
	for _, r := range ranked {
		speaks[r.page.id]++
	}
	for _, p := range s.pages() {
		learned = appendNew(learned, fmt.Sprintf(s.say.readSource, p.id, p.name(), speaks[p.id]))
	}
	calls := append(s.agenda(chapters), currentSection("learned", strings.Join(learned, "\n")))
	body := addTo(section(s.overall, "blueprint"), items)
	return s.sections(append(calls, overallSection("blueprint", body))...)
}

// bearing are the passages that bear on a question. There are none when nowhere enough of it is spoken of: more than half of the
// keywords, or three of a long question, must meet under one heading, or all that was found are words that happen to be the
// same.
func bearing(ps []passage, keys []keyword) (*scorer, []rated) {
	keys = known(keys, ps)
	enough := min(3, len(keys)/2+1)
	type place struct {
		page    *page
		heading string
	}
	met, spoken := false, map[place]map[int]bool{}
	for _, p := range ps {
		here := place{p.page, p.heading}
		if spoken[here] == nil {
			spoken[here] = map[int]bool{}
		}
		own := set(p.terms)
		for i, k := range keys {
			if k.in(own, p.about) {
				spoken[here][i] = true
			}
		}
		met = met || len(spoken[here]) >= enough
	}
	if !met {
		return nil, nil
	}
	scorer := newScorer(ps, wanted{keys, 1})
	return scorer, scorer.rank(ps, func(p passage) bool { return p.covers(keys) > 0 })
}

// group is what some documents say under headings that are alike.
type group struct {
	title  string
	terms  map[string]bool
	best   []rated
	rate   float64
	order  int
	urls   []string
	leader string // the document with the best passage
}

// outline groups passages by heading and takes the groups that speak most of the question, in the order of their documents. A
// group is worth what its best passages are, more when together they speak of many sides of the question.
func outline(scorer *scorer, ranked []rated) []chapter {
	const top = 4
	groups := grouped(ranked)
	for i := range groups {
		g := &groups[i]
		spoken := map[string]bool{}
		for n, r := range g.best[:min(top, len(g.best))] {
			g.rate += r.rate / math.Sqrt(float64(n+1))
			for _, term := range r.terms {
				spoken[term] = true
			}
		}
		g.rate *= 0.3 + scorer.share(spoken)
	}
	sort.SliceStable(groups, func(i, j int) bool { return groups[i].rate > groups[j].rate })
	picked := pick(groups)
	inReadingOrder(picked)
	var chapters []chapter
	for _, g := range picked {
		chapters = append(chapters, chapter{title: g.title, urls: g.urls[:min(3, len(g.urls))]})
	}
	return chapters
}

// grouped merges headings that are alike; the one with the best passage gives the title.
func grouped(ranked []rated) []group {
	var groups []group
	for _, r := range ranked {
		about := set(terms(r.heading))
		at := -1
		for i, g := range groups {
			if g.title == r.heading || alike(g.terms, about) {
				at = i
				break
			}
		}
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{title: shorten(r.heading), terms: about, order: r.order, leader: r.page.id})
		}
		g := &groups[at]
		g.best = append(g.best, r)
		g.order = min(g.order, r.order)
		g.urls = appendNew(g.urls, r.page.url)
	}
	return groups
}

// alike says whether two headings speak of the same: their terms are mostly the same.
func alike(a, b map[string]bool) bool {
	both := 0
	for term := range a {
		if b[term] {
			both++
		}
	}
	return both > 0 && float64(both) >= 0.6*float64(max(len(a), len(b)))
}

// pick takes three to five groups: of those near the best with two passages or more the first that each document leads, then the
// second, and at last whatever there is until they are three.
func pick(groups []group) []group {
	var picked []group
	taken := map[int]bool{}
	led := map[string]int{}
	take := func(most int, fit func(group) bool) {
		for i, g := range groups {
			if len(picked) < most && !taken[i] && fit(g) {
				taken[i] = true
				led[g.leader]++
				picked = append(picked, g)
			}
		}
	}
	take(mostChapters, func(g group) bool { return led[g.leader] < 1 && len(g.best) > 1 && g.rate > 0.45*groups[0].rate })
	take(mostChapters, func(g group) bool { return led[g.leader] < 2 && len(g.best) > 1 && g.rate > 0.55*groups[0].rate })
	take(fewChapters, func(g group) bool { return len(g.best) > 1 })
	take(fewChapters, func(group) bool { return true })
	return picked
}

// inReadingOrder puts the documents in the order of their best group, and groups that one document leads as they stand in it.
func inReadingOrder(picked []group) {
	first := map[string]int{}
	for i, g := range picked {
		if _, seen := first[g.leader]; !seen {
			first[g.leader] = i
		}
	}
	sort.SliceStable(picked, func(i, j int) bool {
		a, b := picked[i], picked[j]
		if a.leader != b.leader {
			return first[a.leader] < first[b.leader]
		}
		return a.order < b.order
	})
}

func shorten(title string) string {
	const most = 70 // runes
	if runes := []rune(title); len(runes) > most {
		return strings.TrimSpace(string(runes[:most])) + "…"
	}
	return title
}
