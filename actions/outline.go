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
	// maxOutline and maxHeading bound the outline of a long page, in headings and in characters of each.
	maxOutline = 100
	maxHeading = 80
	// leastTerms is how many terms a part must define to be described by its first and last; a term longer
	// than maxTerm is a sentence in bold.
	leastTerms = 3
	maxTerm    = 40
	// headingNumber is how many tokens are allowed for the number of a heading's first block.
	headingNumber = 4
)

// outline lists the headings of each part, or of several together if there are too many: it takes at most
// half as many tokens as a part. If not all headings fit, only the first and last of the lower ones are
// named, so that no part of the page is hidden.
func (r *reading) outline(parts [][]block.Block, most int) string {
	lines := r.outlined(parts, 1, most/3)
	for each := 2; each <= len(parts) && agent.EstimateTokens(strings.Join(lines, "\n")) > most/2; each++ {
		lines = r.outlined(parts, each, most/3)
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + agent.Outside("outline", strings.Join(lines, "\n"), "id", r.source.ID)
}

// outlined returns the lines of an outline, each covering so many parts, with all headings down to the
// deepest level that fits in so many tokens.
func (r *reading) outlined(parts [][]block.Block, each, tokens int) (lines []string) {
	var before block.Block
	var titles [][]heading
	for run := range slices.Chunk(parts, each) {
		all := slices.Concat(run...)
		titles = append(titles, titlesOf(r.links, before, all))
		if len(all) > 0 {
			before = all[len(all)-1]
		}
	}
	deepest := fitting(slices.Concat(titles...), tokens)
	last, since := "", 0
	for i, of := range titles {
		var shown, lower []heading
		for _, h := range of {
			if h.depth > deepest {
				lower = append(lower, h)
			} else {
				shown = append(shown, h)
			}
		}
		to := min((i+1)*each, len(parts))
		run := slices.Concat(parts[i*each : to]...)
		text := r.told(run, shown, lower)
		if text == "" {
			continue
		}
		if text == last { // the same headings go on
			lines = lines[:len(lines)-1]
		} else {
			last, since = text, i*each
		}
		lines = append(lines, partsNamed(parts, since, to)+": "+text)
	}
	return lines
}

// told describes a run of blocks: by its headings shown, and by the ends of those not shown or of its terms.
func (r *reading) told(run []block.Block, shown, lower []heading) string {
	text := ""
	if len(lower) == 1 {
		shown, lower = append(shown, lower...), nil
	}
	if len(shown) > 0 {
		text = inOneLine(shown, run[0].N)
	}
	if len(lower) > 0 {
		return strings.TrimPrefix(text+" · "+ends(lower), " · ")
	}
	if terms := r.termsOf(run); len(shown) < 2 && terms != "" {
		return strings.TrimPrefix(text+": "+terms, ": ")
	}
	return text
}

// partsNamed names parts and their blocks in the form that calls use.
func partsNamed(parts [][]block.Block, from, to int) string {
	name := fmt.Sprintf("part %d", from+1)
	if to > from+1 {
		name += fmt.Sprintf(" to %d", to)
	}
	if first, last := parts[from], parts[to-1]; len(first) > 0 && len(last) > 0 {
		name += fmt.Sprintf(" (blocks %d-%d)", first[0].N, last[len(last)-1].N)
	}
	return name
}

// ends names the first and the last of some headings: "31 headings: CACHES … TIME_ZONE".
func ends(all []heading) string {
	return fmt.Sprintf("%d headings: %s … %s", len(all), all[0].title, all[len(all)-1].title)
}

// termsOf names the first and the last of the terms that some blocks define, such as the settings of a manual
// page, which have no headings. A term that is defined repeatedly, such as "note", does not count.
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

// fitting returns the greatest depth down to which all headings fit into an outline, 0 if none does.
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
			return depth
		}
	}
	return deepest
}

// titlesOf returns the headings that are new in a part, after the block before it.
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

// fresh returns the headings above a block that the block before it does not share.
func fresh(before, b block.Block) []string {
	same := 0
	for same < len(before.Headings) && same < len(b.Headings) && before.Headings[same] == b.Headings[same] {
		same++
	}
	return b.Headings[same:]
}

// unmarked returns a line without code marks and escapes.
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

// thinned drops headings of a run evenly until the rest fit in so many characters.
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

// inOneLine lists the headings of a run that begins with block first. A heading that starts at a different
// block than the one before it gets its block number: "Tides · Springs · 150: Neaps".
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
