package fileagent

import (
	"bytes"
	"math"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needle is a text that stands in a line which a pattern matches. To look for it first is what makes a search fast: a processor goes
// through a gigabyte for one byte in less time than a pattern goes through a hundredth of it.
type needle struct {
	text  []byte // in lower case when fold is set
	fold  bool   // upper and lower case alike; its letters are then ASCII, and none that has a relative elsewhere
	exact bool   // a line that holds it matches, and need not be asked again
	rare  int    // which of its bytes to look for
}

// maxNeedles is how many texts are looked for at once, each on its own.
const maxNeedles = 8

// needlesOf finds the best texts one of which a pattern demands. There are none in `[a-z]+`, nor where to look for them would cost more
// than to try the pattern on every line.
func needlesOf(re *syntax.Regexp) []needle {
	const automaton = 1.2 // what the automaton costs, in ns a byte
	all := demanded(re)
	if cost(all) > automaton {
		return nil
	}
	for _, n := range all {
		if bytes.ContainsAny(n.text, "\r\n\uFFFD") { // no line holds a line's end, and a byte that is no letter counts for U+FFFD
			return nil
		}
	}
	return all
}

func demanded(re *syntax.Regexp) []needle {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCapture, syntax.OpPlus: // one is enough, and more do no harm
		return demanded(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return inexact(demanded(re.Sub[0]))
		}
	case syntax.OpConcat:
		var best []needle
		for _, sub := range re.Sub {
			if all := demanded(sub); cost(all) < cost(best) {
				best = all
			}
		}
		return inexact(best)
	case syntax.OpAlternate:
		var all []needle
		for _, sub := range re.Sub {
			one := demanded(sub)
			if len(one) == 0 || len(all)+len(one) > maxNeedles {
				return nil
			}
			all = append(all, one...)
		}
		return all
	default:
	}
	return nil
}

// inexact says of needles that they are only a part of what is demanded.
func inexact(all []needle) []needle {
	for i := range all {
		all[i].exact = false
	}
	return all
}

// literal takes the best part of a literal. Where case is nothing, that is one between letters that fold to letters beyond ASCII, as k
// does to the sign of the kelvin: those would need more than one way to be written.
func literal(re *syntax.Regexp) []needle {
	whole := string(re.Rune)
	if re.Flags&syntax.FoldCase == 0 {
		return []needle{newNeedle(whole, false, true)}
	}
	var best []needle
	for _, part := range strings.FieldsFunc(whole, foldsBeyond) {
		if n := []needle{newNeedle(strings.ToLower(part), true, len(part) == len(whole))}; cost(n) < cost(best) {
			best = n
		}
	}
	return best
}

func foldsBeyond(r rune) bool {
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f >= utf8.RuneSelf || r >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

func newNeedle(text string, fold, exact bool) needle {
	n := needle{text: []byte(text), fold: fold, exact: exact}
	for i, c := range n.text {
		if frequency(c) < frequency(n.text[n.rare]) {
			n.rare = i
		}
	}
	return n
}

// cost is about what it costs to look for needles, in ns for a byte of text: to go through it, to stop at each rare byte, and to try the
// pattern on each line in which a needle seems to stand.
func cost(all []needle) float64 {
	const through, stop, try = 0.08, 5, 100
	if len(all) == 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, n := range all {
		whole := 1.0
		for _, c := range n.text {
			whole *= frequency(c)
		}
		if n.exact {
			whole = 0 // then there is nothing to try
		}
		sum += through + stop*frequency(n.text[n.rare]) + min(1, try*whole)
	}
	return sum
}

// usual are the bytes of English prose and Markdown, the most frequent first.
const usual = " etaoinsrhldcumfpgwybv,.k\n-*TASICMPDBEWHRLNFO'\"()`_01_2:/9[]xjqz#"

// frequency is about how often a byte stands in a text: a space is every seventh, and each that follows in their order a tenth less often.
// Of a Chinese letter the first byte is one of a few, and the others are many.
func frequency(c byte) float64 {
	rank := strings.IndexByte(usual, c)
	switch {
	case c >= 0xe4 && c <= 0xe9:
		rank = 2
	case c >= utf8.RuneSelf:
		rank = 20
	case rank < 0:
		rank = len(usual)
	}
	return 0.15 * math.Exp(-float64(rank)/10)
}

// hunts looks for several needles in a block from front to back.
type hunts []hunt

func huntFor(all []needle, block []byte) hunts {
	hs := make(hunts, len(all))
	for i, n := range all {
		hs[i] = hunt{needle: n, block: block, next: [2]int{-1, -1}, found: -1}
	}
	return hs
}

// from finds the first of the needles that begins at a position or after it; nil when there is none.
func (hs hunts) from(at int) *hunt {
	var first *hunt
	for i := range hs {
		h := &hs[i]
		if h.found < at {
			h.found = h.from(at)
		}
		if h.found < len(h.block) && (first == nil || h.found < first.found) {
			first = h
		}
	}
	return first
}

// hunt looks for one needle.
type hunt struct {
	needle
	block []byte
	next  [2]int // where the rare byte stands next, in lower and in upper case; -1 for not known yet
	found int    // where the needle does; the block's length for nowhere
}

// from finds the first needle that begins at a position or after it; the block's length when there is none.
func (h *hunt) from(at int) int {
	for {
		hit := h.byteFrom(at + h.rare)
		if hit == len(h.block) {
			return hit
		}
		if at = hit - h.rare; h.stands(at) {
			return at
		}
		at++
	}
}

// byteFrom is where the rare byte stands at a position or after it, in either case; the block's length when it does not.
func (h *hunt) byteFrom(at int) int {
	low := h.text[h.rare]
	hit := h.seek(0, low, at)
	if h.fold && 'a' <= low && low <= 'z' {
		return min(hit, h.seek(1, low-'a'+'A', at))
	}
	return hit
}

// seek keeps what it found: a byte that does not stand in the block is looked for once, and not once for each hit of the other.
func (h *hunt) seek(which int, c byte, at int) int {
	if h.next[which] >= at {
		return h.next[which]
	}
	h.next[which] = len(h.block)
	if at < len(h.block) {
		if i := bytes.IndexByte(h.block[at:], c); i >= 0 {
			h.next[which] = at + i
		}
	}
	return h.next[which]
}

func (h *hunt) stands(at int) bool {
	if at+len(h.text) > len(h.block) {
		return false
	}
	text := h.block[at : at+len(h.text)]
	if !h.fold {
		return bytes.Equal(text, h.text)
	}
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != h.text[i] {
			return false
		}
	}
	return true
}
