package export

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// A table of so many columns is turned if it has few rows: on paper and in Word its words would be broken
// into letters.
const (
	wideTable = 9
	fewRows   = 4
)

// turned makes the columns of a wide table with few rows its rows, and the cells that name its rows its head.
func turned(table *east.Table) {
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
	if len(rows) < 2 || len(rows) > fewRows+1 || len(rows[0]) < wideTable {
		return
	}
	table.RemoveChildren(table)
	table.Alignments = make([]east.Alignment, len(rows))
	for i := range table.Alignments {
		table.Alignments[i] = east.AlignNone
	}
	for column := range rows[0] {
		row := east.NewTableRow(table.Alignments)
		for _, cells := range rows {
			cell := east.NewTableCell()
			if column < len(cells) {
				cell = cells[column]
			}
			cell.Alignment = east.AlignNone
			row.AppendChild(row, cell)
		}
		var made ast.Node = row
		if column == 0 {
			made = east.NewTableHeader(row)
		}
		table.AppendChild(table, made)
	}
}
