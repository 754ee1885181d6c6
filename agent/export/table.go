package export

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// A table with this many columns is turned if it has few rows, and for Word in parts; otherwise its words
// would be broken into letters.
const (
	wideTable = 9
	fewRows   = 4
)

// turned makes the columns of a wide table its rows, and the cells that name its rows its head. It returns
// the tables that replace it.
func turned(table *east.Table, source []byte, form form) []*east.Table {
	var rows [][]*east.TableCell
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []*east.TableCell
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if cell, ok := cell.(*east.TableCell); ok {
				cells = append(cells, cell)
			}
		}
		rows = append(rows, cells)
	}
	if len(rows) < 2 || len(rows[0]) < wideTable || len(rows)-1 > fewRows && form != word {
		return []*east.Table{table}
	}
	head := rows[0]
	table.RemoveChildren(table)
	var all []*east.Table
	for body := range slices.Chunk(rows[1:], fewRows) {
		next := table
		if len(all) > 0 {
			next, head = east.NewTable(), copied(head, source)
			table.Parent().InsertAfter(table.Parent(), all[len(all)-1], next)
		}
		fill(next, head, body)
		all = append(all, next)
	}
	return all
}

// fill gives an empty table a column for its head and for each row.
func fill(table *east.Table, head []*east.TableCell, body [][]*east.TableCell) {
	table.Alignments = slices.Repeat([]east.Alignment{east.AlignNone}, 1+len(body))
	for column, first := range head {
		row := east.NewTableRow(table.Alignments)
		row.AppendChild(row, first)
		for _, cells := range body {
			cell := east.NewTableCell()
			if column < len(cells) {
				cell = cells[column]
			}
			row.AppendChild(row, cell)
		}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cell.(*east.TableCell).Alignment = east.AlignNone
		}
		var made ast.Node = row
		if column == 0 {
			made = east.NewTableHeader(row)
		}
		table.AppendChild(table, made)
	}
}

// copied returns a copy of the words of a table's head.
func copied(head []*east.TableCell, source []byte) []*east.TableCell {
	again := make([]*east.TableCell, len(head))
	for i, cell := range head {
		again[i] = east.NewTableCell()
		again[i].AppendChild(again[i], ast.NewString([]byte(plain(cell, source))))
	}
	return again
}
