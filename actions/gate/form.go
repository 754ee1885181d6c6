package gate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// form requires a report that exists, has words, and is proper GitHub Markdown: one title, headings without
// jumps, whole tables, closed code, links and pictures with valid targets, no line that is a bare address.
// What a program can fix without touching a word is left to [Tidy].
func form(_ context.Context, r Report) string {
	if r.Missing != nil {
		do := "Write it first, then name it in result"
		if r.File != workspace.ReportFile && r.Exists != nil && r.Exists(workspace.ReportFile) {
			do = "If " + workspace.ReportFile + " is the report, name that in result"
		}
		return fmt.Sprintf("there is no report. %s. %s", r.Missing, do)
	}
	if prose.Count(r.Text) == 0 {
		return fmt.Sprintf("%s is empty. Write the report from the chapters first", r.File)
	}
	d, err := r.document()
	if err != nil {
		return fmt.Sprintf("%s cannot be read as Markdown in bearable time: %s. Write that place again in "+
			"plain paragraphs, lists and tables", r.File, err)
	}
	f := former{document: d, exists: r.Exists}
	f.targets = f.anchors()
	f.headings()
	f.blocks()
	told := list(f.faults, fmt.Sprintf("%s is not in good order as Markdown:", r.File))
	return strings.TrimSuffix(told, "\n")
}

// former collects the faults of a document.
type former struct {
	document
	exists  func(string) bool
	targets map[string]bool // anchors
	faults  []string
}

func (f *former) fault(line int, format string, with ...any) {
	f.faults = append(f.faults, fmt.Sprintf("line %d: %s", line, fmt.Sprintf(format, with...)))
}

func (f *former) headings() {
	if len(f.sections) == 0 || f.sections[0].level != 1 || f.first().Kind() != ast.KindHeading {
		f.fault(1, "a report begins with its title, a line such as \"# Title\"")
	}
	last := 0
	for i, s := range f.sections {
		switch {
		case plainTitle(s.title) == "":
			f.fault(s.line, "the heading is empty")
		case s.level == 1 && i > 0:
			f.fault(s.line, "%q is a second title: a report has one \"#\", its sections have \"##\"",
				plainTitle(s.title))
		case last > 0 && s.level > last+1:
			f.fault(s.line, "the heading %q jumps from level %d to %d: give it %d #", plainTitle(s.title),
				last, s.level, last+1)
		}
		last = s.level
	}
}

// first returns the first visible block.
func (f *former) first() ast.Node {
	n := f.root.FirstChild()
	for n.NextSibling() != nil {
		html, ok := n.(*ast.HTMLBlock)
		if ok && !isRemark(html.Lines().Value(f.source)) ||
			!ok && n.Kind() != ast.KindLinkReferenceDefinition {
			break
		}
		n = n.NextSibling()
	}
	return n
}

func (f *former) blocks() {
	line := 1
	bounds.Inspect(f.root, func(n ast.Node) bool {
		if n.Type() == ast.TypeBlock && n.Pos() >= 0 {
			line = f.lineOf(n)
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			f.fence(n, line)
		case *east.Table:
			f.table(n)
		case *ast.Heading, *ast.Paragraph, *ast.TextBlock:
			f.lines(n.Lines(), quotes(n))
		case *ast.Link:
			if !quotes(n) { // a quote is literal, and its links are relative to its source
				f.target("a link", string(n.Destination), line)
			}
		case *ast.Image:
			if !quotes(n) {
				f.target("a picture", string(n.Destination), line)
			}
		case *ast.HTMLBlock:
			f.markup(n.Lines().Value(f.source), line, quotes(n))
		case *ast.RawHTML:
			f.markup(n.Segments.Value(f.source), line, quotes(n))
		}
		return true
	})
}

// fence requires code to be closed: unclosed code swallows the rest of the report.
func (f *former) fence(n *ast.FencedCodeBlock, line int) {
	after := f.offset(line + 1)
	if lines := n.Lines(); lines.Len() > 0 {
		after = lines.At(lines.Len() - 1).Stop
	}
	rest := f.source[min(after, len(f.source)):]
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	next = bytes.TrimLeft(next, " >\t")
	if !bytes.HasPrefix(next, []byte("```")) && !bytes.HasPrefix(next, []byte("~~~")) {
		f.fault(line, "the code that begins here is never closed: end it with a line of ```")
	}
}

// table refuses rows with more cells than columns: the extra ones are not shown.
func (f *former) table(n *east.Table) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		at := row.Pos()
		if row.Kind() != east.KindTableRow || at < 0 || at > len(f.source) {
			continue
		}
		line, _, _ := bytes.Cut(f.source[at:], []byte("\n"))
		if got, columns := cells(string(line)), len(n.Alignments); got > columns {
			f.fault(f.lineOf(row), "this row of the table has %d cells and the table %d columns",
				got, columns)
		}
	}
}

// cells counts the cells of a row.
func cells(row string) int {
	row = strings.TrimPrefix(strings.TrimSpace(row), "|")
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		row = row[:len(row)-1]
	}
	return 1 + strings.Count(row, "|") - strings.Count(row, `\|`)
}

// lines finds lines of a paragraph that were meant to be a table but are not read as one, and lines that are
// only an address. In a quote, which is literal, only the line of dashes counts.
func (f *former) lines(lines *text.Segments, quoted bool) {
	above, row := "", 0
	for i := range lines.Len() {
		at := lines.At(i)
		line, number := strings.TrimSpace(string(at.Value(f.source))), f.lineAt(at.Start)
		switch {
		case strings.Trim(line, "|-: ") == "" && strings.Contains(line, "|") && strings.Contains(line, "-"):
			f.dashes(number, above, line)
			return
		case quoted:
		case isRow(line) && (isRow(above) || strings.HasPrefix(line, "| ") && strings.HasSuffix(line, " |")):
			row = cmp.Or(row, number)
		case bareAddress.MatchString(line):
			f.fault(number,
				"the line is a bare address: write [title](address), or put it between backticks "+
					"if it is to be copied")
		}
		above = line
	}
	if row > 0 {
		f.fault(row,
			"this row is not read as a table: a table needs a line such as | --- | --- | below its head, "+
				"and no blank line within")
	}
}

// dashes explains why a line of dashes does not turn the line above it into a table.
func (f *former) dashes(number int, head, dashes string) {
	has, columns := 0, cells(dashes)
	if head != "" {
		has = cells(head)
	}
	if has == columns {
		f.fault(number, "this is not read as a table: write the line of dashes as | --- | --- |")
		return
	}
	f.fault(number,
		"this is not read as a table: the line of dashes needs as many cells as the head above it, "+
			"which has %d and not %d", has, columns)
}

// isRow reports whether a line looks like the row of a table.
func isRow(line string) bool { return strings.HasPrefix(line, "|") && cells(line) > 1 }

// bareAddress matches a line that is only the address of a page.
var bareAddress = regexp.MustCompile(`^[<(]?(?:https?://|ftp://|www\.)[^\s\p{Han}]+$`)

// hostless lists the schemes of addresses without a host.
var hostless = []string{"mailto", "tel", "doi", "urn", "xmpp"}

// target requires a valid target for a link or picture.
func (f *former) target(what, to string, line int) {
	address, err := url.Parse(to)
	switch {
	case to == "":
		f.fault(line, "%s has no target: write [title](address)", what)
	case err != nil:
		f.fault(line, "the target of %s is no address: %q", what, to)
	case address.Scheme != "":
		if address.Host == "" && (address.Opaque == "" || !slices.Contains(hostless, address.Scheme)) {
			f.fault(line, "the target of %s is no address: %q", what, to)
		}
	case address.Path == "" && address.Fragment != "":
		if !f.targets[strings.ToLower(address.Fragment)] {
			f.fault(line, "%s leads to #%s, and no heading has that id", what, address.Fragment)
		}
	case f.exists != nil && address.Path != "" && address.Host == "" && !f.exists(address.Path):
		f.fault(line, "%s leads to %s, and there is no such file: name one that is there, or take it out",
			what, address.Path)
	}
}

// quotes reports whether a node is in a quotation block.
func quotes(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return false
}

// shownTags lists the tags whose text GitHub shows; all others hide their text or themselves.
var shownTags = strings.Fields(
	`a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd
	del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd
	li main mark nav ol p picture pre q rp rt ruby s samp section small source span strike strong sub
	summary sup table tbody td tfoot th thead time tr tt u ul var wbr`)

var (
	remark  = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	openTag = regexp.MustCompile(`<(?:/?([A-Za-z][A-Za-z0-9-]*)|[?!])`)
)

// leads matches the target of a link or picture in HTML.
var leads = regexp.MustCompile(
	`(?i)<(a|img)\s(?:[^>]*\s)?(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

// markup requires HTML that is shown and, outside quotes, links and pictures with valid targets.
func (f *former) markup(source []byte, line int, quoted bool) {
	text := remark.ReplaceAllString(string(source), "")
	for _, m := range leads.FindAllStringSubmatch(text, -1) {
		what := "a link"
		if strings.EqualFold(m[1], "img") {
			what = "a picture"
		}
		if !quoted {
			f.target(what, html.UnescapeString(m[2]+m[3]+m[4]), line)
		}
	}
	for _, at := range openTag.FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 && slices.Contains(shownTags, strings.ToLower(text[at[2]:at[3]])) {
			continue
		}
		shown, _, _ := strings.Cut(strings.TrimSpace(text[at[0]:]), "\n")
		f.fault(line, "%q is HTML, which is not shown: write Markdown, or put it between backticks",
			prose.Shorten(shown, 40))
		return
	}
}

// isRemark reports whether a piece of HTML is only comments, which are not meant to be seen.
func isRemark(html []byte) bool {
	return strings.TrimSpace(remark.ReplaceAllString(string(html), "")) == ""
}
