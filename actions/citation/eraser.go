package citation

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// eraser removes the inline mark-up of a block, in one pass. It is more lenient than goldmark: it also
// removes mark-up that no standard allows, but that authors and pages leave behind.
type eraser struct {
	node
	out      *plain
	i        int
	pairs    map[int]int   // from each opening bracket to its closing one
	ticks    map[int][]int // positions of the runs of so many backticks
	linkEnds map[int]int   // from the ] of a link to the link's end
	literal  map[int]bool  // the runs of stars that are not mark-up
	// the end of the last comment, and the elements with an end tag
	lastComment int
	tagEnds     map[string]bool
}

var tickRun = regexp.MustCompile("`+")

// erase appends the text of a block.
func (p *plain) erase(b node) {
	e := eraser{node: b, out: p, pairs: pairs(b.raw), ticks: map[int][]int{}, linkEnds: map[int]int{},
		lastComment: bytes.LastIndex(b.raw, []byte("-->")), tagEnds: map[string]bool{}}
	for _, end := range tagEnd.FindAll(b.raw, -1) {
		e.tagEnds[strings.ToLower(string(end[2:]))] = true
	}
	for _, at := range tickRun.FindAllIndex(b.raw, -1) {
		e.ticks[at[1]-at[0]] = append(e.ticks[at[1]-at[0]], at[0])
	}
	e.literal = e.stars()
	for e.i < len(e.raw) {
		c := e.raw[e.i]
		switch {
		case c == '\\':
			e.escaped()
		case c == '`':
			e.codeSpan()
		case c == '!' && e.image(), c == '[' && e.link(), c == '<' && e.angle(),
			c == '&' && e.entity():
		case c == ']' && e.linkEnds[e.i] > 0:
			e.i = e.linkEnds[e.i]
		case c == '*' || c == '_' || c == '~':
			e.emphasis(c)
		case c < ' ' && c != '\n' && c != '\t' || c == 0x7f:
			e.i++
		default:
			e.copy(1)
		}
	}
}

// pairs maps each opening bracket, round or square, to its closing one.
func pairs(raw []byte) map[int]int {
	found, open, opening := map[int]int{}, map[byte][]int{}, map[byte]byte{')': '(', ']': '['}
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '\\':
			i++
		case '[', '(':
			open[c] = append(open[c], i)
		case ')', ']':
			if all := open[opening[c]]; len(all) > 0 {
				found[all[len(all)-1]] = i
				open[opening[c]] = all[:len(all)-1]
			}
		}
	}
	return found
}

// copy copies n bytes as they are.
func (e *eraser) copy(n int) {
	for _, c := range e.raw[e.i : e.i+n] {
		e.out.put(e.textAt(e.i), c)
		e.i++
	}
}

func (e *eraser) escaped() {
	behind := e.raw[e.i+1:]
	if len(behind) > 0 && (isPunctuation(behind[0]) || behind[0] == '\n') {
		e.i++
	}
	if len(behind) == 0 || behind[0] != '\n' {
		e.copy(1)
	}
}

func isPunctuation(c byte) bool { return c > ' ' && c < 0x7f && !isWord(rune(c)) }

func (e *eraser) codeSpan() {
	n, end := e.codeFrom(e.i)
	if end < 0 {
		e.copy(n)
		return
	}
	e.i += n
	start := len(e.out.text)
	e.copy(end - e.i)
	e.out.bits = append(e.out.bits, span{start, len(e.out.text)})
	e.i += n
}

// codeFrom returns the number of backticks at an offset, and where as many end the code, or -1.
func (e *eraser) codeFrom(at int) (n, end int) {
	n = run(e.raw[at:], '`')
	ends := e.ticks[n]
	if k, _ := slices.BinarySearch(ends, at+n); k < len(ends) {
		return n, ends[k]
	}
	return n, -1
}

func run(text []byte, c byte) int { return len(text) - len(bytes.TrimLeft(text, string(rune(c)))) }

// emphasis removes emphasis marks, but keeps other such characters: 2*3, snake_case, a single star, *.conf.
func (e *eraser) emphasis(c byte) {
	n := run(e.raw[e.i:], c)
	before, _ := utf8.DecodeLastRune(e.raw[:e.i])
	after, _ := utf8.DecodeRune(e.raw[e.i+n:])
	alone := (e.i == 0 || unicode.IsSpace(before)) && (e.i+n == len(e.raw) || unicode.IsSpace(after))
	if c == '*' && e.literal[e.i] || c == '_' && (alone || isWord(before) && isWord(after)) ||
		c == '~' && (alone || n == 1) {
		e.copy(n)
		return
	}
	e.i += n
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

var (
	address = regexp.MustCompile(`^<(?:mailto:[^<>\n ]+|[^<>\n ]*://[^<>\n ]*)>`)
	tagEnd  = regexp.MustCompile(`</[A-Za-z]+`)
	tag     = regexp.MustCompile(`^(?i)</?(?:(br|p|div|li|td|tr|th|details|summary|table|ul|ol|blockquote)|wbr|` +
		`(b|i|em|strong|sub|sup|span|u|s|code|kbd|mark|small|a|abbr|cite|q|del|ins|var|samp|font))` +
		`(?:[ /][^<>]*)?>`)
	entity = regexp.MustCompile(`^&#?\w+;`)
)

// angle reads <https://…>, a comment, or a formatting tag. Anything else in angle brackets is text, and so is
// a bare tag without an end tag: manuals write <code> for a number that the reader has to fill in.
func (e *eraser) angle() bool {
	const longest = 2000
	rest := e.raw[e.i:min(e.i+longest, len(e.raw))]
	if bytes.HasPrefix(rest, []byte("<!--")) && e.i < e.lastComment {
		e.i += bytes.Index(e.raw[e.i:], []byte("-->")) + 3
		return true
	}
	if n := len(address.Find(rest)); n > 0 {
		e.i++
		e.copy(n - 2)
		e.i++
		return true
	}
	found := tag.FindSubmatch(rest)
	if found == nil {
		return false
	}
	name := string(found[2])
	if name != "" && string(found[0]) == "<"+name+">" && !e.tagEnds[strings.ToLower(name)] {
		return false
	}
	if len(found[1]) > 0 {
		e.out.put(e.textAt(e.i), '\n')
	}
	e.i += len(found[0])
	return true
}

func (e *eraser) entity() bool {
	const longest = 32
	found := string(entity.Find(e.raw[e.i:min(e.i+longest, len(e.raw))]))
	meant := html.UnescapeString(found)
	if meant == found || meant < " " {
		return false
	}
	e.out.put(e.textAt(e.i), []byte(meant)...)
	e.i += len(found)
	return true
}

// target returns the address and the end of the link whose text ends with the ] at close.
func (e *eraser) target(close int) (to []byte, end int, ok bool) {
	last, ok := e.pairs[close+1]
	if !ok || e.raw[close+1] != '(' {
		return nil, 0, false
	}
	to = bytes.TrimSpace(e.raw[close+2 : last])
	if i := bytes.IndexAny(to, " \t\n"); i >= 0 && !bytes.HasPrefix(to, []byte("<")) {
		if title := bytes.TrimSpace(to[i:])[0]; title != '"' && title != '\'' && title != '(' {
			return nil, 0, false // words in brackets, which are not a link
		}
	}
	return to, last + 1, true
}

// image removes a picture with its description.
func (e *eraser) image() bool {
	close, ok := e.pairs[e.i+1]
	if _, end, isLink := e.target(close); ok && e.raw[e.i+1] == '[' && isLink {
		e.i = end
		return true
	}
	return false
}

// link removes the address of a link and keeps its text, unless that is the mark of a note.
func (e *eraser) link() bool {
	close, ok := e.pairs[e.i]
	if !ok {
		return false
	}
	content := string(e.raw[e.i+1 : close])
	cites, isNote := isCitation(content), len(content) <= 64 && noteMark.MatchString(content)
	to, end, isLink := e.target(close)
	if last, ok := e.pairs[close+1]; ok && e.raw[close+1] == '[' && !cites && !isNote {
		isLink, end = !isCitation(string(e.raw[close+2:last])), last+1 // [text][name]
	}
	switch {
	case strings.HasPrefix(content, "^"):
		e.i = close + 1
	case !isLink:
		return false
	case cites:
		e.copy(close + 1 - e.i)
		e.i = end
	case isNote && bytes.Contains(to, []byte("#")):
		e.i = end
	default:
		e.i++
		e.linkEnds[close] = end
	}
	return true
}

// noteMark matches the text of a link that is only the mark of a note, such as 12, \[3\] or note 4. It is not
// used on long texts: nested brackets would pass them to it over and over.
var noteMark = regexp.MustCompile(`^[\\\[\] ]*(?:note|注)? *(?:↑|\d+|[!-Z^-~])[\\\[\] ]*$`)

// star is a run of stars that may begin emphasis.
type star struct{ at, n int }

// stars returns the runs of stars in a block that are not emphasis marks, since no other run matches them. A
// run that could only end emphasis is a mark anyway, which a cut or an author left behind.
func (e *eraser) stars() map[int]bool {
	literal := map[int]bool{}
	var open []star
	for i := 0; i < len(e.raw); i++ {
		switch e.raw[i] {
		case '\\':
			i++
		case '`':
			n, end := e.codeFrom(i)
			i = max(i, end) + n - 1
		case '*':
			s := star{i, run(e.raw[i:], '*')}
			begins, ends, leads := e.turns(s)
			if k := lastOf(open, s.n); ends && k >= 0 {
				literal[open[k].at] = false
				if open[k].n -= s.n; open[k].n <= 0 {
					open = open[:k]
				}
			} else {
				literal[s.at] = leads || !ends
				if begins {
					open = append(open, s)
				}
			}
			i += s.n - 1
		}
	}
	return literal
}

// lastOf returns the open run that a run of n stars closes: the last of that length, otherwise the last one;
// -1 if there is none.
func lastOf(open []star, n int) int {
	for k, s := range slices.Backward(open) {
		if s.n == n {
			return k
		}
	}
	return len(open) - 1
}

// turns reports whether a run may begin emphasis and whether it may end it. Between digits, and alone in
// quotation marks, it does neither; right after an opening mark it ends nothing. leads means that it may
// begin emphasis by CommonMark's rules, which are too strict for Chinese.
func (e *eraser) turns(s star) (begins, ends, leads bool) {
	before, size := utf8.DecodeLastRune(e.raw[:s.at])
	after, _ := utf8.DecodeRune(e.raw[s.at+s.n:])
	outer, _ := utf8.DecodeLastRune(e.raw[:s.at-size])
	isMark := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	first := size == 0 || unicode.IsSpace(before)
	last := s.at+s.n == len(e.raw) || unicode.IsSpace(after)
	leads = !last && (!isMark(after) || first || isMark(before))
	const brackets = "([{（【「『„"
	opens := strings.ContainsRune(brackets, before) || strings.ContainsRune("\"'“‘«»", before) &&
		(s.at == size || unicode.IsSpace(outer) || strings.ContainsRune(brackets, outer)) ||
		strings.ContainsRune("“‘", before) && prose.IsCJK(outer)
	if isDigit(before) && isDigit(after) || opens && isQuotationMark(after) ||
		slices.Contains([]string{"“”", "‘’", "«»", "»«", "„“"}, string([]rune{before, after})) {
		return false, false, leads
	}
	return !last && !strings.ContainsRune(")]}）】」』", after), !first && !opens, leads
}
