package markup

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxAddress bounds the address of a link, in bytes.
const maxAddress = 8 << 10

// emphasis puts marks around the content of n; it does not nest them, nor put them around whole blocks.
func (w *Writer) emphasis(n *html.Node, mark string) {
	if w.marked > 0 || onlyCode(n) || tree.HasBlock(n) {
		w.marked++ // also avoids looking for blocks again further inside
		w.Children(n)
		w.marked--
		return
	}
	if beginsBlank(n) {
		w.gap()
	}
	w.within(mark, func() { w.flat(n) }, mark)
}

// raised matches what keeps its meaning only in superscript: an exponent, or one letter.
var raised = regexp.MustCompile(`^(?:[-+−\pN]|\pL$)`)

// superscript keeps ten to the sixth from becoming 106; notes and ordinals remain plain.
func (w *Writer) superscript(n *html.Node) {
	if raised.MatchString(strings.TrimSpace(tree.Text(n, 16))) && len(w.buf) > w.line && !w.blank &&
		w.owed == 0 && firstElement(n).DataAtom != atom.A {
		w.Put("^")
	}
	w.Children(n)
}

func (w *Writer) link(n *html.Node) {
	href := strings.TrimSpace(tree.Attr(n, "href"))
	if isPermalink(n, href) {
		return
	}
	address := w.resolve(href)
	if address == "" || w.wrap != "" {
		w.Children(n)
		return
	}
	if w.inline == 0 && tree.HasBlock(n) {
		w.wrap = address
		w.Children(n)
		w.wrap = ""
		return
	}
	if beginsBlank(n) {
		w.gap()
	}
	w.Link(address, func() { w.flat(n) })
}

// Link writes a link, unless inside writes nothing.
func (w *Writer) Link(address string, inside func()) (written bool) {
	return w.within("[", inside, "]("+address+")")
}

// resolve makes a link absolute; "" for one of no use to a reader: into the same page, or not to the web.
func (w *Writer) resolve(href string) string {
	if href == "" || href[0] == '#' || len(href) > maxAddress {
		return ""
	}
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	if w.base != nil {
		samePath := u.Host == "" && u.RawQuery == "" &&
			(u.Path == "" || strings.HasSuffix(w.base.Path, "/"+u.Path))
		if samePath && u.Fragment != "" {
			return ""
		}
		if w.base.Host != "" {
			u = w.base.ResolveReference(u)
		}
	}
	address := u.String()
	if strings.Count(address, "(") != strings.Count(address, ")") {
		address = strings.NewReplacer("(", "%28", ")", "%29").Replace(address)
	}
	return address
}

// isPermalink reports whether n is one of the signs by which documentation links a heading to itself.
func isPermalink(n *html.Node, href string) bool {
	if !strings.Contains(href, "#") {
		return false
	}
	switch strings.TrimSpace(tree.Text(n, 16)) {
	case "¶", "#", "§", "🔗", "⚓", "⚓︎", "∞", "[link]", "Permalink", "permalink", "\uf0c1", "\u200b":
		return true
	}
	return false
}

var chineseWords = regexp.MustCompile(`(?:\p{Han}[^\p{Han}]*){4}`)

// image keeps the description of a picture if it says something: a few words, not a file name.
func (w *Writer) image(n *html.Node) {
	alt := plain.Line(tree.Attr(n, "alt"))
	if class := tree.Attr(n, "class"); strings.Contains(class, "math") || strings.Contains(class, "tex") {
		w.formula(alt)
		return
	}
	words := len(strings.Fields(alt))
	if words < 3 && !chineseWords.MatchString(alt) || len(alt) > 1000 || w.wrap != "" {
		return
	}
	w.gap()
	w.Put("[image: ")
	w.Text(alt)
	w.buf = append(w.buf, ']')
	w.gap()
}

// math writes the TeX of a formula if the page includes it, otherwise its characters.
func (w *Writer) math(n *html.Node) {
	tex := tree.Attr(n, "alttext")
	for c := range n.Descendants() {
		if tex == "" && c.Data == "annotation" && strings.HasSuffix(tree.Attr(c, "encoding"), "tex") {
			tex = tree.Text(c, 1000)
		}
	}
	if tex == "" {
		w.Children(n)
		return
	}
	tex = strings.TrimSpace(tex)
	if bare, found := strings.CutPrefix(tex, `{\displaystyle `); found { // MediaWiki wraps every formula
		tex = strings.TrimSuffix(bare, "}")
	}
	w.formula("$" + strings.TrimSpace(tex) + "$")
}

// formula writes TeX verbatim, but adds a blank where it would begin a tag.
func (w *Writer) formula(tex string) { w.Put(strings.ReplaceAll(plain.Line(tex), "<", "< ")) }

// onlyCode reports whether an element contains only code, which needs no emphasis.
func onlyCode(n *html.Node) bool {
	c := n.FirstChild
	return c != nil && c.NextSibling == nil && c.DataAtom == atom.Code
}

// onlyLink reports whether an element contains only a link.
func onlyLink(n *html.Node) bool {
	for range 3 { // it may be in a span or two
		if n = tree.OnlyChild(n); n == nil || n.DataAtom == atom.A {
			return tree.Attr(n, "href") != ""
		}
	}
	return false
}

// firstElement returns the first element in another, or an empty one if there is none.
func firstElement(n *html.Node) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return &html.Node{}
}

// beginsBlank reports whether n begins with white space, which must go before an opening mark.
func beginsBlank(n *html.Node) bool {
	for n.FirstChild != nil {
		n = n.FirstChild
	}
	return n.Type == html.TextNode && n.Data != "" && isSpace(n.Data[0])
}
