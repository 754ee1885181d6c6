package pdf

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
)

// pdfLayout turns lines as they are on paper into paragraphs and headings.
type pdfLayout struct {
	size     float64   // of the letters in most of the text, in points
	pitch    float64   // distance from line to line, in multiples of size
	headings []float64 // sizes of headings, the largest first
	// words with a hyphen inside a line, in lower case: their hyphen does not come from a line break
	hyphened map[string]bool
}

// layoutOf measures pages whose line fragments are joined and whose running heads are removed.
func layoutOf(pages [][]pdfLine) pdfLayout {
	l := pdfLayout{hyphened: map[string]bool{}}
	letters, pitches, rows := map[float64]int{}, map[float64]int{}, map[float64]int{}
	for _, lines := range pages {
		for i, line := range lines {
			letters[half(line.size)] += len(line.text)
			if line.isRow {
				rows[half(line.size)] += len(line.text)
			}
			if i > 0 && half(lines[i-1].size) == half(line.size) && line.size > 0 {
				if pitch := (lines[i-1].end - line.base) / line.size; pitch > 0.8 && pitch < 2.5 {
					pitches[math.Round(pitch*20)/20]++
				}
			}
			for word := range strings.FieldsSeq(line.text) {
				if strings.ContainsRune(strings.Trim(word, "-"), '-') {
					l.hyphened[strings.ToLower(strings.TrimFunc(word, unicode.IsPunct))] = true
				}
			}
		}
	}
	l.size, l.pitch = mostOf(letters), mostOf(pitches)
	if l.pitch == 0 {
		l.pitch = 1.2
	}
	for size, n := range letters {
		if size >= 1.15*l.size && n-rows[size] >= 3 {
			l.headings = append(l.headings, size)
		}
	}
	slices.SortFunc(l.headings, func(a, b float64) int { return cmp.Compare(b, a) })
	return l
}

// half rounds to half a point, so that sizes can be counted.
func half(size float64) float64 { return math.Round(size*2) / 2 }

func mostOf(counts map[float64]int) float64 {
	most, best := 0, 0.0
	for value, n := range counts {
		if n > most || n == most && value < best {
			most, best = n, value
		}
	}
	return best
}

// level returns a heading level, 1 to 3, or 0 for ordinary text. Formulas have tall letters too, but few.
func (l pdfLayout) level(line pdfLine) int {
	letters, all := len(letter.FindAllString(line.text, -1)), utf8.RuneCountInString(line.text)
	if line.isRow || letters < 2 || 2*letters < all || all > 200 {
		return 0
	}
	return min(slices.Index(l.headings, half(line.size))+1, 3)
}

var letter = regexp.MustCompile(`\pL`)

// write writes one page.
func (l pdfLayout) write(w *markup.Writer, lines []pdfLine, tables map[int]pdfTable) {
	for i := 0; i < len(lines) && !w.Full; {
		if t, ok := tables[i]; ok {
			l.writeTable(w, t.rows)
			i += len(t.lines)
			continue
		}
		level := l.level(lines[i])
		text := lines[i].text
		i++
		for ; i < len(lines) && tables[i].lines == nil; i++ {
			if l.level(lines[i]) != level || l.breaks(lines[i-1], lines[i]) {
				break
			}
			text = l.join(text, lines[i].text)
		}
		text = l.mend(text)
		w.Block(2)
		if item := bullet.ReplaceAllString(text, ""); level > 0 {
			w.Open("###"[:level] + " ")
		} else if item != text {
			w.Open("- ")
			text = item
		}
		w.Text(text)
		w.Block(2)
	}
}

// breaks reports whether a paragraph ends between two lines.
func (l pdfLayout) breaks(before, line pdfLine) bool {
	if line.size == 0 || before.size == 0 {
		return false
	}
	if before.isRow && line.isRow && before.hasGap() && line.hasGap() {
		return true
	}
	down := (before.end - line.base) / line.size
	switch {
	case cells.MatchString(line.text) && line.left > before.left && math.Abs(down) < 2:
		return false // beside a label of two lines
	case down > 0.5 && line.left < before.left+line.size &&
		(row.MatchString(before.text) || row.MatchString(line.text)):
		return !beginsLower(line.text)
	case marked.MatchString(line.text) && line.left <= before.left+line.size*4,
		leader.MatchString(before.text), leader.MatchString(line.text):
		return true
	case down < -0.5: // up again: into the next column, or to a margin note
		return sentenceEnd.MatchString(before.text) || !beginsLower(line.text)
	case down > l.pitch*1.4:
		return true
	case line.size > before.size*1.3 || before.size > line.size*1.3:
		return down > 0.5
	case line.left > before.left+0.7*line.size && line.left < before.left+8*line.size:
		return !marked.MatchString(before.text) // an item outdents its first line
	case line.left < before.left-0.7*line.size: // a short line in the middle is a heading, whatever its size
		return before.right < line.right-0.15*(line.right-line.left)
	}
	return sentenceEnd.MatchString(before.text) && before.right < line.right-0.15*(line.right-line.left)
}

var (
	// bullet matches the start of a list item.
	bullet = regexp.MustCompile(`^(?:[•\x{f0b7}] *|[●◦▪■‣⁃–·○] +)`)
	// marked matches the first line of an item: 1. or (a) or [3] or a bullet, and no year: 1987.
	marked = regexp.MustCompile(bullet.String() +
		`|^(?:[\[(]+(?:\d{1,4}|[[:alnum:]])[\].)]*|(?:\d{1,3}|[[:alnum:]])[\].)]+) `)
	// cells matches figures alone, and row a label with figures behind it, as a table of prices has them.
	cells = regexp.MustCompile(`^` + cell + `(?: +` + cell + `)+$`)
	row   = regexp.MustCompile(`^\pL.*\pL.*(?: +` + cell + `){2,}$`)
	// leader matches in a table of contents the dots before a page number.
	leader = regexp.MustCompile(`\. \. \. \. |\.{6}`)
	// sentenceEnd matches the end of a sentence.
	sentenceEnd = regexp.MustCompile(`[.!?:;。！？：；…]["')\]”’」』）]*$`)
)

// cell matches a figure, an amount or a dash.
const cell = `(?:[-–−+$€£¥]?\d[\d.,:]*[%€]?|[-–−])`

func beginsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r) || isWide(r)
}

// isWide reports whether a character belongs to a language without blanks between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f ||
		r >= 0xff00 && r <= 0xff60
}

// brokenWord marks where PDFium found a word broken at a line end, and replaces the hyphens found here.
const brokenWord = '\ufffe'

// join appends the next line to a text.
func (l pdfLayout) join(text, line string) string {
	last, size := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(line)
	beforeLast, _ := utf8.DecodeLastRuneInString(text[:len(text)-size])
	switch {
	case last == brokenWord, first == brokenWord:
		return text + line
	case (last == '-' || last == '\u2010' || last == '\u00ad') && unicode.IsLetter(beforeLast):
		if unicode.IsLower(first) {
			return text[:len(text)-size] + string(brokenWord) + line
		}
		return text + line
	case isWide(last) && (isWide(first) || unicode.IsDigit(first)), unicode.IsDigit(last) && isWide(first):
		return text + line
	}
	return text + " " + line
}

// parted matches a word that the page breaks once or more.
var parted = regexp.MustCompile(`([^\s\x{fffe}]*)\x{fffe}([^\s\x{fffe}]*)`)

// mend removes the hyphens of broken words, unless the same word has one within a line elsewhere.
func (l pdfLayout) mend(text string) string {
	if leader.MatchString(text) {
		text = strings.TrimSpace(leader.ReplaceAllString(text, ""))
	}
	return parted.ReplaceAllStringFunc(strings.ReplaceAll(text, "\x02", string(brokenWord)),
		func(word string) string {
			hyphened := strings.Replace(word, string(brokenWord), "-", 1)
			if l.hyphened[strings.ToLower(strings.TrimFunc(hyphened, unicode.IsPunct))] {
				return hyphened
			}
			return strings.Replace(word, string(brokenWord), "", 1)
		})
}

// title returns the first heading of the largest size on the first page.
func (l pdfLayout) title(pages [][]pdfLine) string {
	best := pdfLine{}
	text := ""
	for _, line := range pages[0] {
		switch level := l.level(line); {
		case level == 0:
		case line.size > best.size:
			best, text = line, line.text
		case text != "" && line.size == best.size && !l.breaks(best, line):
			best, text = line, l.join(text, line.text)
		}
	}
	return plain.Line(l.mend(text))
}

// repeatedOn is on how many pages a line must occur at the same edge position to be a running head.
const repeatedOn = 3

// whole joins fragments of lines: letters that are spaced, raised or in another font.
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

// continues reports whether a fragment comes right after l, on the same line.
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
	l.words = withWords(l.words, next.words, between)
	l.text += between + next.text
	l.right = next.right
	if next.size >= 0.85*l.size {
		l.end = next.end
	}
	l.size = max(l.size, next.size)
	return l
}

var figures = regexp.MustCompile(`\pN+`)

// placeOf returns a line's height and its text with all numbers alike, to find what recurs on several pages.
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
		if len(rest) > 0 { // a page of a line or two may have nothing else
			pages[n] = rest
		}
	}
}

// inside reports whether a line is neither among the two highest of a page nor among the two lowest.
func inside(lines []pdfLine) func(pdfLine) bool {
	// the maximum distance between lines at the edge of a page, in points
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
