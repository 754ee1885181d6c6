package markup

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/clutter"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxColumns bounds a colspan; a table of more than four times as many columns is data for a program.
const maxColumns = 256

// longSpan bounds a cell that is repeated in every row it spans, in bytes.
const longSpan = 80

// table writes a grid if n is one. Tables that lay out a page, or contain what no Markdown cell can, are
// written as blocks.
func (w *Writer) table(n *html.Node) {
	if w.inline > 0 || isLayout(n) {
		w.Block(2)
		if !w.sideBySide(n) {
			w.cells(n)
		}
		w.Block(2)
		return
	}
	w.Block(2)
	for c := range n.ChildNodes() {
		if c.DataAtom == atom.Caption && !w.leavesOut(c) {
			w.Children(c)
			w.Block(2)
		}
	}
	if rows := w.rows(n); !w.grid(rows, hasHead(n, rows)) {
		w.cells(n)
	}
	w.Block(2)
}

// hasHead reports whether a table's first row is its head: cells are marked as heads, but not as row names,
// or none is marked and no cell of the row is a sentence.
func hasHead(n *html.Node, rows [][]string) bool {
	marked, seen, named := false, 0, 0
	for c := range n.Descendants() {
		switch c.DataAtom {
		case atom.Thead:
			return true
		case atom.Th:
			marked = true
		case atom.Tr:
			if seen++; seen <= 2 && isNamed(c) {
				named++
			}
		}
	}
	return named < 2 && (marked || len(rows) == 0 || !slices.ContainsFunc(rows[0], sentenceCell.MatchString))
}

// isNamed reports whether only a row's first cell is marked as a name.
func isNamed(row *html.Node) bool {
	cells := 0
	for c := range row.ChildNodes() {
		if c.DataAtom != atom.Th && c.DataAtom != atom.Td {
			continue
		}
		if (c.DataAtom == atom.Th) != (cells == 0) {
			return false
		}
		cells++
	}
	return cells > 1
}

// sentenceCell matches a cell that is a sentence.
var sentenceCell = regexp.MustCompile(`^.{30,}[.。]$`)

// longLine bounds the text of a row that is written as one line, in bytes.
const longLine = 240

// apart separates the cells of such a row.
const apart = " · "

// noWords are elements that make a cell more than words.
var noWords = tree.Tags("a img p div ul ol dl pre table caption form input h1 h2 h3 h4 h5 h6")

// sideBySide writes a table of one row of words as one line, and reports whether n is one: an option, its
// type and its default mean nothing without each other. Cells of anything else are layout.
func (w *Writer) sideBySide(n *html.Node) bool {
	if w.inline > 0 {
		return false
	}
	for c := range n.Descendants() {
		if noWords[c.DataAtom] {
			return false
		}
	}
	rows, columns, _ := usedColumns(w.rows(n))
	if len(rows) != 1 || columns < 2 {
		return false
	}
	line := strings.Join(slices.DeleteFunc(rows[0], func(cell string) bool { return cell == "" }), apart)
	if len(line) > longLine {
		return false
	}
	if !strings.HasPrefix(line, "**") { // the first cell names the row
		first, others, _ := strings.Cut(line, apart)
		line = "**" + first + "**" + apart + others
	}
	w.Put(line)
	return true
}

// cells writes the cells of a table as consecutive blocks.
func (w *Writer) cells(n *html.Node) {
	if w.depth++; w.depth < maxDepth {
		for c := n.FirstChild; c != nil && !w.Full; c = c.NextSibling {
			switch {
			case c.Type == html.ElementNode && w.leavesOut(c),
				c.Type == html.TextNode && strings.TrimSpace(c.Data) == "":
			case c.DataAtom == atom.Tr, c.DataAtom == atom.Tbody, c.DataAtom == atom.Thead,
				c.DataAtom == atom.Tfoot:
				w.cells(c)
			case clutter.IsGutter(c):
			default:
				w.node(c)
			}
		}
	}
	w.depth--
}

// isLayout reports whether a table only arranges a page. A heading or a table inside a cell suggests that,
// unless the table has a head of its own, as one that lists names, defaults and meanings.
func isLayout(n *html.Node) bool {
	if role := tree.Attr(n, "role"); role == "presentation" || role == "none" {
		return true
	}
	columns, column, rows, blocks, header, divided := 0, 0, 0, 0, false, false
	for c := range n.Descendants() {
		switch c.DataAtom {
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.H4:
			divided = true
		case atom.Pre:
			if strings.Contains(strings.TrimSpace(codeText(c)), "\n") {
				blocks++
			}
		case atom.Tr:
			if tableOf(c) == n {
				rows++
				column = 0
			}
		case atom.Td, atom.Th:
			if tableOf(c) == n {
				column++
				columns = max(columns, column)
				header = header || c.DataAtom == atom.Th
			}
		}
	}
	return divided && !(header && columns > 1 && rows > 2) ||
		(rows < 2 || columns < 2) && !header || blocks > 0 && (blocks >= rows-1 || !header)
}

// tableOf returns the innermost table that contains a node, or nil.
func tableOf(n *html.Node) *html.Node {
	for p := range n.Ancestors() {
		if p.DataAtom == atom.Table {
			return p
		}
	}
	return nil
}

// rows collects all cells, filling the columns and rows that a cell spans.
func (w *Writer) rows(table *html.Node) (rows [][]string) {
	type span struct {
		text string
		rows int
	}
	var down []span // per column, into the rows below
	size := 0
	for tr := tree.After(table, table, false); tr != nil &&
		size <= MaxText; tr = tree.After(tr, table, tr.DataAtom == atom.Tr) {
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
		for td := range tr.ChildNodes() {
			if td.DataAtom != atom.Td && td.DataAtom != atom.Th {
				continue
			}
			fill()
			below := span{text: w.cellText(td), rows: spanOf(td, "rowspan", 1000) - 1}
			row = append(row, below.text)
			size += len(below.text)
			if len(below.text) > longSpan {
				below.text = ""
			}
			row = append(row, make([]string, spanOf(td, "colspan", maxColumns)-1)...)
			for len(down) < len(row) {
				down = append(down, span{})
			}
			for i := len(row) - spanOf(td, "colspan", maxColumns); i < len(row); i++ {
				down[i] = below
				below.text = ""
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
	value, err := strconv.Atoi(strings.TrimSpace(tree.Attr(n, key)))
	if err != nil {
		return 1
	}
	return min(max(value, 1), limit)
}

// cellText returns the content of a cell on one line. It is written at the end of the text and removed again.
func (w *Writer) cellText(td *html.Node) string {
	before := *w
	w.owed, w.blank, w.broken, w.wrap, w.cell = 0, false, false, "", true
	start := len(w.buf)
	w.line, w.opened, w.span = -1, start, 0 // a cell begins no line
	if start == 0 {                         // ink on an empty text begins a line
		w.prefix = nil
	}
	w.inline++
	w.Children(td)
	text := string(w.buf[min(start, len(w.buf)):])
	before.Full = w.Full
	*w = before
	return text
}

// usedColumns removes rows and columns without text, and returns how many columns remain.
func usedColumns(rows [][]string) (kept [][]string, columns int, dropped bool) {
	var used []bool
	for _, row := range rows {
		used = append(used, make([]bool, max(0, len(row)-len(used)))...)
		for i, cell := range row {
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

// inCell escapes what would end a cell.
var inCell = strings.NewReplacer("|", `\|`, "\n", " ")

// Table writes rows as a table; the first becomes the header, which Markdown requires. It returns false if
// there is no table to write: no text, too wide, or only one of several columns has any.
func (w *Writer) Table(rows [][]string) bool { return w.grid(rows, true) }

// Rows is Table for rows without a head.
func (w *Writer) Rows(rows [][]string) bool { return w.grid(rows, false) }

// grid is Table for rows whose first one is the head or, with hasHead false, an ordinary row.
func (w *Writer) grid(rows [][]string, hasHead bool) bool {
	rows, columns, dropped := usedColumns(rows)
	if columns == 0 || columns > 4*maxColumns || columns == 1 && dropped {
		return false
	}
	if !hasHead {
		rows = slices.Insert(rows, 0, nil)
	}
	w.Block(2)
	for i, row := range rows {
		if w.Full {
			break
		}
		w.Block(1)
		w.Put("|")
		for i := range columns {
			if i < len(row) && row[i] != "" {
				w.extend(" " + inCell.Replace(row[i]))
			}
			w.extend(" |")
		}
		if i == 0 {
			w.Put("\n" + string(w.prefix) + strings.Repeat("| --- ", columns) + "|")
		}
	}
	w.Block(2)
	return true
}

// extend appends to what was just begun.
func (w *Writer) extend(s string) {
	if !w.Full {
		w.buf = append(w.buf, s...)
	}
}
