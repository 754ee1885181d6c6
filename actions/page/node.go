package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attr is the value of an attribute, "" when there is none, or no node. Only the first hundred are looked at.
func attr(n *html.Node, key string) string {
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

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}

// after is the next node in document order within root; with skip, the one after n and all inside it.
func after(n, root *html.Node, skip bool) *html.Node {
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

// textOf is the text inside n, up to about limit bytes; "" without a node.
func textOf(n *html.Node, limit int) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for c := after(n, n, false); c != nil && b.Len() <= limit; c = after(c, n, false) {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func isHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

func hasBlock(n *html.Node) bool {
	for c := after(n, n, false); c != nil; c = after(c, n, false) {
		if c.Type == html.ElementNode && isBlock(c.DataAtom) {
			return true
		}
	}
	return false
}

// onlyCode is true for an element with nothing but code in it, which needs no emphasis.
func onlyCode(n *html.Node) bool {
	c := n.FirstChild
	return c != nil && c.NextSibling == nil && c.DataAtom == atom.Code
}

// onlyChild is the element that another consists of, nil where it holds more, or text.
func onlyChild(n *html.Node) *html.Node {
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

// onlyLink is true for an element with nothing but a link in it.
func onlyLink(n *html.Node) bool {
	for range 3 { // it may be in a span or two
		if n = onlyChild(n); n == nil || n.DataAtom == atom.A {
			return attr(n, "href") != ""
		}
	}
	return false
}

func firstElement(n *html.Node) atom.Atom {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c.DataAtom
		}
	}
	return 0
}

// beginsBlank is true when the first text inside n begins with white space, which belongs before an opening
// mark.
func beginsBlank(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.FirstChild {
		if c.Type == html.TextNode {
			return c.Data != "" && isSpace(c.Data[0])
		}
	}
	return false
}
