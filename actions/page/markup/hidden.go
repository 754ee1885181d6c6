package markup

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// removeHidden removes from a tree what the page hides from a person: a model must not read sentences that
// nobody sees. It considers attributes and the page's own styles; external style sheets are not fetched.
func removeHidden(doc *html.Node) {
	sheet, isStyled := sheetOf(doc)
	h, first := hider{sheet: sheet}, paint{}
	if !isStyled {
		first.behind = colourOf("white")
	}
	h.inside(doc, first, 0)
}

// hider walks a tree from the top.
type hider struct {
	sheet sheet
	faded int // transparent blocks examined
}

// paint is the inherited appearance of the text inside an element.
type paint struct {
	tiny, invisible bool
	text, behind    colour
}

func (p paint) hides() bool {
	return p.tiny || p.invisible || p.text.transparent || p.text.isNear(p.behind)
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

// alwaysKept are never removed: a page may hide its body until a script has run.
var alwaysKept = tree.Tags("html body head title script style meta link input")

// removes reports whether an element is hidden with all its content.
func (h *hider) removes(n *html.Node, looks looks) bool {
	switch {
	case alwaysKept[n.DataAtom]:
		return false
	case n.DataAtom == atom.Dialog && !tree.HasAttr(n, "open"), tree.HasAttr(n, "popover"),
		tree.HasAttr(n, "hidden") && !strings.EqualFold(tree.Attr(n, "hidden"), "until-found"):
		return true
	case len(looks) == 0, strings.HasPrefix(tree.Attr(n, "class"), "mwe-math-mathml"):
		return false // MediaWiki hides a formula that it shows as a picture
	case share(looks.get("opacity")) < faint, strings.Contains(looks.get("filter"), "opacity(0"):
		return !h.reveals(n)
	}
	return looks.get("display") == "none" || looks.get("content-visibility") == "hidden" ||
		looks.isOutside() || looks.isClipped()
}

// reveals reports whether a transparent block, one of the first few, holds most of the page's text.
func (h *hider) reveals(n *html.Node) bool {
	if h.faded++; h.faded > 3 {
		return false
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	return len(tree.Text(n, MaxText))*2 > len(tree.Text(root, MaxText))
}

// with returns the paint inside an element.
func (p paint) with(n *html.Node, looks looks) paint {
	behind := cmp.Or(looks.get("background-color", "background"), tree.Attr(n, "bgcolor"))
	if c := colourOf(behind); c.known || c.unclear {
		p.behind = c
	}
	own := looks.get("color")
	switch n.DataAtom {
	case atom.Font:
		own = cmp.Or(own, tree.Attr(n, "color"))
	case atom.Body:
		own = cmp.Or(own, tree.Attr(n, "text"))
	}
	if c := colourOf(own); c.known || c.unclear || c.transparent {
		p.text = c
	}
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html {
		return p
	}
	switch looks.get("visibility") {
	case "hidden", "collapse":
		p.invisible = true
	case "visible":
		p.invisible = false
	}
	size := looks.get("font-size")
	if found := fontSize.FindStringSubmatch(looks.get("font")); size == "" && found != nil {
		size = found[1]
	}
	if size != "" {
		relative := strings.HasSuffix(size, "em") && !strings.HasSuffix(size, "rem") ||
			strings.HasSuffix(size, "%")
		p.tiny = atMost(size, 1.99) || p.tiny && (relative || size == "inherit")
	}
	return p
}

// fontSize matches the size in a value of the property font, as in "bold 12px/1.5 serif".
var fontSize = regexp.MustCompile(`(?:^| )(0|[.0-9]+[a-z%]+)(?:[/ ]|$)`)

const (
	// farAway is the offset, in pixels, from which an element is no longer on the page.
	farAway = -500
	// faint is the opacity or scale below which nothing is visible.
	faint = 0.05
)

var (
	moved   = regexp.MustCompile(`translate(?:x|y|3d)?\(([^)]*)`)
	shrunk  = regexp.MustCompile(`^scale\((.*)\)$`)
	oneRect = regexp.MustCompile(`^rect\((?:0(?:px)?[, ]*)+\)$|^rect\((?:1(?:px)?[, ]*)+\)$`)
	noPath  = regexp.MustCompile(`^(?:inset\(50%|inset\(100%|circle\(0|ellipse\(0|polygon\(0 ?0, ?0 ?0)`)
)

// isOutside reports whether an element is placed off the page, or scaled down to a point.
func (l looks) isOutside() bool {
	places := []string{l.get("text-indent"), l.get("margin-left"), l.get("margin-top")}
	if position := l.get("position"); position != "" && position != "static" {
		places = append(places, l.get("left"), l.get("right"), l.get("top"), l.get("bottom"))
	}
	transform := l.get("transform")
	for _, found := range moved.FindAllStringSubmatch(transform, -1) {
		places = append(places, strings.Split(found[1], ",")...)
	}
	return slices.ContainsFunc(places, func(place string) bool { return atMost(place, farAway) }) ||
		share(l.get("scale")) < faint || share(shrunk.ReplaceAllString(transform, "$1")) < faint
}

// isClipped reports whether an element shows none of its content.
func (l looks) isClipped() bool {
	if oneRect.MatchString(l.get("clip")) || noPath.MatchString(l.get("clip-path")) {
		return true
	}
	if overflow := l.get("overflow", "overflow-y", "overflow-x"); overflow != "hidden" && overflow != "clip" {
		return false
	}
	for _, side := range [...]string{"height", "width", "max-height", "max-width", "block-size",
		"inline-size"} {
		isFold := strings.HasPrefix(side, "max-") && l.get("transition") != "" // a fold that opens
		if atMost(l.get(side), 1) && !isFold {
			return true
		}
	}
	return false
}

// Parse returns the tree of what a person sees; nil for too many tags, or nested deeper than 512.
func Parse(text string) *html.Node {
	doc, err := bounds.HTML(text)
	if err != nil {
		return nil
	}
	removeHidden(doc)
	return doc
}
