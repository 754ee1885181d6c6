// Package markdown takes a text apart by its lines and its headings, and merges by three ways. It knows no
// files.
package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// Heading is a heading of a Markdown text.
type Heading struct {
	Level int    // 1 to 6
	Title string // as it is written, without its marks
	ID    string // from `## Title {#id}`, or ""
	Line  int    // counted from 1
	Words int    // of what stands under it, up to the next heading of any level
}

// Section is a heading and where it and what it stands over are in the text, in bytes.
type Section struct {
	Heading     // without its line and its words
	Start   int // where its line begins
	Body    int // where the text under it begins
	End     int // where the next heading of its level or above begins, or the end
}

// markdown reads headings with their ids, as `## Any title {#id}` gives them. It parses blocks alone: lines
// take some texts time that grows with the square of their length.
var markdown = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	p.AddOptions(parser.WithHeadingAttribute())
	return p
})

// Headings finds the headings of a text, none in code.
func Headings(source []byte) []Section {
	source = withoutMark(source)
	doc, _ := bounds.Blocks(markdown(), source)
	var found []Section
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		first, last := h.Lines().At(0), h.Lines().At(h.Lines().Len()-1)
		entry := Section{Heading: Heading{Level: h.Level, Title: string(bytes.TrimSpace(first.Value(source)))}, End: len(source)}
		if id, ok := h.AttributeString("id"); ok {
			if b, ok := id.([]byte); ok {
				entry.ID = string(b)
			}
		}
		entry.Start = bytes.LastIndexByte(source[:first.Start], '\n') + 1
		entry.Body = lineAfter(source, last.Stop)
		if !bytes.HasPrefix(bytes.TrimLeft(source[entry.Start:], " "), []byte("#")) {
			// over the line that underlines the title
			entry.Body = lineAfter(source, min(entry.Body+1, len(source)))
		}
		found = append(found, entry)
	}
	for i := range found {
		for _, next := range found[i+1:] {
			if next.Level <= found[i].Level {
				found[i].End = next.Start
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

// String is a heading as a listing shows it.
func (h Heading) String() string {
	return fmt.Sprintf("%d: %s %s (%d words)", h.Line, strings.Repeat("#", h.Level), h.Title, h.Words)
}

// OutlineOf gives the headings of a Markdown text. What looks like one inside a code block is none.
func OutlineOf(text []byte) []Heading {
	source := withoutMark(text)
	all := Headings(source)
	found := make([]Heading, len(all))
	line, at := 1, 0
	for i, h := range all {
		line += bytes.Count(source[at:h.Start], []byte{'\n'})
		at = h.Start
		end := len(source)
		if i+1 < len(all) {
			end = all[i+1].Start
		}
		found[i] = h.Heading
		found[i].Line, found[i].Words = line, prose.Count(string(source[min(h.Body, end):end]))
	}
	return found
}

// withoutMark is a text with spaces in the place of the mark that some editors begin a file with. goldmark
// would take that for a letter, and the first heading for none.
func withoutMark(text []byte) []byte {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return append([]byte("   "), text[len(byteOrderMark):]...)
	}
	return text
}
