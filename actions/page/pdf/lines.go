package pdf

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// repeatedOn is on how many pages a line must stand at the same place of the edge to be a running head.
const repeatedOn = 3

// whole joins fragments of lines: letters that are set apart, raised or in another font.
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

var figures = regexp.MustCompile(`\pN+`)

// placeOf is a line's height and text with all figures alike, to find what stands on several pages.
func placeOf(line pdfLine) string {
	return fmt.Sprint(math.Round(line.base/4), figures.ReplaceAllString(line.text, "0"))
}

// withoutHeads drops running heads and page numbers.
func withoutHeads(pages [][]pdfLine) {
	pagesWith := map[string]int{}
	for _, lines := range pages {
		for _, line := range slices.DeleteFunc(slices.Clone(lines), inside(lines)) {
			pagesWith[placeOf(line)]++
		}
	}
	for n, lines := range pages {
		isInside := inside(lines)
		rest := slices.DeleteFunc(slices.Clone(lines), func(line pdfLine) bool {
			return !isInside(line) && pagesWith[placeOf(line)] >= repeatedOn
		})
		if len(rest) > 0 { // a page of a line or two may hold nothing else
			pages[n] = rest
		}
	}
}

// inside is true for the lines that are neither among the two highest of a page nor among the two lowest.
func inside(lines []pdfLine) func(pdfLine) bool {
	// the distance between lines at the edge of a page, in points, at most
	const edgeLine = 14
	var heights []float64
	for _, line := range lines {
		heights = append(heights, line.base)
	}
	slices.Sort(heights)
	heights = slices.Compact(heights)
	if len(heights) == 0 {
		return func(pdfLine) bool { return true }
	}
	bottom, top := heights[0], heights[len(heights)-1]
	low := min(heights[min(1, len(heights)-1)], bottom+3*edgeLine)
	high := max(heights[max(0, len(heights)-2)], top-3*edgeLine)
	return func(line pdfLine) bool { return low < line.base && line.base < high }
}
