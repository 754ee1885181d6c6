package clip

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Bounds of what is read for a question or a chapter.
const (
	mostPages = 8 // at the places where the search found something
	deepPages = 6 // of them, if they are long, whole
	fewHits   = 3 // below which fewer words are searched for
)

// notSearched is what a search says before the places that did not answer.
const notSearched = "Not searched: "

// plan searches, reads the best hits, and lays out a chapter for each document with passages that are worth
// quoting.
func plan(s *stretch) agent.Reply {
	if calls := s.find(s.keys, nil); len(calls) > 0 {
		return ask(calls...)
	}
	if why := s.searchedInVain(); why != "" {
		if _, where, ok := strings.Cut(why, notSearched); ok { // the rest says the same
			why = where
		}
		return agent.Reply{Text: fmt.Sprintf(s.say.unsearched, why)}
	}
	ps := passages(s.pages())
	ranked := rank(ps, s.keys)
	top, more := choose(ranked, weights(ps, s.keys), s.say)
	if len(top) == 0 {
		return report(s)
	}
	var chapters []chapter
	at := map[string]int{} // by page
	for _, p := range append(top[:len(top):len(top)], more...) {
		i, known := at[p.page.id]
		if !known {
			i, at[p.page.id] = len(chapters), len(chapters)
			chapters = append(chapters, chapter{title: s.titled(p.page.name())})
		}
		chapters[i].passages = append(chapters[i].passages, p.ref)
	}
	nameFiles(chapters)
	var items []string
	for _, c := range chapters {
		items = append(items, c.lay(s.say))
	}
	s.note("blueprint", addTo(section(s.overall, "blueprint"), items...))
	for _, p := range top {
		s.add("findings", s.finding(p))
	}
	if words := s.missing(); len(words) > 0 {
		s.add("gaps", "- "+s.say.noDocument+strings.Join(words, s.say.comma)+s.say.stop)
	}
	s.agenda(chapters, false)
	return s.updates()
}

// find returns the next calls that find and read what is said of some keywords: a search; one for fewer words
// where that found little; the best pages, at the place that was found; and those that are long once more, as
// a reader sees them who looks for it.
func (s *stretch) find(keys []keyword, queries []string) []agent.Call {
	if queries == nil {
		queries = []string{cmp.Or(joined(keys), s.brief.question)} // which may be stop words alone
		if aside := keywords(s.brief.aside); len(aside) > 0 {
			queries = append(queries, joined(appendKeys(keys[:min(2, len(keys))], aside[:min(4, len(aside))]...)))
		}
	}
	search := func(queries []string) (calls []agent.Call) {
		for _, q := range queries {
			calls = append(calls, call("web_search", arguments{"query": q}))
		}
		return s.undone(calls...)
	}
	if calls := search(queries); len(calls) > 0 {
		return calls
	}
	hits := s.hits()
	if len(hits) < fewHits && len(keys) > 1 {
		var fewer []string
		for i := 0; i < len(keys) && len(fewer) < 3; i += 2 {
			fewer = append(fewer, joined(keys[i:min(i+2, len(keys))]))
		}
		if calls := search(fewer); len(calls) > 0 {
			return calls
		}
	}
	var visits []agent.Call
	for i, h := range hits {
		if i < mostPages {
			visits = append(visits, call("visit_url", arguments{"url": h.ref}))
		}
	}
	if calls := s.undone(visits...); len(calls) > 0 {
		return calls
	}
	return s.deeper(joined(keys))
}

// deeper are the visits of the first long pages with a focus, so that a reader looks for it in all their
// parts.
func (s *stretch) deeper(focus string) []agent.Call {
	var visits []agent.Call
	for _, p := range s.pages() {
		if p.parts > 1 && p.rank < deepPages && focus != "" {
			visits = append(visits, call("visit_url", arguments{"url": p.id, "focus": focus}))
		}
	}
	return s.undone(visits...)
}

// missing are the words of the question that no document of the person's holds, as the question writes them.
func (s *stretch) missing() (words []string) {
	for _, result := range s.results("web_search") {
		for _, word := range readMissing(result) {
			for _, token := range tokens(s.brief.question) {
				if strings.EqualFold(token, word) {
					word = token
				}
			}
			asks := func(k keyword) bool { return k.asks && k.text == word }
			if !stopWords[strings.ToLower(word)] && !slices.ContainsFunc(s.keys, asks) {
				words = appendNew(words, word)
			}
		}
	}
	return words
}

// finding is the line for a passage in the dashboard, where room is scarce: its best piece if that is short,
// otherwise its heading.
func (s *stretch) finding(p passage) string {
	const short = 220 // columns
	pieces := p.pieces(true, nil)
	if p.isProse() && len(pieces) == 1 && columns(pieces[0]) <= short {
		return "- “" + pieces[0] + "” [" + p.ref + "]"
	}
	return "- “" + s.titled(p.heading()) + "” [" + p.ref + "]"
}
