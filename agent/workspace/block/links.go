package block

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Linked knows the links of a Markdown text, and shows its blocks without the addresses. What only looks like
// a link, in code or after a backslash, stays as it is; so do pictures, a "[word]" whose address is defined
// elsewhere, and texts over the budget of bounds.
type Linked struct {
	text   string
	all    []link
	titles map[string]string // headings with links, and their text without
	head   [2]string         // the last table head, and its text without links
}

// link is the position of "[words](address)" or "[words][name]"; middle is the bracket after its words.
type link struct {
	start, middle, end int
	address            string
	isPicture, isWord  bool // isWord: it is just "[word]"
}

// FindLinks finds the links of a text.
func FindLinks(text string) *Linked {
	l := &Linked{text: text, titles: map[string]string{}}
	if !strings.Contains(text, "](") && !strings.Contains(text, "][") && !strings.Contains(text, "]:") {
		return l
	}
	finder := &linkFinder{InlineParser: parser.NewLinkParser()}
	inline := parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(finder, 200), util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewRawHTMLParser(), 400))
	defined := parser.WithParagraphTransformers(
		util.Prioritized(parser.LinkReferenceParagraphTransformer, 100))
	source := []byte(text)
	doc, err := bounds.Markdown(blockParser(inline, defined, bounds.Inline()), source, nil)
	if err != nil && doc == nil {
		return l // readable, but it cannot be parsed
	}
	l.all = slices.DeleteFunc(finder.all, func(a link) bool { return a.isPicture || a.isWord })
	bounds.Inspect(doc, func(n ast.Node) bool {
		if h, ok := n.(*ast.Heading); ok && h.Lines().Len() > 0 {
			title := titleOf(h, source)
			first, last := h.Lines().At(0), h.Lines().At(h.Lines().Len()-1)
			if plain := l.without(first.Start, last.Stop, true); len(plain) < len(title) {
				l.titles[title] = prose.OneLine(plain)
			}
		}
		return true
	})
	return l
}

// Title returns a heading of the text with only the words of its links.
func (l *Linked) Title(heading string) string {
	return cmp.Or(l.titles[heading], heading)
}

// Block returns a block of the text with only the words of its links, also in its headings and table head.
func (l *Linked) Block(b Block) Block {
	b.Headings = slices.Clone(b.Headings)
	for i, title := range b.Headings {
		b.Headings[i] = l.Title(title)
	}
	if b.Head != l.head[0] {
		at := max(0, strings.LastIndex(l.text[:b.Start], b.Head))
		l.head = [2]string{b.Head, l.without(at, at+len(b.Head), true)}
	}
	b.Head, b.Text = l.head[1], l.without(b.Start, b.End, true)
	return b
}

// Rest returns the text of a block without its links and their words.
func (l *Linked) Rest(b Block) string { return l.without(b.Start, b.End, false) }

// without returns a range of the text without its links, with or without their words.
func (l *Linked) without(from, to int, words bool) string {
	var out strings.Builder
	first, _ := slices.BinarySearchFunc(l.all, from, func(a link, at int) int { return a.start - at })
	for _, a := range l.all[first:] {
		if a.end > to {
			break
		}
		out.WriteString(l.text[from:a.start])
		if words {
			out.WriteString(l.text[a.start+1 : a.middle])
		}
		from = a.end
	}
	out.WriteString(l.text[from:to])
	return out.String()
}

// linkFinder is goldmark's link parser, which also records the position of each link.
type linkFinder struct {
	parser.InlineParser
	all []link
}

// Parse implements parser.InlineParser.
func (f *linkFinder) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, bracket := block.PeekLine()
	n := f.InlineParser.Parse(parent, block, pc)
	_, after := block.Position()
	source := block.Source()
	// only to the end of its line, if the link ends there
	end := bracket.Start + 1 +
		len(bytes.TrimRight(source[bracket.Start+1:max(after.Start, bracket.Start+1)], " \t\r\n>"))
	switch n := n.(type) {
	case *ast.Link:
		isWord := n.Reference != nil && n.Reference.Type == ast.ReferenceLinkShortcut
		f.all = append(f.all, link{n.Pos(), bracket.Start, end, string(n.Destination), false, isWord})
	case *ast.Image:
		f.all = append(f.all, link{n.Pos(), bracket.Start, end, string(n.Destination), true, false})
	}
	return n
}

// CloseBlock implements parser.CloseBlocker.
func (f *linkFinder) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if closer, ok := f.InlineParser.(parser.CloseBlocker); ok {
		closer.CloseBlock(parent, block, pc)
	}
}
