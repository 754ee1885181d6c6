package pdf

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// maxPDFChars bounds what is read of one page, in UTF-16 units; a newspaper page has 50,000.
const maxPDFChars = 1 << 20

// pdfDocument is a PDF opened by PDFium.
type pdfDocument struct {
	pdfium.Pdfium
	handle references.FPDF_DOCUMENT
}

func openPDF(reader pdfium.Pdfium, body []byte) (*pdfDocument, error) {
	opened, err := reader.OpenDocument(&requests.OpenDocument{File: &body})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		return nil, markup.NotText("an encrypted PDF, which needs a password")
	case errors.Is(err, pdfiumerrors.ErrFormat):
		return nil, errors.New("it is no PDF or a damaged one")
	case err != nil:
		return nil, err
	}
	return &pdfDocument{reader, opened.Document}, nil
}

// about returns an entry of the document's information, such as Title, or "".
func (d *pdfDocument) about(key string) string {
	const longest = 2000
	entry, err := d.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: d.handle, Tag: key})
	if err != nil || len(entry.Value) > longest {
		return ""
	}
	return plain.Line(entry.Value)
}

// pdfLine is a line of text on a page with its position, in points from the lower left corner.
type pdfLine struct {
	text        string
	left, right float64
	// the lower edges of its first and last letter: lines that PDFium joined extend downwards
	base, end float64
	size      float64 // of its first letter, as printed; 0 if the page does not say
	words     []pdfWord
	isBold    bool // looked up only for a line with a wide gap
	isRow     bool // of a table: no heading, and never joined with the next line
}

// lines returns the lines of one page in reading order, as PDFium finds them.
func (d *pdfDocument) lines(number int) ([]pdfLine, error) {
	page, err := d.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.handle, Index: number})
	if errors.Is(err, pdfiumerrors.ErrPage) {
		return nil, nil // a page that does not open counts as empty: others may open
	}
	if err != nil {
		return nil, err
	}
	text, err := d.FPDFText_LoadPage(
		&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &page.Page}})
	if err != nil {
		return nil, err
	}
	lines, err := d.linesOf(text.TextPage)
	if err != nil {
		return nil, err
	}
	if _, err := d.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage}); err != nil {
		return nil, err
	}
	_, err = d.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page.Page})
	return lines, err
}

func (d *pdfDocument) linesOf(text references.FPDF_TEXTPAGE) ([]pdfLine, error) {
	chars, err := d.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text})
	if err != nil || chars.Count == 0 {
		return nil, err
	}
	whole, err := d.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: text,
		Count: min(chars.Count, maxPDFChars)})
	if err != nil {
		return nil, err
	}
	units := withLigatures(utf16.Encode([]rune(whole.Text)))
	var lines []pdfLine
	start := 0
	for end, u := range append(units, '\n') {
		if u != '\r' && u != '\n' && u != 0 {
			continue
		}
		for start < end {
			line, used := d.line(text, units[start:end], start)
			if line.text != "" {
				lines = append(lines, line)
			}
			start += used
		}
		start = end + 1
	}
	return lines, nil
}

// spelled writes out ligatures, so that words are found.
var spelled = strings.NewReplacer("\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04",
	"ffl", "\ufb05", "st", "\ufb06", "st")

// withLigatures restores the ligatures of LaTeX's bitmap fonts, which name no characters, so that their codes
// arrive as control characters: 27 to 31 in its encoding T1, 11 to 15 in OT1. Only those next to a letter
// count.
func withLigatures(units []uint16) []uint16 {
	isLetter := func(i int) bool { return i >= 0 && i < len(units) && unicode.IsLetter(rune(units[i])) }
	for i, u := range units {
		isLineEnd := u == '\r' && i+1 < len(units) && units[i+1] == '\n'
		switch {
		case isLineEnd || !isLetter(i-1) && !isLetter(i+1):
		case u >= 0x1b && u <= 0x1f:
			units[i] = 0xfb00 + u - 0x1b
		case u >= 0x0b && u <= 0x0f:
			units[i] = 0xfb00 + u - 0x0b
		}
	}
	return units
}

// line returns the first line of some text, and how much of it the line takes: all, unless PDFium joined
// cells of a table that are below each other.
func (d *pdfDocument) line(text references.FPDF_TEXTPAGE, units []uint16, start int) (pdfLine, int) {
	isInk := func(u uint16) bool { return u > ' ' && !unicode.IsSpace(rune(u)) }
	first := slices.IndexFunc(units, isInk)
	if first < 0 {
		return pdfLine{}, len(units)
	}
	last := len(units) - 1
	for !isInk(units[last]) {
		last--
	}
	used := len(units)
	from, to := d.letter(text, start+first), d.letter(text, start+last)
	line := pdfLine{left: from.left, right: to.right, base: from.base, end: to.base, size: from.size}
	if isWhole := line.isRunning(d.parts(text, start+first, last+1-first), last+1-first); !isWhole {
		var next int
		if line.words, next = d.words(text, units[first:last+1], start+first, line.size); next > 0 {
			end := line.words[len(line.words)-1]
			line.right, line.end, used = end.right, end.base, first+next
		}
		line.isBold = line.hasGap() && d.isBold(text, start+first)
	}
	if line.text = line.wordsText(); line.text == "" {
		raised := d.raised(text, units[first:last+1], start+first)
		line.text = strings.TrimSpace(spelled.Replace(string(utf16.Decode(raised))))
	}
	if used == len(units) && line.words == nil && line.right > line.left && line.base == line.end {
		line.words = []pdfWord{{line.text, line.left, line.right, line.base}}
	}
	return line, used
}

// raised puts a ^ before small raised digits: ten to the sixth must not become 106.
func (d *pdfDocument) raised(text references.FPDF_TEXTPAGE, units []uint16, start int) []uint16 {
	var out []uint16
	for i, u := range units {
		if i > 0 && isDigitUnit(u) && (isDigitUnit(units[i-1]) || unicode.IsLetter(rune(units[i-1]))) {
			before, digit := d.letter(text, start+i-1), d.letter(text, start+i)
			if digit.size < 0.85*before.size && digit.base > before.base+0.1*before.size {
				out = append(out, '^')
			}
		}
		out = append(out, u)
	}
	return out
}

func isDigitUnit(u uint16) bool { return u >= '0' && u <= '9' }

// pdfLetter is the position and printed size of a letter.
type pdfLetter struct{ left, right, base, size float64 }

// letter returns the letter at an index of the text; zeros if the page does not say.
func (d *pdfDocument) letter(text references.FPDF_TEXTPAGE, index int) pdfLetter {
	letter, at := d.box(text, index)
	if at < 0 {
		return letter
	}
	nominal, err := d.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: text, Index: at})
	if err != nil {
		return letter
	}
	letter.size = nominal.FontSize
	scale, err := d.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: text, Index: at})
	if err == nil {
		letter.size *= math.Hypot(number(scale.Matrix.C), number(scale.Matrix.D))
	}
	if math.IsNaN(letter.size) || letter.size < 0 || letter.size > 10_000 {
		letter.size = 0
	}
	return letter
}

// box returns a letter without its size, and its index among the letters of the page; -1 if the page does not
// say.
func (d *pdfDocument) box(text references.FPDF_TEXTPAGE, index int) (pdfLetter, int) {
	at, err := d.FPDFText_GetCharIndexFromTextIndex(
		&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: text, NTextIndex: index})
	if err != nil {
		return pdfLetter{}, -1
	}
	box, err := d.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text,
		Index: at.CharIndex})
	if err != nil {
		return pdfLetter{}, -1
	}
	return pdfLetter{left: number(box.Rect.Left), right: number(box.Rect.Right),
		base: number(box.Rect.Bottom)}, at.CharIndex
}

// number returns f, or 0 if a hostile page gives an unusable number.
func number(f float32) float64 {
	if n := float64(f); math.Abs(n) <= 1e6 {
		return n
	}
	return 0
}
