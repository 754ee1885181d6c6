package office

import (
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
)

// ods is an OpenDocument spreadsheet being read.
type ods struct {
	sheets
	hidden map[string]bool // styles of hidden sheets
	table  *html.Node      // of the last row
}

// readODS leaves out the same things as readXLSX.
func readODS(a *archive) (doc markup.Document, err error) {
	if doc, err = describeOpen(a); err != nil {
		return doc, err
	}
	var o ods
	if err = o.parts(a, "content.xml", "table-row", o.row); err != nil {
		return doc, err
	}
	doc.Markdown, doc.Partial = o.write()
	return doc, nil
}

// row reads a row, as often as it is repeated. A cell that another one covers only takes up space.
func (o *ods) row(n *html.Node) bool {
	var table, root *html.Node
	for root = range n.Ancestors() {
		if table == nil && root.Data == "table" {
			table = root
		}
	}
	if o.hidden == nil { // all styles come before the first table
		o.hidden = map[string]bool{}
		for style := range elements(root, "style") {
			looks := child(style, "table-properties")
			o.hidden[tree.Attr(style, "name")] = tree.Attr(looks, "display") == "false"
		}
	}
	if table == nil || o.hidden[tree.Attr(table, "style-name")] {
		return true
	}
	if table != o.table {
		o.table = table
		o.all = append(o.all, sheet{name: tree.Attr(table, "name")})
	}
	var row []string
	column := 0
	for c := range n.ChildNodes() {
		if c.Data != "table-cell" && c.Data != "covered-table-cell" {
			continue
		}
		times := repeated(c, "number-columns-repeated")
		if text := odsCell(c); text != "" && c.Data == "table-cell" {
			for i := range min(times, maxWide) {
				row = o.put(row, column+i, text)
			}
		}
		column = min(column+times, maxWide)
	}
	again := len(strings.Join(row, "")) // bytes of one repetition
	for i := range repeated(n, "number-rows-repeated") {
		if len(row) == 0 {
			break
		}
		if i > 0 {
			o.size += again
		}
		if o.isFull() || !o.add(slices.Clone(row)) {
			return false
		}
	}
	return true
}

// repeated returns the repeat count of a row or cell. Empty ones up to the end of a sheet are a million.
func repeated(n *html.Node, key string) int {
	times, err := strconv.Atoi(tree.Attr(n, key))
	if err != nil {
		return 1
	}
	return min(max(times, 1), 1<<20)
}

// odsCell returns the content of a cell; anything but a number or a date is taken as displayed.
func odsCell(c *html.Node) string {
	switch tree.Attr(c, "value-type") {
	case "float", "percentage", "currency":
		return number(tree.Attr(c, "value"))
	case "date":
		return isoMoment(tree.Attr(c, "date-value"))
	}
	var paragraphs []string
	for p := range c.ChildNodes() { // a comment has paragraphs of its own
		if p.Data == "p" {
			paragraphs = append(paragraphs, tree.Text(p, markup.MaxText))
		}
	}
	return clean(strings.Join(paragraphs, " "))
}
