package citation

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/text/unicode/norm"
)

// folded is a text as quotes are looked for in it: its words, and the marks between them, with all made one
// that a quote need not keep. White space, dashes, quotation marks, ellipses, full and half width are one
// each; characters that are not seen and left-over marks of emphasis are none. Case, letters and digits stay
// as they are. A Chinese or Japanese character is a word.
type folded struct {
	text    string // each word between two separators
	words   []place
	divided bool // a hyphen at the end of a line may divide a word
}

// place is where a word is.
type place struct {
	at    int  // in the folded text
	plain span // in the plain text
	glued bool // it goes on with the number of the word before: a sign, a point, a group of three
}

const (
	separator = "\x1f"
	ellipsis  = "…"
	blockEnd  = "\x00" // wall
	codeEnd   = "\x01" // codeWall
)

// folding says what is folded of a text.
type folding struct {
	code   bool // blocks of code too; otherwise a mark is in their place
	rejoin bool // words divided at a line's end are joined
	open   bool // headings and the ends of pages do not part what is before and after them
}

type folder struct {
	folding
	plain   []byte
	i       int
	run     span // of marks, that was looked at last
	words   []string
	places  []place
	divided bool
}

func fold(p plain, how folding) folded {
	f := folder{plain: p.text, folding: how}
	blocks := p.code
	for f.i < len(f.plain) {
		for len(blocks) > 0 && blocks[0].end <= f.i {
			blocks = blocks[1:]
		}
		if !how.code && len(blocks) > 0 && blocks[0].start == f.i {
			f.put(codeEnd, blocks[0].end)
			continue
		}
		f.next()
	}
	at := len(separator)
	for i, word := range f.words {
		f.places[i].at = at
		at += len(word) + len(separator)
	}
	return folded{text: enclosed(f.words), words: f.places, divided: f.divided}
}

// enclosed is words as a folded text has them.
func enclosed(words []string) string { return separator + strings.Join(words, separator) + separator }

// put adds a word that is the plain text up to end.
func (f *folder) put(word string, end int) {
	if !f.open || word != blockEnd && word != codeEnd {
		f.words, f.places = append(f.words, word), append(f.places, place{plain: span{f.i, end}})
		f.glue()
	}
	f.i = end
}

func (f *folder) next() {
	r, size := utf8.DecodeRune(f.plain[f.i:])
	end := f.i + size
	switch c := narrow(r); {
	case unicode.IsSpace(r):
		f.i = end
	case prose.IsCJK(r):
		f.put(letters(r, f.plain[f.i:end]), end)
	case isWord(c) || c == '_' && f.between(f.i, size, isWord):
		f.word()
	case c == wall || c == codeWall:
		f.put(string(c), end)
	case f.dropped(f.i) > 0:
		f.i += f.dropped(f.i)
	case f.omission(f.i) > 0:
		f.once(ellipsis, f.omission(f.i))
	case isDash(c):
		f.once("-", end)
	case isQuotationMark(c):
		f.once("'", end)
	case r == '。' || r == '｡':
		f.put(".", end)
	case r == '、' || r == '､':
		f.put(",", end)
	case c != r:
		f.put(string(c), end)
	default:
		f.put(string(f.plain[f.i:end]), end)
	}
}

// narrow is a character of ASCII for its form of full width.
func narrow(r rune) rune {
	if r >= 0xff01 && r <= 0xff5e {
		return r - 0xfee0
	}
	return r
}

// letters writes ligatures out, and the radicals that some PDFs have in place of Chinese characters.
func letters(r rune, as []byte) string {
	switch c := narrow(r); {
	case c != r:
		return string(c)
	case prose.IsCJK(r) && r >= 0x2fe0:
		return string(as)
	case prose.IsCJK(r), r >= 0xfb00 && r <= 0xfb06:
		return string(norm.NFKD.Bytes(as))
	}
	return string(norm.NFD.Bytes(as))
}

// word puts a word of a script that parts words by blanks.
func (f *folder) word() {
	var word strings.Builder
	end := f.i
	for i := f.i; i < len(f.plain); {
		r, size := utf8.DecodeRune(f.plain[i:])
		c := narrow(r)
		if !prose.IsCJK(r) && (isWord(c) || c == '_' && f.between(i, size, isWord)) {
			word.WriteString(letters(r, f.plain[i:i+size]))
			i += size
			end = i
			continue
		}
		if rest := f.plain[i:]; end == i && len(rest) > 2 && rest[0] == '-' && rest[1] == '\n' &&
			rest[2] >= 'a' && rest[2] <= 'z' {
			f.divided = true
			if f.rejoin {
				i += 2
				continue
			}
		}
		n := f.dropped(i)
		if n == 0 {
			break
		}
		i += n
	}
	f.put(word.String(), end)
}

// dropped is how many bytes at a place are left out: what is not seen, and left-over marks.
func (f *folder) dropped(i int) int {
	r, size := utf8.DecodeRune(f.plain[i:])
	switch c := narrow(r); {
	case c == '*' && !f.between(i, size, isDigit), c == '_' && !f.between(i, size, isWord),
		c == '~' && bytes.Contains(f.plain[max(0, i-1):min(i+2, len(f.plain))], []byte("~~")),
		r == '`', r == '\\' && i+1 < len(f.plain) && isPunctuation(f.plain[i+1]):
		return size
	case r == wall || r == codeWall || unicode.IsSpace(r):
		return 0
	case r == 0xad && i+size < len(f.plain) && f.plain[i+size] == '\n': // a soft hyphen that was used
		return size + 1
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), unicode.IsControl(r):
		return size
	}
	return 0
}

// between reports whether both sides of a place, or of the run of marks that it is in, are of a kind.
func (f *folder) between(i, size int, is func(rune) bool) bool {
	if i < f.run.start || i+size > f.run.end {
		rest := bytes.TrimLeft(f.plain[i+size:], "*_")
		f.run = span{len(bytes.TrimRight(f.plain[:i], "*_")), len(f.plain) - len(rest)}
	}
	before, _ := utf8.DecodeLastRune(f.plain[:f.run.start])
	after, _ := utf8.DecodeRune(f.plain[f.run.end:])
	if size > 1 { // of full width, and no part of a run
		f.run = span{}
	}
	return is(before) && is(after)
}

// once puts a mark unless it was the last.
func (f *folder) once(mark string, end int) {
	if n := len(f.words); n > 0 && f.words[n-1] == mark {
		f.i = end
		return
	}
	f.put(mark, end)
}

// omission is where an ellipsis ends that begins at a place, with the brackets around it; 0 for none.
func (f *folder) omission(i int) int {
	closing, inBrackets := map[byte]byte{'[': ']', '(': ')'}[f.plain[i]]
	if !inBrackets {
		return f.stops(i)
	}
	inner := bytes.TrimLeft(f.plain[i+1:], " ")
	if end := f.stops(len(f.plain) - len(inner)); end > 0 {
		if rest := bytes.TrimLeft(f.plain[end:], " "); len(rest) > 0 && rest[0] == closing {
			return len(f.plain) - len(rest) + 1
		}
	}
	return 0
}

// stops is where … or three stops end, with or without blanks between; 0 for none.
func (f *folder) stops(i int) int {
	if r, size := utf8.DecodeRune(f.plain[i:]); r == '…' || r == '⋯' {
		return i + size
	}
	n, end := 0, 0
	for k := i; k < len(f.plain) && (f.plain[k] == '.' || f.plain[k] == ' ' && n > 0 && n < 3); k++ {
		if f.plain[k] == '.' {
			n, end = n+1, k+1
		}
	}
	if n < 3 {
		return 0
	}
	return end
}

// glue marks the word put last, and the mark before it, when they go on with the number before: -5, 3.7,
// 10 000 with a thin blank. Read in another way, the quote "000 men" would be in "10 000 men".
func (f *folder) glue() {
	n := len(f.words)
	if n < 2 {
		return
	}
	word, before := f.words[n-1], f.words[n-2]
	this, last := &f.places[n-1], &f.places[n-2]
	switch {
	case before == "-":
		this.glued = beginsAmount(f.plain[this.plain.start:]) &&
			isMinus(f.plain[:last.plain.start], f.plain[last.plain.start:this.plain.start])
	case !isDigit(firstRune(word)):
	case strings.Contains(".,'", before) && n > 2 && isDigit(lastRune(f.words[n-3])):
		if f.joins(span{f.places[n-3].plain.end, this.plain.start}, false) {
			this.glued, last.glued = true, true
		}
	case isDigit(lastRune(before)):
		const group = 3
		this.glued = f.joins(span{last.plain.end, this.plain.start}, true) &&
			len(before)-len(strings.TrimRight(before, "0123456789")) <= group &&
			len(word)-len(strings.TrimLeft(word, "0123456789")) == group
	}
}

// joins reports whether what is between two digits, such as a point or a thin blank, is in their number.
func (f *folder) joins(s span, blanks bool) bool {
	_, size := utf8.DecodeLastRune(f.plain[:s.start])
	for _, r := range string(f.plain[s.start:s.end]) {
		switch {
		case strings.ContainsRune(" \n\t\u3000、､。｡", r), unicode.IsSpace(r) && !blanks:
			return false
		case r == '，' && size == 1: // between digits of full width it groups them
			return false
		case isQuotationMark(r) && !strings.ContainsRune("'‘’", r):
			return false
		}
	}
	return true
}

// beginsAmount reports whether a text begins with a digit, or with a currency's sign and a digit.
func beginsAmount(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	if unicode.Is(unicode.Sc, r) {
		r, _ = utf8.DecodeRune(text[size:])
	}
	return isDigit(narrow(r))
}

// isMinus reports whether a dash before a number is its sign, and not of a range, a name or a list.
func isMinus(before, dash []byte) bool {
	r, size := utf8.DecodeRune(dash)
	if size != len(dash) || !isDash(r) && r != '－' || r == '—' ||
		r > 0x2014 && r != 0x2212 && r != '－' && r < 0xfe00 {
		return false
	}
	last, _ := utf8.DecodeLastRune(before)
	if len(before) == 0 || unicode.IsSpace(last) {
		last, _ = utf8.DecodeLastRune(bytes.TrimRight(before, " "))
		return !isDigit(last)
	}
	return !isSpaced(last) && !isDash(last) && !isQuotationMark(last) &&
		!bytes.ContainsRune([]byte(")]}%.°"), last)
}

func isSpaced(r rune) bool { return r == '_' || isWord(r) && !prose.IsCJK(r) }

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isDash(r rune) bool {
	return r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0x2e3a || r == 0x2e3b || r == 0xfe58 ||
		r == 0xfe63 || r == '-'
}

func isQuotationMark(r rune) bool {
	return strings.ContainsRune("“”„‟‘’‚‛«»‹›「」『』﹁﹂﹃﹄′″´`\"'｢｣〝〞", r)
}
