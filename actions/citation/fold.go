package citation

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/text/unicode/norm"
)

// folded is a text as quotes are looked for in it: its words, and the marks between them, with all made one
// that a quote need not keep. White space, dashes, quotation marks, ellipses, full and half width are one
// each; characters that are not seen and left-over marks of emphasis are none. Case, letters and digits stay
// as they are. A Chinese or Japanese character is a word.
type folded struct {
	text string // each word between two separators
	// in the plain text, for a separator where the word behind it begins, for a word's bytes where it ends
	at    []int32
	plain []byte // the text that is folded
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
	lower  bool // letters are small
}

type folder struct {
	folding
	folded
	i      int
	inWord bool   // what comes next goes on with the word before it
	last   string // what was put last
	out    strings.Builder
}

func fold(p plain, how folding) folded {
	f := folder{folded: folded{plain: p.text}, folding: how}
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
	f.out.WriteString(separator)
	f.text, f.at = f.out.String(), append(f.at, int32(len(p.text)))
	return f.folded
}

// enclosed is words as a folded text has them.
func enclosed(words []string) string { return separator + strings.Join(words, separator) + separator }

// put adds a word, or goes on with the one before: what the plain text has up to end.
func (f *folder) put(word string, end int) {
	if !f.open || word != blockEnd && word != codeEnd {
		if f.last = word; f.lower {
			word = strings.ToLower(word)
		}
		if !f.inWord {
			f.out.WriteString(separator)
			f.at = append(f.at, int32(f.i))
		}
		f.out.WriteString(word)
		for range len(word) {
			f.at = append(f.at, int32(end))
		}
	}
	f.i, f.inWord = end, false
}

func (f *folder) next() {
	r, size := utf8.DecodeRune(f.plain[f.i:])
	end := f.i + size
	here := f.plain[f.i:end]
	c := narrow(r)
	if !prose.IsCJK(r) && (isWord(c) || c == '_' && f.between(size, isWord)) {
		f.put(letters(r, here), end)
		f.inWord = true
		return
	}
	if f.rejoin && f.inWord && lineEnd.Match(f.plain[f.i:]) {
		f.i += len("-\n")
		return
	}
	if n := f.dropped(r, size); n > 0 {
		f.i += n
		return
	}
	f.inWord = false
	switch {
	case unicode.IsSpace(r):
		f.i = end
	case prose.IsCJK(r):
		f.put(letters(r, here), end)
	case strings.ContainsRune(".[(…⋯", r) && omitted.Match(f.plain[f.i:]):
		f.once(ellipsis, f.i+len(omitted.Find(f.plain[f.i:])))
	case isDash(c):
		f.once("-", end)
	case isQuotationMark(c):
		f.once("'", end)
	case c != r:
		f.put(string(c), end)
	default:
		f.put(string(here), end)
	}
}

// lineEnd is where a word may be divided.
var lineEnd = regexp.MustCompile(`^-\n[a-z]`)

// narrow is a character of ASCII for its form of full width, and for a Chinese stop or comma.
func narrow(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return r - 0xfee0
	case r == '。' || r == '｡':
		return '.'
	case r == '、' || r == '､':
		return ','
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

// maxMark is how long a mark may be in which a backslash stands, with what is before its name.
const maxMark = 80

// dropped is how many bytes are left out here: what is not seen, and left-over marks.
func (f *folder) dropped(r rune, size int) int {
	rest := f.plain[f.i+size:]
	switch c := narrow(r); {
	case c == '*' && !f.between(size, isDigit), c == '_' && !f.between(size, isWord),
		c == '~' && bytes.Contains(f.plain[max(0, f.i-1):min(f.i+2, len(f.plain))], []byte("~~")),
		r == '`', r == '\\' && len(rest) > 0 && isPunctuation(rest[0]),
		r == '\\' && f.i > 0 &&
			agent.Rearm(string(f.plain[f.i-1 : min(f.i+maxMark, len(f.plain))]))[1] != '\\':
		return size
	case r == wall || r == codeWall || unicode.IsSpace(r):
		return 0
	case r == 0xad && len(rest) > 0 && rest[0] == '\n': // a soft hyphen that was used
		return size + 1
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), unicode.IsControl(r):
		return size
	}
	return 0
}

// between reports whether both sides of the run of marks here are of a kind.
func (f *folder) between(size int, is func(rune) bool) bool {
	const longest = 100 // bytes of a run
	from, to := max(0, f.i-longest), min(f.i+size+longest, len(f.plain))
	before, _ := utf8.DecodeLastRune(bytes.TrimRight(f.plain[from:f.i], "*_"))
	after, _ := utf8.DecodeRune(bytes.TrimLeft(f.plain[f.i+size:to], "*_"))
	return is(before) && is(after)
}

// once puts a mark unless it was the last.
func (f *folder) once(mark string, end int) {
	if f.last == mark {
		f.i = end
		return
	}
	f.put(mark, end)
}

// omitted is an ellipsis, with the brackets around it: three stops or more, with or without blanks between.
var omitted = regexp.MustCompile(`^(?:\[ *` + stops + ` *\]|\( *` + stops + ` *\)|` + stops + `)`)

const stops = `(?:…|⋯|\. *\. *\.+)`

// A number, with its sign, its groups and its fraction, in digits of either width. A dash is a sign where no
// word, number or closing mark is right before it.
var number = regexp.MustCompile(`(?:^|[^\pL\pN_\p{Pd}\s"'“”‘’«»」』)\]}%.°]|[\p{Han}\p{Hiragana}\p{Katakana}]|` +
	`(?:^|[^0-9\s])\s+)([-\x{2010}-\x{2013}−－]\p{Sc}?` + oneNumber + `)|(` + oneNumber + `)`)

const (
	aDigit    = `[0-9０-９]`
	oneNumber = `(?:` + aDigit + `{1,3}(?:[\x{a0}\x{2000}-\x{200a}\x{202f}\x{205f}]` + aDigit + `{3})+|` +
		aDigit + `+(?:[.,'‘’．]` + aDigit + `+|，[０-９]+)*)`
)

// cutsNumber reports whether a place in the text is inside a number: the quote "000 men" is not in "10,000
// men".
func (f folded) cutsNumber(at int) bool {
	const longest = 50 // bytes
	from := max(0, at-longest)
	for _, m := range number.FindAllSubmatchIndex(f.plain[from:min(at+longest, len(f.plain))], -1) {
		if start, end := from+max(m[2], m[4]), from+max(m[3], m[5]); start < at && at < end {
			return true
		}
	}
	return false
}

func isSpaced(r rune) bool { return r == '_' || isWord(r) && !prose.IsCJK(r) }

func isDash(r rune) bool { return unicode.Is(unicode.Pd, r) || r == '−' }

func isQuotationMark(r rune) bool {
	return strings.ContainsRune("“”„‟‘’‚‛«»‹›「」『』﹁﹂﹃﹄′″´`\"'｢｣〝〞", r)
}
