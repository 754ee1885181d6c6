package documents

import (
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

// view is a passage as seen by someone who looks for something.
type view struct {
	snippet string
	heading string // the one that the snippet is under
	line    int    // of the passage, from 0, on which the block begins that says most
}

// shown is a block of a passage as it is shown: where it begins in the text of all, and the heading and the
// line that it has.
type shown struct {
	at, line int
	heading  string
}

// look finds the part of a passage that shows most of the wanted terms. The heading is that in force where
// the passage begins.
func look(markdown, heading string, wanted []words.Term) view {
	var b strings.Builder
	var parts []shown
	for _, block := range blocks(markdown) {
		if block.level > 0 {
			heading = block.heading
		}
		if line := prose.OneLine(words.Plain(markdown[block.start:block.stop])); line != "" {
			parts = append(parts, shown{b.Len(), strings.Count(markdown[:block.start], "\n"), heading})
			b.WriteString(line)
			b.WriteByte(' ')
		}
	}
	text := strings.TrimSuffix(b.String(), " ")
	return viewOf(text, heading, parts, wanted)
}

// lookAtCode is look for a passage of a block of code, whose headings are its declarations.
func lookAtCode(code, heading string, wanted []words.Term) view {
	var b strings.Builder
	var parts []shown
	// the first part without a blank line since: a comment belongs to what it is about
	number, together := 0, 0
	for line := range strings.Lines(code) {
		if declaration.MatchString(line) {
			heading = words.Capped(prose.OneLine(line), maxHeading)
			for i := range parts[together:] {
				parts[together+i].heading = heading
			}
		}
		if strings.TrimSpace(line) == "" {
			together = len(parts)
		}
		if line = prose.OneLine(line); line != "" && !strings.HasPrefix(line, "```") {
			parts = append(parts, shown{b.Len(), number, heading})
			b.WriteString(line)
			b.WriteByte(' ')
		}
		number++
	}
	return viewOf(strings.TrimSuffix(b.String(), " "), heading, parts, wanted)
}

func viewOf(text, heading string, parts []shown, wanted []words.Term) view {
	seen := words.Sightings(text, wanted)
	snippet, from, to := words.Excerpt(text, seen)
	v := view{snippet: snippet, heading: heading}
	if len(parts) > 0 {
		most := busiest(parts, seen, from, to)
		v.heading, v.line = most.heading, most.line
	}
	return v
}

// busiest is the block of which text[from:to] shows the most different terms.
func busiest(parts []shown, seen []words.Sighting, from, to int) shown {
	best, most := parts[0], 0
	for i, p := range parts {
		stop := to
		if i+1 < len(parts) {
			stop = min(to, parts[i+1].at)
		}
		inside := func(s words.Sighting) bool { return s.Start >= max(from, p.at) && s.Start < stop }
		distinct := map[int]bool{}
		for _, s := range seen {
			if inside(s) {
				distinct[s.Term] = true
			}
		}
		if len(distinct) > most {
			best, most = p, len(distinct)
		}
	}
	return best
}
