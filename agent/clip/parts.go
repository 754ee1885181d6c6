package clip

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// part is one of a long page that was not read, with how many of the words that are looked for its headings hold.
type part struct {
	url  string
	n    int
	held int
}

// furtherParts are the calls for further parts of the pages read so far: of each page so many as make it `last` with the first. They are
// `most` in a stretch, those that were made before counted: the parts whose headings speak most of what is wanted.
func (s *stretch) furtherParts(last, most int, about string) []agent.Call {
	var parts []part
	for _, a := range s.acts {
		p, ok := readPage(a.result)
		switch {
		case a.action != "visit_url":
		case a.args.Part > 1:
			most--
		case ok:
			for _, part := range p.worthReading(last-1, readOutline(a.result), about+" "+s.titlesOf(a.args.URL)) {
				if part.url = a.args.URL; !s.visited(part.url, part.n) {
					parts = append(parts, part)
				}
			}
		}
	}
	var calls []agent.Call
	for _, p := range mostHeld(parts, most) {
		calls = append(calls, call("visit_url", arguments{"url": p.url, "part": p.n}))
	}
	return calls
}

// worthReading are so many parts of a page beside the one that was shown: those whose headings hold the most of some words.
func (p page) worthReading(most int, outline map[int]string, about string) []part {
	var parts []part
	wanted := set(terms(about))
	for n := 1; n <= p.parts; n++ {
		if n == p.part {
			continue
		}
		held := 0
		for term := range set(terms(outline[n])) {
			if wanted[term] {
				held++
			}
		}
		parts = append(parts, part{n: n, held: held})
	}
	return mostHeld(parts, most)
}

// mostHeld are so many parts that hold the most, and of equals the earlier, in their order.
func mostHeld(parts []part, most int) []part {
	places := make([]int, len(parts))
	for i := range parts {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return parts[b].held - parts[a].held })
	places = places[:max(0, min(most, len(places)))]
	slices.Sort(places)
	chosen := make([]part, len(places))
	for i, place := range places {
		chosen[i] = parts[place]
	}
	return chosen
}

// readOutline are the headings of a long page by part, as visit_url names them beside the first one: "part 2: Heading · Heading".
func readOutline(result string) map[int]string {
	lines := map[int]string{}
	beside, _, _ := strings.Cut(result, "\n<page ")
	_, rest, _ := strings.Cut(beside, "\n<outline ")
	for line := range strings.Lines(rest) {
		var part int
		about, headings, _ := strings.Cut(line, ": ")
		if _, err := fmt.Sscanf(about, "part %d", &part); err == nil {
			lines[part] = headings
		}
	}
	return lines
}

// titlesOf are the headings under which the searches of this stretch found something in a document.
func (s *stretch) titlesOf(url string) string {
	var titles []string
	for _, a := range s.acts {
		if a.action != "web_search" || a.failed() {
			continue
		}
		for _, h := range readHits(a.result) {
			if h.url == url {
				titles = appendNew(titles, h.title)
			}
		}
	}
	return strings.Join(titles, " ")
}
