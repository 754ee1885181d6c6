package pdf

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// pdfWord is a word of a line with its position.
type pdfWord struct {
	text              string
	left, right, base float64
}

// parts returns how many pieces some letters were drawn in, at least 1.
func (d *pdfDocument) parts(text references.FPDF_TEXTPAGE, start, count int) int {
	at, err := d.FPDFText_GetCharIndexFromTextIndex(
		&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: text, NTextIndex: start})
	if err != nil {
		return 1
	}
	parts, err := d.FPDFText_CountRects(
		&requests.FPDFText_CountRects{TextPage: text, StartIndex: at.CharIndex, Count: count})
	if err != nil {
		return 1
	}
	return max(1, parts.Count)
}

// isRunning reports whether a line has no gap for sure: it was drawn in one piece, and is as wide as its
// letters at most. That saves looking up each word.
func (l pdfLine) isRunning(parts, letters int) bool {
	const widest = 0.55 // of a letter on average, in multiples of the size
	return parts == 1 && l.right > l.left && l.right-l.left <= widest*l.size*float64(letters)
}

// words returns the words of a line that runs from left to right, otherwise none. A hyphen at a line end, for
// which PDFium has a control character, parts no words. If the text goes on further left on a lower line,
// they end there, and next is where it does.
func (d *pdfDocument) words(text references.FPDF_TEXTPAGE, units []uint16, start int,
	size float64) (words []pdfWord, next int) {
	isBlank := func(u uint16) bool { return unicode.IsSpace(rune(u)) }
	for from := 0; from < len(units); {
		if len(words) > maxWords {
			return nil, 0
		}
		if isBlank(units[from]) {
			from++
			continue
		}
		to := len(units)
		if n := slices.IndexFunc(units[from:], isBlank); n > 0 {
			to = from + n
		}
		first, at := d.box(text, start+from)
		last, end := d.box(text, start+to-1)
		if at < 0 || end < 0 || last.right <= first.left {
			return nil, 0
		}
		if n := len(words) - 1; n >= 0 && first.left < words[n].right-(first.right-first.left) {
			if first.base < words[n].base-0.4*size {
				return words, from
			}
			return nil, 0
		}
		word := string(utf16.Decode(d.raised(text, units[from:to], start+from)))
		word = strings.TrimSpace(spelled.Replace(word))
		words = append(words, pdfWord{word, first.left, last.right, first.base})
		from = to
	}
	return words, 0
}

// wordsText returns the text of a line's words.
func (l pdfLine) wordsText() string {
	var all []string
	for _, word := range l.words {
		all = append(all, word.text)
	}
	return strings.Join(all, " ")
}

// withWords joins the words of two pieces of a line. If those of one are unknown, so are all.
func withWords(words, next []pdfWord, between string) []pdfWord {
	if len(words) == 0 || len(next) == 0 {
		return nil
	}
	words = slices.Clone(words)
	if between != " " {
		last := &words[len(words)-1]
		last.text, last.right = last.text+between+next[0].text, next[0].right
		next = next[1:]
	}
	return append(words, next...)
}

// maxWords bounds the words of a line that may be a row: what has more is hostile.
const maxWords = 50

// isBold reports whether the font of a letter says so in its name.
func (d *pdfDocument) isBold(text references.FPDF_TEXTPAGE, index int) bool {
	_, at := d.box(text, index)
	if at < 0 {
		return false
	}
	font, err := d.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: text, Index: at})
	return err == nil && boldFont.MatchString(font.FontName)
}

// hasGap reports whether two words of a line are further apart than those of a sentence. Gaps that are all
// alike come from justifying a line.
func (l pdfLine) hasGap() bool {
	least, most, amounts := math.Inf(1), 0.0, 0
	for i, word := range l.words {
		if amount.MatchString(word.text) {
			amounts++
		}
		if i > 0 {
			gap := word.left - l.words[i-1].right
			least, most = min(least, gap), max(most, gap)
		}
	}
	isJustified := len(l.words) > 2 && amounts < 2 && most-least < 0.1*l.size
	return l.size > 0 && most >= wideGap*l.size && !isJustified
}

// isWideAt reports whether a gap between two words parts columns: it is wide, or on both sides are amounts.
func (l pdfLine) isWideAt(next int) bool {
	before, word := l.words[next-1], l.words[next]
	return word.left-before.right >= wideGap*l.size ||
		amount.MatchString(before.text) && amount.MatchString(word.text)
}

// amount matches a figure that no other belongs to, as in a telephone number.
var amount = regexp.MustCompile(`^[-–−+(]?(?:[$€£¥₹]\d[\d.,]*|\d[\d.,]*[.,]\d+|` +
	`\d[\d.,]*[%€])\)?$`)

// wideGap is the width of a gap between columns, in multiples of the size. A blank is 0.3 wide, and rarely
// more than 0.8 where lines are justified.
const wideGap = 1.0
