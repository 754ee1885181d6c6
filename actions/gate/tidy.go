package gate

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Tidy fixes in a report what needs no writer: it puts blank lines around headings, tables, lists and code,
// and wraps paragraphs at a width in characters, 0 for no wrapping. It touches no word, and returns the
// report unchanged if a reader would see a difference.
func Tidy(report string, width int) string {
	spaced := ifSame(report, spaceOut(report))
	if width <= 0 {
		return spaced
	}
	return ifSame(spaced, wrap(spaced, width))
}

// ifSame returns a changed text if it looks the same except for its line breaks, otherwise the text before.
func ifSame(before, after string) string {
	if before == after {
		return before
	}
	was, err := rendered(before)
	is, failed := rendered(after)
	if err != nil || failed != nil || was != is {
		return before
	}
	return after
}

// rendered returns a text as HTML in one line.
func rendered(markdown string) (string, error) {
	md := github(markdown)
	doc, err := bounds.Markdown(md.Parser(), []byte(markdown), nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = md.Renderer().Render(&out, []byte(markdown), doc)
	return prose.OneLine(out.String()), err
}

// spaceOut puts a blank line before and after each block that needs one, and removes surplus blank lines.
func spaceOut(report string) string {
	d, err := parse(report)
	if err != nil {
		return report
	}
	before := map[int]bool{} // by the line at which a block begins: whether it needs a blank line before it
	apart := false
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		was := apart
		switch n.(type) {
		case *ast.Heading, *ast.List, *ast.FencedCodeBlock, *east.Table:
			apart = true
		default:
			apart = false
		}
		if n.PreviousSibling() != nil && n.Pos() >= 0 {
			before[d.lineOf(n)] = was || apart
		}
	}
	var out strings.Builder
	var blank []string // blank lines right before this one
	last, number := "", 0
	for line := range strings.Lines(report) {
		number++
		if strings.TrimSpace(line) == "" {
			blank = append(blank, line)
			continue
		}
		switch needs, begins := before[number]; {
		case needs && len(blank) == 0:
			out.WriteString(last[len(strings.TrimRight(last, "\r\n")):]) // the file's own line end
		case begins && len(blank) > 1:
			blank = blank[:1]
		}
		out.WriteString(strings.Join(blank, "") + line)
		last, blank = line, nil
	}
	return out.String() + strings.Join(blank, "")
}

// wrap breaks the paragraphs outside lists and quotes at blanks to fit a width, where possible.
func wrap(report string, width int) string {
	d, err := parse(report)
	if err != nil {
		return report
	}
	var out strings.Builder
	at := 0
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		p, ok := n.(*ast.Paragraph)
		if !ok || p.Lines().Len() == 0 {
			continue
		}
		start, end := p.Lines().At(0).Start, p.Lines().At(p.Lines().Len()-1).Stop
		out.WriteString(report[at:start])
		out.WriteString(wrapParagraph(report[start:end], width))
		at = end
	}
	out.WriteString(report[at:])
	return out.String()
}

func wrapParagraph(text string, width int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		for {
			cut := breakAt(line, width)
			if cut < 0 {
				break
			}
			out.WriteString(line[:cut] + "\n")
			line = line[cut+1:]
		}
		out.WriteString(line)
	}
	return out.String()
}

// breakAt returns the last blank at which a line can be broken within a width, otherwise the first after it;
// -1 if it need not or cannot be. It breaks nothing inside a link, code or a citation, nor where the next
// line would begin with what Markdown reads as a block.
func breakAt(line string, width int) int {
	const longest = 8 << 10 // bytes; the links are scanned for each blank of a line
	if len(line) > longest || utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) <= width {
		return -1
	}
	closed := spans(line)
	best, letters := -1, 0
	for i, r := range line {
		const opens = " \r\n-+*#>|=~`0123456789:" // start of another block, at the beginning of a line
		if r == ' ' && i > 0 && i+1 < len(line) && !strings.ContainsAny(line[i+1:i+2], opens) &&
			line[i-1] != ' ' && line[i-1] != '\\' &&
			!slices.ContainsFunc(closed, func(s [2]int) bool { return i > s[0] && i < s[1] }) {
			if letters <= width || best < 0 {
				best = i
			}
			if letters > width {
				break
			}
		}
		letters++
	}
	return best
}

// whole are the forms of links and code; each is searched for separately.
var whole = []*regexp.Regexp{regexp.MustCompile(`(?s)\]\(.*?\)`), regexp.MustCompile("(?s)`.*?`"),
	regexp.MustCompile(`(?s)\[.*?\]`)}

// spans returns the parts of a line that stay whole: citations, links and code.
func spans(line string) [][2]int {
	var all [][2]int
	for _, m := range workspace.Marks(line) {
		all = append(all, [2]int{m.Start, m.End})
	}
	for _, form := range whole {
		for _, at := range form.FindAllStringIndex(line, -1) {
			all = append(all, [2]int(at))
		}
	}
	return all
}
