package markup

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxItem is how many bytes a definition may have that is an item of a list together with its term.
const maxItem = 1000

// definitionList writes terms and what they mean. A short definition is an item with its term, so that both
// are found and cited together; reference manuals put whole chapters into a definition, which are paragraphs
// below their term.
func (w *Writer) definitionList(n *html.Node) {
	pairs := w.pairsOf(n, nil)
	if w.inline > 0 || len(pairs) == 0 {
		w.definitions(n)
		return
	}
	distance := 2
	if n.Parent != nil && n.Parent.DataAtom == atom.Dd {
		distance = 1
	}
	w.Block(distance)
	wasItem := false
	for _, p := range pairs {
		isItem := p.isShort()
		switch {
		case !isItem:
			for _, c := range append(p.terms, p.meanings...) {
				w.node(c)
			}
		case wasItem:
			w.Block(1)
			w.definition(p)
		default:
			w.Block(distance)
			w.definition(p)
		}
		wasItem = isItem
	}
	w.Block(distance)
}

// pair is one or more terms with what they mean.
type pair struct{ terms, meanings []*html.Node }

// pairsOf goes through a list, and through the blocks that hold a pair each. What is neither term nor meaning
// is a meaning.
func (w *Writer) pairsOf(n *html.Node, pairs []pair) []pair {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != html.ElementNode || w.leavesOut(c):
		case c.DataAtom == atom.Dt:
			if len(pairs) == 0 || len(pairs[len(pairs)-1].meanings) > 0 {
				pairs = append(pairs, pair{})
			}
			last := &pairs[len(pairs)-1]
			last.terms = append(last.terms, c)
		case c.DataAtom == atom.Div && n.DataAtom == atom.Dl:
			pairs = w.pairsOf(c, pairs)
		default:
			if len(pairs) == 0 {
				pairs = append(pairs, pair{})
			}
			last := &pairs[len(pairs)-1]
			last.meanings = append(last.meanings, c)
		}
	}
	return pairs
}

// isShort reports whether a pair fits into one item.
func (p pair) isShort() bool {
	if len(p.terms) == 0 || len(p.meanings) != 1 {
		return false
	}
	for _, term := range p.terms {
		if onlyLink(term) {
			return false // a table of contents
		}
	}
	meaning := p.meanings[0]
	for c := After(meaning, meaning, false); c != nil; c = After(c, meaning, false) {
		switch c.DataAtom {
		case atom.P, atom.Div, 0:
		default:
			if IsBlock(c.DataAtom) {
				return false
			}
		}
	}
	return meaning.DataAtom == atom.Dd && len(TextOf(meaning, maxItem)) <= maxItem
}

func (w *Writer) definition(p pair) {
	meaning := func() { w.Children(p.meanings[0]) }
	named := w.Bullet("- ", func() {
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
	if named {
		w.owed = 1
	} else {
		meaning()
	}
}

// name writes a term: a signature as code, anything else in bold.
func (w *Writer) name(n *html.Node) {
	if HasClass(n, "sig") {
		w.codeSpan(n)
		return
	}
	w.within("**", func() { w.flat(n) }, "**")
}
