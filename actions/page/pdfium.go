package page

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"
)

const (
	// maxPDFChars is how much of one page is read, in UTF-16 units; a page of a newspaper has 50,000.
	maxPDFChars = 1 << 20
	// scratchBytes is the room for what the functions answer through a pointer.
	scratchBytes = 4096
)

// What PDFium says of a document that it does not open, from its fpdfview.h.
const (
	pdfNoFormat = 3
	pdfPassword = 4
	pdfSecurity = 5
)

var (
	errPDFLocked = errors.New("locked")
	errPDFMemory = errors.New("it needs more memory than a reader gets")
)

// pdfDocument is a PDF inside the machine. Its methods are calls of PDFium's C functions, by their names
// there.
type pdfDocument struct {
	module  api.Module
	calls   map[string]api.Function
	handle  uint64
	scratch uint32 // where scratchBytes are free
}

func (d *pdfDocument) call(ctx context.Context, name string, arguments ...uint64) (uint64, error) {
	f := d.calls[name]
	if f == nil {
		if f = d.module.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("this PDF reader has no %s", name)
		}
		d.calls[name] = f
	}
	results, err := f.Call(ctx, arguments...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

// openPDF copies a document into the machine and opens it there.
func openPDF(ctx context.Context, module api.Module, body []byte) (*pdfDocument, error) {
	d := &pdfDocument{module: module, calls: map[string]api.Function{}}
	place, err := d.call(ctx, "malloc", uint64(len(body)+scratchBytes))
	if err != nil {
		return nil, err
	}
	if place == 0 || !module.Memory().Write(uint32(place), body) {
		return nil, errPDFMemory
	}
	d.scratch = (uint32(place) + uint32(len(body)) + 7) &^ 7
	d.scratch = min(d.scratch, uint32(place)+uint32(len(body))+scratchBytes-8)
	d.handle, err = d.call(ctx, "FPDF_LoadMemDocument", place, uint64(len(body)), 0)
	if err != nil || d.handle != 0 {
		return d, err
	}
	code, err := d.call(ctx, "FPDF_GetLastError")
	switch {
	case err != nil:
		return nil, err
	case code == pdfPassword || code == pdfSecurity:
		return nil, errPDFLocked
	case code == pdfNoFormat:
		return nil, errors.New("it is no PDF or a damaged one")
	}
	return nil, fmt.Errorf("error %d", code)
}

// about is an entry of the document's information, such as Title.
func (d *pdfDocument) about(ctx context.Context, key string) (string, error) {
	name := append([]byte(key), 0)
	if !d.module.Memory().Write(d.scratch, name) {
		return "", errPDFMemory
	}
	at := d.scratch + 64
	const room = 2048
	n, err := d.call(ctx, "FPDF_GetMetaText", d.handle, uint64(d.scratch), uint64(at), room)
	if err != nil || n < 2 || n > room {
		return "", err
	}
	return string(utf16.Decode(d.units(at, uint32(n)/2-1))), nil
}

// units reads n units of UTF-16 in the machine's memory.
func (d *pdfDocument) units(at, n uint32) []uint16 {
	raw, ok := d.module.Memory().Read(at, 2*n)
	if !ok {
		return nil
	}
	units := make([]uint16, n)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(raw[2*i:])
	}
	return units
}

// pdfLine is a line of text on a page and where it stands, in points from the lower left corner.
type pdfLine struct {
	text        string
	left, right float64
	// the lower edge of its first and of its last letter: lines that PDFium joined reach down
	base, end float64
	size      float64 // of its first letter, as it is printed; 0 where the page does not say
}

// lines are the lines of one page in reading order, as PDFium finds them.
func (d *pdfDocument) lines(ctx context.Context, number int) ([]pdfLine, error) {
	page, err := d.call(ctx, "FPDF_LoadPage", d.handle, uint64(number))
	if err != nil || page == 0 {
		return nil, err // a page that does not open is an empty one: others may
	}
	text, err := d.call(ctx, "FPDFText_LoadPage", page)
	if err != nil {
		return nil, err
	}
	var lines []pdfLine
	if text != 0 {
		if lines, err = d.linesOf(ctx, text); err != nil {
			return nil, err
		}
		if _, err = d.call(ctx, "FPDFText_ClosePage", text); err != nil {
			return nil, err
		}
	}
	_, err = d.call(ctx, "FPDF_ClosePage", page)
	return lines, err
}

func (d *pdfDocument) linesOf(ctx context.Context, text uint64) ([]pdfLine, error) {
	count, err := d.call(ctx, "FPDFText_CountChars", text)
	if err != nil || int32(count) <= 0 {
		return nil, err
	}
	n := min(uint64(uint32(count)), maxPDFChars)
	place, err := d.call(ctx, "malloc", 2*n+2)
	if err != nil {
		return nil, err
	}
	if place == 0 {
		return nil, errPDFMemory
	}
	written, err := d.call(ctx, "FPDFText_GetText", text, 0, n, place)
	if err != nil {
		return nil, err
	}
	units := withLigatures(d.units(uint32(place), uint32(min(written, n+1))))
	if _, err := d.call(ctx, "free", place); err != nil {
		return nil, err
	}
	var lines []pdfLine
	for start := 0; start < len(units); {
		end := start
		for end < len(units) && units[end] != '\r' && units[end] != '\n' && units[end] != 0 {
			end++
		}
		line, err := d.line(ctx, text, units[start:end], start)
		if err != nil {
			return nil, err
		}
		if line.text != "" {
			lines = append(lines, line)
		}
		start = end + 1
	}
	return lines, nil
}

// spelled writes ligatures out, so that words are found.
var spelled = strings.NewReplacer("\ufb00", "ff", "\ufb01", "fi", "\ufb02", "fl", "\ufb03", "ffi", "\ufb04", "ffl",
	"\ufb05", "st", "\ufb06", "st")

// withLigatures restores the ligatures of LaTeX's bitmap fonts, which name no characters, so that their codes
// arrive as control characters: 27 to 31 in its encoding T1, 11 to 15 in OT1. Only those beside a letter are
// meant.
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

func (d *pdfDocument) line(ctx context.Context, text uint64, units []uint16, start int) (pdfLine, error) {
	first, last := 0, len(units)-1
	for first <= last && isBlankUnit(units[first]) {
		first++
	}
	for last >= first && isBlankUnit(units[last]) {
		last--
	}
	if first > last {
		return pdfLine{}, nil
	}
	raised, err := d.raised(ctx, text, units[first:last+1], start+first)
	if err != nil {
		return pdfLine{}, err
	}
	line := pdfLine{text: strings.TrimSpace(spelled.Replace(string(utf16.Decode(raised))))}
	from, size, err := d.letter(ctx, text, start+first)
	if err != nil {
		return line, err
	}
	to, _, err := d.letter(ctx, text, start+last)
	line.left, line.right = from[0], to[2]
	line.base, line.end, line.size = from[3], to[3], size
	return line, err
}

// raised sets a ^ before figures that are printed small and high after another figure or a letter: ten to the
// sixth must not become 106.
func (d *pdfDocument) raised(ctx context.Context, text uint64, units []uint16, start int) ([]uint16, error) {
	var out []uint16
	for i, u := range units {
		if i > 0 && isDigitUnit(u) && (isDigitUnit(units[i-1]) || unicode.IsLetter(rune(units[i-1]))) {
			box, size, err := d.letter(ctx, text, start+i)
			if err != nil {
				return nil, err
			}
			before, full, err := d.letter(ctx, text, start+i-1)
			if err != nil {
				return nil, err
			}
			if size < 0.85*full && box[3] > before[3]+0.1*full {
				out = append(out, '^')
			}
		}
		out = append(out, u)
	}
	return out, nil
}

func isDigitUnit(u uint16) bool { return u >= '0' && u <= '9' }

func isBlankUnit(u uint16) bool { return u <= ' ' || unicode.IsSpace(rune(u)) }

// letter is the place of the letter at an index of the text, as left, top, right and bottom, and its printed
// size; zeros where the page does not say.
func (d *pdfDocument) letter(ctx context.Context, text uint64, index int) (box [4]float64, size float64, err error) {
	letter, err := d.call(ctx, "FPDFText_GetCharIndexFromTextIndex", text, uint64(index))
	if err != nil || int32(letter) < 0 {
		return box, 0, err
	}
	if found, err := d.call(ctx, "FPDFText_GetLooseCharBox", text, letter, uint64(d.scratch)); err != nil || uint32(found) == 0 {
		return box, 0, err
	}
	for i := range box {
		box[i] = d.float(i)
	}
	nominal, err := d.call(ctx, "FPDFText_GetFontSize", text, letter)
	if err != nil {
		return box, 0, err
	}
	size = api.DecodeF64(nominal)
	scaled, err := d.call(ctx, "FPDFText_GetMatrix", text, letter, uint64(d.scratch))
	if err == nil && uint32(scaled) != 0 {
		size *= math.Hypot(d.float(2), d.float(3))
	}
	if math.IsNaN(size) || size < 0 || size > 10_000 {
		size = 0
	}
	return box, size, err
}

// float is a number that a function left in the scratch space; 0 where a hostile page gives one that is none.
func (d *pdfDocument) float(i int) float64 {
	bits, ok := d.module.Memory().ReadUint32Le(d.scratch + uint32(4*i))
	number := float64(math.Float32frombits(bits))
	if !ok || math.IsNaN(number) || math.Abs(number) > 1e6 {
		return 0
	}
	return number
}
