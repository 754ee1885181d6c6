package clip

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of the first, broad look.
const (
	planVisits    = 8
	planLastPart  = 5 // of a long document so many parts are read
	planMoreParts = 8
	mostChapters  = 5
	fewChapters   = 3
)

// plan searches broadly, reads the best hits, and lays out chapters from what the documents themselves speak of.
func plan(s *stretch) agent.Reply {
	keys := keywords(s.brief.question)
	queries := s.brief.questionQueries()
	if calls := s.searches(queries[:1]); len(calls) > 0 {
		return ask(calls...)
	}
	if len(rankHits(s.hits(queries[:1]), keys)) >= planVisits {
		queries = queries[:1] // what holds all the keywords comes before what holds two of them
	}
	if calls := s.searches(queries); len(calls) > 0 {
		return ask(calls...)
	}
	if len(rankHits(s.hits(queries), keys)) == 0 {
		queries = append(queries, singles(keys)...)
		if calls := s.searches(queries); len(calls) > 0 {
			return ask(calls...)
		}
	}
	if why := s.searchedInVain(); why != "" {
		return giveUp(fmt.Sprintf(s.say.unsearched, why))
	}
	if calls := s.visits(addressesOf(rankHits(s.hits(queries), keys), planVisits)); len(calls) > 0 {
		return ask(calls...)
	}
	if calls := s.furtherParts(planLastPart, planMoreParts, s.brief.question); len(calls) > 0 {
		return ask(calls...)
	}
	ps := passages(s.pages(), s.shelf)
	scorer, ranked := bearing(ps, keys)
	chapters := outline(scorer, ranked)
	if len(chapters) == 0 {
		return report(s)
	}
	for i := range chapters {
		chapters[i].urls = sourcesOf(chapters[i].title, ps, ranked)
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
		learned = appendNew(learned, fmt.Sprintf(s.say.readSource, p.id, shorten(p.name()), speaks[p.id]))
	}
	s.agenda(chapters, false)
	s.learn(strings.Join(learned, "\n"))
	s.note("blueprint", addTo(section(s.overall, "blueprint"), items))
	return s.updates()
}

// sourcesOf are the documents with the best passages for a chapter, so that it needs no search of its own.
func sourcesOf(title string, ps []passage, ranked []rated) []string {
	own := known(keywords(title), ps)
	var urls []string
	for _, r := range ranked {
		if len(urls) < chapterVisits && r.belongs(title, own) {
			urls = appendNew(urls, r.page.url)
		}
	}
	return urls
}

// bearing are the passages that bear on a question. There are none when all that is spoken of is one word of many, and a common
// one: then it only happens to be the same word.
func bearing(ps []passage, keys []keyword) (*scorer, []rated) {
	const common = 0.2 // of the passages
	keys = known(keys, ps)
	spoken, most := 0, 0
	for _, k := range keys {
		n := 0
		for _, p := range ps {
			if k.in(p.terms) {
				n++
			}
		}
		if most = max(most, n); n > 0 {
			spoken++
		}
	}
	if spoken == 1 && len(keys) > 2 && float64(most) > common*float64(len(ps)) {
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
	leader string // the document with the best passage
}

// outline groups passages by heading and takes the groups that speak most of the question, the one that answers it best first. A
// group is worth what its best passages are, more when together they speak of many sides of the question.
func outline(scorer *scorer, ranked []rated) []chapter {
	const top = 4
	groups := grouped(ranked)
	for i := range groups {
		g := &groups[i]
		var spoken []string
		for n, r := range g.best[:min(top, len(g.best))] {
			g.rate += r.rate / math.Sqrt(float64(n+1))
			spoken = append(spoken, r.terms...)
		}
		g.rate *= 0.3 + scorer.share(spoken)
	}
	sort.SliceStable(groups, func(i, j int) bool { return groups[i].rate > groups[j].rate })
	picked := pick(groups)
	sort.SliceStable(picked, func(i, j int) bool { return picked[i].rate > picked[j].rate })
	var chapters []chapter
	for _, g := range picked {
		chapters = append(chapters, chapter{title: g.title})
	}
	return chapters
}

// grouped merges headings that are alike; the one with the best passage gives the title.
func grouped(ranked []rated) []group {
	var groups []group
	of := map[string]int{} // by heading
	for _, r := range ranked {
		at, known := of[r.heading]
		if !known {
			title, about := shorten(r.heading), set(terms(r.heading))
			at = slices.IndexFunc(groups, func(g group) bool { return g.title == title || alike(g.terms, about) })
			if at < 0 {
				at = len(groups)
				groups = append(groups, group{title: title, terms: about, leader: r.page.id})
			}
			of[r.heading] = at
		}
		groups[at].best = append(groups[at].best, r)
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

// shorten cuts a heading to what a title may be: it stands on the dashboards, which refuse what shares 16 words in a row with a page. Room
// is left for a word or two that stand beside it there by chance.
func shorten(title string) string { return firstWords(title, 12, 70) }

// firstWords are so many words of a text and no more runes than that. Two Chinese characters are a word.
func firstWords(text string, words, runes int) string {
	const perWord, wide = 2, 0x1100 // from where on a letter is a word's half, as it is two columns
	if len(text) < min(2*words, runes) {
		return text // it is asked of the heading of each passage
	}
	n, halves, inWord, blank := 0, 0, false, 0
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case letter && r >= wide:
			halves++
			inWord = false
		case letter && !inWord:
			halves += perWord
			inWord = true
		case !letter:
			inWord = false
		}
		if unicode.IsSpace(r) {
			blank = i
		}
		if n++; halves > perWord*words || n > runes {
			if 2*blank > i { // no half word at the end
				i = blank
			}
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}
