package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// repeatedOn is on how many pages a line must stand at the same place of the edge to be a running head.
const repeatedOn = 3

// whole joins the fragments of lines: letters that are set apart, raised or in another font come as lines of
// their own.
func whole(lines []pdfLine) []pdfLine {
	var out []pdfLine
	for _, line := range lines {
		if len(out) > 0 && out[len(out)-1].continues(line) {
			out[len(out)-1] = out[len(out)-1].with(line)
			continue
		}
		out = append(out, line)
	}
	return out
}

// continues is true for a fragment that stands right after l, on the same line.
func (l pdfLine) continues(next pdfLine) bool {
	size := max(l.size, next.size)
	return size > 0 && math.Abs(next.base-l.end) < 0.6*size && next.left > l.right-0.3*size &&
		next.left < l.right+2*size
}

func (l pdfLine) with(next pdfLine) pdfLine {
	last, _ := utf8.DecodeLastRuneInString(l.text)
	first, _ := utf8.DecodeRuneInString(next.text)
	between := ""
	switch raised := next.size < 0.85*l.size && next.base > l.end+0.2*l.size; {
	case raised && (unicode.IsDigit(first) || first == '-' || first == '−') &&
		(unicode.IsDigit(last) || unicode.IsLetter(last)):
		between = "^" // ten to the sixth must not become 106
	case next.left > l.right+0.15*max(l.size, next.size) && !isWide(last):
		between = " "
	}
	l.text += between + next.text
	l.right = next.right
	if next.size >= 0.85*l.size {
		l.end = next.end
	}
	l.size = max(l.size, next.size)
	return l
}

// place is a line at the edge of a page, its figures made alike: what stands on several pages is no part of
// the text.
type place struct {
	text string
	base int
}

func placeOf(line pdfLine) place {
	alike := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}, line.text)
	return place{strings.ReplaceAll(strings.ReplaceAll(alike, "00", "0"), "00", "0"),
		int(math.Round(line.base / 4))}
}

// withoutHeads drops running heads and page numbers.
func withoutHeads(pages [][]pdfLine) {
	pagesWith := map[place]int{}
	for _, lines := range pages {
		high, low := edges(lines)
		for _, line := range lines {
			if line.base >= high || line.base <= low {
				pagesWith[placeOf(line)]++
			}
		}
	}
	for n, lines := range pages {
		high, low := edges(lines)
		rest := slices.DeleteFunc(slices.Clone(lines), func(line pdfLine) bool {
			return (line.base >= high || line.base <= low) && pagesWith[placeOf(line)] >= repeatedOn
		})
		if len(rest) > 0 { // a page of a line or two may hold nothing else
			pages[n] = rest
		}
	}
}

// edges are the heights from which on lines are among the two highest, and among the two lowest, of their
// page.
func edges(lines []pdfLine) (high, low float64) {
	top, bottom := math.Inf(-1), math.Inf(1)
	high, low = top, bottom
	for _, line := range lines {
		switch {
		case line.base > top:
			top, high = line.base, top
		case line.base < top && line.base > high:
			high = line.base
		}
		switch {
		case line.base < bottom:
			bottom, low = line.base, bottom
		case line.base > bottom && line.base < low:
			low = line.base
		}
	}
	return max(high, top-3*edgeLine), min(low, bottom+3*edgeLine)
}

// edgeLine is the distance between lines at the edge of a page, in points, at most.
const edgeLine = 14
