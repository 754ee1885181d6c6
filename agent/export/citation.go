package export

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	citations "github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var kindCitation = ast.NewNodeKind("Citation")

// citation is [s3.12], [s3] or [s3, s7] in a report.
type citation struct {
	ast.BaseInline
	text   string        // between the brackets
	marks  []mark        // a mark for each id, if they may be links
	row    string        // the source whose row of the references this begins, or ""
	bare   bool          // shown as the numbers of its notes, without brackets
	word   *text.Segment // kept on one line with a bare one: browsers break lines before buttons
	citing *citing       // set once the whole report was read
}

// mark is one id in a citation: the nth for its source in the report, and the timesth for its note.
type mark struct {
	ref        workspace.Ref
	nth, times int
	note       note // its number is 0 if no passage is known
	repeats    bool // the quotation, row or code that it ends holds all of the passage
}

func (*citation) Kind() ast.NodeKind { return kindCitation }

func (c *citation) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

var sourceID = regexp.MustCompile(`\b[sS][1-9][0-9]*(?:\.[1-9][0-9]{0,5})?`)

// citationParser finds citations. It leaves one that is a link to the parser of links; number looks at it
// later.
type citationParser struct{}

// Trigger returns the character that begins a citation. Non-ASCII brackets, as in 【s1】, stay text.
func (citationParser) Trigger() []byte { return []byte{'['} }

// Parse reads a citation.
func (citationParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	n := workspace.MarkHere(line)
	if n == 0 || bytes.HasPrefix(line[n:], []byte("(")) {
		return nil
	}
	block.Advance(n)
	_, closing := utf8.DecodeLastRune(line[:n]) // it may be full-width
	return &citation{text: string(line[1 : n-closing])}
}

// citing numbers the citations of a report, and names the rows of its references.
type citing struct {
	sources  map[string]workspace.Source
	links    map[workspace.Ref]citations.Link
	places   map[string]int  // how often each is cited
	listed   map[string]bool // those that have a row
	numbered map[workspace.Ref]note
	quoted   map[ast.Node]string // the words of quotations and rows, "" for a long one
	times    map[int]int         // how often each note is cited
	notes    []note
	inWord   map[int]int // the numbers of Word's footnotes so far, by the note's number
	words    string      // of the report, if its notes leave out what it quotes: in print
	lang     lang
	form     form

	inReferences bool // the heading above is that of the references
}

func (c *citing) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	c.number(doc, reader.Source())
}

// number numbers the citations of a node. Those within a link stay text: links cannot be nested.
func (c *citing) number(n ast.Node, source []byte) {
	for child := n.FirstChild(); child != nil; {
		next := child.NextSibling()
		switch node := child.(type) {
		case *citation:
			c.mark(node, source)
		case *ast.Link:
			if cited := asCitation(node, source); cited != nil {
				n.ReplaceChild(n, node, cited)
				c.mark(cited, source)
			}
		case *east.Table:
			c.table(node, source)
		case *ast.Heading:
			c.inReferences = idOf(node) == referencesID
			c.number(node, source)
		default:
			c.number(child, source)
		}
		child = next
	}
}

func (c *citing) mark(node *citation, source []byte) {
	node.citing = c
	quoted := c.around(node, source)
	for _, name := range sourceID.FindAllString(node.text, -1) {
		id, n, _ := strings.Cut(strings.ToLower(name), ".")
		block, _ := strconv.Atoi(n) // at most six digits, or none
		c.places[id]++
		m := mark{ref: workspace.Ref{ID: id, Block: block}, nth: c.places[id]}
		m.note = c.note(m.ref)
		c.times[m.note.N]++
		m.times = c.times[m.note.N]
		m.repeats = m.note.passage != "" && strings.Contains(quoted, wordsOf(m.note.passage))
		node.marks = append(node.marks, m)
	}
	node.attach(source)
}

// longQuotation bounds, in bytes, the quotations that are searched for the passages that they cite.
const longQuotation = 20_000

// around returns the words of the quotation or table row that a citation ends, or of the code below it.
func (c *citing) around(n ast.Node, source []byte) string {
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.(type) {
		case *ast.Blockquote, *east.TableRow:
			words, known := c.quoted[p]
			if !known {
				var parts []string
				for child := p.FirstChild(); child != nil; child = child.NextSibling() {
					parts = append(parts, plain(child, source))
				}
				if words = wordsOf(strings.Join(parts, " ")); len(words) > longQuotation {
					words = ""
				}
				c.quoted[p] = words
			}
			return words
		case *ast.Paragraph:
			if code, ok := p.NextSibling().(*ast.FencedCodeBlock); ok {
				return wordsOf(string(code.Lines().Value(source)))
			}
		}
	}
	return ""
}

// asCitation returns a link to a source's file, such as [s3](Sources/s03.md), as a citation, or nil.
func asCitation(link *ast.Link, source []byte) *citation {
	text := plain(link, source)
	if workspace.MarkHere([]byte("["+text+"]")) != len(text)+2 || webAddress(string(link.Destination)) {
		return nil
	}
	return &citation{text: text}
}

// referencesID identifies the heading of the list of references that the program writes.
const referencesID = "references"

// table numbers the citations of a table. It makes the rows of a table of references link targets.
func (c *citing) table(table *east.Table, source []byte) {
	if !c.inReferences {
		for _, t := range turned(table, source, c.form) {
			c.number(t, source)
		}
		return
	}
	table.SetAttributeString("class", []byte("references"))
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if !c.takeRow(row, source) {
			c.number(row, source)
		}
	}
}

// takeRow names a row after its source, which is in the first cell that holds nothing but an id.
func (c *citing) takeRow(row ast.Node, source []byte) bool {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		id := idAlone(cell, source)
		if id == "" || c.listed[id] {
			continue
		}
		c.listed[id] = true
		cell.RemoveChildren(cell)
		cell.AppendChild(cell, &citation{row: id, text: id, citing: c})
		return true
	}
	return false
}

// idAlone returns the source of a cell that names nothing else, as s3, [s3] or [s3](Sources/s03.md).
func idAlone(cell ast.Node, source []byte) string {
	text := plain(cell, source)
	if only, ok := cell.FirstChild().(*citation); ok && only.NextSibling() == nil {
		text = only.text
	}
	if id := strings.Trim(text, "[]"); sourceID.FindString(id) == id {
		return id
	}
	return ""
}

// webAddress reports whether an address leads to the web.
func webAddress(url string) bool {
	lower := strings.ToLower(url)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}

// note is a cited passage: a card on a screen, at the end on paper, at the foot of the page in Word.
type note struct {
	N       int
	Ref     workspace.Ref
	passage string
	title   string // of its source, and the place there
	address string // on the web, or ""
}

// printedPage matches a page number as the passages of a PDF name it.
var printedPage = regexp.MustCompile(`^p\. (\d+)`)

// from names a source and a place in it, as the language sets them.
func (l lang) from(title, place string) string {
	if !strings.ContainsAny(title, "《》") && title != "" {
		title = l.Say(title, "《"+title+"》")
	}
	if place != "" {
		title += l.Say(", ", "，") + printedPage.ReplaceAllString(place, l.Say("p. $1", "第 $1 页"))
	}
	return title
}

// note returns the passage that a citation names; its number is 0 if none is known.
func (c *citing) note(ref workspace.Ref) note {
	n, known := c.numbered[ref]
	link, source := c.links[ref], c.sources[ref.ID]
	if known || link.Passage == "" || source.ID == "" {
		return n
	}
	n = note{N: len(c.notes) + 1, Ref: ref, passage: link.Passage,
		title: c.lang.from(tooltip(source), link.Place)}
	if strings.Contains(c.words, wordsOf(link.Passage)) {
		n.passage = "" // the report quotes all of it, and paper has no second place for it
		n.title = c.lang.from(tooltip(source), withoutHead(link.Place))
	}
	if webAddress(link.Address) {
		n.address = link.Address
	}
	c.notes = append(c.notes, n)
	c.numbered[ref] = n
	return n
}

// withoutHead returns a place without the head of its table, which tells nothing without the row.
func withoutHead(place string) string {
	isHead := func(part string) bool { return strings.Contains(part, " | ") }
	return strings.Join(slices.DeleteFunc(strings.Split(place, " › "), isHead), " › ")
}

// HTML returns the passage and its origin.
func (n note) HTML(lang lang) template.HTML {
	from := html.EscapeString(fmt.Sprintf(lang.Say("%s, %s", "%s，%s"), n.Ref, n.title))
	if n.address != "" {
		from = fmt.Sprintf(outward, html.EscapeString(n.address)) + from + "</a>"
	}
	if n.passage == "" {
		return template.HTML(`<span class="from">` + from + `</span>`)
	}
	return template.HTML(fmt.Sprintf(`%s <span class="from">%s%s</span>`, html.EscapeString(n.passage),
		lang.Say("— ", "——"), from))
}

// wordsOf returns the words of a text with a space around each, so that a quote is found in Markdown whatever
// its markup.
func wordsOf(text string) string {
	isMark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	return " " + strings.Join(strings.FieldsFunc(text, isMark), " ") + " "
}

// show returns a citation of a note for a screen or for print.
func (c *citing) show(m mark) string {
	n := m.note
	// The word joiner keeps a number on the line of the word before it.
	const begin = "<sup class=\"cite\">\u2060"
	if c.form == print {
		return fmt.Sprintf(begin+`<a id="cite:%s:%d" href="#note:%d">%[3]d</a></sup>`, n.Ref.ID, m.nth, n.N)
	}
	if m.repeats {
		n.passage = "" // it would cover what it repeats
	}
	return fmt.Sprintf(begin+
		`<button type="button" id="cite:%s:%d" popovertarget="card:%d:%d">%[3]d</button>`+
		`<span class="card" id="card:%[3]d:%d" popover="auto">%s</span></sup>`, n.Ref.ID, m.nth,
		n.N, m.times, n.HTML(c.lang))
}

// attach turns a citation that has only passages into numbers after the word before it, separated by commas.
func (n *citation) attach(source []byte) {
	rest := strings.Trim(sourceID.ReplaceAllString(n.text, ""), " ,;，、；")
	unknown := func(m mark) bool { return m.note.N == 0 }
	n.bare = rest == "" && len(n.marks) > 0 && !slices.ContainsFunc(n.marks, unknown)
	if !n.bare {
		return
	}
	if before, ok := n.PreviousSibling().(*ast.Text); ok && !before.HardLineBreak() {
		before.Segment = before.Segment.TrimRightSpace(source)
		before.SetSoftLineBreak(false)
		if before.Segment.IsEmpty() {
			n.Parent().RemoveChild(n.Parent(), before)
		}
	}
	switch before := n.PreviousSibling().(type) {
	case *citation:
		if before.bare {
			before.marks = append(before.marks, n.marks...)
			n.Parent().RemoveChild(n.Parent(), n)
		}
	case *ast.Text:
		if n.citing.form == screen {
			const longest = 40 // bytes; a longer word may be broken anywhere
			at := before.Segment.Stop
			if word := lastWord.Find(before.Segment.Value(source)); len(word) <= longest {
				at -= len(word)
			}
			word := before.Segment.WithStart(at)
			n.word, before.Segment = &word, before.Segment.WithStop(at)
		}
	}
}

// lastWord matches the last word of a text. A Chinese character is a word.
var lastWord = regexp.MustCompile(`(?:` + wide + `|[^\s\pZ` + wide[1:] + `+)$`)

const wide = `[\p{Han}\p{Hiragana}\p{Katakana}]`
