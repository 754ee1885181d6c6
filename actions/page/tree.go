package page

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxTreeNodes bounds the tree that is built of an office document: 300,000 nodes are 60 MB, and a book
	// of 1,000 pages.
	maxTreeNodes = 300_000
	// maxNesting bounds how deep it gets: whoever walks it calls himself for every level.
	maxNesting = 200
)

// tree builds, of formats that are no HTML, the HTML that the writer knows how to write.
type tree struct {
	root, at *html.Node
	nodes    int
	depth    int
}

func newTree() *tree {
	root := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
	return &tree{root: root, at: root}
}

// full is true when nothing more is added.
func (t *tree) full() bool { return t.nodes >= maxTreeNodes }

// open begins an element; attributes come as keys and values in turn.
func (t *tree) open(a atom.Atom, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
	for i := 0; i+1 < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	t.depth++
	if !t.full() && t.depth < maxNesting {
		t.nodes++
		t.at.AppendChild(n)
	}
	if t.depth < maxNesting {
		n.Parent = t.at // also when nothing is added: close goes back by it
		t.at = n
	}
	return n
}

func (t *tree) close() {
	if t.depth < maxNesting && t.at != t.root {
		t.at = t.at.Parent
	}
	t.depth = max(t.depth-1, 0)
}

func (t *tree) text(s string) {
	if s == "" || t.full() {
		return
	}
	t.nodes++
	t.at.AppendChild(&html.Node{Type: html.TextNode, Data: s})
}

// enter goes on with an element when it is the last thing written, else begins it.
func (t *tree) enter(a atom.Atom) {
	if last := t.at.LastChild; last != nil && last.Type == html.ElementNode && last.DataAtom == a && t.depth < maxNesting-1 {
		t.depth++
		t.at = last
		return
	}
	t.open(a)
}

// openItem begins an item of a list that is given by its level alone; lists are made of such items at the
// end.
func (t *tree) openItem(level int, numbered bool) {
	kind := "ul"
	if numbered {
		kind = "ol"
	}
	t.open(atom.Li, "level", strconv.Itoa(level), "kind", kind)
}

// markdown is what was built. It writes no links but those to the web.
func (t *tree) markdown() string {
	for n := t.root; n != nil; n = after(n, t.root, false) {
		group(n)
	}
	return writeNode(t.root, nil)
}

// group puts items in a row into lists by their levels, and lines of code in a row into one block.
func group(parent *html.Node) {
	var lists []*html.Node // that are open, by level
	var code *html.Node
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		level, err := strconv.Atoi(attr(n, "level"))
		switch {
		case n.DataAtom == atom.Li && err == nil:
			kind := attr(n, "kind")
			n.Attr = nil // its place in a list says it from now on
			parent.RemoveChild(n)
			lists = lists[:min(len(lists), level+1)]
			if len(lists) > 0 && len(lists) == level+1 && lists[level].Data != kind {
				lists = lists[:level]
			}
			if len(lists) < level+1 || len(lists) == 0 {
				lists = append(lists, listFor(parent, next, lists, kind))
			}
			lists[len(lists)-1].AppendChild(n)
			code = nil
		case n.DataAtom == atom.Pre && code != nil:
			parent.RemoveChild(n)
			code.AppendChild(&html.Node{Type: html.TextNode, Data: "\n"})
			for c := n.FirstChild; c != nil; c = n.FirstChild {
				n.RemoveChild(c)
				code.AppendChild(c)
			}
		default:
			lists, code = nil, nil
			if n.DataAtom == atom.Pre {
				code = n
			}
		}
		n = next
	}
}

// listFor makes a list: inside the last item of the one above it, else among the paragraphs.
func listFor(parent, before *html.Node, above []*html.Node, kind string) *html.Node {
	list := &html.Node{Type: html.ElementNode, Data: kind, DataAtom: atom.Lookup([]byte(kind))}
	if len(above) > 0 && above[len(above)-1].LastChild != nil {
		above[len(above)-1].LastChild.AppendChild(list)
	} else {
		parent.InsertBefore(list, before)
	}
	return list
}

func headingAtom(level int) atom.Atom {
	return [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[min(max(level, 1), 6)-1]
}

// walkXML gives the elements of XML to start and end, and its text to text. It ends without an error where
// the XML is damaged or over the budget after its first element: what came before is worth reading, and cut
// says why there should be more. Text must be UTF-8, whatever the document says.
func walkXML(source string, start func(xml.StartElement), end func(xml.EndElement), text func(string)) (cut string, err error) {
	decoder := bounds.LooseXML(afterDeclaration(source))
	began := false
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && began:
			return "", nil
		case err != nil && began:
			return damageAfter(err), nil
		case err != nil:
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			began = true
			start(token)
		case xml.EndElement:
			end(token)
		case xml.CharData:
			text(string(token))
		}
	}
}

// damageAfter says in a word why no more of a file was read.
func damageAfter(err error) string {
	if bounds.Over(err) {
		return "only its beginning was read: " + err.Error()
	}
	return "its file is damaged after this"
}

// attribute is the value of an attribute by its local name, or "".
func attribute(e xml.StartElement, local string) string {
	for _, a := range e.Attr[:min(len(e.Attr), 100)] {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// claims is true for the attribute of an office document that switches something on.
func claims(value string) bool {
	switch strings.ToLower(value) {
	case "0", "false", "off", "none":
		return false
	}
	return true
}
