package pdf

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/markup"
)

// tableRow is a row of a table: its cells, and the bases of its highest and lowest line.
type tableRow struct {
	cells     []string
	high, low float64
	isBold    bool
}

// filled returns how many cells of a row have text.
func (r tableRow) filled() (n int) {
	for _, cell := range r.cells {
		if cell != "" {
			n++
		}
	}
	return n
}

// piece is what stands of a line in one column.
type piece struct {
	pdfWord
	column int
	isBold bool
}

// pieces returns the lines of all cells, from top to bottom.
func (t *pdfTable) pieces(gutters []span) (all []piece) {
	for _, line := range t.lines {
		begin := len(all)
		for _, word := range line.words {
			column := 0
			for column < len(gutters) && (gutters[column].left+gutters[column].right)/2 < word.left {
				column++
			}
			if n := len(all) - 1; n >= begin && all[n].column == column &&
				math.Abs(all[n].base-word.base) < 0.4*line.size {
				all[n].text, all[n].right = all[n].text+" "+word.text, word.right
				continue
			}
			all = append(all, piece{word, column, line.isBold})
		}
	}
	slices.SortStableFunc(all, func(a, b piece) int { return cmp.Compare(b.base, a.base) })
	return all
}

// rows puts the lines of cells together to rows. Cells of several lines beside one that is centred between
// them overlap in height, and so belong to one row.
func (l pdfLayout) rows(t pdfTable, gutters []span) (rows []tableRow) {
	size := t.lines[0].size
	for _, p := range t.pieces(gutters) {
		if n := len(rows) - 1; n < 0 || rows[n].low-p.base > 0.85*size {
			rows = append(rows, tableRow{make([]string, len(gutters)+1), p.base, p.base, p.isBold})
		}
		row := &rows[len(rows)-1]
		row.low = min(row.low, p.base)
		if row.cells[p.column] == "" {
			row.cells[p.column] = p.text
		} else {
			row.cells[p.column] = l.join(row.cells[p.column], p.text)
		}
	}
	return l.continued(rows, size)
}

// continued joins a row with the next where that only continues its cells: the lines of a cell are closer to
// each other than rows are, or nothing but the rest of a cell is left.
func (l pdfLayout) continued(rows []tableRow, size float64) []tableRow {
	least, most := math.Inf(1), 0.0
	for i := 2; i < len(rows); i++ { // the head may be further away
		least, most = min(least, rows[i-1].low-rows[i].high), max(most, rows[i-1].low-rows[i].high)
	}
	isSpaced := most > 1.25*least
	out := rows[:1]
	for _, next := range rows[1:] {
		last := &out[len(out)-1]
		down := last.low - next.high
		isTight := isSpaced && down < (least+most)/2 && down < 1.6*size
		if down > 1.6*size || !last.goesOn(next, isTight) {
			out = append(out, next)
			continue
		}
		last.low = next.low
		for i, cell := range next.cells {
			switch {
			case last.cells[i] == "":
				last.cells[i] = cell
			case cell != "":
				last.cells[i] = l.join(last.cells[i], cell)
			}
		}
	}
	return out
}

// goesOn reports whether next is only the rest of row r: two figures of one column are never one cell.
func (r tableRow) goesOn(next tableRow, isTight bool) bool {
	hasFigure := false
	for i, cell := range next.cells {
		if isFigure(cell) {
			if hasFigure = true; isFigure(r.cells[i]) {
				return false
			}
		}
	}
	first, filled := next.cells[0], next.filled()
	begin, _ := utf8.DecodeRuneInString(strings.Join(next.cells, ""))
	isRest := unicode.IsLower(begin)
	switch {
	case first != "" && !isRest && hasFigure:
		return false
	case isTight && first != "" && !isRest:
		return false
	case isTight:
		return filled < len(next.cells) || isRest
	case first == "":
		return filled < len(next.cells)-1 || len(next.cells) == 2
	}
	return filled == 1 && isRest
}

// figureCell matches a cell that holds a figure or an amount, with at most two words, such as GBP or a month.
var figureCell = regexp.MustCompile(`^(?:\pL[\pL.]* ?)?[-–−+~<>(]*[$€£¥₹]?\d[\d.,:/]*[%€)]*` +
	`(?: ?[\pL°%]\D{0,12})?$`)

func isFigure(cell string) bool { return figureCell.MatchString(cell) }

// markCell matches the mark of an item: a bullet, 1. or (a) or [3] or 3.1.
var markCell = regexp.MustCompile(`^(?:[•\x{f0b7}●◦▪■‣⁃–·○*-]|` +
	`[\[(]?[[:alnum:]]{1,4}[\]).:]+|\d+(?:\.\d+)+\.?|§ ?\d+\w?)$`)

// dots matches what a table of contents has before the numbers of pages.
var dots = regexp.MustCompile(`(?:\. ?\.| \.|…)(?: \d+)?$`)

// isTable reports whether rows are a table, and not items with their marks, or the lines of two columns.
func isTable(rows []tableRow) bool {
	if len(rows) < 2 || len(rows) < 3 && len(rows[0].cells) < 3 {
		return false
	}
	marks, leaders, lower, wide, several, letters, cells := 0, 0, 0, 0, 0, 0, 0
	lineNumber := 0
	for _, r := range rows {
		n := r.filled()
		if n > 1 {
			several++
		}
		if markCell.MatchString(r.cells[0]) || n > 1 && r.cells[0] == strconv.Itoa(lineNumber+1) {
			marks++
		}
		if dots.MatchString(strings.Join(r.cells, " ")) {
			leaders++
		}
		lineNumber, _ = strconv.Atoi(r.cells[0])
		if begin, _ := utf8.DecodeRuneInString(r.cells[0]); unicode.IsLower(begin) {
			lower++
		}
		if utf8.RuneCountInString(r.cells[0]) > 25 {
			wide++
		}
		cells += n
		letters += utf8.RuneCountInString(strings.Join(r.cells, ""))
	}
	isList := len(rows[0].cells) == 2 && 2*marks > len(rows)
	isProse := 4*lower > len(rows) && 2*wide > len(rows)
	isContents := 3*leaders >= len(rows)
	return 2*several > len(rows) && several > 1 && !isList && !isProse && !isContents && letters < 80*cells
}

// hasHead reports whether the first row names the columns: no figure is in it where the others have some, it
// alone is bold, or it has no digit in any cell, and one of its columns has some in each row below.
func hasHead(rows []tableRow) bool {
	first := rows[0]
	if 2*first.filled() < len(first.cells) || len(rows) < 2 {
		return false
	}
	isBold := first.isBold && !rows[1].isBold
	inColumn, hasDigit := false, func(cell string) bool { return strings.ContainsFunc(cell, unicode.IsDigit) }
	isNames := first.filled() == len(first.cells) && !slices.ContainsFunc(first.cells, hasDigit)
	for i, cell := range first.cells {
		figures, filled, digits := 0, 0, 0
		for _, r := range rows[1:] {
			if r.cells[i] != "" {
				filled++
			}
			if hasDigit(r.cells[i]) {
				digits++
			}
			if isFigure(r.cells[i]) {
				figures++
			}
		}
		if figures >= min(2, len(rows)-1) && 2*figures >= filled {
			if isFigure(cell) && !isBold {
				return false
			}
			inColumn = true
		}
		inColumn = inColumn || isNames && digits > 1 && digits == len(rows)-1
	}
	return isBold || inColumn
}

// writeTable writes rows as a table.
func (l pdfLayout) writeTable(w *markup.Writer, rows []tableRow) {
	var table [][]string
	for _, r := range rows {
		cells := make([]string, len(r.cells))
		for i, cell := range r.cells {
			cells[i] = markup.Literal(l.mend(cell))
		}
		table = append(table, cells)
	}
	w.Block(2)
	if hasHead(rows) {
		w.Table(table)
	} else {
		w.Rows(table)
	}
}

// boldFont matches the name of a bold font.
var boldFont = regexp.MustCompile(`(?i)bold|black|heavy|semibd|demi`)
