package markup

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxColumns is how wide a table may be; beyond, it is data for a program, not for a reader.
const maxColumns = 256

// longSpan is how long a cell may be that is repeated in every row it spans; a longer one stands in the first
// only.
const longSpan = 80

// table writes a grid when n is one. Tables that lay out a page, or hold what no cell of Markdown can, are
// written as the blocks they hold.
func (w *Writer) table(n *html.Node) {
	if w.inline > 0 || isLayout(n) {
		w.Block(2)
		w.cells(n)
		w.Block(2)
		return
	}
	w.Block(2)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Caption && !w.leavesOut(c) {
			w.Children(c)
			w.Block(2)
		}
	}
	if !w.Table(w.rows(n)) {
		w.cells(n)
	}
	w.Block(2)
}

// cells writes the cells of a table as blocks, one after the other.
func (w *Writer) cells(n *html.Node) {
	if w.depth++; w.depth < maxDepth {
		for c := n.FirstChild; c != nil && !w.Full; c = c.NextSibling {
			switch {
			case c.Type == html.ElementNode && w.leavesOut(c),
				c.Type == html.TextNode && strings.TrimSpace(c.Data) == "":
			case c.DataAtom == atom.Tr, c.DataAtom == atom.Tbody, c.DataAtom == atom.Thead,
				c.DataAtom == atom.Tfoot:
				w.cells(c)
			case isGutter(c):
			default:
				w.node(c)
			}
		}
	}
	w.depth--
}

// isLayout is true for a table that only places things: with one row or column and no header, around
// other tables or headings, or with as many blocks of code as rows.
func isLayout(n *html.Node) bool {
	if role := Attr(n, "role"); role == "presentation" || role == "none" {
		return true
	}
	columns, column, rows, blocks, header := 0, 0, 0, 0, false
	for c := After(n, n, false); c != nil; c = After(c, n, false) {
		switch c.DataAtom {
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.H4:
			return true
		case atom.Pre:
			if strings.Contains(strings.TrimSpace(codeText(c)), "\n") {
				blocks++
			}
		case atom.Tr:
			rows++
			column = 0
		case atom.Td, atom.Th:
			column++
			columns = max(columns, column)
			header = header || c.DataAtom == atom.Th
		}
	}
	return (rows < 2 || columns < 2) && !header || blocks > 0 && (blocks >= rows-1 || !header)
}

// span is a cell that reaches down into further rows.
type span struct {
	text string
	rows int
}

// rows collects the text of all cells, with empty ones for columns that a cell spans.
func (w *Writer) rows(table *html.Node) [][]string {
	var rows [][]string
	var down []span
	size := 0
	for tr := After(table, table, false); tr != nil &&
		size <= MaxText; tr = After(tr, table, tr.DataAtom == atom.Tr) {
		if tr.DataAtom != atom.Tr || w.leavesOut(tr) {
			continue
		}
		var row []string
		fill := func() { // columns taken by cells of the rows above
			for len(row) < len(down) && down[len(row)].rows > 0 {
				down[len(row)].rows--
				row = append(row, down[len(row)].text)
			}
		}
		for td := tr.FirstChild; td != nil; td = td.NextSibling {
			if td.DataAtom != atom.Td && td.DataAtom != atom.Th {
				continue
			}
			fill()
			text := w.cellText(td)
			size += len(text)
			for i := range spanOf(td, "colspan", maxColumns) {
				if i > 0 {
					text = ""
				}
				for len(down) <= len(row) {
					down = append(down, span{})
				}
				down[len(row)] = span{rows: spanOf(td, "rowspan", 1000) - 1}
				if len(text) <= longSpan {
					down[len(row)].text = text
				}
				row = append(row, text)
			}
			if len(row) > 4*maxColumns {
				return rows
			}
		}
		fill()
		size += 4 * len(row)
		rows = append(rows, row)
	}
	return rows
}

func spanOf(n *html.Node, key string, limit int) int {
	value, err := strconv.Atoi(strings.TrimSpace(Attr(n, key)))
	if err != nil || value < 1 {
		return 1
	}
	return min(value, limit)
}

// cellText is the content of a cell on one line. It is written at the end of the text and taken off again.
func (w *Writer) cellText(td *html.Node) string {
	before := *w
	w.owed, w.blank, w.broken, w.wrap, w.cell = 0, false, false, "", true
	start := len(w.buf)
	w.line, w.opened, w.span = -1, start, 0 // no line begins in a cell
	if start == 0 {                         // ink on an empty text begins a line
		w.prefix = nil
	}
	w.inline++
	w.Children(td)
	text := string(w.buf[min(start, len(w.buf)):])
	full := w.Full
	*w = before
	w.Full = full
	return text
}

// usedColumns takes out the columns without any text, which only make room, and tells how many stay.
func usedColumns(rows [][]string) (kept [][]string, columns int, dropped bool) {
	var used []bool
	for _, row := range rows {
		for i, cell := range row {
			if i >= len(used) {
				used = append(used, false)
			}
			used[i] = used[i] || cell != ""
		}
	}
	for _, row := range rows {
		line := row[:0]
		for i, cell := range row {
			if used[i] {
				line = append(line, cell)
			}
		}
		if strings.Join(line, "") != "" {
			kept = append(kept, line)
			columns = max(columns, len(line))
		}
	}
	return kept, columns, columns < len(used)
}

// Table writes rows as a table; the first one becomes its header, since Markdown has no table without. False
// means that there is none to write: no text, too wide, or one column left of many.
func (w *Writer) Table(rows [][]string) bool {
	rows, columns, dropped := usedColumns(rows)
	if columns == 0 || columns > 4*maxColumns || columns == 1 && dropped {
		return false
	}
	w.Block(2)
	for i, row := range rows {
		w.row(row, columns)
		if i == 0 {
			w.Put("\n" + string(w.prefix) + strings.Repeat("| --- ", columns) + "|")
		}
	}
	w.Block(2)
	return true
}

// inCell escapes what would end a cell.
var inCell = strings.NewReplacer("|", `\|`, "\n", " ")

func (w *Writer) row(cells []string, columns int) {
	if w.Full {
		return
	}
	w.Block(1)
	w.ink()
	for i := range columns {
		w.buf = append(w.buf, '|', ' ')
		if i < len(cells) && cells[i] != "" {
			w.buf = append(w.buf, inCell.Replace(cells[i])...)
			w.buf = append(w.buf, ' ')
		}
	}
	w.buf = append(w.buf, '|')
}
