package block

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Split splits a Markdown text into its blocks.
func Split(text string) []Block {
	w := walker{source: []byte(text)}
	doc, _ := bounds.Blocks(blockParser(), w.source) // blocks alone: definitions of links stay where they are
	w.children(doc, Paragraph)
	w.closeBare(0)
	var all []Block
	for _, b := range w.found {
		for i, piece := range pieces(text[b.Start:b.End], b.Kind) {
			next := b
			next.Start, next.End = b.Start+piece[0], b.Start+piece[1]
			next.Text, next.N, next.Goes = text[next.Start:next.End], len(all)+1, i > 0
			all = append(all, next)
		}
	}
	terms(text, all)
	return all
}

// walker collects whole blocks of a text from goldmark's tree.
type walker struct {
	source   []byte
	headings []string
	levels   []int // of headings
	page     int
	found    []Block
	bare     *ast.Heading // the last heading, while nothing is under it
}

// blockParser treats indented lines as text: a plain file gets the same numbers as a page.
func blockParser(more ...parser.Option) parser.Parser {
	blocks := []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(paragraphs{parser.NewParagraphParser()}, 1000),
	}
	table := util.Prioritized(extension.NewTableParagraphTransformer(), 200)
	return parser.NewParser(append(more, parser.WithBlockParsers(blocks...),
		parser.WithParagraphTransformers(table))...)
}

// paragraphs may begin with an indented line, which goldmark would parse as code.
type paragraphs struct{ parser.BlockParser }

func (paragraphs) CanAcceptIndentedLine() bool { return true }

func (w *walker) children(n ast.Node, first Kind) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, first)
		first = Paragraph
	}
}

// node handles one node of the tree; first is the kind of its first paragraph.
func (w *walker) node(n ast.Node, first Kind) {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		w.lines(n.Lines(), first)
	case *ast.Heading:
		w.heading(n)
	case *ast.FencedCodeBlock:
		w.fenced(n)
	case *ast.HTMLBlock:
		w.html(n)
	case *tables.Table:
		w.table(n)
	case *ast.ListItem:
		w.children(n, Item)
	case *ast.Blockquote, *ast.List:
		w.children(n, first)
	}
}

func (w *walker) heading(n *ast.Heading) {
	if n.Lines().Len() == 0 {
		return
	}
	w.closeBare(n.Level)
	w.above(n.Level)
	title := titleOf(n, w.source)
	w.levels, w.headings = append(w.levels, n.Level), append(slices.Clone(w.headings), title)
	w.bare = n
}

func titleOf(n *ast.Heading, source []byte) string {
	return prose.Title(prose.OneLine(string(n.Lines().Value(source))))
}

// above leaves the sections that end at a heading of some level.
func (w *walker) above(level int) {
	for len(w.levels) > 0 && w.levels[len(w.levels)-1] >= level {
		w.levels, w.headings = w.levels[:len(w.levels)-1], w.headings[:len(w.headings)-1]
	}
}

// closeBare makes a block of a heading with nothing under it, at the next heading or at the end (0).
func (w *walker) closeBare(next int) {
	if n := w.bare; n != nil && next <= n.Level {
		w.above(n.Level)
		w.add(Paragraph, n.Lines().At(0).Start, n.Lines().At(n.Lines().Len()-1).Stop, "")
	}
	w.bare = nil
}

// add adds whole lines as a block, so that it has its list or quote marks.
func (w *walker) add(kind Kind, from, to int, head string) {
	from = bytes.LastIndexByte(w.source[:from], '\n') + 1
	if n := len(w.found); n > 0 {
		from = max(from, w.found[n-1].End) // two blocks may begin on one line
	}
	if to == 0 || w.source[to-1] != '\n' {
		to = w.lineOf(to)
	} else {
		to--
	}
	if from >= to || len(bytes.TrimSpace(w.source[from:to])) == 0 {
		return
	}
	w.bare = nil
	w.found = append(w.found, Block{Kind: kind, Headings: w.headings, Head: head, Page: w.page,
		Start: from, End: to})
}

// lineOf returns the end of the line that contains an offset.
func (w *walker) lineOf(at int) int {
	at = min(at, len(w.source))
	if i := bytes.IndexByte(w.source[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(w.source)
}

func (w *walker) lines(lines *text.Segments, kind Kind) {
	if lines.Len() == 0 {
		return
	}
	if onlyLinks(lines.Value(w.source)) {
		kind = Links
	}
	w.add(kind, lines.At(0).Start, lines.At(lines.Len()-1).Stop, "")
}

// fenced adds a code block with its fences.
func (w *walker) fenced(n *ast.FencedCodeBlock) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	from := bytes.LastIndexByte(w.source[:lines.At(0).Start], '\n') // the end of the line with the fence
	to := lines.At(lines.Len() - 1).Stop
	if closing := w.lineOf(to); isFence(w.source[to:closing]) {
		to = closing
	}
	w.add(Code, max(from, 0), to, "")
}

func isFence(line []byte) bool {
	line = bytes.TrimLeft(line, " \t>")
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

var pageMark = regexp.MustCompile(`^\s*<!-- page (\d{1,6}) -->\s*$`)

// html reads the mark at the beginning of a page, and skips comments, which readers never see.
func (w *walker) html(n *ast.HTMLBlock) {
	raw := n.Lines().Value(w.source)
	if n.HasClosure() {
		raw = append(slices.Clone(raw), n.ClosureLine.Value(w.source)...)
	}
	if m := pageMark.FindSubmatch(raw); m != nil {
		w.page, _ = strconv.Atoi(string(m[1])) // at most six digits
		return
	}
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<!--")) {
		return
	}
	to := n.Lines().At(n.Lines().Len() - 1).Stop
	if n.HasClosure() {
		to = n.ClosureLine.Stop
	}
	w.add(Paragraph, n.Lines().At(0).Start, to, "")
}

// table adds each row below the head as a block. A row is one line.
func (w *walker) table(n *tables.Table) {
	cell := n.FirstChild().FirstChild()
	for cell != nil && cell.Lines().Len() == 0 { // an empty cell has no position
		cell = cell.NextSibling()
	}
	if cell == nil {
		return
	}
	begin := bytes.LastIndexByte(w.source[:cell.Lines().At(0).Start], '\n') + 1
	end := w.lineOf(w.lineOf(begin) + 1) // of the line below the head
	head := string(w.source[begin:end])
	if !word.MatchString(head) {
		head = "" // a table without a head, which Markdown does not allow
	}
	for row := n.FirstChild().NextSibling(); row != nil && end < len(w.source); row = row.NextSibling() {
		next := w.lineOf(end + 1)
		if line := w.source[end+1 : next]; bytes.Contains(line, []byte("|")) {
			w.add(Row, end+1, next, head)
		} else { // to Markdown, a line right below a table is its first cell; to its author, a sentence
			w.add(Paragraph, end+1, next, "")
		}
		end = next
	}
	if n.ChildCount() == 1 { // a head alone says something, too
		w.add(Row, begin, end, "")
	}
}

// onlyLinks reports whether lines only define link targets.
func onlyLinks(lines []byte) bool {
	for line := range bytes.Lines(lines) {
		name, target, found := bytes.Cut(bytes.TrimSpace(line), []byte("]: "))
		isLink := bytes.HasPrefix(name, []byte("[")) && !bytes.HasPrefix(name, []byte("[^"))
		if !found || !isLink || bytes.ContainsAny(bytes.TrimSpace(target), " \t") {
			return false
		}
	}
	return true
}
