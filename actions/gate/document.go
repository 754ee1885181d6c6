package gate

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
)

// github reads a text of Markdown as GitHub does, and also ids of headings.
func github(text string) goldmark.Markdown {
	extensions := []goldmark.Extender{extension.GFM}
	if strings.Count(text, "[^") <= bounds.MaxFootnotes {
		extensions = append(extensions, extension.Footnote)
	}
	return goldmark.New(goldmark.WithExtensions(extensions...),
		goldmark.WithParserOptions(parser.WithHeadingAttribute(), bounds.Inline()))
}

// document is a report as its parser sees it.
type document struct {
	source   []byte
	root     ast.Node
	sections []section
	newlines []int // offsets
}

// section is a heading with what is under it, up to the next heading of its level or above.
type section struct {
	level      int
	title      string
	id         string // its own, "" for none
	line       int    // of the heading, from 1
	start, end int    // of the text under it
}

// parse reads a report. One over the budget is, with an error that says so, a document of what could be read;
// see [bounds.Markdown].
func parse(source string) (document, error) {
	d := document{source: []byte(source)}
	for i := range d.source {
		if d.source[i] == '\n' {
			d.newlines = append(d.newlines, i)
		}
	}
	root, err := bounds.Markdown(github(source).Parser(), d.source, nil)
	if d.root = root; root == nil {
		d.root = ast.NewDocument()
	}
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			d.sections = append(d.sections, d.section(h))
		}
	}
	for i := range d.sections {
		for _, next := range d.sections[i+1:] {
			if next.level <= d.sections[i].level {
				d.sections[i].end = d.offset(next.line)
				break
			}
		}
	}
	return d, err
}

func (d document) section(h *ast.Heading) section {
	s := section{level: h.Level, id: explicitID(h, d.source), line: d.lineOf(h), end: len(d.source)}
	if lines := h.Lines(); lines.Len() > 0 {
		s.title = strings.TrimSpace(string(lines.Value(d.source)))
		s.start = lines.At(lines.Len() - 1).Stop
	} else {
		s.start = d.offset(s.line)
	}
	if end := bytes.IndexByte(d.source[s.start:], '\n'); end >= 0 {
		s.start += end + 1
	} else {
		s.start = len(d.source)
	}
	return s
}

// text is what is under a heading, those below it included.
func (d document) text(s section) string { return string(d.source[s.start:max(s.start, s.end)]) }

// lineOf is the line, from 1, of a block: of a table its head's, where the parser may give another.
func (d document) lineOf(n ast.Node) int {
	if table, ok := n.(*east.Table); ok && table.FirstChild() != nil &&
		table.FirstChild().FirstChild() != nil {
		if cell := table.FirstChild().FirstChild(); cell.Lines().Len() > 0 {
			return d.lineAt(cell.Lines().At(0).Start)
		}
	}
	return d.lineAt(n.Pos())
}

// lineAt is the line, from 1, of an offset.
func (d document) lineAt(offset int) int {
	before, _ := slices.BinarySearch(d.newlines, offset)
	return 1 + before
}

// offset is where a line begins.
func (d document) offset(line int) int {
	switch {
	case line <= 1:
		return 0
	case line-2 < len(d.newlines):
		return d.newlines[line-2] + 1
	}
	return len(d.source)
}

// abstractNames are what an abstract may be called.
var abstractNames = regexp.MustCompile(
	`(?i)^[\d.\s]*(abstract|(executive )?summary|摘要|执行摘要|内容提要|概要)\b*[\s:：]*$`)

// abstract is the section of that name, or what is between the title and the first section without its
// tables: a table of decisions is no abstract.
func (d document) abstract() string {
	named := func(s section) bool { return s.level <= 2 && s.isAbstract() }
	if i := slices.IndexFunc(d.sections, named); i >= 0 {
		return d.text(d.sections[i])
	}
	i := slices.IndexFunc(d.sections, func(s section) bool { return s.level == 1 })
	if i < 0 {
		return ""
	}
	s := d.sections[i]
	if s.end = len(d.source); i+1 < len(d.sections) {
		s.end = d.offset(d.sections[i+1].line)
	}
	var text strings.Builder
	from := s.start
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		at, end := d.offset(d.lineOf(n)), s.end
		if n.NextSibling() != nil {
			end = d.offset(d.lineOf(n.NextSibling()))
		}
		if n.Kind() == east.KindTable && at >= from && at < s.end {
			text.Write(d.source[from:at])
			from = min(end, s.end)
		}
	}
	text.Write(d.source[min(from, s.end):s.end])
	return text.String()
}

// Abstract is the abstract of the report; "" for none, or over the budget of [bounds.Markdown].
func (r Report) Abstract() string {
	d, err := r.document()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(d.abstract())
}

// isAbstract says whether a section is the abstract.
func (s section) isAbstract() bool {
	return s.id == "abstract" || namesAbstract(plainTitle(s.title))
}

// namesAbstract says whether a title, or one of those that a slash parts, is an abstract's.
func namesAbstract(title string) bool {
	return slices.ContainsFunc(strings.Split(title, " / "), abstractNames.MatchString)
}

// plainTitle is a heading's text without its attributes and marks.
func plainTitle(title string) string {
	if i := strings.LastIndex(title, "{#"); i >= 0 && strings.HasSuffix(title, "}") {
		title = title[:i]
	}
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(title), "#*_ "))
}

// anchors are where a link within a report can lead: headings by GitHub's id and their own, and HTML.
func (d document) anchors() map[string]bool {
	found, repeats := map[string]bool{}, map[string]int{}
	bounds.Inspect(d.root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Heading:
			found[strings.ToLower(explicitID(n, d.source))] = true
			slug := slugOf(plainTitle(shownText(n, d.source)))
			unique := slug
			for found[unique] {
				repeats[slug]++
				unique = fmt.Sprintf("%s-%d", slug, repeats[slug])
			}
			found[unique] = true
		case *ast.HTMLBlock:
			named(n.Lines().Value(d.source), found)
		case *ast.RawHTML:
			named(n.Segments.Value(d.source), found)
		}
		return true
	})
	return found
}

var ownID = regexp.MustCompile(`\{#([^\s{}]+)[^{}]*\}\s*$`)

// explicitID is the id behind a title; "" for none. The parser knows those of ASCII letters only.
func explicitID(h *ast.Heading, source []byte) string {
	if id, ok := h.AttributeString("id"); ok {
		if b, ok := id.([]byte); ok {
			return string(b)
		}
	}
	if m := ownID.FindSubmatch(h.Lines().Value(source)); m != nil {
		return string(m[1])
	}
	return ""
}

// shownText is what a reader sees of a heading.
func shownText(h *ast.Heading, source []byte) string {
	var out strings.Builder
	bounds.Inspect(h, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Image, *ast.RawHTML:
			return false
		case *ast.Text:
			out.Write(n.Value(source))
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(source))
		}
		return true
	})
	return html.UnescapeString(out.String())
}

// slugOf is the id that GitHub makes of a title, in any script.
func slugOf(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

var namedAnchor = regexp.MustCompile(`(?i)\s(?:id|name)\s*=\s*["']?([^\s"'>]+)`)

func named(markup []byte, found map[string]bool) {
	for _, m := range namedAnchor.FindAllSubmatch(markup, -1) {
		found[strings.ToLower(string(m[1]))] = true
	}
}
