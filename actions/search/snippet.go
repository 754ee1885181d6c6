package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// snippetSize is the most characters of a Hit's Snippet.
const snippetSize = 300

// view is a passage as seen by someone who looks for something.
type view struct {
	snippet string
	heading string // the one that the snippet is under
	line    int    // of the passage, from 0, on which the block begins that the snippet shows first
}

// look finds the part of a passage that shows most of the wanted terms. The heading is that in force where the passage
// begins.
func look(markdown, heading string, wanted []term) view {
	var b strings.Builder
	type part struct {
		at, line int // in the text that is built, and in the passage
		heading  string
	}
	var parts []part
	for _, block := range blocks(markdown) {
		if block.level > 0 {
			heading = block.heading
		}
		if line := spaced(plain(markdown[block.start:block.stop])); line != "" {
			parts = append(parts, part{b.Len(), strings.Count(markdown[:block.start], "\n"), heading})
			b.WriteString(line)
			b.WriteByte(' ')
		}
	}
	text := strings.TrimSuffix(b.String(), " ")
	at := densest(text, sightings(text, wanted))
	from, to := around(text, at)
	v := view{snippet: cut(text, from, to)}
	for _, p := range parts {
		if p.at <= at {
			v.heading, v.line = p.heading, p.line
		}
	}
	return v
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

// around is the stretch of text for a snippet that shows what stands at a place: a margin to its left and the rest to
// its right, moved if the text ends before.
func around(text string, at int) (from, to int) {
	const size = snippetSize - 2 // room for two ellipses
	from = back(text, at, margin)
	to = from + forward(text[from:], size)
	if missing := size - utf8.RuneCountInString(text[from:to]); missing > 0 {
		from = back(text, from, missing)
	}
	return from, to
}

// cut takes text[from:to] without the parts of words at its ends, and with an ellipsis where something was left out.
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

// sightings lists where wanted terms are in text, in order. The index knows better which words are forms of one, but
// does not say where it found them.
func sightings(text string, wanted []term) []sighting {
	var list []sighting
	for _, w := range words(text) {
		stemmed := ""
		if !w.dense {
			stemmed = stem(w.text)
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

// stem cuts the commonest English endings.
func stem(word string) string {
	for _, ending := range [...]string{
		"ations", "ation", "ings", "ing", "ies", "ied", "ions", "ion", "ed", "es", "ly", "s", "e", "y",
	} {
		if rest, found := strings.CutSuffix(word, ending); found && len(rest) >= 3 {
			return rest
		}
	}
	return word
}
