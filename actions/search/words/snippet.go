package words

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// snippetSize is the most characters of a Hit's Snippet.
const snippetSize = 300

// Excerpt is the stretch of a text that shows most of the terms that were seen in it, and where it is.
func Excerpt(text string, seen []Sighting) (snippet string, from, to int) {
	from, to = around(text, densest(text, seen))
	return cut(text, from, to), from, to
}

// Sighting is one wanted term in a text.
type Sighting struct {
	Term        int
	Start, stop int // bytes
}

// margin is how many characters of a snippet stand before the first term in it.
const margin = 40

// densest finds where to begin so that a snippet shows the most different terms.
func densest(text string, seen []Sighting) (at int) {
	best := 0
	for i, first := range seen {
		distinct := map[int]bool{}
		for _, s := range seen[i:] {
			if utf8.RuneCountInString(text[first.Start:s.stop]) > snippetSize-margin-2 {
				break
			}
			distinct[s.Term] = true
		}
		if len(distinct) > best {
			best, at = len(distinct), first.Start
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

// Sightings lists where wanted terms are in text, in order. The index knows better which words are forms of
// one, but does not say where it found them.
func Sightings(text string, wanted []Term) []Sighting {
	var list []Sighting
	for _, w := range Split(text) {
		stemmed := ""
		if !w.Dense {
			stemmed = prose.Stem(w.Text)
		}
		for i, t := range wanted {
			switch {
			case t.Dense != w.Dense:
			case !t.Dense && t.stem == stemmed:
				list = append(list, Sighting{i, w.Start, w.Stop})
			case t.Dense:
				for at := 0; ; at += len(t.Text) {
					next := strings.Index(w.Text[at:], t.Text)
					if next < 0 {
						break
					}
					at += next
					list = append(list, Sighting{i, w.Start + at, w.Start + at + len(t.Text)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Sighting) int { return a.Start - b.Start })
	return list
}
