package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parseHTML makes the tree of a page that html.Parse makes of it, and where the page is well-formed, as nearly all pages are that a
// program wrote, it does so in a quarter of the time: such a page needs none of the rules by which mistakes are put right.
// Its tree differs in what nobody asks for: it has no node for the doctype, attributes stand in the order of the page, and those of
// drawings have their names in lower case.
func parseHTML(text string) (*html.Node, error) {
	if doc := parseWellFormed(text); doc != nil {
		return doc, nil
	}
	return html.Parse(strings.NewReader(text))
}

// wellFormed builds the tree of a page, and gives up at the first thing whose meaning is not plain.
type wellFormed struct {
	markup
	doc     *html.Node
	open    []*html.Node // the elements that are not ended yet, from the outermost
	hasHead bool
	inside  once // elements of which one may be open at a time
	ended   int  // 1 after the end of the body, 2 after the end of all
	nodes   []html.Node
	attrs   []html.Attribute
}

// maxOpen is below the depth from which html.Parse refuses a page.
const maxOpen = 500

// parseWellFormed is nil for a page that html.Parse must take on.
func parseWellFormed(text string) *html.Node {
	if strings.IndexByte(text, 0) >= 0 {
		return nil
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	w := wellFormed{markup: markup{text: text}, doc: &html.Node{Type: html.DocumentNode}}
	for w.at < len(w.text) {
		if !w.next() {
			return nil
		}
	}
	if len(w.open) < 2 || w.open[1].DataAtom != atom.Body {
		return nil
	}
	return w.doc
}

// next takes one piece of the text: what stands between two tags, a comment, or a tag.
func (w *wellFormed) next() bool {
	run, ok := w.run()
	if !ok || run != "" && !w.addRun(run) {
		return false
	}
	if w.at == len(w.text) {
		return true
	}
	switch c := w.text[w.at+1]; {
	case c == '/':
		w.at += len("</")
		if w.at == len(w.text) || !isLetter(w.text[w.at]) {
			return false
		}
		tag, name, ok := w.name()
		if !ok {
			return false
		}
		_, ok = w.attributes(nil)
		return ok && w.end(tag, name)
	case c == '!' && len(w.open) == 0 && w.doctype():
		return true
	case isLetter(c):
		w.at++
		return w.element()
	}
	text, ok := w.comment()
	if ok {
		w.addComment(text)
	}
	return ok
}

func (w *wellFormed) top() *html.Node {
	if len(w.open) == 0 {
		return w.doc
	}
	return w.open[len(w.open)-1]
}

// node is a new one. They come by the hundred: one at a time they would cost as much as all else.
func (w *wellFormed) node(n html.Node) *html.Node {
	if len(w.nodes) == 0 {
		w.nodes = make([]html.Node, 128)
	}
	place := &w.nodes[0]
	w.nodes = w.nodes[1:]
	*place = n
	return place
}

func (w *wellFormed) add(parent *html.Node, n html.Node) *html.Node {
	child := w.node(n)
	child.Parent, child.PrevSibling = parent, parent.LastChild
	if parent.LastChild == nil {
		parent.FirstChild = child
	} else {
		parent.LastChild.NextSibling = child
	}
	parent.LastChild = child
	return child
}

func (w *wellFormed) addText(parent *html.Node, text string) {
	if last := parent.LastChild; last != nil && last.Type == html.TextNode {
		last.Data += text
		return
	}
	w.add(parent, html.Node{Type: html.TextNode, Data: text})
}

// addRun adds text where text may stand. Between the parts of a page and of a table only blanks may.
func (w *wellFormed) addRun(text string) bool {
	top := w.top()
	if len(w.open) == 0 || w.ended > 0 || holdsNoText(top.DataAtom) {
		if strings.Trim(text, whiteSpace) != "" {
			return false
		}
		if len(w.open) == 0 || top.DataAtom == atom.Html && !w.hasHead {
			return true
		}
	}
	if top.DataAtom == atom.Pre && top.FirstChild == nil {
		text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
	}
	if text != "" {
		w.addText(top, text)
	}
	return true
}

func holdsNoText(tag atom.Atom) bool {
	switch tag {
	case atom.Html, atom.Head, atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Colgroup:
		return true
	}
	return false
}

func (w *wellFormed) addComment(text string) {
	parent := w.top()
	switch w.ended {
	case 1:
		parent = w.open[0]
	case 2:
		parent = w.doc
	}
	w.add(parent, html.Node{Type: html.CommentNode, Data: text})
}

// element takes a tag that begins an element, and all of one that cannot hold others.
func (w *wellFormed) element() bool {
	tag, name, ok := w.name()
	if !ok || w.ended > 0 || !w.fits(tag, name) {
		return false
	}
	if cap(w.attrs)-len(w.attrs) < 8 {
		w.attrs = make([]html.Attribute, 0, 256)
	}
	list, ok := w.attributes(w.attrs)
	if !ok {
		return false
	}
	n := html.Node{Type: html.ElementNode, DataAtom: tag, Data: name}
	if len(list) > len(w.attrs) {
		n.Attr = list[len(w.attrs):len(list):len(list)]
		w.attrs = list
	}
	if tag == atom.Svg || w.top().Namespace != "" {
		n.Namespace = "svg"
	}
	switch {
	case n.Namespace == "" && isVoid(tag), n.Namespace != "" && w.isClosed():
		w.add(w.top(), n)
		return true
	case n.Namespace == "" && isRaw(tag):
		return w.addRaw(n)
	}
	return w.push(n)
}

func (w *wellFormed) addRaw(n html.Node) bool {
	content, ok := w.raw(n.Data)
	if !ok {
		return false
	}
	added := w.add(w.top(), n)
	if n.DataAtom == atom.Title || n.DataAtom == atom.Textarea {
		content = html.UnescapeString(content)
	}
	if n.DataAtom == atom.Textarea {
		content = strings.TrimPrefix(strings.TrimPrefix(content, "\r"), "\n")
	}
	if content != "" {
		w.addText(added, content)
	}
	return true
}

func (w *wellFormed) push(n html.Node) bool {
	mark := onceOf(n.DataAtom)
	if w.inside&mark != 0 || len(w.open) == maxOpen {
		return false
	}
	w.inside |= mark
	w.hasHead = w.hasHead || n.DataAtom == atom.Head
	w.open = append(w.open, w.add(w.top(), n))
	return true
}

func (w *wellFormed) pop() {
	w.inside &^= onceOf(w.top().DataAtom)
	w.open = w.open[:len(w.open)-1]
}

// end takes a tag that ends an element: the innermost, or one that ends with it.
func (w *wellFormed) end(tag atom.Atom, name string) bool {
	switch {
	case tag == atom.Body || tag == atom.Html:
		top := w.top()
		if top.DataAtom == atom.P {
			top = top.Parent
		}
		if w.ended == 2 || w.ended == 1 && tag == atom.Body || top.DataAtom != atom.Body {
			return false
		}
		w.ended = 1
		if tag == atom.Html {
			w.ended = 2
		}
		return true
	case w.ended > 0 || len(w.open) == 0:
		return false
	}
	if tag == atom.P && w.inside&onceParagraph == 0 && w.top().Namespace == "" && !holdsNoText(w.top().DataAtom) {
		w.add(w.top(), implied(atom.P)) // what had begun it was ended by a block before
		return true
	}
	for top := w.top().DataAtom; top != tag && endsWith(top, tag); top = w.top().DataAtom {
		w.pop()
	}
	if w.top().Data != name {
		return false
	}
	w.pop()
	return true
}
