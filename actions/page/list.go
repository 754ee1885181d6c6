package page

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// term is the name in a list of definitions, as a paragraph.
func (w *writer) term(n *html.Node) {
	if onlyLink(n) { // a table of contents, as DocBook sets it
		w.item(n, "- ")
		return
	}
	w.block(2)
	w.name(n)
	w.block(2)
}

// definitions keeps lists within lists close, for tables of contents; their other content asks for its own
// distance.
func (w *writer) definitions(n *html.Node) {
	distance := 2
	if n.DataAtom == atom.Dd && firstElement(n) == atom.Dl ||
		n.DataAtom == atom.Dl && n.Parent != nil && n.Parent.DataAtom == atom.Dd {
		distance = 1
	}
	w.block(distance)
	w.children(n)
	w.block(distance)
}

func (w *writer) quote(n *html.Node) {
	w.block(2)
	before := *w
	was := w.indent("> ")
	if w.inline == 0 && w.owed == 0 && len(w.buf) > 0 && len(w.buf) == w.line {
		w.open("> ") // right after the mark of a list, where no new line begins
		w.line = len(w.buf)
	}
	start := len(w.buf)
	w.children(n)
	w.outdent(was)
	if len(w.buf) == start {
		*w = before
	}
	w.block(2)
}

func (w *writer) list(n *html.Node) {
	nested := n.Parent != nil && n.Parent.DataAtom == atom.Li
	if nested {
		w.block(1)
	} else {
		w.block(2)
	}
	number := 1
	if start, err := strconv.Atoi(attr(n, "start")); err == nil && start >= 0 && start < 1e6 {
		number = start
	}
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		switch {
		case c.DataAtom != atom.Li || c.Type != html.ElementNode:
			w.node(c)
		case w.leavesOut(c):
		case n.DataAtom == atom.Ol:
			w.item(c, strconv.Itoa(number)+". ")
			number++
		default:
			w.item(c, "- ")
		}
	}
	if !nested {
		w.block(2)
	}
}

func (w *writer) item(n *html.Node, mark string) {
	w.block(1)
	if w.inline > 0 { // in a cell
		w.within("• ", func() { w.children(n) }, "")
		w.block(1)
		return
	}
	if w.bullet(mark, func() { w.children(n) }) {
		w.owed = 1 // items are close, also when their text came as paragraphs
	}
}
