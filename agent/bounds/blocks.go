package bounds

import "strings"

// blockWork returns an error if a text's blocks take too long to parse. It may reject an easy text, but never
// accepts a hard one.
func blockWork(source string) error {
	nested, table, heading, bars, work := nesting{}, tables{}, headings{}, 0, 0
	number := 0
	for line := range strings.Lines(source) {
		number++
		work += nested.take(line)
		table.take(line)
		heading.take(line)
		bars += strings.Count(line, `\|`)
		switch {
		case len(nested.open) > maxNesting:
			return over(number, "lists and quotes stand in one another more than %d deep", maxNesting)
		case work > maxBlockWork:
			return over(number, "its lists and quotes are too long and too deep")
		case table.cells > maxCells:
			return over(number, "its tables have more than %d cells", maxCells)
		case heading.work > maxBraces:
			return over(number, "too many braces in headings")
		case bars > maxBars:
			return over(number, "more than %d bars behind a backslash", maxBars)
		}
	}
	return nil
}

// headings counts the bytes that goldmark scans for attributes of headings: for each brace or bracket the
// rest of the line.
type headings struct {
	work int
	last int // of the previous line, which a line of dashes makes a heading
}

func (h *headings) take(line string) {
	braces := strings.Count(line, "{")
	if braces > 0 {
		braces += strings.Count(line, "[")
	}
	switch bare := strings.TrimLeft(line, " \t>-*+.)0123456789"); {
	case strings.HasPrefix(bare, "#"):
		h.work += braces * len(line)
	case strings.Trim(line, " \t\r\n>-=*+.)0123456789") == "":
		h.work += h.last
	}
	h.last = braces * len(line)
}

// tables counts table cells, as if every stretch without an empty line were a table as wide as its widest
// line of dashes.
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
	if isDashes(line) {
		wider := max(0, strings.Count(line, "|")+1-t.columns)
		t.columns += wider
		t.cells += wider * t.rows
	}
	t.cells += t.columns
}

// isDashes reports whether a line may be the one below a table's head, even in a list or quote.
func isDashes(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, "|:- \t\r\n>*+.)0123456789") == ""
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// nesting tracks which lists and quotes may be open.
type nesting struct {
	open       []int // the columns of their markers
	afterBlank bool
}

// The cost of a line for each open list or quote: a parser looks through its indent for each, and keeps 256
// bytes for each if the line is empty.
const (
	workOfLine  = 10
	workOfBlank = 200
)

// take processes the next line and returns its cost.
func (n *nesting) take(line string) (work int) {
	if isBlank(line) {
		n.afterBlank = true
		return (len(n.open) + 1) * (workOfBlank + len(line))
	}
	// then only an indented line continues a list
	if n.afterBlank && strings.IndexByte(" \t>-*+0123456789", line[0]) < 0 {
		n.open = n.open[:0]
	}
	n.afterBlank = false
	column := 0
	n.open, column = markers(line, n.open)
	return (len(n.open) + 1) * (workOfLine + column)
}

// markers processes the list and quote markers that a line begins with. A marker can only be within earlier
// ones further left.
func markers(line string, open []int) (now []int, column int) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\t':
			column += 4 - column%4
			continue
		case c == ' ', c >= '0' && c <= '9':
		case begins(line, i):
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

// begins reports whether the character at i can begin a list or a quote, or end the number of a list item.
func begins[text string | []byte](line text, i int) bool {
	return line[i] == '>' || strings.IndexByte("-*+.)", line[i]) >= 0 &&
		(i+1 == len(line) || line[i+1] <= ' ')
}
