package actions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

const (
	// maxOutline and maxHeading bound the outline of a long page, in headings and in letters of one.
	maxOutline = 60
	maxHeading = 80
	// maxHeadingLine is how much of a heading is looked at, with its links, in letters.
	maxHeadingLine = 1000
	// outlineLine is what naming a part costs beside the heading, in tokens.
	outlineLine = 5
)

// outlineFor is what an outline may take beside a part of so many tokens: where there is no room for a whole one, most of what partFor
// leaves.
func outlineFor(part int) int {
	if part == maxPart {
		return maxOutline * maxHeading
	}
	return part / 4
}

// outline names the headings of each part, in so many tokens at most. A part that begins without one goes on with what the last was about.
func outline(parts []string, most int) string {
	o := outlining{left: maxOutline, tokens: most}
	var lines []string
	fenced, last := false, ""
	for i := 0; i < len(parts); i++ {
		goesOn := last != "" && (fenced || !strings.HasPrefix(strings.TrimSpace(parts[i]), "#"))
		headings := headingsOf(parts[i], &fenced)
		if len(headings) > 0 {
			if goesOn {
				headings = slices.Insert(headings, 0, last+", continued")
			}
			last = headings[len(headings)-1]
			if shown := o.fitting(headings); len(shown) > 0 {
				lines = append(lines, fmt.Sprintf("part %d: %s", i+1, strings.Join(shown, " · ")))
			}
			continue
		}
		first := i
		for i+1 < len(parts) && len(headingsOf(parts[i+1], new(fenced))) == 0 {
			i++
			headingsOf(parts[i], &fenced)
		}
		if last == "" || o.more > 0 || len(o.fitting([]string{last})) == 0 {
			continue
		}
		span := fmt.Sprint(first + 1)
		if i > first {
			span += fmt.Sprint(" to ", i+1)
		}
		lines = append(lines, fmt.Sprintf("part %s: %s, continued", span, last))
	}
	if o.more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more headings", o.more))
	}
	return strings.Join(lines, "\n")
}

// outlining is what room there is in an outline.
type outlining struct {
	left, tokens int
	more         int // headings that did not fit
}

// fitting are those headings for which there is room. After one that did not fit, none does.
func (o *outlining) fitting(headings []string) []string {
	for i, heading := range headings {
		if o.tokens -= agent.EstimateTokens(heading) + outlineLine; o.left == 0 || o.tokens < 0 {
			o.left = 0
			o.more += len(headings) - i
			return headings[:i]
		}
		o.left--
	}
	return headings
}

// headingsOf are the headings of a part, as they are shown. Fenced says whether it begins inside a block of code, and then whether it ends in one.
func headingsOf(part string, fenced *bool) []string {
	var headings []string
	for line := range strings.Lines(part) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			*fenced = !*fenced
		}
		text := strings.TrimLeft(line, "#")
		if level := len(line) - len(text); !*fenced && level > 0 && level < 5 && strings.HasPrefix(text, " ") {
			headings = append(headings, shorten(oneLine(unlinked(shorten(text, maxHeadingLine))), maxHeading))
		}
	}
	return headings
}

// unlinked is a line without the marks of code and without where its links lead.
func unlinked(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '`':
		case c == '\\' && i+1 < len(line) && strings.IndexByte("\\`*_[]()<>#", line[i+1]) >= 0:
			i++
			out.WriteByte(line[i])
		case c == '[':
			label := closed(line[i:], '[', ']')
			target := 0
			if rest := line[i+label:]; label > 0 && rest != "" && (rest[0] == '(' || rest[0] == '[') {
				target = closed(rest, rest[0], map[byte]byte{'(': ')', '[': ']'}[rest[0]])
			}
			if target == 0 {
				out.WriteByte(c)
				continue
			}
			out.WriteString(unlinked(line[i+1 : i+label-1]))
			i += label + target - 1
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// closed is how many bytes a text that begins with an opening mark has up to the mark that closes it, or 0.
func closed(text string, opening, closing byte) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
