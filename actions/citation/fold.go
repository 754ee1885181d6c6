package citation

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text with all made one that a quote need not keep: white space, dashes, quotation marks,
// ellipses, full and half width, characters that are not seen, and left-over marks of emphasis. Case, letters
// and digits stay as they are.
type folded struct {
	text    []byte
	at      []int32 // for each byte, where it stands in the plain text
	divided bool    // a hyphen at the end of a line may divide a word
}

type folder struct {
	folded
	plain  []byte
	i      int
	blank  bool // white space came before
	word   bool // the last thing put was a letter or digit of a script that parts words by blanks
	rejoin bool // words divided at a line's end are joined
}

const ellipsis = "…"

// fold folds a plain text. Code, unless it is wanted, leaves a mark in its place.
func fold(p plain, withCode, rejoin bool) folded {
	f := folder{plain: p.text, rejoin: rejoin}
	f.text, f.at = make([]byte, 0, len(p.text)), make([]int32, 0, len(p.text))
	blocks := p.code
	for f.i < len(f.plain) {
		for len(blocks) > 0 && blocks[0].end <= f.i {
			blocks = blocks[1:]
		}
		if !withCode && len(blocks) > 0 && blocks[0].start == f.i {
			f.put(codeWall)
			f.i, f.blank, f.word = blocks[0].end, false, false
			continue
		}
		f.next()
	}
	return f.folded
}

func (f *folder) put(text ...byte) {
	for range text {
		f.at = append(f.at, int32(f.i))
	}
	f.text = append(f.text, text...)
}

func (f *folder) next() {
	c := f.plain[f.i]
	if c < utf8.RuneSelf {
		f.ascii(c)
		return
	}
	r, size := utf8.DecodeRune(f.plain[f.i:])
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		f.mark(byte(r-0xfee0), size)
	case isCJK(r):
		f.cjk(r, size)
	case unicode.IsSpace(r):
		f.blank = true
		f.i += size
	default:
		f.foreign(r, size)
	}
}

func (f *folder) ascii(c byte) {
	switch {
	case isAlnum(c):
		end := f.i + 1
		for end < len(f.plain) && isAlnum(f.plain[end]) {
			end++
		}
		f.letter(1, c)
		for f.i < end {
			f.text, f.at = append(f.text, f.plain[f.i]), append(f.at, int32(f.i))
			f.i++
		}
	case c == ' ' || c == '\n' || c == '\t':
		f.blank = true
		f.i++
	default:
		f.mark(c, 1)
	}
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// letter puts a letter or digit of a script that parts words by blanks. Only between two of those is white
// space kept.
func (f *folder) letter(size int, text ...byte) {
	if f.blank && f.word {
		f.put(' ')
	}
	f.put(text...)
	f.i, f.blank, f.word = f.i+size, false, true
}

func (f *folder) cjk(r rune, size int) {
	if r < 0x2fe0 { // radicals, which some PDFs have in place of the characters
		f.put(norm.NFKD.Bytes(f.plain[f.i : f.i+size])...)
	} else {
		f.put(f.plain[f.i : f.i+size]...)
	}
	f.i, f.blank, f.word = f.i+size, false, false
}

// mark puts a character of ASCII that is no letter.
func (f *folder) mark(c byte, size int) {
	switch {
	case isAlnum(c): // in full width
		f.letter(size, c)
		return
	case c == wall || c == codeWall:
		f.put(c)
	case c == '"' || c == '\'':
		f.once('\'')
	case c == '-':
		f.dash(size)
		return
	case c == '.' && f.dots():
		return
	case c == '`':
		f.i += size
		return
	case c == '*' && !f.between(size, isDigit), c == '_' && !f.between(size, isWord), c == '~' && f.twice(c):
		f.i += size
		return
	default:
		f.put(c)
	}
	f.i, f.blank, f.word = f.i+size, false, false
}

// between says whether what stands right before and after are both of a kind.
func (f *folder) between(size int, is func(rune) bool) bool {
	before, _ := utf8.DecodeLastRune(bytes.TrimRight(f.plain[:f.i], "*_"))
	after, _ := utf8.DecodeRune(bytes.TrimLeft(f.plain[f.i+size:], "*_"))
	return is(before) && is(after)
}

func (f *folder) twice(c byte) bool {
	return f.i > 0 && f.plain[f.i-1] == c || f.i+1 < len(f.plain) && f.plain[f.i+1] == c
}

// once puts a character unless it was the last.
func (f *folder) once(c byte) {
	if len(f.text) == 0 || f.text[len(f.text)-1] != c {
		f.put(c)
	}
}

func (f *folder) dash(size int) {
	if rest := f.plain[f.i+size:]; size == 1 && f.word && !f.blank && len(rest) > 1 && rest[0] == '\n' && rest[1] >= 'a' && rest[1] <= 'z' {
		f.divided = true
		if f.rejoin {
			f.i += size + 1
			return
		}
	}
	f.once('-')
	f.i, f.blank, f.word = f.i+size, false, false
}

// dots reads three stops or more, with or without blanks between, as an ellipsis.
func (f *folder) dots() bool {
	n, end := 0, f.i
	for k := f.i; k < len(f.plain) && (f.plain[k] == '.' || f.plain[k] == ' ' && n < 3); k++ {
		if f.plain[k] == '.' {
			n, end = n+1, k+1
		}
	}
	if n < 3 {
		return false
	}
	f.ellipsis(end - f.i)
	return true
}

// ellipsis puts one … and takes the brackets around it away.
func (f *folder) ellipsis(size int) {
	f.i += size
	rest := bytes.TrimLeft(f.plain[f.i:], " ")
	if n := len(f.text); n > 0 && len(rest) > 0 && (f.text[n-1] == '[' && rest[0] == ']' || f.text[n-1] == '(' && rest[0] == ')') {
		f.text, f.at = f.text[:n-1], f.at[:n-1]
		f.i = len(f.plain) - len(rest) + 1
	}
	if !bytes.HasSuffix(f.text, []byte(ellipsis)) {
		f.i--
		f.put([]byte(ellipsis)...)
		f.i++
	}
	f.blank, f.word = false, false
}

// foreign puts a character beyond ASCII that is neither Chinese nor Japanese.
func (f *folder) foreign(r rune, size int) {
	switch {
	case r == '…' || r == '⋯':
		f.ellipsis(size)
	case isDash(r):
		f.dash(size)
	case isQuotationMark(r):
		f.mark('"', size)
	case r == '。' || r == '｡':
		f.mark('.', size)
	case r == '、' || r == '､':
		f.mark(',', size)
	case r >= 0xfb00 && r <= 0xfb06: // fi and its like
		f.letter(size, norm.NFKD.Bytes(f.plain[f.i:f.i+size])...)
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.IsControl(r):
		f.i += size
		if r == 0xad && f.i < len(f.plain) && f.plain[f.i] == '\n' { // a soft hyphen that was used
			f.i++
		}
	case isWord(r):
		f.letter(size, norm.NFD.Bytes(f.plain[f.i:f.i+size])...)
	default:
		f.put(f.plain[f.i : f.i+size]...)
		f.i, f.blank, f.word = f.i+size, false, false
	}
}

func isDash(r rune) bool {
	return r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0x2e3a || r == 0x2e3b || r == 0xfe58 || r == 0xfe63 || r == '-'
}

func isQuotationMark(r rune) bool {
	switch r {
	case '“', '”', '„', '‟', '‘', '’', '‚', '‛', '«', '»', '‹', '›', '「', '」', '『', '』', '﹁', '﹂', '﹃', '﹄', '′', '″', '´', '`', '"', '\'', '｢', '｣', '〝', '〞':
		return true
	}
	return false
}

func isCJK(r rune) bool {
	if r < 0x2e80 {
		return false
	}
	return r >= 0x4e00 && r <= 0x9fff || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
