package markup

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// term is the name in a list of definitions, as a paragraph.
func (w *Writer) term(n *html.Node) {
	if onlyLink(n) { // a table of contents, as DocBook sets it
		w.item(n, "- ")
		return
	}
	w.Block(2)
	w.name(n)
	w.Block(2)
}

// definitions keeps lists within lists close, for tables of contents; their other content asks for its own
// distance.
func (w *Writer) definitions(n *html.Node) {
	distance := 2
	if n.DataAtom == atom.Dd && firstElement(n) == atom.Dl ||
		n.DataAtom == atom.Dl && n.Parent != nil && n.Parent.DataAtom == atom.Dd {
		distance = 1
	}
	w.Block(distance)
	w.Children(n)
	w.Block(distance)
}

func (w *Writer) quote(n *html.Node) {
	w.Block(2)
	before := *w
	was := w.indent("> ")
	if w.inline == 0 && w.owed == 0 && len(w.buf) > 0 && len(w.buf) == w.line {
		w.Open("> ") // right after the mark of a list, where no new line begins
		w.line = len(w.buf)
	}
	start := len(w.buf)
	w.Children(n)
	w.outdent(was)
	if len(w.buf) == start {
		*w = before
	}
	w.Block(2)
}

func (w *Writer) list(n *html.Node) {
	nested := n.Parent != nil && n.Parent.DataAtom == atom.Li
	if nested {
		w.Block(1)
	} else {
		w.Block(2)
	}
	number := 1
	if start, err := strconv.Atoi(Attr(n, "start")); err == nil && start >= 0 && start < 1e6 {
		number = start
	}
	for c := n.FirstChild; c != nil && !w.Full; c = c.NextSibling {
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
		w.Block(2)
	}
}

func (w *Writer) item(n *html.Node, mark string) {
	w.Block(1)
	if w.inline > 0 { // in a cell
		w.within("• ", func() { w.Children(n) }, "")
		w.Block(1)
		return
	}
	if w.Bullet(mark, func() { w.Children(n) }) {
		w.owed = 1 // items are close, also when their text came as paragraphs
	}
}
