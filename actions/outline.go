package actions

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// maxOutline and maxHeading bound the outline of a long page, in headings and in letters of one.
	maxOutline = 100
	maxHeading = 80
	// leastTerms is how many terms a part of a page has at least that is told by its first and last; a longer
	// one than maxTerm letters is a sentence in bold.
	leastTerms = 3
	maxTerm    = 40
	// headingNumber is how many tokens the number of a heading's first block may take.
	headingNumber = 4
)

// outline names the headings of each part. Beside a small part it is small: it takes a third of the part's
// tokens at most. Where not all fit, of the lower ones in a part the first and the last are named, so that no
// part of the page is hidden.
func (r *reading) outline(parts [][]block.Block, most int) string {
	var before block.Block
	titles := make([][]heading, len(parts))
	for i, part := range parts {
		titles[i] = titlesOf(r.links, before, part)
		if len(part) > 0 {
			before = part[len(part)-1]
		}
	}
	deepest := fitting(slices.Concat(titles...), most/3)
	left, tokens := maxOutline, most/3
	last, since := "", 0
	var lines []string
	for i, part := range parts {
		var shown, lower []heading
		for _, h := range titles[i] {
			if h.depth > deepest || left == 0 || tokens < h.tokens() {
				lower = append(lower, h)
				continue
			}
			left, tokens = left-1, tokens-h.tokens()
			shown = append(shown, h)
		}
		text := ""
		if len(shown) > 0 {
			text = inOneLine(shown, part[0].N)
		}
		if len(lower) > 0 {
			text = strings.TrimPrefix(text+" · "+ends(lower), " · ")
		} else if terms := r.termsOf(part); len(shown) < 2 && terms != "" {
			text = strings.TrimPrefix(text+": "+terms, ": ")
			tokens -= agent.EstimateTokens(terms)
		}
		switch {
		case text == "":
		case text == last: // it goes on and on
			lines[len(lines)-1] = fmt.Sprintf("part %d to %d%s: %s", since, i+1,
				span(parts[since-1], part), text)
		default:
			lines = append(lines, fmt.Sprintf("part %d%s: %s", i+1, span(part, part), text))
			last, since = text, i+1
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + agent.Outside("outline", strings.Join(lines, "\n"), "id", r.source.ID)
}

// span names the blocks of some parts as a call does.
func span(first, last []block.Block) string {
	if len(first) == 0 || len(last) == 0 {
		return ""
	}
	return fmt.Sprintf(" (blocks %d-%d)", first[0].N, last[len(last)-1].N)
}

// ends names the first and the last of some headings: "31 lower: CACHES … TIME_ZONE".
func ends(all []heading) string {
	text := fmt.Sprintf("%d lower: %s", len(all), prose.Shorten(all[0].title, maxTerm))
	if len(all) > 1 {
		text += " … " + prose.Shorten(all[len(all)-1].title, maxTerm)
	}
	return text
}

// termsOf names the first and the last of the terms that some blocks define, such as the settings of a manual
// page, which has no headings for them. What is defined again and again, such as a note, is none.
func (r *reading) termsOf(blocks []block.Block) string {
	if r.defined == nil {
		r.defined = map[string]int{}
		for i, b := range r.all {
			if term := b.Defines(); term != "" && (i == 0 || term != r.all[i-1].Defines()) {
				r.defined[term]++
			}
		}
	}
	var terms []string
	for _, b := range blocks {
		term := prose.OneLine(unmarked(b.Defines()))
		if r.defined[b.Defines()] == 1 && len(term) <= maxTerm && !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	if len(terms) < leastTerms {
		return ""
	}
	return terms[0] + " … " + terms[len(terms)-1]
}

// heading is a heading of a page with its depth, from 1, and the number of the first block under it.
type heading struct {
	depth int
	title string
	first int
}

func (h heading) tokens() int { return agent.EstimateTokens(h.title) + headingNumber }

// fitting returns the greatest depth down to which all headings fit into an outline, 1 when none does.
func fitting(all []heading, tokens int) int {
	count, need, deepest := map[int]int{}, map[int]int{}, 1
	for _, h := range all {
		count[h.depth]++
		need[h.depth] += h.tokens()
		deepest = max(deepest, h.depth)
	}
	titles := 0
	for depth := range deepest {
		titles, tokens = titles+count[depth+1], tokens-need[depth+1]
		if titles > maxOutline || tokens < 0 {
			return max(depth, 1)
		}
	}
	return deepest
}

// titlesOf are the headings that are new in a part, after the block before it.
func titlesOf(links *block.Linked, before block.Block, part []block.Block) []heading {
	var titles []heading
	for j, b := range part {
		new := fresh(before, b)
		above := len(b.Headings) - len(new)
		if j == 0 && len(new) == 0 && len(b.Headings) > 0 {
			// says where the part begins
			new, above = []string{b.Headings[len(b.Headings)-1] + ", continued"}, 0
		}
		for i, title := range new {
			title = prose.Shorten(prose.OneLine(unmarked(links.Title(title))), maxHeading)
			titles = append(titles, heading{above + i + 1, title, b.N})
		}
		before = b
	}
	return titles
}

// fresh are the headings above a block that the block before it does not share.
func fresh(before, b block.Block) []string {
	same := 0
	for same < len(before.Headings) && same < len(b.Headings) && before.Headings[same] == b.Headings[same] {
		same++
	}
	return b.Headings[same:]
}

// unmarked is a line without the marks of code and of escaping.
func unmarked(line string) string { return prose.Unescaped(strings.ReplaceAll(line, "`", "")) }

// mostHeadings is how many headings [Headings] returns.
const mostHeadings = 30

// Headings returns the first headings of a page, in one line.
func Headings(text string) string {
	titles := titlesOf(block.FindLinks(text), block.Block{}, block.Split(text))
	all := make([]string, min(len(titles), mostHeadings))
	for i := range all {
		all[i] = titles[i].title
	}
	return strings.Join(all, " · ")
}

// thinned leaves out so many of the headings of a run, here and there, that they fit in so many letters.
func thinned(all []heading, most int) []heading {
	for step := 1; ; step++ {
		var some []heading
		for i := 0; i < len(all); i += step {
			some = append(some, all[i])
		}
		if len(some) <= 1 || utf8.RuneCountInString(inOneLine(some, 0)) <= most {
			return some
		}
	}
}

// inOneLine lists headings of a run that begins with block first. One that begins at another block than the
// heading before it has the number of that: "Tides · Springs · 150: Neaps".
func inOneLine(titles []heading, first int) string {
	all := make([]string, len(titles))
	for i, h := range titles {
		all[i] = h.title
		if h.first != first {
			all[i] = fmt.Sprintf("%d: %s", h.first, h.title)
		}
		first = h.first
	}
	return strings.Join(all, " · ")
}
