package citation

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// rowClaims returns the claims of a table row: that of a cell for a citation in it, and for a citation with a
// cell to itself that of the row, without the cells that have their own citations.
func (x *passage) rowClaims() (all []claim, taken []span) {
	cells := x.cells()
	for k, p := range x.seats() {
		c := x.claim(p.mark)
		c.cellOf = x
		i := sort.Search(len(cells), func(i int) bool { return cells[i].end >= p.start })
		if cell := cells[i]; prose.HasWord(WithoutMarks(x.text[cell.start:cell.end])) {
			x.cellClaim(&c, k, p, cell)
			if c.part = true; i > 0 {
				c.Context = x.label()
			}
			if head := x.head(i); head != "" {
				c.Context += head + ": "
			}
		} else {
			x.rowClaim(&c, cells)
		}
		all, taken = append(all, c), append(taken, span{c.start, c.end})
	}
	return all, taken
}

// cellClaim reads the text of a cell for citation k of the row, from the previous citation on.
func (x *passage) cellClaim(c *claim, k int, p seat, cell span) {
	m := p.mark
	before := span{max(cell.start, p.from), m.start} // the cell's previous sentence cites nothing
	if k > 0 {
		before.start = max(before.start, x.marks[k-1].end)
	}
	c.start, c.end = x.unmarked(before), m.end
	if k+1 == len(x.marks) || x.marks[k+1].start >= cell.end {
		c.end = x.tail(p, min(cell.end, p.to), !prose.HasWord(x.text[c.start:m.start]))
	}
	x.fill(c, span{c.start, c.end}, true)
	c.Text = shownSentence(WithoutMarks(x.text[c.start:c.end]))
}

// ownText matches a cell or a paragraph that its author marks as a conclusion: "Inference: set it to 5".
var ownText = regexp.MustCompile(`(?i)^\s*(?:inference|own (?:choice|knowledge|inference)|推论|推断)\s*[:：]`)

// rowClaim reads a row without its conclusions. Names in its first cell need not be in the passage.
func (x *passage) rowClaim(c *claim, cells []span) {
	var shown []string
	for i, cell := range cells {
		cited := len(overlapping(x.marks, cell)) > 0
		if !cited && ownText.MatchString(x.text[cell.start:cell.end]) {
			continue
		}
		if !cited || i == 0 {
			shown = append(shown, x.shownCell(i, cell))
		}
		if cited {
			continue
		}
		if x.fill(c, cell, true); i == 0 {
			c.names = nil
		}
	}
	c.Text = shownSentence(strings.Join(shown, "\t"))
	c.row = x.copied()
	c.start, c.end = 0, len(x.text)
}

// copied returns a row with its head, in the format of [rowText], without columns that only have citations;
// "" if a citation shares its cell with words, so that the row is not one claim.
func (x *passage) copied() string {
	var heads, texts []string
	for i, text := range strings.Split(x.text, "\t") {
		said := WithoutMarks(text)
		if said == text {
			heads, texts = append(heads, at(x.report.heads, i)), append(texts, text)
		} else if prose.HasWord(said) {
			return ""
		}
	}
	return rowText(heads, texts)
}

// at returns one of some texts, or "" if there are fewer.
func at(texts []string, i int) string {
	if i < len(texts) {
		return texts[i]
	}
	return ""
}

// rowText formats a table row with its head so that two rows can be compared cell by cell, to the letter.
func rowText(heads, texts []string) string {
	line := func(cells []string) string {
		return strings.TrimRight(strings.Join(each(cells, prose.OneLine), "\t"), "\t")
	}
	return line(heads) + "\n" + line(texts)
}

// copies reports whether a claim is the whole table row that it cites, with the same head, or a whole line of
// the code that it cites.
func (e *evidence) copies(c claim) bool {
	if e.n == 0 {
		return false
	}
	b := e.source.blocks[e.n-1]
	if b.Kind == block.Code {
		return slices.Contains(each(strings.Split(b.Text, "\n"), prose.OneLine), c.Text)
	}
	return b.Kind == block.Row && c.row != "" && c.row == rowText(columnHeads(b), cells(b.Text))
}

// cells returns the cells of a row, without a number that only counts the rows.
func (x *passage) cells() []span {
	var all []span
	start := 0
	for cell := range strings.SplitSeq(x.text, "\t") {
		all = append(all, span{start, start + len(cell)})
		start += len(cell) + 1
	}
	all[0].start = min(x.rowIndex(), all[0].end)
	return all
}

// label returns what a row is about, to be shown before its other cells.
func (x *passage) label() string { return clipped(x.shownCell(0, x.cells()[0])) + " | " }

// shownCell returns the text of a cell after the head of its column.
func (x *passage) shownCell(i int, cell span) string {
	text := strings.TrimSpace(WithoutMarks(x.text[cell.start:cell.end]))
	if head := x.head(i); head != "" && text != "" {
		return head + ": " + text
	}
	return text
}

// head returns the head of a column other than the first.
func (x *passage) head(i int) string {
	if head := at(x.report.heads, i); i > 0 && prose.HasWord(head) {
		return strings.TrimSpace(head)
	}
	return ""
}
