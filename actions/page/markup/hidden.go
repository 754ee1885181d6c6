package markup

import (
	"cmp"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// removeHidden takes out of a tree what the page hides from the person who looks at it: a model must not read
// sentences that nobody sees. It goes by attributes and by the styles of the page itself; external style
// sheets are not fetched.
func removeHidden(doc *html.Node) {
	h := hider{sheet: sheetOf(doc)}
	first := paint{}
	if !hasStyleSheet(doc) {
		first.behind = colour{known: true, red: 255, green: 255, blue: 255}
	}
	h.inside(doc, first, 0)
}

// hider walks a tree from the top.
type hider struct {
	sheet *sheet
	faded int // transparent blocks that were weighed
}

// paint is how the text inside an element looks, as it is inherited.
type paint struct {
	tiny, invisible bool
	text, behind    colour
}

func (p paint) hides() bool {
	same := p.text.known && p.behind.known && p.text.isNear(p.behind)
	return p.tiny || p.invisible || p.text.transparent || same
}

func (h *hider) inside(n *html.Node, p paint, depth int) {
	for c := n.FirstChild; c != nil && depth < maxDepth; {
		next := c.NextSibling
		switch {
		case c.Type == html.TextNode:
			if p.hides() && strings.TrimSpace(c.Data) != "" {
				n.RemoveChild(c)
			}
		case c.Type == html.ElementNode:
			looks := h.sheet.looksOf(c)
			if h.removes(c, looks) {
				n.RemoveChild(c)
			} else if c.DataAtom != atom.Script && c.DataAtom != atom.Style && c.DataAtom != atom.Head {
				h.inside(c, p.with(c, looks), depth+1)
			}
		}
		c = next
	}
}

// removes reports whether an element is hidden with all that is inside it.
func (h *hider) removes(n *html.Node, looks looks) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body, atom.Head, atom.Title, atom.Script, atom.Style, atom.Meta, atom.Link,
		atom.Input:
		return false // a page may hide its body until a script has run
	case atom.Dialog:
		if !HasAttr(n, "open") {
			return true
		}
	}
	if HasAttr(n, "hidden") && !strings.EqualFold(Attr(n, "hidden"), "until-found") || HasAttr(n, "popover") {
		return true
	}
	// MediaWiki hides a formula behind its picture.
	if len(looks) == 0 || strings.HasPrefix(Attr(n, "class"), "mwe-math-mathml") {
		return false
	}
	if share(looks.get("opacity")) < 0.05 || strings.Contains(looks.get("filter"), "opacity(0") {
		return !h.reveals(n)
	}
	return looks.get("display") == "none" || looks.get("content-visibility") == "hidden" ||
		looks.isOutside() || looks.isClipped()
}

// reveals reports whether a transparent block is one that a script fades in: it holds most of the page. Only
// the first few are weighed.
func (h *hider) reveals(n *html.Node) bool {
	if h.faded++; h.faded > 3 {
		return false
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	return len(TextOf(n, MaxText))*2 > len(TextOf(root, MaxText))
}

// with is the paint inside an element.
func (p paint) with(n *html.Node, looks looks) paint {
	isPage := n.DataAtom == atom.Body || n.DataAtom == atom.Html
	behind := cmp.Or(looks.get("background-color"), looks.get("background"), Attr(n, "bgcolor"))
	if c := colourOf(behind); c.known || c.unclear {
		p.behind = c
	}
	own := looks.get("color")
	switch n.DataAtom {
	case atom.Font:
		own = cmp.Or(own, Attr(n, "color"))
	case atom.Body:
		own = cmp.Or(own, Attr(n, "text"))
	}
	if c := colourOf(own); c.known || c.unclear || c.transparent {
		p.text = c
	}
	if isPage {
		return p
	}
	switch looks.get("visibility") {
	case "hidden", "collapse":
		p.invisible = true
	case "visible":
		p.invisible = false
	}
	if size := cmp.Or(looks.get("font-size"), sizeOfFont(looks.get("font"))); size != "" {
		relative := strings.HasSuffix(size, "em") && !strings.HasSuffix(size, "rem") ||
			strings.HasSuffix(size, "%")
		p.tiny = isTiny(size) || p.tiny && (relative || size == "inherit")
	}
	return p
}

// sizeOfFont returns the size in a value of the property font, as in "bold 12px/1.5 serif".
func sizeOfFont(value string) string {
	for field := range strings.FieldsSeq(value) {
		field, _, _ = strings.Cut(field, "/")
		if unit := strings.TrimLeft(field, "0123456789."); field == "0" || unit != "" && unit != field {
			return field
		}
	}
	return ""
}

func isTiny(size string) bool {
	value, ok := pixels(size)
	return ok && value < 2
}

// farAway is from how many pixels beyond its edge an element is no longer on the page.
const farAway = -500

// isOutside reports whether an element is placed where the page does not reach, or made as small as a point.
func (l looks) isOutside() bool {
	places := []string{"text-indent", "margin-left", "margin-top"}
	if position := l.get("position"); position != "" && position != "static" {
		places = append(places, "left", "right", "top", "bottom")
	}
	for _, place := range places {
		if value, ok := pixels(l.get(place)); ok && value <= farAway {
			return true
		}
	}
	transform := l.get("transform")
	for _, name := range [...]string{"translatex(", "translatey(", "translate(", "translate3d("} {
		_, after, found := strings.Cut(transform, name)
		after, _, _ = strings.Cut(after, ")")
		for part := range strings.SplitSeq(after, ",") {
			if value, ok := pixels(part); ok && found && value <= farAway {
				return true
			}
		}
	}
	scale := cmp.Or(l.get("scale"), strings.TrimSuffix(strings.TrimPrefix(transform, "scale("), ")"))
	return share(scale) < 0.05
}

// isClipped reports whether an element shows no part of what is inside it.
func (l looks) isClipped() bool {
	if clip := strings.ReplaceAll(l.get("clip"), " ", ""); strings.HasPrefix(clip, "rect(") {
		edges := strings.FieldsFunc(strings.Trim(clip[len("rect"):], "()"),
			func(r rune) bool { return r == ',' })
		same := len(edges) > 0
		for _, edge := range edges {
			same = same && strings.TrimSuffix(edge, "px") == strings.TrimSuffix(edges[0], "px")
		}
		if same || clip == "rect(0000)" {
			return true
		}
	}
	path := strings.ReplaceAll(l.get("clip-path"), " ", "")
	for _, nothing := range [...]string{"inset(50%", "inset(100%", "circle(0", "ellipse(0", "polygon(00,00"} {
		if strings.HasPrefix(path, nothing) {
			return true
		}
	}
	overflow := cmp.Or(l.get("overflow"), l.get("overflow-y"), l.get("overflow-x"))
	if overflow != "hidden" && overflow != "clip" {
		return false
	}
	for _, side := range [...]string{"height", "width", "max-height", "max-width", "block-size",
		"inline-size"} {
		isFold := strings.HasPrefix(side, "max-") && l.get("transition") != "" // which opens
		if value, ok := pixels(l.get(side)); ok && value <= 1 && !isFold {
			return true
		}
	}
	return false
}

// Parse gives the tree of what a person sees of a page. It is nil for a page of too many tags, and for
// one nested deeper than the parser's 512 elements.
func Parse(text string) *html.Node {
	doc, err := bounds.HTML(text)
	if err != nil {
		return nil
	}
	removeHidden(doc)
	return doc
}
