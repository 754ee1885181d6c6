package export

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// body is a report's Markdown laid out.
type body struct {
	title    string        // the heading that the report begins with, or ""
	lead     template.HTML // what it says first, sanitised
	html     template.HTML // the rest
	headings []heading
	listed   map[string]bool // sources that have a row in the report's own references
	citing   *citing         // what is known of its citations
}

// layOut renders a report. Over the budget, it returns a part and an error that [bounds.Over] knows.
func layOut(ctx context.Context, r report, lang lang, form form) (body, error) {
	citing := &citing{
		links: r.Links, sources: map[string]workspace.Source{}, places: map[string]int{},
		listed:   map[string]bool{},
		numbered: map[workspace.Ref]note{},
		quoted:   map[ast.Node]string{}, times: map[int]int{}, inWord: map[int]int{}, lang: lang, form: form,
	}
	if form == print {
		citing.words = wordsOf(r.Text)
	}
	for _, s := range r.Sources {
		citing.sources[s.ID] = s
	}
	md := converter(citing, strings.Count(r.Text, "[^") <= bounds.MaxFootnotes)
	source := []byte(r.Text)
	doc, hard := bounds.Markdown(md.Parser(), source, parser.NewContext(parser.WithIDs(ids{})))
	if doc == nil {
		return body{citing: citing}, hard
	}
	out := body{title: liftTitle(doc, source), headings: outline(doc, source), listed: citing.listed,
		citing: citing}
	parts := []struct {
		doc ast.Node
		to  *template.HTML
	}{{liftLead(doc, source), &out.lead}, {doc, &out.html}}
	for _, part := range parts {
		var page bytes.Buffer
		err := md.Renderer().Render(&page, source, part.doc)
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return body{}, fmt.Errorf("laying out the report: %w", err)
		}
		*part.to = template.HTML(sanitised(page.String()))
	}
	return out, hard
}

// converter returns goldmark as needed here. It keeps what it learns of a report, and serves only that one.
func converter(citing *citing, footnotes bool) goldmark.Markdown {
	extensions := []goldmark.Extender{
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough, extension.Linkify, extension.TaskList,
		extension.NewCJK(extension.WithEastAsianLineBreaks(extension.EastAsianLineBreaksCSS3Draft),
			extension.WithEscapedSpace()),
	}
	if footnotes {
		extensions = append(extensions, extension.Footnote)
	}
	return goldmark.New(
		goldmark.WithExtensions(extensions...),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(), parser.WithHeadingAttribute(), bounds.Inline(),
			parser.WithInlineParsers( // those of goldmark begin at 100
				util.Prioritized(citationParser{}, 50), util.Prioritized(emphasisParser{}, 70),
			),
			// after the footnotes have found their place
			parser.WithASTTransformers(util.Prioritized(citing, 1000), util.Prioritized(alerts{}, 1001)),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(inert{}, 100))),
	)
}

// liftTitle removes the heading that a report begins with, and returns it for the title block.
func liftTitle(doc ast.Node, source []byte) string {
	h, ok := doc.FirstChild().(*ast.Heading)
	if !ok || h.Level != 1 {
		return ""
	}
	doc.RemoveChild(doc, h)
	return plain(h, source)
}

// abstractName matches the heading of a section that gives the answer.
var abstractName = regexp.MustCompile(`(?i)^[\d.\s]*(?:abstract|(?:executive )?summary|(?:short )?answer|in short|摘要|执行摘要|` +
	`内容提要|概要|结论|答案|回答|简答)[\s:：]*$`)

// liftLead takes out of a report what it says first: everything above its first heading, and its abstract or,
// if it begins with another heading, its first section. Of a long abstract it takes leading parts under their
// own headings while they are short; a section of another name counts only if it is as short as an answer.
func liftLead(doc ast.Node, source []byte) ast.Node {
	const longLead, longAnswer = 800, 150 // words, or Chinese characters
	lead, count, most := ast.NewDocument(), 0, longLead
	var first *ast.Heading
	for n := doc.FirstChild(); n != nil && first == nil; n = n.NextSibling() {
		first, _ = n.(*ast.Heading)
	}
	var end ast.Node // the first node that stays
	if first != nil {
		end = first
	}
	isAbstract := first != nil && isAbstract(first, source)
	if !isAbstract {
		most = longAnswer
	}
	for n := end; n != nil && (isAbstract || first == doc.FirstChild()); n = n.NextSibling() {
		h, isHeading := n.(*ast.Heading)
		if !isHeading {
			count += prose.Count(plain(n, source))
			continue
		}
		isOver := h != first && h.Level <= first.Level
		if 0 < count && count <= most && (isAbstract || isOver) {
			end = n
		}
		if count > most || isOver {
			break
		}
	}
	for doc.FirstChild() != end {
		lead.AppendChild(lead, doc.FirstChild())
	}
	return lead
}

// isAbstract reports whether a heading is that of a report's abstract, by its id or its name.
func isAbstract(h *ast.Heading, source []byte) bool {
	return idOf(h) == "abstract" || abstractName.MatchString(plain(h, source))
}

// plain returns the text of a node without its marks, citations and line breaks.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.Write(c.Segment.Value(source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(c.Value)
		case *ast.AutoLink:
			out.Write(c.Label(source))
		case *citation:
			if c.word != nil {
				out.Write(c.word.Value(source))
			}
		case *ast.RawHTML:
		default:
			out.WriteString(plain(c, source))
		}
	}
	return strings.TrimSpace(string(util.UnescapePunctuations(
		util.ResolveEntityNames(util.ResolveNumericReferences([]byte(out.String()))))))
}

// heading is a line of the table of contents.
type heading struct {
	Level int // 2 or 3
	ID    string
	Text  string
}

// outline lists the headings of the second and third level; those of the first count as second.
func outline(doc ast.Node, source []byte) []heading {
	var all []heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level > 3 {
			continue
		}
		if id, text := idOf(h), plain(h, source); id != "" && text != "" {
			all = append(all, heading{max(h.Level, 2), id, text})
		}
	}
	return all
}

// idOf returns the id of a heading, or "".
func idOf(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	name, _ := id.([]byte)
	return string(name)
}

// ids makes ids of headings from their letters and digits in any script; a repeated one gets a number. None
// has a colon: ids with one are the program's own.
type ids map[string]int

var (
	notInID  = regexp.MustCompile(`[^\pL\p{Nd}\pM\s\pZ_-]`)
	gapsInID = regexp.MustCompile(`[\s\pZ_-]+`)
)

// Generate makes the id of a heading from its text.
func (ids ids) Generate(value []byte, _ ast.NodeKind) []byte {
	id := gapsInID.ReplaceAllString(notInID.ReplaceAllString(strings.ToLower(string(value)), ""), "-")
	for id = cmp.Or(strings.Trim(id, "-"), "section"); ; id += "-" + strconv.Itoa(ids[id]) {
		if ids[id]++; ids[id] == 1 {
			return []byte(id)
		}
	}
}

// Put records an id that the Markdown sets itself.
func (ids ids) Put(value []byte) { ids[string(value)]++ }

// alerts makes boxes of block quotes that begin with one of GitHub's marks, such as [!WARNING].
type alerts struct{}

var alertMark = regexp.MustCompile(`^\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$`)

func (alerts) Transform(doc *ast.Document, source text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		first := n.FirstChild()
		if n.Kind() != ast.KindBlockquote || first == nil || first.Kind() != ast.KindParagraph {
			continue
		}
		if line := first.Lines().At(0); !alertMark.Match(line.Value(source.Source())) {
			continue
		}
		n.SetAttributeString("class", []byte("alert"))
		// the mark's own line
		for c, ends := first.FirstChild(), false; c != nil && !ends; c = first.FirstChild() {
			part, isText := c.(*ast.Text)
			ends = isText && part.SoftLineBreak()
			first.RemoveChild(first, c)
		}
		if !first.HasChildren() {
			n.RemoveChild(n, first)
		}
	}
}

// emphasisParser reads * and ** in Chinese, Japanese and Korean, which write no spaces: CommonMark, which
// needs spaces to tell opening from closing marks, leaves those of **重要：**文字 in the text.
type emphasisParser struct{}

// Trigger returns the characters that begin emphasis.
func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

// Parse reads a run of marks.
func (p emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	mark := parser.ScanDelimiter(line, before, 1, p)
	if mark == nil {
		return nil
	}
	after, _ := utf8.DecodeRune(line[mark.OriginalLength:])
	if mark.Char == '*' && mark.OriginalLength < len(line) && (isWide(before) || isWide(after)) {
		mark.CanOpen, mark.CanClose = flanks(before, after), flanks(after, before)
	}
	mark.Segment = segment.WithStop(segment.Start + mark.OriginalLength)
	block.Advance(mark.OriginalLength)
	pc.PushDelimiter(mark)
	return mark
}

// flanks reports whether marks may belong to what is on their inner side.
func flanks(outer, inner rune) bool {
	return !unicode.IsSpace(inner) &&
		(!isMark(inner) || unicode.IsSpace(outer) || isMark(outer) || isWide(outer))
}

// isMark reports whether a character is punctuation of a language that writes spaces.
func isMark(r rune) bool { return !isWide(r) && (unicode.IsPunct(r) || unicode.IsSymbol(r)) }

// isWide reports whether a character is of a script that writes no spaces, or of its punctuation.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}

func (emphasisParser) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

// CanOpenCloser reports whether two marks fit.
func (emphasisParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch makes the node of a pair: 1 is emphasis, 2 is strong.
func (emphasisParser) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }
