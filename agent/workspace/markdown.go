package workspace

import (
	"bytes"
	"slices"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
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

// markdown reads headings with their ids, as `## Any title {#id}` gives them. It parses blocks alone: what stands in a line matters to no
// heading, and some texts take time that grows with the square of their length.
var markdown = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	p.AddOptions(parser.WithHeadingAttribute())
	return p
})

// headings finds the headings of a text. What looks like one inside a code block is none, which is why this is goldmark's work.
func headings(source []byte) []heading {
	if found, known := outlines.find(source); known {
		return found
	}
	found := readHeadings(source)
	outlines.keep(source, found)
	return slices.Clone(found)
}

// outlines are those of the texts that were looked at last: one update of a dashboard looks a dozen times at what was, is and is to be there.
var outlines outlineMemo

type outlineMemo struct {
	mu   sync.Mutex
	kept [8]struct {
		source []byte
		found  []heading
	}
	next int
}

// longestOutlined is how long a text may be of which the outline is kept: no dashboard is longer.
const longestOutlined = MaxDashboard + programsRoom

func (m *outlineMemo) find(source []byte) ([]heading, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.kept {
		if k.source != nil && bytes.Equal(k.source, source) {
			return slices.Clone(k.found), true
		}
	}
	return nil, false
}

func (m *outlineMemo) keep(source []byte, found []heading) {
	if len(source) == 0 || len(source) > longestOutlined {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[m.next].source, m.kept[m.next].found = bytes.Clone(source), found
	m.next = (m.next + 1) % len(m.kept)
}

// readHeadings is headings without a look at the outlines.
func readHeadings(source []byte) []heading {
	doc := markdown().Parse(text.NewReader(shallow(source)))
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
			entry.body = lineAfter(source, min(entry.body+1, len(source))) // over the line that underlines the title
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

// maxNested is how many bytes of marks of quotes and lists may begin a line. No person nests them so deep, and each costs time in every
// line that follows.
const maxNested = 200

// shallow is a text without lines that nest deeper; where they stood, there are letters. They hold no heading of the text's own.
func shallow(source []byte) []byte {
	copied := false
	for at := 0; at < len(source); at = lineAfter(source, at+1) {
		line := source[at:min(len(source), at+maxNested)]
		if len(line) < maxNested || len(bytes.TrimLeft(line, "> \t-*+.)0123456789")) > 0 {
			continue
		}
		if !copied {
			source, copied = bytes.Clone(source), true
		}
		end := lineAfter(source, at+1)
		for i := at; i < end; i++ {
			if source[i] != '\n' && source[i] != '\r' {
				source[i] = 'x'
			}
		}
	}
	return source
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
