package gate

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Form wants a report that is there, holds words, and is GitHub Markdown in good order: one title, headings
// that do not jump, whole tables, closed code, links that lead somewhere. What a program can mend without
// touching a word is [Tidy]'s.
type Form struct{}

// Name implements Gate.
func (Form) Name() string { return "form" }

// Refuse implements Gate.
func (Form) Refuse(_ context.Context, r Report) string {
	if r.Missing != nil {
		do := "Write it first, then name it in result"
		if r.File != workspace.ReportFile && r.Exists != nil && r.Exists(workspace.ReportFile) {
			do = "If " + workspace.ReportFile + " is the report, name that in result"
		}
		return fmt.Sprintf("there is no report. %s. %s", r.Missing, do)
	}
	if prose.Count(r.Text) == 0 {
		return r.File + " is empty. Write the report from the chapters first"
	}
	d, err := r.document()
	if err != nil {
		return fmt.Sprintf("%s can not be read as Markdown in bearable time: %s. Write that place again in plain paragraphs, lists and tables", r.File, err)
	}
	f := former{document: d, exists: r.Exists, looked: map[string]bool{}}
	f.targets = f.anchors()
	f.headings()
	f.blocks()
	if len(f.faults) == 0 {
		return ""
	}
	more := ""
	if n := len(f.faults); n > maxFaults {
		more = fmt.Sprintf("\n… and %d more", n-maxFaults)
		f.faults = f.faults[:maxFaults]
	}
	return fmt.Sprintf("%s is not in good order as Markdown:\n- %s%s", r.File, strings.Join(f.faults, "\n- "), more)
}

// former collects what is wrong with a document.
type former struct {
	document
	exists  func(string) bool
	looked  map[string]bool // files that links lead to
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
			f.fault(s.line, "%q is a second title: a report has one \"#\", its sections have \"##\"", plainTitle(s.title))
		case last > 0 && s.level > last+1:
			f.fault(s.line, "the heading %q jumps from level %d to %d: give it %d #", plainTitle(s.title), last, s.level, last+1)
		}
		last = s.level
	}
}

// first is the first block that is shown.
func (f *former) first() ast.Node {
	n := f.root.FirstChild()
	for n.NextSibling() != nil {
		html, ok := n.(*ast.HTMLBlock)
		if ok && !isRemark(html.Lines().Value(f.source)) || !ok && n.Kind() != ast.KindLinkReferenceDefinition {
			break
		}
		n = n.NextSibling()
	}
	return n
}

func (f *former) blocks() {
	line := 1
	err := ast.Walk(f.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock && n.Pos() >= 0 {
			line = f.lineOf(n)
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			f.fence(n, line)
		case *east.Table:
			f.table(n)
		case *ast.Paragraph:
			f.brokenTable(n, line)
		case *ast.Link:
			if !quotes(n) { // a quote stands there to the letter, and its links lead where its source stands
				f.target(string(n.Destination), line)
			}
		case *ast.HTMLBlock:
			f.markup(n.Lines().Value(f.source), line)
		case *ast.RawHTML:
			f.markup(n.Segments.Value(f.source), line)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		f.fault(1, "it can not be read: %s", err)
	}
}

// fence wants code to be closed: one that is not swallows the rest of the report.
func (f *former) fence(n *ast.FencedCodeBlock, line int) {
	after := 0
	switch lines := n.Lines(); {
	case lines.Len() > 0:
		after = lines.At(lines.Len() - 1).Stop
	default:
		after = f.offset(line + 1)
	}
	rest := f.source[min(after, len(f.source)):]
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	next = bytes.TrimLeft(next, " >\t")
	if !bytes.HasPrefix(next, []byte("```")) && !bytes.HasPrefix(next, []byte("~~~")) {
		f.fault(line, "the code that begins here is never closed: end it with a line of ```")
	}
}

// table wants no more cells in a row than there are columns: those beyond them are not shown. Fewer are
// filled up.
func (f *former) table(n *east.Table) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		at := row.Pos()
		if row.Kind() != east.KindTableRow || at < 0 || at > len(f.source) {
			continue
		}
		text, _, _ := bytes.Cut(f.source[at:], []byte("\n"))
		if got, columns := cells(string(text)), len(n.Alignments); got > columns {
			f.fault(f.lineOf(row), "this row of the table has %d cells and the table %d columns", got, columns)
		}
	}
}

// cells counts the cells of a row: bars that no backslash stands before part them, and one at either end
// parts nothing.
func cells(row string) int {
	row = strings.TrimPrefix(strings.TrimSpace(row), "|")
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		row = row[:len(row)-1]
	}
	return 1 + strings.Count(row, "|") - strings.Count(row, `\|`)
}

// brokenTable finds the line of dashes of what was meant to be a table and is not read as one.
func (f *former) brokenTable(n *ast.Paragraph, line int) {
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		text := strings.TrimSpace(string(at.Value(f.source)))
		if strings.Contains(text, "-|-") || strings.Contains(strings.ReplaceAll(text, " ", ""), "--|--") {
			if strings.Trim(text, "|-: ") == "" {
				head := 0
				if i > 0 {
					above := n.Lines().At(i - 1)
					head = cells(string(above.Value(f.source)))
				}
				f.fault(line+i, "this is not read as a table: the line of dashes needs as many cells as the head above it, which has %d and not %d", head, cells(text))
				return
			}
		}
	}
}

// hostless are the schemes of addresses that name no host.
var hostless = []string{"mailto", "tel", "doi", "urn", "xmpp"}

// target wants a link to lead somewhere.
func (f *former) target(to string, line int) {
	address, err := url.Parse(to)
	switch {
	case to == "":
		f.fault(line, "a link has no target: write [title](address)")
	case err != nil:
		f.fault(line, "the target of a link is no address: %q", to)
	case address.Scheme != "":
		if address.Host == "" && (address.Opaque == "" || !slices.Contains(hostless, address.Scheme)) {
			f.fault(line, "the target of a link is no address: %q", to)
		}
	case address.Path == "" && address.Fragment != "":
		if !f.targets[strings.ToLower(address.Fragment)] {
			f.fault(line, "a link leads to #%s, and no heading has that id", address.Fragment)
		}
	case f.exists != nil && address.Path != "" && !f.there(address.Path):
		f.fault(line, "a link leads to %s, and there is no such file", address.Path)
	}
}

// there reports whether a file exists that a link leads to. It looks for each once, and for none when more
// faults were found than anybody is told of.
func (f *former) there(file string) bool {
	there, looked := f.looked[file]
	if !looked && len(f.faults) < 100*maxFaults {
		there = f.exists(file)
		f.looked[file] = there
	}
	return there
}

// quotes says whether a node stands in a quotation block.
func quotes(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return false
}
