package citation

import (
	"bytes"
	"regexp"
	"sort"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

type kind int

const (
	paragraph kind = iota
	heading
	row // of a table, its cells separated by tabs
	code
	pageBreak
)

// node is a block of a Markdown text that has words.
type node struct {
	kind   kind
	quote  int     // the number of its block quote, 0 for none
	index  int     // for a row: 0 for the table head, then 1, 2, …
	depth  int     // number of lists and tables that it is in
	raw    []byte  // its Markdown, without its block marks
	pieces []piece // positions of raw in the whole text
}

// piece maps an offset of raw, up to the next piece, to an offset of the text.
type piece struct{ raw, text int }

// nodes splits a Markdown text into blocks, with their inline mark-up: goldmark only parses the blocks,
// because reading the rest of its tree costs more than all other work of a check. In plain text, indented
// lines are not code.
func nodes(source []byte, indentedCode bool) []node {
	doc, source := bounds.Blocks(blockParser(), source)
	w := walker{source: source, indented: paragraph}
	if indentedCode {
		w.indented = code
	}
	w.children(doc, 0)
	return w.found
}

func blockParser() parser.Parser {
	// Link definitions stay in the text: goldmark takes half a minute for a megabyte of them.
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithHeadingAttribute(),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)))
}

type walker struct {
	source   []byte
	indented kind // the kind of indented lines
	found    []node
	quotes   int
	lists    int // number of open ones
}

func (w *walker) children(n ast.Node, quote int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, quote)
	}
}

var pageMark = regexp.MustCompile(`^\s*<!-- page \d+ -->\s*$`)

// node adds a block. A page mark becomes a page break; other HTML is a paragraph, since it is shown.
func (w *walker) node(n ast.Node, quote int) {
	b := node{quote: quote, depth: w.lists}
	lines := n.Lines()
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
	case *ast.Heading:
		b.kind = heading
	case *ast.CodeBlock:
		b.kind = w.indented
	case *ast.FencedCodeBlock:
		b.kind = code
	case *ast.HTMLBlock:
		if n.HasClosure() {
			lines.Append(n.ClosureLine)
		}
		if lines.Len() == 1 && pageMark.Match(valueOf(lines.At(0), w.source)) {
			b.kind = pageBreak
		}
	case *tables.Table:
		w.table(n, quote)
		return
	case *ast.Blockquote:
		w.quotes++
		w.children(n, w.quotes)
		return
	case *ast.List:
		w.lists++
		w.children(n, quote)
		w.lists--
		return
	default:
		w.children(n, quote)
		return
	}
	for i := range lines.Len() {
		b.take(lines.At(i), w.source)
	}
	if b.raw = bytes.TrimRight(b.raw, " \t\r\n"); len(b.raw) > 0 {
		w.found = append(w.found, b)
	}
}

func (w *walker) table(n *tables.Table, quote int) {
	index := 0
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		b := node{kind: row, quote: quote, index: index, depth: w.lists + 1}
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			for i := range c.Lines().Len() {
				b.takeCell(c.Lines().At(i), w.source)
			}
			b.raw = append(b.raw, '\t')
		}
		w.surplus(&b)
		if len(b.pieces) > 0 {
			w.found = append(w.found, b)
		}
		index++
	}
}

// surplus adds cells beyond the table head: they are not shown, but a citation there is meant for the row.
func (w *walker) surplus(b *node) {
	if b.index == 0 || len(b.pieces) == 0 {
		return
	}
	last := b.pieces[len(b.pieces)-1]
	from := last.text + len(bytes.TrimRight(b.raw[last.raw:], "\t"))
	to := from + bytes.IndexByte(w.source[from:], '\n')
	if to < from {
		to = len(w.source)
	}
	if len(bytes.Trim(w.source[from:to], "| \t\r")) > 0 {
		b.take(text.NewSegment(from, to), w.source)
		b.raw = append(bytes.TrimRight(b.raw, "| \t\r"), '\t')
	}
}

func (b *node) take(s text.Segment, source []byte) {
	b.pieces = append(b.pieces, piece{len(b.raw), s.Start})
	b.raw = append(b.raw, valueOf(s, source)...)
}

var escaped = regexp.MustCompile(`(?s)\\.`)

// takeCell adds a cell without the backslashes before its bars, which Markdown needs even in code.
func (b *node) takeCell(s text.Segment, source []byte) {
	from := s.Start
	for _, at := range escaped.FindAllIndex(source[s.Start:s.Stop], -1) {
		if bar := s.Start + at[0] + 1; source[bar] == '|' {
			b.take(text.NewSegment(from, bar-1), source)
			from = bar
		}
	}
	b.take(text.NewSegment(from, s.Stop), source)
}

// valueOf omits the blanks that stand for a part of a tab, which are not in the text.
func valueOf(s text.Segment, source []byte) []byte { return source[s.Start:s.Stop] }

// span is a range of a text, in bytes.
type span struct{ start, end int }

func (s span) stretch() span { return s }

// overlapping returns those of some ordered ranges that share a byte with s.
func overlapping[T interface{ stretch() span }](all []T, s span) []T {
	from := sort.Search(len(all), func(i int) bool { return all[i].stretch().end > s.start })
	n := sort.Search(len(all)-from, func(i int) bool { return all[from+i].stretch().start >= s.end })
	return all[from : from+n]
}

// inside reports whether an offset is in one of some ordered ranges.
func inside[T interface{ stretch() span }](all []T, i int) bool {
	return len(overlapping(all, span{i, i + 1})) > 0
}

// plain is a text without its Markdown, and the original offset of each of its bytes.
type plain struct {
	text []byte
	at   []int32
	code []span // code blocks
	bits []span // inline code spans
}

// The marks that separate the blocks of a plain text. Nothing from outside can have them: an eraser drops
// control characters.
const (
	wall     = 0x00 // around a heading, and at the end of a page: no quote spans it
	codeWall = 0x01 // in place of a code block
)

func (p *plain) put(at int, text ...byte) {
	for range text {
		p.at = append(p.at, int32(at))
	}
	p.text = append(p.text, text...)
}

// plainOf parses a whole Markdown text.
func plainOf(source string, indentedCode bool) plain {
	all := nodes([]byte(source), indentedCode)
	var p plain
	for _, b := range all {
		switch b.kind {
		case pageBreak:
			p.end(wall)
		case heading:
			p.put(b.pieces[0].text, wall)
			p.erase(b)
			p.end(wall)
		case code:
			start := len(p.text)
			for i, c := range b.raw {
				if c >= ' ' || c == '\n' || c == '\t' {
					p.put(b.textAt(i), c)
				}
			}
			p.code = append(p.code, span{start, len(p.text)})
			p.end('\n')
		default:
			p.erase(b)
			p.end('\n')
		}
	}
	return p
}

// within returns the range that comes from a range of the whole text.
func (p *plain) within(from, to int) span {
	behind := func(at int) int {
		return sort.Search(len(p.at), func(i int) bool { return int(p.at[i]) >= at })
	}
	return span{behind(from), behind(to)}
}

// end adds the mark between two blocks, with the offset of the byte before it.
func (p *plain) end(c byte) {
	last := 0
	if n := len(p.at); n > 0 {
		last = int(p.at[n-1])
	}
	p.put(last, c)
}

// textAt maps an offset of raw to the whole text.
func (b *node) textAt(raw int) int {
	i := sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].raw > raw })
	piece := b.pieces[max(0, i-1)]
	return piece.text + raw - piece.raw
}
