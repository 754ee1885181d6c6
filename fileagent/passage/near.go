package passage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	leastShared  = 4       // words at the beginning or end of a text that identify a place which then differs
	mostCompared = 1 << 27 // the number of words to find times the bytes of the text
)

var (
	paragraph = regexp.MustCompile(`[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*`)
	// a Chinese or Japanese character, or what is between spaces and those, with the marks after it
	unit = regexp.MustCompile(`(?:[\p{Han}\p{Hiragana}\p{Katakana}]|[^\s\p{Han}\p{Hiragana}\p{Katakana}]*` +
		`[\p{L}\p{N}][^\s\p{Han}\p{Hiragana}\p{Katakana}]*)[^\s\p{L}\p{N}]*`)
	cites = regexp.MustCompile(`^(?: ?\[s\d[^\]\n]*\])+[^\s\pL\pN]*`)
)

// word holds the letters of a word, and where it is with the marks around it.
type word struct {
	letters  string
	from, to int
}

func wordsIn(text string, offset int) (all []word) {
	for _, at := range unit.FindAllStringIndex(text, -1) {
		all = append(all, word{prose.Letters(text[at[0]:at[1]]), offset + at[0], offset + at[1]})
	}
	return all
}

// near shows the one place of a text that is nearly what was looked for, verbatim and within a paragraph: a
// model that quotes from memory needs it for the next try. It returns "" if no place is near, or several are.
// If several paragraphs are wanted, it looks for the first that is not in the text.
func near(whole, text string) string {
	for _, p := range paragraph.FindAllString(text, -1) {
		if !strings.Contains(whole, p) {
			text = p
			break
		}
	}
	wanted := wordsIn(text, 0)
	if len(wanted) == 0 || len(wanted)*len(whole) > mostCompared {
		return ""
	}
	edited, begun, ended := place{off: len(wanted)}, place{off: len(wanted)}, place{off: len(wanted)}
	for _, at := range paragraph.FindAllStringIndex(whole, -1) {
		words := wordsIn(whole[at[0]:at[1]], at[0])
		edited.align(wanted, words)
		begun.begin(wanted, words, false)
		ended.begin(wanted, words, true)
	}
	for i, found := range []place{edited, begun, ended} {
		if found.alone && (i > 0 || 5*found.off <= 2*len(wanted)) {
			found.widen(whole, strings.TrimSpace(text[:wanted[0].from]),
				strings.TrimSpace(text[wanted[len(wanted)-1].to:]))
			return fmt.Sprintf("The nearest, on line %d, is to the letter: “%s”",
				1+strings.Count(whole[:found.from], "\n"), whole[found.from:found.to])
		}
	}
	return ""
}

// place is the byte range in which a text has most of some words.
type place struct {
	from, to int
	off      int  // words that would have to be changed, added or removed
	alone    bool // no other place is as near
}

// widen includes marks around the words that are also around what was looked for, such as those of a row, and
// the citations of a sentence: if they were not replaced too, they would be doubled, or lose their claim.
func (p *place) widen(whole, lead, tail string) {
	before, after := strings.TrimRight(whole[:p.from], " "), strings.TrimLeft(whole[p.to:], " ")
	if lead != "" && strings.HasSuffix(before, lead) {
		p.from = len(before) - len(lead)
	}
	if tail != "" && strings.HasPrefix(after, tail) {
		p.to = len(whole) - len(after) + len(tail)
	}
	p.to += len(cites.FindString(whole[p.to:]))
}

// take keeps the nearer of two places, or the longer of equally near ones with the same beginning.
func (p *place) take(other place) {
	switch {
	case other.off < p.off:
		*p, p.alone = other, true
	case other.off == p.off && other.from == p.from:
		p.to = max(p.to, other.to)
	case other.off == p.off:
		p.alone = false
	}
}

// align takes the stretch of a paragraph's words with the fewest differences from the wanted ones (Sellers
// 1980: an edit distance that may begin and end anywhere).
func (p *place) align(wanted, words []word) {
	off, from := make([]int, len(wanted)+1), make([]int, len(wanted)+1)
	for i := range off {
		off[i] = i
	}
	for j, w := range words {
		before, begun := off[0], from[0]
		off[0], from[0] = 0, j+1
		for i := 1; i <= len(wanted); i++ {
			least, at := before, begun
			if wanted[i-1].letters != w.letters {
				least++
			}
			before, begun = off[i], from[i]
			if off[i]+1 < least {
				least, at = off[i]+1, from[i]
			}
			if off[i-1]+1 < least {
				least, at = off[i-1]+1, from[i-1]
			}
			off[i], from[i] = least, at
		}
		if at := from[len(wanted)]; at <= j {
			p.take(place{from: words[at].from, to: w.to, off: off[len(wanted)]})
		}
	}
}

// begin takes the places in a paragraph that begin, or backwards end, with the wanted words and have as many
// words, whatever the others are.
func (p *place) begin(wanted, words []word, backwards bool) {
	if backwards {
		wanted, words = slices.Clone(wanted), slices.Clone(words)
		slices.Reverse(wanted)
		slices.Reverse(words)
	}
	for j := range words {
		n := 0
		for n < min(len(wanted), len(words)-j) && wanted[n].letters == words[j+n].letters {
			n++
		}
		if n >= leastShared {
			a, b := words[j], words[min(j+len(wanted), len(words))-1]
			p.take(place{from: min(a.from, b.from), to: max(a.to, b.to), off: len(wanted) - n})
		}
	}
}
