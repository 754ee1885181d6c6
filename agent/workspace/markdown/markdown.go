// Package markdown splits a text by its lines and headings, and does three-way merges. It does not use files.
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
	Words int    // in the text under it, up to the next heading of any level
}

// Section is a heading with the offsets of it and of the text under it, in bytes.
type Section struct {
	Heading     // without its line and its words
	Start   int // where its line begins
	Body    int // where the text under it begins
	End     int // where the next heading of its level or a higher one begins, or the text ends
}

// markdown parses headings with their ids, such as `## Any title {#id}`. It only parses blocks: inline
// parsing takes quadratic time for some texts.
var markdown = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	p.AddOptions(parser.WithHeadingAttribute())
	return p
})

// Headings finds the headings of a text, except in code.
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
			// skip the line that underlines the title
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

// lineAfter returns where the next line after a position begins.
func lineAfter(source []byte, pos int) int {
	if pos > 0 && source[pos-1] == '\n' {
		return pos
	}
	if i := bytes.IndexByte(source[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(source)
}

// String formats a heading as in a listing.
func (h Heading) String() string {
	return fmt.Sprintf("%d: %s %s (%d words)", h.Line, strings.Repeat("#", h.Level), h.Title, h.Words)
}

// OutlineOf returns the headings of a Markdown text, except in code blocks.
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

// withoutMark replaces the byte order mark, with which some editors begin a file, by spaces. goldmark would
// treat it as a letter, and miss the first heading.
func withoutMark(text []byte) []byte {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return append([]byte("   "), text[len(byteOrderMark):]...)
	}
	return text
}
