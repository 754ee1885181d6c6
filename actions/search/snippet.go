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
	heading string     // the one that the snippet stands under
	seen    []sighting // of wanted terms anywhere in the passage
}

// look finds the part of a passage that shows most of the wanted terms. The heading is that in force where the passage
// begins.
func look(markdown, heading string, wanted []term) view {
	var b strings.Builder
	var starts []int // of the parts that stand under headings of their own
	headings := []string{heading}
	for _, part := range blocks(markdown) {
		if part.level > 0 {
			starts = append(starts, b.Len())
			headings = append(headings, part.heading)
		}
		if line := spaced(plain(markdown[part.start:part.stop])); line != "" {
			b.WriteString(line)
			b.WriteByte(' ')
		}
	}
	text := strings.TrimSuffix(b.String(), " ")
	seen := sightings(text, wanted)
	from, to := around(text, densest(text, seen))
	return view{cut(text, from, to), headings[busiest(starts, seen, from, to)], seen}
}

// busiest is the part of a passage whose piece in a snippet shows the most different terms: 0 for what stands before
// the first heading, which is at starts[0].
func busiest(starts []int, seen []sighting, from, to int) int {
	distinct := make([]map[int]bool, len(starts)+1)
	best := 0
	for _, s := range seen {
		if s.start < from || s.stop > to {
			continue
		}
		part, exact := slices.BinarySearch(starts, s.start)
		if exact {
			part++
		}
		if distinct[part] == nil {
			distinct[part] = map[int]bool{}
		}
		distinct[part][s.term] = true
		if len(distinct[part]) > len(distinct[best]) {
			best = part
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

// sightings lists where wanted terms stand in text, in order. The index knows better which words are forms of one, but
// does not say where it found them.
func sightings(text string, wanted []term) []sighting {
	var list []sighting
	all := words(text)
	stems := make([]string, len(all))
	for i, w := range all {
		stems[i] = stem(w.text)
	}
	for i, t := range wanted {
		if t.dense {
			list = append(list, pairSightings(all, i, t.parts[0])...)
			continue
		}
		parts := make([]string, len(t.parts))
		for j, part := range t.parts {
			parts[j] = stem(part)
		}
		for j := 0; j+len(parts) <= len(all); j++ {
			if slices.Equal(stems[j:j+len(parts)], parts) {
				list = append(list, sighting{i, all[j].start, all[j+len(parts)-1].stop})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b sighting) int { return a.start - b.start })
	return list
}

// pairSightings lists where a pair of dense characters stands.
func pairSightings(all []word, index int, pair string) []sighting {
	var list []sighting
	for _, w := range all {
		for at := 0; w.dense; at += len(pair) {
			next := strings.Index(w.text[at:], pair)
			if next < 0 {
				break
			}
			at += next
			list = append(list, sighting{index, w.start + at, w.start + at + len(pair)})
		}
	}
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
