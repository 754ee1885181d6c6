package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// snippetSize is the most characters of a Hit's Snippet.
const snippetSize = 300

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
func look(markdown, heading string, wanted []term) view {
	var b strings.Builder
	var parts []shown
	for _, block := range blocks(markdown) {
		if block.level > 0 {
			heading = block.heading
		}
		if line := prose.OneLine(plain(markdown[block.start:block.stop])); line != "" {
			parts = append(parts, shown{b.Len(), strings.Count(markdown[:block.start], "\n"), heading})
			b.WriteString(line)
			b.WriteByte(' ')
		}
	}
	text := strings.TrimSuffix(b.String(), " ")
	return viewOf(text, heading, parts, wanted)
}

// lookAtCode is look for a passage of a block of code, whose headings are its declarations.
func lookAtCode(code, heading string, wanted []term) view {
	var b strings.Builder
	var parts []shown
	// the first part without a blank line since: a comment belongs to what it is about
	number, together := 0, 0
	for line := range strings.Lines(code) {
		if declaration.MatchString(line) {
			heading = capped(prose.OneLine(line), maxHeading)
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

func viewOf(text, heading string, parts []shown, wanted []term) view {
	seen := sightings(text, wanted)
	from, to := around(text, densest(text, seen))
	v := view{snippet: cut(text, from, to), heading: heading}
	if len(parts) > 0 {
		most := busiest(parts, seen, from, to)
		v.heading, v.line = most.heading, most.line
	}
	return v
}

// busiest is the block of which text[from:to] shows the most different terms.
func busiest(parts []shown, seen []sighting, from, to int) shown {
	best, most := parts[0], 0
	for i, p := range parts {
		stop := to
		if i+1 < len(parts) {
			stop = min(to, parts[i+1].at)
		}
		inside := func(s sighting) bool { return s.start >= max(from, p.at) && s.start < stop }
		distinct := map[int]bool{}
		for _, s := range seen {
			if inside(s) {
				distinct[s.term] = true
			}
		}
		if len(distinct) > most {
			best, most = p, len(distinct)
		}
	}
	return best
}

// sighting is one wanted term in a text.
type sighting struct {
	term        int
	start, stop int // bytes
}

// margin is how many characters of a snippet stand before the first term in it.
const margin = 40

// densest finds where to begin so that a snippet shows the most different terms.
func densest(text string, seen []sighting) (at int) {
	best := 0
	for i, first := range seen {
		distinct := map[int]bool{}
		for _, s := range seen[i:] {
			if utf8.RuneCountInString(text[first.start:s.stop]) > snippetSize-margin-2 {
				break
			}
			distinct[s.term] = true
		}
		if len(distinct) > best {
			best, at = len(distinct), first.start
		}
	}
	return at
}

// around is the stretch of text for a snippet that shows what stands at a place: a margin to its left and the
// rest to its right, moved if the text ends before.
func around(text string, at int) (from, to int) {
	const size = snippetSize - 2 // room for two ellipses
	from = back(text, at, margin)
	to = from + forward(text[from:], size)
	if missing := size - utf8.RuneCountInString(text[from:to]); missing > 0 {
		from = back(text, from, missing)
	}
	return from, to
}

// cut takes text[from:to] without the parts of words at its ends, and with an ellipsis where something was
// left out.
func cut(text string, from, to int) string {
	part := text[from:to]
	const reach = 24 // bytes; Chinese has no spaces to end at, and needs none
	if from > 0 {
		if i := strings.IndexByte(part[:min(reach, len(part))], ' '); i >= 0 {
			part = part[i+1:]
		}
		part = "…" + part
	}
	if to < len(text) {
		if i := strings.LastIndexByte(part, ' '); i > len(part)-reach {
			part = part[:i]
		}
		part += "…"
	}
	return part
}

// back is the place n characters before at.
func back(text string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, width := utf8.DecodeLastRuneInString(text[:at])
		at -= width
	}
	return at
}

// forward is the length in bytes of the first n characters.
func forward(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// sightings lists where wanted terms are in text, in order. The index knows better which words are forms of
// one, but does not say where it found them.
func sightings(text string, wanted []term) []sighting {
	var list []sighting
	for _, w := range words(text) {
		stemmed := ""
		if !w.dense {
			stemmed = prose.Stem(w.text)
		}
		for i, t := range wanted {
			switch {
			case t.dense != w.dense:
			case !t.dense && t.stem == stemmed:
				list = append(list, sighting{i, w.start, w.stop})
			case t.dense:
				for at := 0; ; at += len(t.text) {
					next := strings.Index(w.text[at:], t.text)
					if next < 0 {
						break
					}
					at += next
					list = append(list, sighting{i, w.start + at, w.start + at + len(t.text)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b sighting) int { return a.start - b.start })
	return list
}
