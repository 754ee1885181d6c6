package export

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// referencesID is the id of the heading over the list of references that the program writes.
const referencesID = "references"

// table numbers the citations of a table. One of references it makes one whose rows can be linked to.
func (c *citing) table(table *east.Table, source []byte) {
	switch {
	case c.inReferences:
		table.SetAttributeString("class", []byte("references"))
	case tooWide(table, source):
		table.SetAttributeString("class", []byte("wide"))
	}
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if !c.inReferences || !c.takeRow(row, source) {
			c.number(row, source, false)
		}
	}
}

// tooWide says whether a table does not fit on paper unless its words are broken: one of many columns, or
// with a word of many letters that is not an address.
func tooWide(table *east.Table, source []byte) bool {
	const columns, letters = 8, 45
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			for word := range strings.FieldsSeq(plain(cell, source)) {
				if len(word) > letters && !webAddress(word) && word[0] < utf8.RuneSelf {
					return true
				}
			}
		}
	}
	return len(table.Alignments) > columns
}

// takeRow gives a row the name of the source that it is about: the first cell that holds an id alone tells
// it. Its links are marked, so that they are printed with their addresses.
func (c *citing) takeRow(row ast.Node, source []byte) bool {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		id := idAlone(cell, source)
		if id == "" || c.listed[id] {
			continue
		}
		c.listed[id] = true
		cell.RemoveChildren(cell)
		cell.AppendChild(cell, &citation{row: id, text: id, citing: c})
		for other := row.FirstChild(); other != nil; other = other.NextSibling() {
			markLinks(other)
		}
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

// printed is the attribute of a link that is printed with its address.
const printed = "printed"

func markLinks(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if link, ok := c.(*ast.Link); ok {
			link.SetAttributeString(printed, true)
		}
		markLinks(c)
	}
}

// address is a link as it is printed: without the fragment that only tells a browser which words to show.
func address(url string) string {
	before, _, _ := strings.Cut(url, "#:~:")
	return before
}

// webAddress says whether an address leads to the web.
func webAddress(url string) bool {
	lower := strings.ToLower(url)
	return strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")
}
