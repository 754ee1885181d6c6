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

// folded is a text prepared for finding quotes: its words and the marks between them, with differences
// removed that a quote need not keep. White space, dashes, quotation marks, ellipses, full and half width are
// unified; invisible characters and left-over emphasis marks are dropped. Case, letters and digits stay as
// they are. A Chinese or Japanese character is a word.
type folded struct {
	text string // each word between two separators
	// offsets in the plain text: of the next word for a separator, of the word's end for its bytes
	at    []int32
	plain []byte // the original text
}

const (
	separator = "\x1f"
	ellipsis  = "…"
	blockEnd  = "\x00" // wall
	codeEnd   = "\x01" // codeWall
)

// folding holds the options for folding a text.
type folding struct {
	code   bool // include code blocks; otherwise a mark replaces them
	rejoin bool // words divided at the end of a line are joined
	open   bool // headings and page ends do not separate the text around them
	lower  bool // in lower case
}

type folder struct {
	folding
	folded
	i      int
	inWord bool   // what comes next continues the word
	last   string // the last one added
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

// enclosed returns words as they are in a folded text.
func enclosed(words []string) string { return separator + strings.Join(words, separator) + separator }

// put adds a word, or continues the last one, for the plain text up to end.
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

// lineEnd matches where a word may be divided.
var lineEnd = regexp.MustCompile(`^-\n[a-z]`)

// narrow returns the ASCII form of a full-width character, and of a Chinese stop or comma.
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

// letters expands ligatures, and replaces the radicals that some PDFs have instead of Chinese characters.
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

// maxMark bounds a mark with a backslash, with the text before its name, in bytes.
const maxMark = 80

// dropped returns how many bytes to drop here: invisible characters and left-over marks.
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
	case r == 0xad && len(rest) > 0 && rest[0] == '\n': // a soft hyphen at the end of a line
		return size + 1
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), unicode.IsControl(r):
		return size
	}
	return 0
}

// between reports whether is holds on both sides of the run of marks here.
func (f *folder) between(size int, is func(rune) bool) bool {
	const longest = 100 // bytes of a run
	from, to := max(0, f.i-longest), min(f.i+size+longest, len(f.plain))
	before, _ := utf8.DecodeLastRune(bytes.TrimRight(f.plain[from:f.i], "*_"))
	after, _ := utf8.DecodeRune(bytes.TrimLeft(f.plain[f.i+size:to], "*_"))
	return is(before) && is(after)
}

// once adds a mark unless it was the last.
func (f *folder) once(mark string, end int) {
	if f.last == mark {
		f.i = end
		return
	}
	f.put(mark, end)
}

// omitted matches an ellipsis, with any brackets: three stops or more, with or without blanks between.
var omitted = regexp.MustCompile(`^(?:\[ *` + stops + ` *\]|\( *` + stops + ` *\)|` + stops + `)`)

const stops = `(?:…|⋯|\. *\. *\.+)`

// A number, with its sign, its groups and its fraction, in digits of either width. A dash is a sign unless a
// word, number or closing mark is right before it.
var number = regexp.MustCompile(`(?:^|[^\pL\pN_\p{Pd}\s"'“”‘’«»」』)\]}%.°]|[\p{Han}\p{Hiragana}\p{Katakana}]|` +
	`(?:^|[^0-9\s])\s+)([-\x{2010}-\x{2013}−－]\p{Sc}?` + oneNumber + `)|(` + oneNumber + `)`)

const (
	aDigit    = `[0-9０-９]`
	oneNumber = `(?:` + aDigit + `{1,3}(?:[\x{a0}\x{2000}-\x{200a}\x{202f}\x{205f}]` + aDigit + `{3})+|` +
		aDigit + `+(?:[.,'‘’．]` + aDigit + `+|，[０-９]+)*)`
)

// cutsNumber reports whether an offset in the text is inside a number: the quote "000 men" is not in "10,000
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
