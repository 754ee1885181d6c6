package citation

import (
	"bytes"
	"regexp"
	"slices"
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
	at      []int32
	divided bool   // a hyphen at the end of a line may divide a word
	plain   []byte // the text that is folded
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
	i    int
	run  span   // of marks, that was looked at last
	last string // word
	out  strings.Builder
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

// maxMark is how long a mark may be in which a backslash stands, with what is before its name.
const maxMark = 80

// put adds a word that is the plain text up to end.
func (f *folder) put(word string, end int) {
	if !f.open || word != blockEnd && word != codeEnd {
		if f.last = word; f.lower {
			word = strings.ToLower(word)
		}
		f.out.WriteString(separator + word)
		f.at = append(append(f.at, int32(f.i)), slices.Repeat([]int32{int32(end)}, len(word))...)
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
		f.once(ellipsis, f.i+f.omission(f.i))
	case isDash(c):
		f.once("-", end)
	case isQuotationMark(c):
		f.once("'", end)
	case c != r:
		f.put(string(c), end)
	default:
		f.put(string(f.plain[f.i:end]), end)
	}
}

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
		r == '`', r == '\\' && i+1 < len(f.plain) && isPunctuation(f.plain[i+1]),
		r == '\\' && i > 0 && agent.Rearm(string(f.plain[i-1 : min(i+maxMark, len(f.plain))]))[1] != '\\':
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
	if f.last == mark {
		f.i = end
		return
	}
	f.put(mark, end)
}

// omitted is an ellipsis, with the brackets around it: three stops or more, with or without blanks between.
var omitted = regexp.MustCompile(`^(?:\[ *` + stops + ` *\]|\( *` + stops + ` *\)|` + stops + `)`)

const stops = `(?:…|⋯|\. *\. *\.+)`

// omission is how long the ellipsis is that begins at a place; 0 for none.
func (f *folder) omission(i int) int {
	if r, _ := utf8.DecodeRune(f.plain[i:]); !strings.ContainsRune(".[(…⋯", r) {
		return 0
	}
	return len(omitted.Find(f.plain[i:]))
}

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

func isDash(r rune) bool {
	return r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0x2e3a || r == 0x2e3b || r == 0xfe58 ||
		r == 0xfe63 || r == '-'
}

func isQuotationMark(r rune) bool {
	return strings.ContainsRune("“”„‟‘’‚‛«»‹›「」『』﹁﹂﹃﹄′″´`\"'｢｣〝〞", r)
}
