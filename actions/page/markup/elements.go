package markup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/clutter"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth applies if the parser should ever stop refusing more than 512 open elements.
const maxDepth = 600

// Children writes the content of n.
func (w *Writer) Children(n *html.Node) {
	if w.depth++; w.depth < maxDepth {
		for c := n.FirstChild; c != nil && !w.Full; c = c.NextSibling {
			w.node(c)
		}
	}
	w.depth--
}

func (w *Writer) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.Text(n.Data)
	case html.DocumentNode:
		w.Children(n)
	case html.ElementNode:
		if !w.leavesOut(n) {
			w.element(n)
		}
	}
}

func (w *Writer) leavesOut(n *html.Node) bool { return clutter.Skipped(n) || w.without[n] }

// element handles every element that leaves a mark in Markdown; of any other it writes the content.
func (w *Writer) element(n *html.Node) {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n)
	case atom.Pre, atom.Listing, atom.Xmp:
		w.pre(n)
	case atom.Code, atom.Tt, atom.Kbd, atom.Samp:
		w.codeSpan(n)
	case atom.A:
		w.link(n)
	case atom.Em, atom.I, atom.Cite, atom.Dfn:
		w.emphasis(n, "*")
	case atom.Strong, atom.B:
		w.emphasis(n, "**")
	case atom.Del, atom.S, atom.Strike:
		w.emphasis(n, "~~")
	case atom.Sup:
		w.superscript(n)
	case atom.Q:
		w.Open("“")
		w.Children(n)
		w.Put("”")
	case atom.Br:
		w.lineBreak()
	case atom.Img:
		w.image(n)
	case atom.Math:
		w.math(n)
	case atom.Table:
		w.table(n)
	case atom.Ul, atom.Menu, atom.Ol, atom.Dir:
		w.list(n)
	case atom.Li:
		w.listItem("- ", func() { w.Children(n) })
	case atom.Dt:
		w.term(n)
	case atom.Dl:
		w.definitionList(n)
	case atom.Dd:
		w.definitions(n, func() { w.Children(n) })
	case atom.Blockquote:
		w.quote(n)
	case atom.P:
		w.paragraph(n)
	default:
		if !tree.IsBlock(n.DataAtom) {
			w.Children(n)
			return
		}
		w.Block(2)
		w.Children(n)
		w.Block(2)
	}
}

func (w *Writer) heading(n *html.Node) {
	if w.inline > 0 {
		w.Block(1)
		w.Children(n)
		w.Block(1)
		return
	}
	w.Block(2)
	if isLabel(n) {
		w.emphasis(n, "**")
		w.Block(2)
		return
	}
	wrap := w.wrap
	w.wrap = ""
	text := func() { w.flat(n) }
	if wrap != "" {
		text = func() { w.Link(wrap, func() { w.flat(n) }) }
	}
	level := cmp.Or(w.levels[n], levelOf(n))
	if !w.within("######"[:level]+" ", text, "") {
		w.wrap = wrap
	}
	w.Block(2)
}

// boxes are the classes of boxes within a text.
var boxes = strings.Fields("example note warning tip caution important hint danger info admonition callout")

// isLabel reports whether a heading is the first and only one of a box: what follows the box is not below it.
func isLabel(n *html.Node) bool {
	box := n.Parent
	isBox := box.DataAtom == atom.Div &&
		slices.ContainsFunc(boxes, func(class string) bool { return tree.HasClass(box, class) })
	if !isBox && box.DataAtom != atom.Aside || levelOf(n) < 3 {
		return false
	}
	for other := range box.Descendants() {
		if other != n && tree.IsHeading(other.DataAtom) {
			return false
		}
	}
	return firstElement(box) == n
}

// flat writes the content of n on one line, without emphasis.
func (w *Writer) flat(n *html.Node) {
	w.inline++
	w.marked++
	w.Children(n)
	w.inline--
	w.marked--
}

func (w *Writer) paragraph(n *html.Node) {
	if isBar(n) {
		return
	}
	w.Block(2)
	if tree.HasClass(n, "admonition-title") {
		w.emphasis(n, "**")
	} else {
		w.Children(n)
	}
	w.Block(2)
}

// isBar reports whether n is a line of links to the next, previous and upper page, as Texinfo writes it.
func isBar(n *html.Node) bool {
	for c, i := n.FirstChild, 0; c != nil && i < 4; c, i = c.NextSibling, i+1 {
		rel := tree.Attr(c, "rel")
		if c.DataAtom == atom.A && (rel == "next" || rel == "prev" || rel == "up") {
			return true
		}
	}
	return false
}

// lineBreak ends a line; two in a row end a paragraph, as in pages without <p>.
func (w *Writer) lineBreak() {
	if w.inline == 0 && w.owed > 0 {
		w.Block(2)
		return
	}
	w.Block(1)
}
