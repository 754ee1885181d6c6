package export

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	citations "github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var kindCitation, kindGlue = ast.NewNodeKind("Citation"), ast.NewNodeKind("Glue")

// citation is [s3.12], [s3] or [s3, s7] in a report.
type citation struct {
	ast.BaseInline
	text    string  // between the brackets
	marks   []mark  // a mark for each id, when they may be links
	row     string  // the source whose row of the references this begins, or ""
	bare    bool    // it is written as the numbers of its notes, without brackets
	follows bool    // another bare one is before it
	citing  *citing // what is known of the sources, once the whole report was read
}

// mark is one id in a citation, as the nth that the report has of its source, and the timesth of its note.
type mark struct {
	ref        workspace.Ref
	nth, times int
	note       note // its number is 0 when no passage is known
}

func (*citation) Kind() ast.NodeKind { return kindCitation }

func (c *citation) Dump(source []byte, level int) {
	ast.DumpHelper(c, source, level, map[string]string{"Text": c.text}, nil)
}

var sourceID = regexp.MustCompile(`\b[sS][1-9][0-9]*(?:\.[1-9][0-9]{0,5})?`)

// citationParser finds citations. One that is a link is left to the parser of links, and looked at again when
// all is read.
type citationParser struct{}

// Trigger names the character that begins it. Brackets beyond ASCII, as in 【s1】, stay text.
func (citationParser) Trigger() []byte { return []byte{'['} }

// Parse reads a citation.
func (citationParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	n := workspace.MarkHere(line)
	if n == 0 || bytes.HasPrefix(line[n:], []byte("(")) {
		return nil
	}
	block.Advance(n)
	_, closing := utf8.DecodeLastRune(line[:n]) // it may be of full width
	return &citation{text: string(line[1 : n-closing])}
}

// citing gives each citation of a report its number, and the rows of the references their names.
type citing struct {
	sources  map[string]workspace.Source
	links    map[workspace.Ref]citations.Link
	places   map[string]int  // how often each is cited
	listed   map[string]bool // those that have a row
	numbered map[workspace.Ref]note
	times    map[int]int // how often each note is cited
	notes    []note
	words    string // of the report, where its notes do without what it quotes
	lang     lang
	form     form

	inReferences bool // the heading above is that of the references
}

func (c *citing) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	c.number(doc, reader.Source(), false)
}

// number numbers the citations of a node. Those within a link stay text: a link cannot stand in a link.
func (c *citing) number(n ast.Node, source []byte, inLink bool) {
	for child := n.FirstChild(); child != nil; {
		next := child.NextSibling()
		switch node := child.(type) {
		case *citation:
			if !inLink {
				c.mark(node, source)
			}
		case *ast.Link:
			if cited := asCitation(node, source); cited != nil && !inLink {
				n.ReplaceChild(n, node, cited)
				c.mark(cited, source)
			} else {
				c.number(node, source, true)
			}
		case *east.Table:
			c.table(node, source)
		default:
			if h, ok := child.(*ast.Heading); ok {
				id, _ := h.AttributeString("id")
				name, _ := id.([]byte)
				c.inReferences = string(name) == referencesID
			}
			c.number(child, source, inLink)
		}
		child = next
	}
}

func (c *citing) mark(node *citation, source []byte) {
	node.citing = c
	for _, name := range sourceID.FindAllString(node.text, -1) {
		id, n, _ := strings.Cut(strings.ToLower(name), ".")
		block, _ := strconv.Atoi(n) // at most six digits, or none
		c.places[id]++
		m := mark{ref: workspace.Ref{ID: id, Block: block}, nth: c.places[id]}
		m.note = c.note(m.ref)
		c.times[m.note.N]++
		m.times = c.times[m.note.N]
		node.marks = append(node.marks, m)
	}
	node.attach(source)
}

// asCitation is the citation that somebody made a link to the source's file, as in [s3](Sources/s03.md).
func asCitation(link *ast.Link, source []byte) *citation {
	text := plain(link, source)
	if workspace.MarkHere([]byte("["+text+"]")) != len(text)+2 || webAddress(string(link.Destination)) {
		return nil
	}
	return &citation{text: text}
}
