package citation

import (
	"bytes"
	"slices"
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
	p.prose = fold(p.plain, false, false)
	return p
}

// needleOf folds the text of a quote.
func needleOf(quote string) []byte {
	return trimNeedle(fold(plain{text: []byte(quote)}, false, false).text)
}

// trimNeedle takes off what a sentence puts inside the marks of a quote without its being in the source: a comma or a stop at the end, an
// ellipsis at either end.
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
	const fast = 60 // bytes that are looked for with the processor's own means
	head := needle[:min(len(needle), fast)]
	for len(needle) > 0 && from < to {
		i := bytes.Index(f.text[from:to], head)
		if i < 0 {
			break
		}
		at := span{from + i, from + i + len(needle)}
		if at.end <= to && bytes.Equal(f.text[at.start:at.end], needle) && !insideWord(f.text, at.start) && !insideWord(f.text, at.end) {
			return at, true
		}
		from = at.start + 1
	}
	return span{}, false
}

// insideWord says whether an offset divides a word of a script that has blanks between words.
func insideWord(text []byte, at int) bool {
	if at <= 0 || at >= len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRune(text[:at])
	after, _ := utf8.DecodeRune(text[at:])
	return isSpaced(before) && isSpaced(after)
}

func isSpaced(r rune) bool { return r == '_' || isWord(r) && !isCJK(r) }

// find looks for a quote outside code, and where a word is divided at a line's end, for the word as one, too.
func (p *page) find(needle []byte) (folded, span, bool) {
	if at, ok := p.prose.find(needle); ok {
		return p.prose, at, true
	}
	if p.prose.divided {
		joined := fold(p.plain, false, true)
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

// Locate finds where a quote stands in a Markdown text, folded as [Check] folds it, and gives the range of bytes. Unlike Check it also
// looks inside blocks of code, so that any passage which was copied out of a text is found in it. A passage that runs over headings is found when it
// has them too.
func Locate(text, quote string) (start, end int, ok bool) {
	p := newPage(text, true)
	at, _, ok := p.locate(quote)
	return at.start, at.end, ok
}

func (p *page) locate(quote string) (inSource, inPlain span, ok bool) {
	needle := needleOf(plainText(quote))
	f, at, ok := p.find(needle)
	if !ok {
		f = fold(p.plain, true, false)
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
	p.erase(block{raw: []byte(markdown), pieces: []piece{{0, 0}}})
	return string(p.text)
}
