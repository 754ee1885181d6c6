package actions

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// maxOutline and maxHeading bound the outline of a long page, in headings and in letters of one.
	maxOutline = 60
	maxHeading = 80
)

// outline names the headings of each part. Beside a small part it is small: it takes a quarter of the part's
// tokens at most.
func (r *reading) outline(parts [][]block.Block, most int) string {
	left, tokens, more := maxOutline, most/4, 0
	last, since := "", 0
	var lines []string
	var before block.Block
	for i, part := range parts {
		var titles []string
		for _, title := range titlesOf(r.links, before, part) {
			if tokens -= agent.EstimateTokens(title) + 2; left == 0 || tokens < 0 {
				more++
				continue
			}
			left--
			titles = append(titles, title)
		}
		if len(part) > 0 {
			before = part[len(part)-1]
		}
		switch text := strings.Join(titles, " · "); {
		case text == "":
		case text == last: // it goes on and on
			lines[len(lines)-1] = fmt.Sprintf("part %d to %d: %s", since, i+1, text)
		default:
			lines = append(lines, fmt.Sprintf("part %d: %s", i+1, text))
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

// titlesOf are the headings that are new in a part, after the block before it.
func titlesOf(links *block.Linked, before block.Block, part []block.Block) []string {
	var titles []string
	for j, b := range part {
		new := fresh(before, b)
		if j == 0 && len(new) == 0 && len(b.Headings) > 0 {
			new = []string{b.Headings[len(b.Headings)-1] + ", continued"}
		}
		for _, title := range new {
			titles = append(titles, prose.Shorten(prose.OneLine(unmarked(links.Title(title))), maxHeading))
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

var escaping = regexp.MustCompile("\\\\([\\\\`*_\\[\\]()<>#])")

// unmarked is a line without the marks of code and of escaping.
func unmarked(line string) string {
	return escaping.ReplaceAllString(strings.ReplaceAll(line, "`", ""), "$1")
}

// mostHeadings is how many headings [Headings] returns.
const mostHeadings = 30

// Headings returns the first headings of a page, in one line.
func Headings(text string) string {
	titles := titlesOf(block.FindLinks(text), block.Block{}, block.Split(text))
	return strings.Join(titles[:min(len(titles), mostHeadings)], "; ")
}
