package export

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// referencesID is the id of the heading over the list of references that the program writes.
const referencesID = "references"

// table numbers the citations of a table. One of references it makes one whose rows can be linked to.
func (c *citing) table(table *east.Table, source []byte) {
	if c.inReferences {
		table.SetAttributeString("class", []byte("references"))
	}
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if !c.inReferences || !c.takeRow(row, source) {
			c.number(row, source, false)
		}
	}
}

// takeRow gives a row the name of its source: the first cell that holds an id alone tells it.
func (c *citing) takeRow(row ast.Node, source []byte) bool {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		id := idAlone(cell, source)
		if id == "" || c.listed[id] {
			continue
		}
		c.listed[id] = true
		cell.RemoveChildren(cell)
		cell.AppendChild(cell, &citation{row: id, text: id, citing: c})
		return true
	}
	return false
}

// idAlone is the source that a cell names and nothing else, as s3, [s3] or [s3](Sources/s03.md).
func idAlone(cell ast.Node, source []byte) string {
	text := plain(cell, source)
	if only, ok := cell.FirstChild().(*citation); ok && only.NextSibling() == nil {
		text = only.text
	}
	if id := strings.Trim(text, "[]"); sourceID.FindString(id) == id {
		return id
	}
	return ""
}

// webAddress says whether an address leads to the web.
func webAddress(url string) bool {
	lower := strings.ToLower(url)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}
