package page

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// emphasis sets marks around n. It is not nested, and where n holds whole blocks it says nothing and is left
// out.
func (w *writer) emphasis(n *html.Node, mark string) {
	if w.marked > 0 || onlyCode(n) || hasBlock(n) {
		w.marked++ // also spares looking for blocks again further inside
		w.children(n)
		w.marked--
		return
	}
	if beginsBlank(n) {
		w.gap()
	}
	w.within(mark, func() { w.flat(n) }, mark)
}

// superscript keeps a figure from changing: ten to the sixth must not become 106. Notes and ordinals stay
// plain.
func (w *writer) superscript(n *html.Node) {
	text := strings.TrimSpace(textOf(n, 16))
	first, size := utf8.DecodeRuneInString(text)
	if unicode.IsDigit(first) || first == '-' || first == '+' || first == '−' ||
		size > 0 && size == len(text) && unicode.IsLetter(first) {
		if len(w.buf) > w.line && !w.blank && w.owed == 0 && firstElement(n) != atom.A {
			w.put("^")
		}
	}
	w.children(n)
}

func (w *writer) link(n *html.Node) {
	href := strings.TrimSpace(attr(n, "href"))
	if isPermalink(n, href) {
		return
	}
	address := w.resolve(href)
	if address == "" || w.wrap != "" {
		w.children(n)
		return
	}
	if w.inline == 0 && hasBlock(n) {
		w.wrap = address
		w.children(n)
		w.wrap = ""
		return
	}
	if beginsBlank(n) {
		w.gap()
	}
	w.linked(address, func() { w.flat(n) })
}

func (w *writer) linked(address string, inside func()) { w.within("[", inside, "]("+address+")") }

// resolve makes a link absolute; "" for one that leads nowhere a reader could go: into the same page, or not
// to the web.
func (w *writer) resolve(href string) string {
	if href == "" || href[0] == '#' || len(href) > maxURLBytes {
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

// isPermalink is true for the little signs with which documentation links a heading to itself.
func isPermalink(n *html.Node, href string) bool {
	if !strings.Contains(href, "#") {
		return false
	}
	switch strings.TrimSpace(textOf(n, 16)) {
	case "¶", "#", "§", "🔗", "⚓", "⚓︎", "∞", "[link]", "Permalink", "permalink", "\uf0c1", "\u200b":
		return true
	}
	return false
}

// image keeps the description of a picture when it says something: a few words, not a file name.
func (w *writer) image(n *html.Node) {
	alt := cleanLine(attr(n, "alt"))
	if class := attr(n, "class"); strings.Contains(class, "math") || strings.Contains(class, "tex") {
		w.formula(alt)
		return
	}
	words := len(strings.Fields(alt))
	if words < 3 && !isHan(alt) || len(alt) > 1000 || w.wrap != "" {
		return
	}
	w.gap()
	w.put("[image: ")
	w.text(alt)
	w.buf = append(w.buf, ']')
	w.gap()
}

func isHan(s string) bool {
	count := 0
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			count++
		}
	}
	return count >= 4
}

// math writes the TeX of a formula when the page brings it along, else its characters.
func (w *writer) math(n *html.Node) {
	tex := attr(n, "alttext")
	for c := after(n, n, false); c != nil && tex == ""; c = after(c, n, false) {
		if c.Data == "annotation" && strings.HasSuffix(attr(c, "encoding"), "tex") {
			tex = textOf(c, 1000)
		}
	}
	if tex == "" {
		w.children(n)
		return
	}
	tex = strings.TrimSpace(tex)
	if bare, found := strings.CutPrefix(tex, `{\displaystyle `); found { // MediaWiki wraps every formula
		tex = strings.TrimSuffix(bare, "}")
	}
	w.formula("$" + strings.TrimSpace(tex) + "$")
}

// formula writes TeX to the letter, but for a blank where it would begin a tag.
func (w *writer) formula(tex string) { w.put(strings.ReplaceAll(cleanLine(tex), "<", "< ")) }
