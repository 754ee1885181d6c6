package office

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
)

// AfterDeclaration takes off <?xml … ?>, which names the charset that the text had once.
func AfterDeclaration(text string) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(trimmed, "<?xml") {
		if _, after, found := strings.Cut(trimmed, "?>"); found {
			return after
		}
	}
	return trimmed
}

// firstTag is the first element behind what may stand before one.
var firstTag = regexp.MustCompile(`(?is)^\x{feff}?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|` +
	`<!doctype[^>\[]*(?:\[.*?\]\s*)?>\s*)*<(?:[^\s<>/:!?]+:)?([^\s<>/:!?]+)`)

// RootOf is the local name of the first element, in lower case, or "" for what does not begin like XML.
func RootOf(text string) string {
	if found := firstTag.FindStringSubmatch(text); found != nil {
		return strings.ToLower(found[1])
	}
	return ""
}

// XML writes XML as a list: an element with its text, below it the ones inside it. Where text and
// elements are mixed it is a paragraph. Of a drawing only the words are kept.
func XML(source string) (markup.Document, error) {
	root, cut, err := parseXML(source)
	if err != nil {
		return markup.Document{}, fmt.Errorf("could not read XML: %.100w", err)
	}
	for _, name := range [...]string{"script", "style"} {
		for _, unread := range slices.Collect(elements(root, name)) {
			unread.Parent.RemoveChild(unread)
		}
	}
	doc := markup.Document{Partial: cut}
	doc.Title = plain.Line(tree.Text(first(root, "title"), 500))
	w := markup.NewWriter(nil)
	drawing := RootOf(source) == "svg"
	for n := range root.ChildNodes() {
		xmlElement(w, n, drawing)
	}
	doc.Markdown = w.Finish()
	return doc, nil
}

// xmlElement writes one element and what is inside it.
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
