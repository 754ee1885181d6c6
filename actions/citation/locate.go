package citation

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// gap is the most that an ellipsis in a quote stands for, in bytes of the folded text.
const gap = 2000

// page is a text made ready to be searched.
type page struct {
	source string
	plain  plain
	prose  folded // without its blocks of code
}

// newPage reads a source's text. Of plain text, indented lines are no code.
func newPage(text string, indentedCode bool) *page {
	p := &page{source: text, plain: plainOf(text, indentedCode)}
	p.prose = p.fold(false, false)
	return p
}

func (p *page) fold(withCode, rejoin bool) folded {
	return fold(p.plain, withCode, rejoin).seamed(p.plain.text)
}

// needleOf folds the text of a quote.
func needleOf(quote string) []byte {
	return trimNeedle(fold(plain{text: []byte(quote)}, false, false).text)
}

// trimNeedle takes off what a sentence puts inside the marks of a quote without its being in the source: a
// comma or a stop at the end, an ellipsis at either end.
func trimNeedle(needle []byte) []byte {
	for {
		n := len(needle)
		needle = bytes.TrimRight(bytes.TrimPrefix(bytes.TrimSuffix(needle, []byte(ellipsis)), []byte(ellipsis)), " .,;'")
		needle = bytes.TrimLeft(needle, " '")
		if len(needle) == n {
			return needle
		}
	}
}

// find looks for a quote in a folded text: as it is, else its parts between ellipses in order.
func (f folded) find(needle []byte) (span, bool) {
	if len(needle) == 0 {
		return span{}, false
	}
	if at, ok := f.whole(needle, 0, len(f.text)); ok {
		return at, true
	}
	parts := bytes.Split(needle, []byte(ellipsis))
	const most = 12
	if len(parts) < 2 || len(parts) > most || slices.ContainsFunc(parts, func(part []byte) bool { return weight(string(part)) < leastPart }) {
		return span{}, false
	}
	const tries = 1000
	from := 0
	for range tries {
		first, ok := f.whole(trimNeedle(parts[0]), from, len(f.text))
		if !ok {
			break
		}
		if end, ok := f.follow(parts[1:], first.end); ok {
			return span{first.start, end}, true
		}
		from = first.start + 1
	}
	return span{}, false
}

// follow finds parts one behind the other, none too far off and none beyond a heading or a page's end.
func (f folded) follow(parts [][]byte, end int) (int, bool) {
	for _, part := range parts {
		part = trimNeedle(part)
		limit := min(end+gap+len(part), len(f.text))
		at, ok := f.whole(part, end, limit)
		if !ok || bytes.IndexByte(f.text[end:at.start], wall) >= 0 {
			return 0, false
		}
		end = at.end
	}
	return end, true
}

// whole finds words that are not parts of longer words.
func (f folded) whole(needle []byte, from, to int) (span, bool) {
	head := headOf(needle)
	for len(needle) > 0 && from < to {
		i := bytes.Index(f.text[from:to], head)
		if i < 0 {
			break
		}
		start := from + i
		if n, ok := begins(f.text[start:to], needle); ok && !insideWord(f.text, start) && !insideWord(f.text, start+n) {
			return span{start, start + n}, true
		}
		from = start + 1
	}
	return span{}, false
}

// headOf is what of a needle can be looked for with the processor's own means: not too much, and nothing in
// which a text may have a seam.
func headOf(needle []byte) []byte {
	const fast = 60 // bytes
	head := needle[:min(len(needle), fast)]
	for i := 1; i < len(head); i++ {
		if mayJoin(head, i) {
			return head[:i]
		}
	}
	return head
}

// begins says whether a text begins with a needle, its seams aside, and with how many bytes.
func begins(text, needle []byte) (n int, ok bool) {
	for n < len(text) && len(needle) > 0 {
		switch text[n] {
		case needle[0]:
			needle = needle[1:]
		case seam:
		default:
			return 0, false
		}
		n++
	}
	return n, len(needle) == 0
}

// insideWord says whether an offset divides a character, a number, or a word of a script that has blanks
// between words.
func insideWord(text []byte, at int) bool {
	if at <= 0 || at >= len(text) {
		return false
	}
	if !utf8.RuneStart(text[at]) {
		return true
	}
	before, _ := utf8.DecodeLastRune(text[:at])
	after, _ := utf8.DecodeRune(text[at:])
	return isSpaced(before) && isSpaced(after) || insideNumber(text, at)
}

func isSpaced(r rune) bool { return r == '_' || isWord(r) && !isCJK(r) }

// find looks for a quote outside code, and where a word is divided at a line's end, for the word as one, too.
func (p *page) find(needle []byte) (folded, span, bool) {
	if at, ok := p.prose.find(needle); ok {
		return p.prose, at, true
	}
	if p.prose.divided {
		joined := p.fold(false, true)
		if at, ok := joined.find(needle); ok {
			return joined, at, true
		}
	}
	return folded{}, span{}, false
}

// original is where a stretch of a folded text stands in the source, and in its plain text.
func (p *page) original(f folded, s span) (inSource, inPlain span) {
	first, last := int(f.at[s.start]), int(f.at[s.end-1])
	_, size := utf8.DecodeRune(p.plain.text[last:])
	inPlain = span{first, last + size}
	start, end := int(p.plain.at[first]), int(p.plain.at[last])
	_, size = utf8.DecodeRuneInString(p.source[end:])
	return span{start, end + size}, inPlain
}

// Locate finds a quote in a Markdown text, folded as [Check] folds it, and returns its range in bytes. Unlike
// Check it also looks inside code blocks, so that it finds any passage copied from the text. A passage that
// spans headings is found if it includes them.
func Locate(text, quote string) (start, end int, ok bool) {
	p := newPage(text, true)
	at, _, ok := p.locate(quote)
	return at.start, at.end, ok
}

func (p *page) locate(quote string) (inSource, inPlain span, ok bool) {
	needle := needleOf(plainText(quote))
	f, at, ok := p.find(needle)
	if !ok {
		f = p.fold(true, false)
		at, ok = f.find(needle)
	}
	if !ok {
		q := plainOf(quote, true)
		at, ok = f.find(trimNeedle(bytes.Trim(fold(q, true, false).text, "\x00\x01")))
	}
	if !ok {
		return span{}, span{}, false
	}
	inSource, inPlain = p.original(f, at)
	return inSource, inPlain, true
}

// plainText takes the inline mark-up off a text.
func plainText(markdown string) string {
	p := plain{text: make([]byte, 0, len(markdown)), at: make([]int32, 0, len(markdown))}
	p.erase(node{raw: []byte(markdown), pieces: []piece{{0, 0}}})
	return string(p.text)
}

// seam separates a number from a mark right before it that is not part of the number: "in 2020. 5 people",
// whose blank is removed by folding, or GPT-5. Without seams a number may be read as longer than it is, but
// never as shorter.
const seam = 0x02

// seamed inserts the seams into a folded text, according to the plain text.
func (f folded) seamed(plain []byte) folded {
	out, copied := folded{divided: f.divided}, 0
	for i := 1; i < len(f.text); i++ {
		if mayJoin(f.text, i) && !f.joins(plain, i) {
			out.text = append(append(out.text, f.text[copied:i]...), seam)
			out.at = append(append(out.at, f.at[copied:i]...), f.at[i])
			copied = i
		}
	}
	if copied == 0 {
		return f
	}
	out.text, out.at = append(out.text, f.text[copied:]...), append(out.at, f.at[copied:]...)
	return out
}

// mayJoin says whether what stands at i is a number, or an amount of money, behind a mark that may be a part
// of it.
func mayJoin(text []byte, i int) bool {
	switch text[i-1] {
	case '-':
		return beginsAmount(text[i:])
	case '.', ',', '\'', ' ':
		return isDigit(rune(text[i])) && i > 1 && isDigit(rune(text[i-2]))
	}
	return false
}

// beginsAmount says whether a text begins with a digit, or with a currency's sign and a digit.
func beginsAmount(text []byte) bool {
	if r, size := utf8.DecodeRune(text); unicode.Is(unicode.Sc, r) {
		text = text[size:]
	}
	return len(text) > 0 && isDigit(rune(text[0]))
}

// joins says whether the mark before i is a part of the number at i.
func (f folded) joins(plain []byte, i int) bool {
	if f.text[i-1] == '-' {
		return isMinus(plain[:f.at[i-1]], plain[f.at[i-1]:f.at[i]])
	}
	digit := int(f.at[i-2])
	_, size := utf8.DecodeRune(plain[digit:])
	for _, r := range string(plain[digit+size : f.at[i]]) {
		switch {
		case r == ' ' || r == '\n' || r == '\t' || r == 0x3000 || r == '、' || r == '､' || r == '。' || r == '｡':
			return false
		case r == '，' && size == 1: // between digits of full width it groups them
			return false
		case isQuotationMark(r) && r != '\'' && r != '‘' && r != '’':
			return false
		case unicode.IsSpace(r) && f.text[i-1] != ' ':
			return false
		}
	}
	return true // thin and no-break blanks among the marks
}

// isMinus says whether a dash right before a number is its sign, and not that of a range, of a name or of a
// list.
func isMinus(before, dash []byte) bool {
	r, size := utf8.DecodeRune(dash)
	if size != len(dash) || !isDash(r) && r != '－' || r == '—' || r > 0x2014 && r != 0x2212 && r != '－' && r < 0xfe00 {
		return false
	}
	last, _ := utf8.DecodeLastRune(before)
	if len(before) == 0 || unicode.IsSpace(last) {
		last, _ = utf8.DecodeLastRune(bytes.TrimRight(before, " "))
		return !isDigit(last)
	}
	return !isSpaced(last) && !isDash(last) && !isQuotationMark(last) && !bytes.ContainsRune([]byte(")]}%.°"), last)
}

// insideNumber says whether an offset divides a number from its sign, or at a mark between its digits.
func insideNumber(text []byte, at int) bool {
	switch {
	case text[at-1] == '-':
		return beginsAmount(text[at:])
	case isDigit(rune(text[at])):
		return at > 1 && isDigit(rune(text[at-2])) && isJoint(text, at-1)
	}
	return isDigit(rune(text[at-1])) && at+1 < len(text) && isDigit(rune(text[at+1])) && isJoint(text, at)
}

// isJoint says whether the mark at i, which has digits on both sides, may stand inside a number. A blank does
// where it parts a group of three.
func isJoint(text []byte, i int) bool {
	if text[i] != ' ' {
		return text[i] == '.' || text[i] == ',' || text[i] == '\''
	}
	before, after := i, i+1
	for before > 0 && i-before < 4 && isDigit(rune(text[before-1])) {
		before--
	}
	for after < len(text) && after-i < 5 && isDigit(rune(text[after])) {
		after++
	}
	return i-before <= 3 && after-i == 4
}
