// Package tree adds functions to golang.org/x/net/html for examining and building a tree of HTML.
package tree

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attr returns an attribute's value, "" if there is none, or no node. Only the first hundred are examined.
func Attr(n *html.Node, key string) string {
	if n == nil {
		return ""
	}
	for i := range n.Attr[:min(len(n.Attr), 100)] {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasClass reports whether an element is of a class.
func HasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(Attr(n, "class")), class)
}

// After returns the next node in document order within root; with skip, the one after n and all its content.
func After(n, root *html.Node, skip bool) *html.Node {
	if !skip && n.FirstChild != nil {
		return n.FirstChild
	}
	for ; n != root && n != nil; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// Text returns the text inside n, up to about limit bytes; "" without a node.
func Text(n *html.Node, limit int) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for c := After(n, n, false); c != nil && b.Len() <= limit; c = After(c, n, false) {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

var headings = Tags("h1 h2 h3 h4 h5 h6")

// IsHeading reports whether an element is a heading.
func IsHeading(tag atom.Atom) bool { return headings[tag] }

// HasBlock reports whether there is a block inside n.
func HasBlock(n *html.Node) bool {
	for c := range n.Descendants() {
		if IsBlock(c.DataAtom) {
			return true
		}
	}
	return false
}

// OnlyChild returns the only child of an element, nil if it has other elements or text.
func OnlyChild(n *html.Node) *html.Node {
	var only *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) == "":
		case c.Type == html.ElementNode && only == nil:
			only = c
		default:
			return nil
		}
	}
	return only
}

// HasAttr reports whether an element has an attribute, even an empty one.
func HasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr[:min(len(n.Attr), 100)],
		func(a html.Attribute) bool { return a.Key == key })
}

// Inside reports whether n is in an element of type a.
func Inside(n *html.Node, a atom.Atom) bool {
	for up := range n.Ancestors() {
		if up.DataAtom == a {
			return true
		}
	}
	return false
}

// NewDiv returns an empty block, the root of a tree.
func NewDiv() *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
}

// Add appends an HTML element to another and returns it; attributes are alternating keys and values.
func Add(to *html.Node, a atom.Atom, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for i := 0; i+1 < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	to.AppendChild(n)
	return n
}

// AddText appends a text to an element.
func AddText(to *html.Node, text string) {
	to.AppendChild(&html.Node{Type: html.TextNode, Data: text})
}

// Tags returns a set of elements, given their names.
func Tags(names string) map[atom.Atom]bool {
	all := map[atom.Atom]bool{}
	for name := range strings.FieldsSeq(names) {
		all[atom.Lookup([]byte(name))] = true
	}
	return all
}

var blocks = Tags(`address article aside blockquote body caption center dd details dialog div dl dt fieldset
	figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre
	section summary table tbody td tfoot th thead tr ul`)

// IsBlock reports whether an element begins a line of its own.
func IsBlock(a atom.Atom) bool { return blocks[a] }
