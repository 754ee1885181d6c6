package actions

import (
	"fmt"
	"slices"
	"strings"

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
)

// outline names the headings of each part. Beside a small part it is small: it takes a third of the part's
// tokens at most. Where not all fit, the lower ones are left out, so that no part of the page is hidden.
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
	left, tokens, more := maxOutline, most/3, 0
	last, since := "", 0
	span := func(from, to int) string { // as a call names blocks
		first, end := parts[from-1], parts[to-1]
		if len(first) == 0 || len(end) == 0 {
			return ""
		}
		return fmt.Sprintf(" (blocks %d-%d)", first[0].N, end[len(end)-1].N)
	}
	var lines []string
	for i := range parts {
		var shown []string
		for _, h := range titles[i] {
			if h.depth > deepest {
				more++
				continue
			}
			if tokens -= h.tokens(); left == 0 || tokens < 0 {
				more++
				continue
			}
			left--
			shown = append(shown, h.title)
		}
		text := strings.Join(shown, " · ")
		if terms := r.termsOf(parts[i]); len(shown) < 2 && terms != "" {
			text = strings.TrimPrefix(text+": "+terms, ": ")
			tokens -= agent.EstimateTokens(terms)
		}
		switch {
		case text == "":
		case text == last: // it goes on and on
			lines[len(lines)-1] = fmt.Sprintf("part %d to %d%s: %s", since, i+1, span(since, i+1), text)
		default:
			lines = append(lines, fmt.Sprintf("part %d%s: %s", i+1, span(i+1, i+1), text))
			last, since = text, i+1
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more headings", more))
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + agent.Outside("outline", strings.Join(lines, "\n"), "id", r.source.ID)
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

// heading is a heading of a page with its depth, from 1.
type heading struct {
	depth int
	title string
}

func (h heading) tokens() int { return agent.EstimateTokens(h.title) + 2 }

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
			titles = append(titles, heading{above + i + 1, title})
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
	return inOneLine(titles[:min(len(titles), mostHeadings)])
}

func inOneLine(titles []heading) string {
	all := make([]string, len(titles))
	for i, h := range titles {
		all[i] = h.title
	}
	return strings.Join(all, " · ")
}
