package markup

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// literal precedes, in a writer's text, each sign of the page itself that Markdown might read as a mark. It
// cannot occur otherwise: control characters are dropped.
const literal = 0

// marks are the signs that may be a mark anywhere in a line.
const marks = "\\`*_~[]!&<"

// escaped puts a backslash where a literal sign would be read as a mark, and only there. It needs the whole
// text, since emphasis depends on both sides, and on a second sign further on.
func escaped(text []byte) []byte {
	if bytes.IndexByte(text, literal) < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	var p passage
	for line := range bytes.Lines(text) {
		if len(bytes.Trim(line, " >\n")) == 0 { // emphasis ends here
			out = append(p.appendTo(out), line...)
			p = passage{}
			continue
		}
		for _, c := range line {
			if c == literal {
				p.literal = append(p.literal, len(p.text))
			} else {
				p.text = append(p.text, c)
			}
		}
	}
	return p.appendTo(out)
}

// Literal marks all signs of a text as literal, for a cell of a Table.
func Literal(text string) string {
	if !strings.ContainsAny(text, marks) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(marks, text[i]) >= 0 {
			b.WriteByte(literal)
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// passage is a text without blank lines: a paragraph, a list, a table.
type passage struct {
	text    []byte
	literal []int    // positions of the page's own signs
	escape  []int    // those of them that need a backslash
	code    [][2]int // the writer's code spans, from the first tick to after the last
}

func (p *passage) appendTo(out []byte) []byte {
	if len(p.literal) > 0 {
		p.findCode()
		p.alone()
		p.brackets()
		for _, c := range []byte("*_~") {
			p.emphasis(c)
		}
		p.ticks()
		slices.Sort(p.escape)
	}
	from := 0
	for _, at := range slices.Compact(p.escape) {
		out = append(append(out, p.text[from:at]...), '\\')
		from = at
	}
	return append(out, p.text[from:]...)
}

func (p *passage) isLiteral(at int) bool {
	_, found := slices.BinarySearch(p.literal, at)
	return found
}

// alone escapes the signs that are marks because of what follows them.
func (p *passage) alone() {
	for _, at := range p.literal {
		rest := p.text[at+1:]
		isMark := false
		switch p.text[at] {
		case '\\':
			isMark = len(rest) > 0 && (rest[0] == '\n' || isPunctuation(rest[0]))
		case '!':
			isMark = len(rest) > 0 && rest[0] == '[' && !p.isLiteral(at+1)
		case '&':
			end := bytes.IndexByte(rest[:min(len(rest), 32)], ';')
			isMark = end > 0 && html.UnescapeString("&"+string(rest[:end+1])) != "&"+string(rest[:end+1])
		case '<':
			isMark = len(rest) > 0 && (strings.IndexByte("/!?", rest[0]) >= 0 || isLetter(rest[0]))
		}
		if isMark {
			p.escape = append(p.escape, at)
		}
	}
}

func isPunctuation(c byte) bool {
	return c < utf8.RuneSelf && unicode.In(rune(c), unicode.P, unicode.S)
}

// brackets escapes brackets of a link, of a link definition, of a checkbox, or unpaired within a link.
func (p *passage) brackets() {
	var open []int
	for at, c := range p.text {
		switch {
		case c == '[':
			open = append(open, at)
			if p.isLiteral(at) && p.isBox(at) {
				p.escape = append(p.escape, at)
			}
		case c != ']':
		case !p.isLiteral(at):
			for len(open) > 0 && p.isLiteral(open[len(open)-1]) {
				p.escape = append(p.escape, open[len(open)-1])
				open = open[:len(open)-1]
			}
			open = open[:max(0, len(open)-1)]
		case len(open) > 0 && !p.isLiteral(open[len(open)-1]):
			p.escape = append(p.escape, at)
		case len(open) > 0:
			begin := open[len(open)-1]
			_, begins := p.lineMark(begin)
			begins = begins && p.text[begin+1] != '^' // a footnote
			if rest := p.text[at+1:]; len(rest) > 0 && (rest[0] == '(' || rest[0] == ':' && begins) {
				p.escape = append(p.escape, at)
			} else {
				open = open[:len(open)-1]
			}
		}
	}
}

// isBox reports whether a bracket begins a list item as a checkbox does.
func (p *passage) isBox(at int) bool {
	rest := p.text[at+1:]
	mark, begins := p.lineMark(at)
	return begins && mark != "" && len(rest) > 2 && strings.IndexByte(" xX", rest[0]) >= 0 &&
		rest[1] == ']' && isSpace(rest[2])
}

// lineMark returns the list mark before a position, and whether the line begins with nothing else.
func (p *passage) lineMark(at int) (mark string, begins bool) {
	const longest = 2*maxIndent + 20
	from := max(0, at-longest)
	begin := from + bytes.LastIndexByte(p.text[from:at], '\n') + 1
	if begin == from && from > 0 {
		return "", false
	}
	line := bytes.TrimLeft(p.text[begin:at], " >")
	return string(line), len(bytes.Trim(line, " -0123456789.")) == 0
}

// run is a run of one sign.
type run struct {
	start, end  int
	own         int  // number of signs from the writer
	literal     bool // none from the writer
	mixed       bool // some from the writer, some not
	open, close bool // it may begin emphasis, or end it
}

// runs returns the runs of a sign outside the writer's code.
func (p *passage) runs(c byte) (all []run) {
	code := append(slices.Clip(p.code), [2]int{len(p.text), len(p.text)}) // code[0] is the next span
	for at := 0; at < len(p.text); at++ {
		if at == code[0][0] {
			at, code = code[0][1]-1, code[1:]
			continue
		}
		if p.text[at] != c || p.isEscaped(at) {
			continue
		}
		r := run{start: at}
		for ; at < code[0][0] && p.text[at] == c; at++ {
			if !p.isLiteral(at) {
				r.own++
			}
		}
		r.end = at
		at-- // code may follow
		r.literal, r.mixed = r.own == 0, r.own > 0 && r.own < r.end-r.start
		r.open, r.close = p.flanks(r)
		all = append(all, r)
	}
	return all
}

// turns reports whether a run begins or ends the writer's emphasis; a run of three or four does both.
func (r run) turns() bool { return r.own == 1 || r.own == 2 }

// isEscaped reports whether a sign begins its line after a backslash of the writer.
func (p *passage) isEscaped(at int) bool {
	if at == 0 || p.text[at-1] != '\\' || p.isLiteral(at-1) {
		return false
	}
	_, begins := p.lineMark(at - 1)
	return begins
}

// flanks reports whether a run may open or close emphasis by the rules of CommonMark.
func (p *passage) flanks(r run) (open, close bool) {
	before, after := ' ', ' '
	if r.start > 0 {
		before, _ = utf8.DecodeLastRune(p.text[:r.start])
	}
	if r.end < len(p.text) {
		after, _ = utf8.DecodeRune(p.text[r.end:])
	}
	leaves, leads := unicode.In(before, unicode.P, unicode.S), unicode.In(after, unicode.P, unicode.S)
	left := !unicode.IsSpace(after) && (!leads || leaves || unicode.IsSpace(before))
	right := !unicode.IsSpace(before) && (!leaves || leads || unicode.IsSpace(after))
	if p.text[r.start] == '_' {
		return left && (!right || leaves), right && (!left || leads)
	}
	return left, right
}

func (p *passage) escapeRun(r run) {
	for at := r.start; at < r.end; at++ {
		if p.isLiteral(at) {
			p.escape = append(p.escape, at)
		}
	}
}

// emphasis escapes signs that could open or close emphasis, if both exist, and those inside a mark of the
// writer. Those come in pairs, of which the first may be read as a closing one within a word.
func (p *passage) emphasis(c byte) {
	all, inside := p.runs(c), false
	first, last := len(all), -1 // the first literal run that may open, the last run that may close
	for i, r := range all {
		if r.open && r.literal {
			first = min(first, i)
		}
		if r.close && (r.literal || !inside) {
			last = i
		}
		inside = inside != r.turns()
	}
	inside = false
	for i, r := range all {
		if r.mixed || r.literal && (r.open && (i < last || inside) || r.close && (first < i || inside)) {
			p.escapeRun(r)
		}
		inside = inside != r.turns()
	}
}

// ticks escapes those that have others after them, or touch code: a backslash has no effect in there.
func (p *passage) ticks() {
	last := bytes.LastIndexByte(p.text, '`')
	for _, r := range p.runs('`') {
		touches := r.start > 0 && p.text[r.start-1] == '`' && !p.isLiteral(r.start-1) &&
			!p.isEscaped(r.start-1)
		if r.mixed || r.literal && (r.end <= last || touches) {
			p.escapeRun(r)
		}
	}
}

// findCode finds the writer's code spans, which end with as many ticks as they begin with.
func (p *passage) findCode() {
	var ticks [][2]int
	last := map[int]int{} // the last run of each length
	for at := 0; at < len(p.text); at++ {
		start := at
		for at < len(p.text) && p.text[at] == '`' && !p.isLiteral(at) {
			at++
		}
		if at > start {
			last[at-start] = len(ticks)
			ticks = append(ticks, [2]int{start, at})
		}
	}
	for i := 0; i < len(ticks); i++ {
		start, length := ticks[i][0], ticks[i][1]-ticks[i][0]
		if last[length] > i {
			for i++; ticks[i][1]-ticks[i][0] != length; i++ { // to the end of the code
			}
			p.code = append(p.code, [2]int{start, ticks[i][1]})
		}
	}
}
