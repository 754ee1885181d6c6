package clip

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// furtherParts are the calls for further parts of the pages read so far: of each page so many as make it `last` with the first. They are
// `most` in a stretch, those that were made before counted. Of a longer page those are read whose headings speak of what is wanted.
func (s *stretch) furtherParts(last, most int, about string) []agent.Call {
	var calls []agent.Call
	for _, a := range s.acts {
		if a.action == "visit_url" && a.args.Part > 1 {
			most--
		}
	}
	for _, a := range s.acts {
		p, ok := readPage(a.result)
		if a.action != "visit_url" || a.args.Part > 1 || !ok {
			continue
		}
		for _, part := range p.worthReading(last-1, readOutline(a.result), about+" "+s.titlesOf(a.args.URL)) {
			if len(calls) < most && !s.visited(a.args.URL, part) {
				calls = append(calls, call("visit_url", arguments{"url": a.args.URL, "part": part}))
			}
		}
	}
	return calls
}

// worthReading are so many parts of a page beside the one that was shown: those whose headings hold the most of some words, and of equals the earlier.
func (p page) worthReading(most int, outline map[int]string, about string) []int {
	parts := make([]int, 0, max(0, p.parts-1))
	for part := 1; part <= p.parts; part++ {
		if part != p.part {
			parts = append(parts, part)
		}
	}
	if len(parts) <= most {
		return parts
	}
	wanted, held := set(terms(about)), map[int]int{}
	for _, part := range parts {
		for term := range set(terms(outline[part])) {
			if wanted[term] {
				held[part]++
			}
		}
	}
	sort.SliceStable(parts, func(i, j int) bool { return held[parts[i]] > held[parts[j]] })
	parts = parts[:most]
	slices.Sort(parts)
	return parts
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
