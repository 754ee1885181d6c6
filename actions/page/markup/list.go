package markup

import (
	"slices"
	"strconv"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxItem bounds a definition that forms one list item with its term, in bytes.
const maxItem = 1000

func (w *Writer) list(n *html.Node) {
	isNested := n.Parent != nil && n.Parent.DataAtom == atom.Li
	if !isNested {
		w.Block(2)
		defer w.Block(2)
	}
	w.Block(1)
	number := 1
	if start, err := strconv.Atoi(tree.Attr(n, "start")); err == nil && start >= 0 && start < 1e6 {
		number = start
	}
	for c := range n.ChildNodes() {
		switch {
		case c.DataAtom != atom.Li:
			w.node(c)
		case w.leavesOut(c):
		case n.DataAtom == atom.Ol:
			w.listItem(strconv.Itoa(number)+". ", func() { w.Children(c) })
			number++
		default:
			w.listItem("- ", func() { w.Children(c) })
		}
	}
}

func (w *Writer) listItem(mark string, inside func()) (written bool) {
	w.Block(1)
	if w.inline > 0 { // in a cell
		written = w.within("• ", inside, "")
		w.Block(1)
		return written
	}
	if written = w.Bullet(mark, inside); written {
		w.owed = 1 // items stay close, even if their text came as paragraphs
	}
	return written
}

func (w *Writer) quote(n *html.Node) {
	w.Block(2)
	before := *w
	w.indent("> ")
	if w.inline == 0 && w.owed == 0 && len(w.buf) > 0 && len(w.buf) == w.line {
		w.Open("> ") // right after a list mark, where no new line begins
		w.line = len(w.buf)
	}
	start := len(w.buf)
	w.Children(n)
	w.prefix = before.prefix
	if len(w.buf) == start {
		*w = before
	}
	w.Block(2)
}

// definitions keeps nested lists close, for tables of contents.
func (w *Writer) definitions(n *html.Node, inside func()) {
	distance := 2
	if n.DataAtom == atom.Dd && firstElement(n).DataAtom == atom.Dl ||
		n.DataAtom == atom.Dl && n.Parent != nil && n.Parent.DataAtom == atom.Dd {
		distance = 1
	}
	w.Block(distance)
	inside()
	w.Block(distance)
}

// term writes the term of a definition list, as a paragraph.
func (w *Writer) term(n *html.Node) {
	if onlyLink(n) { // a DocBook table of contents
		w.listItem("- ", func() { w.Children(n) })
		return
	}
	w.Block(2)
	if tree.HasClass(n, "sig") { // bold marks it as the heading of what follows
		w.within("**", func() { w.name(n) }, "**")
	} else {
		w.name(n)
	}
	w.Block(2)
}

// name writes a term: a signature as code, anything else in bold.
func (w *Writer) name(n *html.Node) {
	if tree.HasClass(n, "sig") {
		w.codeSpan(n)
		return
	}
	w.within("**", func() { w.flat(n) }, "**")
}

// definitionList writes terms and definitions. A short definition becomes one item with its term, so that
// both are found and cited together; reference manuals put whole chapters into a definition, which become
// paragraphs below the term.
func (w *Writer) definitionList(n *html.Node) {
	w.definitions(n, func() {
		wasItem := false
		for _, p := range w.pairsOf(n, nil) {
			isItem := w.inline == 0 && p.isShort()
			if isItem {
				if !wasItem {
					w.definitions(n, func() {})
				}
				w.definition(p)
			} else {
				for _, c := range append(p.terms, p.meanings...) {
					w.node(c)
				}
			}
			wasItem = isItem
		}
	})
}

// pair is one or more terms with their definitions.
type pair struct{ terms, meanings []*html.Node }

// pairsOf collects pairs from a list and the blocks that hold one each; what is no term is a definition. An
// empty term continues the definition before it, as in pages made of manuals that indent a list so.
func (w *Writer) pairsOf(n *html.Node, pairs []pair) []pair {
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || w.leavesOut(c) {
			continue
		}
		if c.DataAtom == atom.Div && n.DataAtom == atom.Dl {
			pairs = w.pairsOf(c, pairs)
			continue
		}
		isTerm := c.DataAtom == atom.Dt
		if len(pairs) > 0 && isTerm && tree.Text(c, 1) == "" {
			continue
		}
		if len(pairs) == 0 || isTerm && len(pairs[len(pairs)-1].meanings) > 0 {
			pairs = append(pairs, pair{})
		}
		if last := &pairs[len(pairs)-1]; isTerm {
			last.terms = append(last.terms, c)
		} else {
			last.meanings = append(last.meanings, c)
		}
	}
	return pairs
}

// isShort reports whether a pair fits into one item, not counting nested lists of definitions.
func (p pair) isShort() bool {
	if len(p.terms) == 0 || slices.ContainsFunc(p.terms, onlyLink) { // a table of contents
		return false
	}
	length := 0
	for _, meaning := range p.meanings {
		length += ownLength(meaning)
	}
	return len(p.meanings) > 0 && length <= maxItem
}

// ownLength returns the bytes of text in a definition outside nested lists, or more than maxItem if it
// contains blocks other than paragraphs and such lists.
func ownLength(meaning *html.Node) (length int) {
	for c := range meaning.Descendants() {
		if tree.IsBlock(c.DataAtom) && !inItems[c.DataAtom] {
			return maxItem + 1
		}
	}
	for c := meaning; c != nil && length <= maxItem; c = tree.After(c, meaning, c.DataAtom == atom.Dl) {
		if c.Type == html.TextNode {
			length += len(c.Data)
		}
	}
	return length
}

var inItems = tree.Tags("p div dl dt dd")

func (w *Writer) definition(p pair) {
	meaning := func() {
		for _, m := range p.meanings {
			w.Children(m)
			w.Block(1)
		}
	}
	named := w.listItem("- ", func() {
		for i, term := range p.terms {
			if i > 0 && len(w.buf) > w.line {
				w.Put(", ")
			}
			w.name(term)
		}
		if len(w.buf) > w.line {
			w.within(": ", func() {
				w.line = len(w.buf)
				meaning()
			}, "")
		}
	})
	if !named {
		meaning()
	}
}
