package citation

import (
	"bytes"
	"html"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a stretch of a text, in bytes.
type span struct{ start, end int }

func (s span) holds(i int) bool { return s.start <= i && i < s.end }

// plain is a text without its Markdown, and for each of its bytes the offset where it comes from.
type plain struct {
	text []byte
	at   []int32
	code []span // blocks of code
	bits []span // spans of code in a line of text
}

// The marks that divide the blocks of a plain text. Nothing from outside can hold them: an eraser drops
// control characters.
const (
	wall     = 0x00 // around a heading, and where a page ends: no quote runs across
	codeWall = 0x01 // where a block of code was
)

func (p *plain) put(at int, text ...byte) {
	for range text {
		p.at = append(p.at, int32(at))
	}
	p.text = append(p.text, text...)
}

// plainOf reads a whole Markdown text.
func plainOf(source string, indentedCode bool) plain {
	all := nodes([]byte(source), indentedCode)
	var p plain
	for _, b := range all {
		switch b.kind {
		case pageBreak:
			p.put(p.last(), wall)
		case heading:
			p.put(b.pieces[0].text, wall)
			p.erase(b)
			p.put(p.last(), wall)
		case code:
			start := len(p.text)
			for i, c := range b.raw {
				if c >= ' ' || c == '\n' || c == '\t' {
					p.put(b.textAt(i), c)
				}
			}
			p.code = append(p.code, span{start, len(p.text)})
			p.put(p.last(), '\n')
		default:
			p.erase(b)
			p.put(p.last(), '\n')
		}
	}
	return p
}

func (p *plain) last() int {
	if len(p.at) == 0 {
		return 0
	}
	return int(p.at[len(p.at)-1])
}

// textAt is where an offset of raw is in the whole text.
func (b *node) textAt(raw int) int {
	i := sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].raw > raw })
	piece := b.pieces[max(0, i-1)]
	return piece.text + raw - piece.raw
}

// eraser takes the inline mark-up off a block, in one pass.
type eraser struct {
	node
	out       *plain
	i         int
	pairs     map[int]int // from each opening bracket to its closing one
	linkEnds  map[int]int // from the ] of a link to where the link ends
	noComment bool        // no comment ends from here on
	noCode    map[int]bool
	lastStar  int // right behind a word, from where on no star ends emphasis; 0 before it is known
}

// erase appends the text of a block.
func (p *plain) erase(b node) {
	e := eraser{node: b, out: p}
	if bytes.Contains(b.raw, []byte("](")) || bytes.Contains(b.raw, []byte("][")) ||
		bytes.Contains(b.raw, []byte("[^")) {
		e.pairs, e.linkEnds = pairs(b.raw), map[int]int{}
	}
	for e.i < len(e.raw) {
		e.next()
	}
}

func (e *eraser) next() {
	c := e.raw[e.i]
	switch {
	case c == '\\':
		e.escaped()
	case c == '`':
		e.codeSpan()
	case c == '!' && e.image(), c == '[' && e.link(), c == ']' && e.linkEnd(), c == '<' && e.angle(),
		c == '&' && e.entity():
	case c == '*' || c == '_' || c == '~':
		e.emphasis(c)
	case c < ' ' && c != '\n' && c != '\t' || c == 0x7f:
		e.i++
	default:
		e.copy(1)
	}
}

// copy takes n bytes as they are.
func (e *eraser) copy(n int) {
	for _, c := range e.raw[e.i : e.i+n] {
		e.out.put(e.textAt(e.i), c)
		e.i++
	}
}

func (e *eraser) rest() []byte { return e.raw[e.i:] }

func (e *eraser) escaped() {
	if e.i+1 < len(e.raw) && isPunctuation(e.raw[e.i+1]) {
		e.i++
		e.copy(1)
		return
	}
	if e.i+1 < len(e.raw) && e.raw[e.i+1] == '\n' {
		e.i++
		return
	}
	e.copy(1)
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !isAlnum(c)
}

func (e *eraser) codeSpan() {
	n := run(e.rest(), '`')
	end := -1
	if !e.noCode[n] {
		end = closingTicks(e.raw, e.i+n, n)
	}
	if end < 0 {
		if e.noCode == nil {
			e.noCode = map[int]bool{}
		}
		e.noCode[n] = true // nor further on
		e.copy(n)
		return
	}
	e.i += n
	start := len(e.out.text)
	e.copy(end - e.i)
	e.out.bits = append(e.out.bits, span{start, len(e.out.text)})
	e.i = end + n
}

func run(text []byte, c byte) int { return len(text) - len(bytes.TrimLeft(text, string(rune(c)))) }

func closingTicks(raw []byte, from, n int) int {
	for from < len(raw) {
		at := bytes.IndexByte(raw[from:], '`')
		if at < 0 {
			return -1
		}
		k := run(raw[from+at:], '`')
		if k == n {
			return from + at
		}
		from += at + k
	}
	return -1
}

// emphasis drops marks of emphasis and keeps what is none: 2*3, snake_case, a lonely star.
func (e *eraser) emphasis(c byte) {
	n := run(e.rest(), c)
	before, _ := utf8.DecodeLastRune(e.raw[:e.i])
	after, _ := utf8.DecodeRune(e.raw[e.i+n:])
	open := e.i == 0 || unicode.IsSpace(before)
	closed := e.i+n == len(e.raw) || unicode.IsSpace(after)
	keep := open && closed
	switch c {
	case '*':
		keep = keep || isDigit(before) && isDigit(after) || open && !e.starEnds()
	case '_':
		keep = keep || isWord(before) && isWord(after)
	case '~':
		keep = keep || n == 1
	}
	if keep {
		e.copy(n)
		return
	}
	e.i += n
}

// starEnds reports whether a star further on may end emphasis.
func (e *eraser) starEnds() bool {
	for at := len(e.raw) - 1; e.lastStar == 0; at-- {
		if at <= 0 || e.raw[at] == '*' && !unicode.IsSpace(rune(e.raw[at-1])) && e.raw[at-1] != '*' {
			e.lastStar = max(at, 1)
		}
	}
	return e.lastStar > e.i
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// angle reads <https://…>, a comment, or a tag that shapes words. Other things in angles are text.
func (e *eraser) angle() bool {
	rest := e.rest()
	if bytes.HasPrefix(rest, []byte("<!--")) {
		end := -1
		if !e.noComment {
			end = bytes.Index(rest, []byte("-->"))
		}
		e.noComment = end < 0
		if end < 0 {
			return false
		}
		e.i += end + 3
		return true
	}
	const longest = 2000
	end := bytes.IndexAny(rest[1:min(len(rest), longest)], "<>\n ")
	if end > 0 && rest[end+1] == '>' &&
		(bytes.Contains(rest[:end], []byte("://")) || bytes.HasPrefix(rest, []byte("<mailto:"))) {
		e.i++
		e.copy(end)
		e.i++
		return true
	}
	return e.tag(rest)
}

func (e *eraser) tag(rest []byte) bool {
	const longest = 300
	end := bytes.IndexAny(rest[1:min(len(rest), longest)], "<>")
	if end < 0 || rest[end+1] != '>' {
		return false
	}
	name, _, _ := strings.Cut(strings.Trim(string(rest[1:end+1]), "/ "), " ")
	switch strings.ToLower(name) {
	case "br", "p", "div", "li", "td", "tr", "th", "details", "summary", "table", "ul", "ol", "blockquote":
		e.out.put(e.textAt(e.i), '\n')
	case "b", "i", "em", "strong", "sub", "sup", "span", "u", "s", "code", "kbd", "mark", "small",
		"a", "abbr", "cite", "q", "del", "ins", "wbr", "var", "samp", "font":
	default:
		return false
	}
	e.i += end + 2
	return true
}

func (e *eraser) entity() bool {
	const longest = 32
	rest := e.rest()
	end := bytes.IndexByte(rest[:min(len(rest), longest)], ';')
	if end < 2 {
		return false
	}
	meant := html.UnescapeString(string(rest[:end+1]))
	if strings.HasPrefix(meant, "&") && len(meant) > 1 || meant < " " {
		return false
	}
	e.out.put(e.textAt(e.i), []byte(meant)...)
	e.i += end + 1
	return true
}
