package export

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// What a report may ask of the parser, which knows no bound of its own. A report of 20,000 words with 300 sources stays a hundred times below
// each. Past one of the first four it is shown as the text that it is; past the others only its footnotes or its links and emphasis are.
const (
	maxLaidOut    = 2 << 20     // bytes; 350,000 words, of which a megabyte takes 80 ms
	maxNesting    = 100         // lists and quotes in one another
	maxLineWork   = 100_000_000 // see nesting.take; about 0.4 s
	maxCells      = 500_000     // of tables; a row is filled up to the width of the table's head
	maxFootnotes  = 2_000       // marks and notes; each is looked for among all
	maxInlineWork = 200_000_000 // see inlineBudget; about a second
)

// tooHard says, as an error, why a report's Markdown can not be laid out in bearable time. It may take an easy one for a hard one, never the
// other way around.
func tooHard(markdown string) error {
	if len(markdown) > maxLaidOut {
		return fmt.Errorf("it is larger than %d MiB", maxLaidOut>>20)
	}
	nested, table, work := nesting{}, tables{}, 0
	for line := range strings.Lines(markdown) {
		work += nested.take(line)
		table.take(line)
		switch {
		case len(nested.open) > maxNesting:
			return fmt.Errorf("lists and quotes stand in one another more than %d deep", maxNesting)
		case work > maxLineWork:
			return errors.New("its lists and quotes are too long and too deep")
		case table.cells > maxCells:
			return fmt.Errorf("its tables have more than %d cells", maxCells)
		}
	}
	return nil
}

// tables counts the cells of tables, as if every stretch without an empty line were one as wide as its widest line of dashes.
type tables struct {
	cells         int
	columns, rows int // of this stretch
}

func (t *tables) take(line string) {
	if isBlank(line) {
		t.columns, t.rows = 0, 0
		return
	}
	t.rows++
	if strings.Contains(line, "-") && strings.Trim(line, "|:- \t\r\n>*+.)0123456789") == "" {
		wider := max(0, strings.Count(line, "|")+1-t.columns)
		t.columns += wider
		t.cells += wider * t.rows
	}
	t.cells += t.columns
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// nesting follows which lists and quotes may be open.
type nesting struct {
	open       []int // the columns of their markers
	afterBlank bool
}

// What a line costs for each list or quote that is open, in units of about 4 ns: a parser looks through its indent for each, and keeps 256
// bytes for each when it is empty.
const (
	workOfLine  = 10
	workOfBlank = 200
)

// take goes on to the next line and says what it costs.
func (n *nesting) take(line string) (work int) {
	if isBlank(line) {
		n.afterBlank = true
		return (len(n.open) + 1) * (workOfBlank + len(line))
	}
	if n.afterBlank && strings.IndexByte(" \t>-*+0123456789", line[0]) < 0 { // only an indented line goes on with a list then
		n.open = n.open[:0]
	}
	n.afterBlank = false
	column := 0
	n.open, column = markers(line, n.open)
	return (len(n.open) + 1) * (workOfLine + column)
}

// markers goes over the markers of lists and quotes that a line begins with. One can only stand within those before it that stand further left.
func markers(line string, open []int) (now []int, column int) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\t':
			column += 4 - column%4
			continue
		case c == ' ', c >= '0' && c <= '9':
		case strings.IndexByte(">-*+.)", c) >= 0:
			for len(open) > 0 && open[len(open)-1] >= column {
				open = open[:len(open)-1]
			}
			open = append(open, column)
		default:
			return open, column
		}
		column++
	}
	return open, column
}

// inlineBudget stands before the parsers of links and emphasis, whose cost grows with the square of a block, and lets them work for as long as
// the report has not used up what it may. For each "](" the rest of the block is looked through, for each other "]" its lines are gone over, and
// for each mark of emphasis those before it.
type inlineBudget struct {
	block       ast.Node
	size, lines int // of the block, in bytes and lines
	marks       int // of emphasis in the block so far
	spent       int
}

// Trigger names the characters that cost.
func (*inlineBudget) Trigger() []byte { return []byte("]*_~") }

// Parse takes a character for text once the budget is spent.
func (b *inlineBudget) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if parent != b.block {
		*b = inlineBudget{block: parent, spent: b.spent}
		if lines := parent.Lines(); lines != nil && lines.Len() > 0 {
			b.size, b.lines = lines.At(lines.Len()-1).Stop-lines.At(0).Start, lines.Len()
		}
	}
	switch {
	case line[0] != ']':
		b.marks++
		b.spent += b.marks
	case len(line) > 1 && line[1] == '(':
		b.spent += b.size
	default:
		b.spent += b.lines
	}
	if b.spent <= maxInlineWork {
		return nil
	}
	block.Advance(1)
	return ast.NewTextSegment(segment.WithStop(segment.Start + 1))
}
