package bounds

import "strings"

// blockWork says, as an error, why a text's blocks cannot be read in bearable time. It may take an easy text
// for a hard one, never the other way around.
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

// headings counts what goldmark goes over for the attributes of headings: for each brace or bracket the rest
// of the line.
type headings struct {
	work int
	last int // of the line before, which a line of dashes makes a heading
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

// tables counts the cells of tables, as if every stretch without an empty line were one as wide as its widest
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

// isDashes reports whether a line may be the one below a table's head, in a list or a quote as well.
func isDashes(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, "|:- \t\r\n>*+.)0123456789") == ""
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// nesting follows which lists and quotes may be open.
type nesting struct {
	open       []int // the columns of their markers
	afterBlank bool
}

// What a line costs for each list or quote that is open: a parser looks through its indent for each, and
// keeps 256 bytes for each when it is empty.
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
	// only an indented line goes on with a list then
	if n.afterBlank && strings.IndexByte(" \t>-*+0123456789", line[0]) < 0 {
		n.open = n.open[:0]
	}
	n.afterBlank = false
	column := 0
	n.open, column = markers(line, n.open)
	return (len(n.open) + 1) * (workOfLine + column)
}

// markers goes over the markers of lists and quotes that a line begins with. One can only stand within those
// before it that stand further left.
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

// begins reports whether the character at i can begin a list or a quote, or end the number that does.
func begins[text string | []byte](line text, i int) bool {
	return line[i] == '>' || strings.IndexByte("-*+.)", line[i]) >= 0 &&
		(i+1 == len(line) || line[i+1] <= ' ')
}
