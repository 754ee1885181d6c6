package block

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// longestTerm bounds the term shown above its blocks, in letters.
const longestTerm = 60

// partOfCode is shown above the rest of a code block whose beginning, with its fence, is not shown.
const partOfCode = "(part of a block of code)"

// Label formats the label before a block that a model is shown. With an id it is the citation itself, so that
// whoever cites the block can copy it: "[s5.12]". Without one it is only the number: "[12]".
func Label(id string, n int) string {
	if id == "" {
		return fmt.Sprintf("[%d]", n)
	}
	return fmt.Sprintf("[%s.%d]", id, n)
}

// Show formats blocks for a model: each after its label, under its headings, and table rows under their head.
// A line with an ellipsis marks a gap between two blocks. A heading with nothing under it has no label: it
// states nothing that could be cited.
func Show(id string, blocks []Block) string {
	return ShowBeside(id, blocks, func(Block, Block) string { return "" })
}

// ShowBeside is Show with a description by left of each gap, after the ellipsis.
func ShowBeside(id string, blocks []Block, left func(before, after Block) string) string {
	var out strings.Builder
	var last Block
	term := "" // the last one shown
	for i, b := range blocks {
		if i > 0 && b.N != last.N+1 {
			out.WriteString(strings.TrimSpace("… "+left(last, b)) + "\n")
		}
		showHeadings(&out, last, b)
		if b.Page != last.Page {
			fmt.Fprintf(&out, "(page %d)\n", b.Page)
		}
		if b.Head != "" && (i == 0 || b.Head != last.Head || last.Kind != Row) {
			out.WriteString(piped(b.Head) + "\n")
		}
		if b.Kind == Code && b.Goes && b.N != last.N+1 {
			out.WriteString(partOfCode + "\n")
		}
		own := begins(b)
		if b.Term != "" && b.Term != term && (own == nil || i == 0 || b.N != last.N+1) {
			term = b.Term
			fmt.Fprintf(&out, "(part of **%s**)\n", prose.Shorten(term, longestTerm))
		}
		if own != nil {
			term = own[1]
		}
		if b.Kind != Paragraph || !bareHeading.MatchString(b.Text) {
			out.WriteString(Label(id, b.N) + " ")
		}
		if b.Kind == Row && !b.Goes {
			b.Text = piped(b.Text)
		}
		out.WriteString(b.Text + "\n")
		last = b
	}
	return strings.TrimRight(out.String(), "\n")
}

// piped begins the lines of a table with the mark that Markdown lets an author omit: without it, a row or
// head looks like prose. A line of a quote keeps its own mark.
func piped(lines string) string { return bareRow.ReplaceAllString(lines, "| $1") }

var bareRow = regexp.MustCompile(`(?m)^[ \t]*([^|>\s])`)

var bareHeading = regexp.MustCompile(`^[ >]*#{1,6} [^\n]*$`)

// showHeadings writes the headings of a block that the previous block did not have.
func showHeadings(out *strings.Builder, last, b Block) {
	same := 0
	for same < len(b.Headings) && same < len(last.Headings) && b.Headings[same] == last.Headings[same] {
		same++
	}
	for i, title := range b.Headings[same:] {
		fmt.Fprintf(out, "%s %s\n", strings.Repeat("#", min(same+i+1, 6)), title)
	}
}
