package workspace

import (
	"bytes"
	"sync"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// heading is a heading of a Markdown text and what it stands over.
type heading struct {
	level int
	id    string // from `## Title {#id}`, else ""
	title string
	start int // where its line begins
	body  int // where the text under it begins
	end   int // where the next heading of its level or above begins, or the end
}

// markdown reads headings with their ids, as `## Any title {#id}` gives them. It parses blocks alone: what
// stands in a line matters to no heading, and some texts take time that grows with the square of their
// length.
var markdown = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	p.AddOptions(parser.WithHeadingAttribute())
	return p
})

// headings finds the headings of a text. What looks like one inside a code block is none, which is why this
// is goldmark's work.
func headings(source []byte) []heading {
	doc, _ := bounds.Blocks(markdown(), source)
	var found []heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		first, last := h.Lines().At(0), h.Lines().At(h.Lines().Len()-1)
		entry := heading{level: h.Level, title: string(bytes.TrimSpace(first.Value(source))), end: len(source)}
		if id, ok := h.AttributeString("id"); ok {
			if b, ok := id.([]byte); ok {
				entry.id = string(b)
			}
		}
		entry.start = bytes.LastIndexByte(source[:first.Start], '\n') + 1
		entry.body = lineAfter(source, last.Stop)
		if !bytes.HasPrefix(bytes.TrimLeft(source[entry.start:], " "), []byte("#")) {
			// over the line that underlines the title
			entry.body = lineAfter(source, min(entry.body+1, len(source)))
		}
		found = append(found, entry)
	}
	for i := range found {
		for _, next := range found[i+1:] {
			if next.level <= found[i].level {
				found[i].end = next.start
				break
			}
		}
	}
	return found
}

// lineAfter is where the line after the one that holds a position begins.
func lineAfter(source []byte, pos int) int {
	if pos > 0 && source[pos-1] == '\n' {
		return pos
	}
	if i := bytes.IndexByte(source[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(source)
}
