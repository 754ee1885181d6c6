package office

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxXMLNodes bounds the tree that is built of XML: that many are 100 MB, and a book of 2,000 pages.
const maxXMLNodes = 500_000

// tooLong is the reason given if only the beginning of a document was read.
const tooLong = "only its beginning was read: it is longer than a reader takes"

// parseXML makes a tree of XML, naming each element by its local name. If the XML is damaged or exceeds the
// limit after its first element, it returns the tree so far, which is worth reading, and cut says why there
// should be more. Text must be UTF-8, whatever the document declares.
func parseXML(source string) (root *html.Node, cut string, err error) {
	return parseParts(source, "", nil)
}

// parseParts is parseXML for what may be larger than a tree: each element called name is passed to each when
// it ends, within the tree read so far, and then discarded. It stops when each returns false.
func parseParts(source, name string, each func(*html.Node) bool) (root *html.Node, cut string, err error) {
	decoder := bounds.LooseXML(AfterDeclaration(source))
	root = &html.Node{Type: html.ElementNode}
	at, before := root, maxXMLNodes
	for left := maxXMLNodes; left > 0; left-- {
		token, err := decoder.Token()
		switch {
		case err != nil && root.FirstChild == nil:
			return root, "", err
		case errors.Is(err, io.EOF):
			return root, "", nil
		case err != nil:
			return root, damageAfter(err), nil
		}
		switch token := token.(type) {
		case xml.StartElement:
			element := &html.Node{Type: html.ElementNode, Data: token.Name.Local}
			for _, a := range token.Attr[:min(len(token.Attr), 100)] {
				element.Attr = append(element.Attr,
					html.Attribute{Namespace: a.Name.Space, Key: a.Name.Local, Val: a.Value})
			}
			at.AppendChild(element)
			at = element
			if element.Data == name {
				before = left
			}
		case xml.EndElement:
			if at == root {
				break
			}
			part := at
			if at = at.Parent; each != nil && part.Data == name {
				if !each(part) {
					return root, tooLong, nil
				}
				at.RemoveChild(part)
				left = before
			}
		case xml.CharData:
			if at != root {
				tree.AddText(at, string(token))
			}
		}
	}
	return root, tooLong, nil
}

// damageAfter explains why no more of a file was read.
func damageAfter(err error) string {
	if bounds.Over(err) {
		return "only its beginning was read: " + err.Error()
	}
	return "its file is damaged after this"
}

// elements iterates over the elements with a name in a tree of XML, in document order.
func elements(root *html.Node, name string) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && n.Data == name && !yield(n) {
				return
			}
		}
	}
}

// first returns the first element with a name, or nil.
func first(root *html.Node, name string) *html.Node {
	for n := range elements(root, name) {
		return n
	}
	return nil
}

// child descends from an element by the names of children, always to the first; nil if there is none.
func child(n *html.Node, path ...string) *html.Node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		for n = n.FirstChild; n != nil && (n.Type != html.ElementNode || n.Data != name); {
			n = n.NextSibling
		}
	}
	return n
}

// value returns the attribute val of a child, where WordprocessingML keeps values.
func value(n *html.Node, path ...string) string { return tree.Attr(child(n, path...), "val") }

// addNotes appends notes in the order of their marks.
func addNotes(to *html.Node, notes []string) {
	for i, note := range notes {
		tree.AddText(tree.Add(to, atom.P), "[^"+strconv.Itoa(i+1)+"]: "+plain.Line(note))
	}
}

func headingAtom(level int) atom.Atom {
	return [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[min(max(level, 1), 6)-1]
}

// describe reads the Dublin Core terms except the date: that of a file does not date its text.
func describe(about *html.Node) (d markup.Document) {
	for n := range about.Descendants() {
		text := func() string { return plain.Line(tree.Text(n, 1000)) }
		switch n.Data {
		case "title":
			d.Title = cmp.Or(d.Title, text())
		case "creator", "initial-creator":
			if by := text(); by != "openpyxl" && by != "python-docx" { // programs name themselves
				d.Author = cmp.Or(d.Author, by)
			}
		case "language":
			d.Language = cmp.Or(d.Language, text())
		}
	}
	return d
}

// group collects consecutive items into lists by level, and consecutive lines of code into one block.
func group(parent *html.Node) {
	var lists []*html.Node // open ones, by level
	var code *html.Node
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		level, err := strconv.Atoi(tree.Attr(n, "level"))
		switch {
		case n.DataAtom == atom.Li && err == nil:
			kind := tree.Attr(n, "kind")
			n.Attr = nil // its place in a list replaces them
			parent.RemoveChild(n)
			lists = lists[:min(len(lists), level+1)]
			if len(lists) == level+1 && lists[level].Data != kind {
				lists = lists[:level]
			}
			if len(lists) < level+1 {
				lists = append(lists, listFor(parent, next, lists, kind))
			}
			lists[len(lists)-1].AppendChild(n)
			code = nil
		case n.DataAtom == atom.Pre && code != nil:
			parent.RemoveChild(n)
			tree.AddText(code, "\n")
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

// listFor makes a list: inside the last item of the list above it, otherwise among the paragraphs.
func listFor(parent, before *html.Node, above []*html.Node, kind string) *html.Node {
	list := &html.Node{Type: html.ElementNode, Data: kind, DataAtom: atom.Lookup([]byte(kind))}
	if last := len(above) - 1; last >= 0 {
		above[last].LastChild.AppendChild(list)
	} else {
		parent.InsertBefore(list, before)
	}
	return list
}

// AfterDeclaration removes <?xml … ?>, which names the charset the text had before decoding.
func AfterDeclaration(text string) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(trimmed, "<?xml") {
		if _, after, found := strings.Cut(trimmed, "?>"); found {
			return after
		}
	}
	return trimmed
}

// firstTag matches the first element, after all that may precede one.
var firstTag = regexp.MustCompile(`(?is)^\x{feff}?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|` +
	`<!doctype[^>\[]*(?:\[.*?\]\s*)?>\s*)*<(?:[^\s<>/:!?]+:)?([^\s<>/:!?]+)`)

// RootOf returns the local name of the first element, in lower case, or "" for what does not begin like XML.
func RootOf(text string) string {
	if found := firstTag.FindStringSubmatch(text); found != nil {
		return strings.ToLower(found[1])
	}
	return ""
}

// XML writes XML as a list: an element with its text, and below it the elements inside. An element that mixes
// text and elements becomes a paragraph. Of a drawing only the words are kept.
func XML(source string) (markup.Document, error) {
	root, cut, err := parseXML(source)
	if err != nil {
		return markup.Document{}, fmt.Errorf("could not read XML: %.100w", inWords(err))
	}
	for _, name := range [...]string{"script", "style"} {
		for _, unread := range slices.Collect(elements(root, name)) {
			unread.Parent.RemoveChild(unread)
		}
	}
	doc := markup.Document{Partial: cut}
	doc.Title = plain.Line(tree.Text(first(root, "title"), 500))
	w := markup.NewWriter()
	drawing := RootOf(source) == "svg"
	for n := range root.ChildNodes() {
		xmlElement(w, n, drawing)
	}
	doc.Markdown = w.Finish()
	return doc, nil
}

// xmlElement writes one element and its content.
func xmlElement(w *markup.Writer, n *html.Node, drawing bool) {
	if n.Type != html.ElementNode || w.Full {
		return
	}
	words, inner := false, false
	for c := range n.ChildNodes() {
		words = words || c.Type == html.TextNode && strings.TrimSpace(c.Data) != ""
		inner = inner || c.Type == html.ElementNode
	}
	switch {
	case words && (drawing || inner):
		w.Block(2)
		w.Text(tree.Text(n, markup.MaxText))
		w.Block(2)
	case drawing:
		for c := range n.ChildNodes() {
			xmlElement(w, c, drawing)
		}
	default:
		xmlItem(w, n, words)
	}
}

func xmlItem(w *markup.Writer, n *html.Node, words bool) {
	var facts []string
	for _, a := range n.Attr[:min(len(n.Attr), 20)] {
		value := plain.Line(a.Val)
		if a.Namespace != "xmlns" && a.Key != "xmlns" && value != "" && len(value) <= 200 {
			facts = append(facts, plain.Line(a.Key)+" "+value)
		}
	}
	w.Block(1)
	w.Bullet("- ", func() {
		w.Text(plain.Line(n.Data))
		if len(facts) > 0 {
			w.Text(" (" + strings.Join(facts, ", ") + ")")
		}
		if words {
			w.Put(": ")
			w.Text(tree.Text(n, markup.MaxText))
		}
		for c := range n.ChildNodes() {
			xmlElement(w, c, false)
		}
	})
	w.Block(1)
}
