package office

import (
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
)

// ods is an OpenDocument spreadsheet that is being read.
type ods struct {
	sheets
	hidden map[string]bool // styles of sheets that are not shown
	table  *html.Node      // of the last row
}

// readODS leaves out what readXLSX does.
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

// row reads one, as often as it is repeated. A cell that another one covers only takes its place.
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
	again := len(strings.Join(row, "")) // that a repetition holds
	for i := range repeated(n, "number-rows-repeated") {
		if len(row) == 0 {
			break
		}
		if i > 0 {
			o.size += again
		}
		if o.size > markup.MaxText || !o.add(slices.Clone(row)) {
			return false
		}
	}
	return true
}

// repeated is how often a row or cell is there. The empty ones to the end of a sheet are a million.
func repeated(n *html.Node, key string) int {
	times, err := strconv.Atoi(tree.Attr(n, key))
	if err != nil {
		return 1
	}
	return min(max(times, 1), 1<<20)
}

// odsCell is what a cell holds; what is neither a number nor a date is taken as it is shown.
func odsCell(c *html.Node) string {
	switch tree.Attr(c, "value-type") {
	case "float", "percentage", "currency":
		return number(tree.Attr(c, "value"))
	case "date":
		return isoMoment(tree.Attr(c, "date-value"))
	}
	var paragraphs []string
	for p := range c.ChildNodes() { // a comment holds paragraphs of its own
		if p.Data == "p" {
			paragraphs = append(paragraphs, tree.Text(p, markup.MaxText))
		}
	}
	return clean(strings.Join(paragraphs, " "))
}
