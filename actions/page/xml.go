package page

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
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
	decoder := bounds.LooseXML(afterDeclaration(strings.TrimPrefix(text, "\ufeff")))
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return ""
		}
		switch token := token.(type) {
		case xml.StartElement:
			return strings.ToLower(token.Name.Local)
		case xml.CharData:
			if len(bytes.TrimSpace(token)) > 0 {
				return ""
			}
		}
	}
}

// readXML writes XML as a list: an element with its text, below it the ones inside it. Where text and
// elements are mixed it is a paragraph. Of a drawing only the words are kept.
func readXML(source, address string) (Page, error) {
	root, cut, err := parseXML(source)
	if err != nil {
		return Page{}, damaged(address, fmt.Sprintf("could not read XML: %.100v", err))
	}
	for _, unread := range slices.Concat(slices.Collect(elements(root, "script")),
		slices.Collect(elements(root, "style"))) {
		unread.Parent.RemoveChild(unread)
	}
	page := Page{Partial: cut}
	for title := range elements(root, "title") {
		page.Title = cleanLine(textOf(title, 500))
		break
	}
	w := newWriter(nil)
	drawing := rootOf(source) == "svg"
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		w.xmlElement(n, drawing)
	}
	page.Markdown = w.finish()
	return page, nil
}

// xmlElement writes one element and what is inside it.
func (w *writer) xmlElement(n *html.Node, drawing bool) {
	if n.Type != html.ElementNode || w.full {
		return
	}
	words, inner := false, false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		words = words || c.Type == html.TextNode && strings.TrimSpace(c.Data) != ""
		inner = inner || c.Type == html.ElementNode
	}
	switch {
	case words && (drawing || inner):
		w.block(2)
		w.text(textOf(n, maxBody))
		w.block(2)
	case drawing:
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.xmlElement(c, drawing)
		}
	default:
		w.xmlItem(n, words)
	}
}

func (w *writer) xmlItem(n *html.Node, words bool) {
	var facts []string
	for _, a := range n.Attr[:min(len(n.Attr), 20)] {
		value := cleanLine(a.Val)
		if a.Namespace != "xmlns" && a.Key != "xmlns" && value != "" && len(value) <= 200 {
			facts = append(facts, cleanLine(a.Key)+" "+value)
		}
	}
	w.block(1)
	w.bullet("- ", func() {
		w.text(cleanLine(n.Data))
		if len(facts) > 0 {
			w.text(" (" + strings.Join(facts, ", ") + ")")
		}
		if words {
			w.put(": ")
			w.text(textOf(n, maxBody))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.xmlElement(c, false)
		}
	})
	w.block(1)
}
