package page

import (
	"encoding/xml"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// afterDeclaration takes off <?xml … ?>, which names the charset that the text had once.
func afterDeclaration(text string) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(trimmed, "<?xml") {
		if _, after, found := strings.Cut(trimmed, "?>"); found {
			return after
		}
	}
	return trimmed
}

// rootOf is the local name of the first element, in lower case, or "" for what does not begin like XML.
func rootOf(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		end := ""
		switch {
		case strings.HasPrefix(text, "<?"):
			end = "?>"
		case strings.HasPrefix(text, "<!--"):
			end = "-->"
		case strings.HasPrefix(text, "<!"):
			end = ">"
			if inner, after, found := strings.Cut(text, "["); found && !strings.Contains(inner, ">") {
				text, end = after, "]" // declarations inside the declaration of the type
				if _, rest, closed := strings.Cut(text, "]"); closed {
					text, end = rest, ">"
				}
			}
		case strings.HasPrefix(text, "<"):
			name := text[1:]
			if i := strings.IndexAny(name, " \t\r\n/>"); i >= 0 {
				name = name[:i]
			}
			if _, local, found := strings.Cut(name, ":"); found {
				name = local
			}
			return strings.ToLower(name)
		}
		if end == "" {
			return ""
		}
		_, after, found := strings.Cut(text, end)
		if !found {
			return ""
		}
		text = after
	}
}

// readXML writes XML as a list: an element with its text, below it the ones inside it. Where text and
// elements are mixed it is a paragraph. Of a drawing only the words are kept.
func readXML(source, address string) (Page, error) {
	drawing := rootOf(source) == "svg"
	x := &xmlList{tree: newTree(), drawing: drawing}
	cut, err := walkXML(source, x.start, x.end, x.chars)
	if err != nil {
		return Page{}, damaged(address, fmt.Sprintf("could not read XML: %.100v", err))
	}
	w := newWriter(nil)
	for n := x.root.FirstChild; n != nil; n = n.NextSibling {
		w.xmlElement(n, drawing)
	}
	return Page{Title: cleanLine(x.title), Partial: partial(cut, x.full()), Markdown: w.finish()}, nil
}

// xmlList is the tree of an XML document, each element under its own name.
type xmlList struct {
	*tree
	drawing bool
	skip    int
	title   string // of the first element of that name
}

func (x *xmlList) start(e xml.StartElement) {
	name := e.Name.Local
	if x.skip > 0 || name == "script" || name == "style" {
		x.skip++
		return
	}
	n := x.open(atom.Div)
	n.Data = cleanLine(name)
	for _, a := range e.Attr[:min(len(e.Attr), 20)] {
		if value := cleanLine(a.Value); a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && value != "" && len(value) <= 200 && !x.drawing {
			n.Attr = append(n.Attr, html.Attribute{Key: cleanLine(a.Name.Local), Val: value})
		}
	}
}

func (x *xmlList) end(e xml.EndElement) {
	if x.skip > 0 {
		x.skip--
		return
	}
	if e.Name.Local == "title" && x.title == "" {
		x.title = textOf(x.at, 500)
	}
	x.close()
}

func (x *xmlList) chars(s string) {
	if x.skip == 0 && strings.TrimSpace(s) != "" {
		x.text(s)
	}
}

// xmlElement writes one element and what is inside it.
func (w *writer) xmlElement(n *html.Node, drawing bool) {
	if w.depth++; w.depth >= maxDepth || w.full {
		w.depth--
		return
	}
	defer func() { w.depth-- }()
	words, elements := false, false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		words = words || c.Type == html.TextNode
		elements = elements || c.Type == html.ElementNode
	}
	switch {
	case drawing && words:
		w.block(2)
		w.text(textOf(n, maxBody))
		w.block(2)
	case drawing:
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.xmlElement(c, drawing)
		}
	case words && elements:
		w.block(2)
		w.text(textOf(n, maxBody))
		w.block(2)
	default:
		w.xmlItem(n, words)
	}
}

func (w *writer) xmlItem(n *html.Node, words bool) {
	w.block(1)
	w.open("- ")
	w.line = len(w.buf)
	w.text(n.Data)
	for i, a := range n.Attr {
		w.text([...]string{" (", ", "}[min(i, 1)] + a.Key + " " + a.Val)
	}
	if len(n.Attr) > 0 {
		w.put(")")
	}
	if words {
		w.put(": ")
		w.text(textOf(n, maxBody))
	}
	was := w.indent("  ")
	for c := n.FirstChild; c != nil && !words; c = c.NextSibling {
		w.xmlElement(c, false)
	}
	w.outdent(was)
	w.block(1)
}
