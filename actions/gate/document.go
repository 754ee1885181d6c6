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

// github returns a parser for GitHub Markdown that also reads heading ids.
func github(text string) goldmark.Markdown {
	extensions := []goldmark.Extender{extension.GFM}
	if strings.Count(text, "[^") <= bounds.MaxFootnotes {
		extensions = append(extensions, extension.Footnote)
	}
	return goldmark.New(goldmark.WithExtensions(extensions...),
		goldmark.WithParserOptions(parser.WithHeadingAttribute(), bounds.Inline()))
}

// document is a parsed report.
type document struct {
	source   []byte
	root     ast.Node
	sections []section
	newlines []int // offsets
}

// section is a heading with the text under it, up to the next heading of its level or above.
type section struct {
	level      int
	title      string
	id         string // its explicit id, "" for none
	line       int    // of the heading, from 1
	start, end int    // of the text under it
}

// parse parses a report. If one exceeds the limits of [bounds.Markdown], it returns what could be read with
// an error that says so.
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

// text returns the text under a heading, including its subsections.
func (d document) text(s section) string { return string(d.source[s.start:max(s.start, s.end)]) }

// lineOf returns the line of a block, from 1: of a table its head's, where the parser may give another.
func (d document) lineOf(n ast.Node) int {
	if table, ok := n.(*east.Table); ok && table.FirstChild() != nil &&
		table.FirstChild().FirstChild() != nil {
		if cell := table.FirstChild().FirstChild(); cell.Lines().Len() > 0 {
			return d.lineAt(cell.Lines().At(0).Start)
		}
	}
	return d.lineAt(n.Pos())
}

// lineAt returns the line of an offset, from 1.
func (d document) lineAt(offset int) int {
	before, _ := slices.BinarySearch(d.newlines, offset)
	return 1 + before
}

// offset returns the offset at which a line begins.
func (d document) offset(line int) int {
	switch {
	case line <= 1:
		return 0
	case line-2 < len(d.newlines):
		return d.newlines[line-2] + 1
	}
	return len(d.source)
}

// abstractNames matches the titles of abstracts.
var abstractNames = regexp.MustCompile(
	`(?i)^[\d.\s]*(abstract|(executive )?summary|摘要|执行摘要|内容提要|概要)\b*[\s:：]*$`)

// abstract returns the text of the abstract section, or what is between the title and the first section
// without its tables: a table of decisions is no abstract.
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

// Abstract returns the abstract of the report; "" for none, or above the limits of [bounds.Markdown].
func (r Report) Abstract() string {
	d, err := r.document()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(d.abstract())
}

// isAbstract reports whether a section is the abstract.
func (s section) isAbstract() bool {
	return s.id == "abstract" || namesAbstract(plainTitle(s.title))
}

// namesAbstract reports whether a title, or one of several separated by slashes, is an abstract's.
func namesAbstract(title string) bool {
	return slices.ContainsFunc(strings.Split(title, " / "), abstractNames.MatchString)
}

// plainTitle returns a heading's text without its attributes and marks.
func plainTitle(title string) string {
	if i := strings.LastIndex(title, "{#"); i >= 0 && strings.HasSuffix(title, "}") {
		title = title[:i]
	}
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(title), "#*_ "))
}

// anchors returns the link targets within a report: GitHub's ids of headings, explicit ids, and HTML.
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

// explicitID returns the id after a title, "" for none. The parser only knows those in ASCII.
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

// shownText returns the visible text of a heading.
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

// slugOf returns the id that GitHub makes from a title, in any script.
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
