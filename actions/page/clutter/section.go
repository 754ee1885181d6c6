package clutter

import (
	"cmp"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// ownWords is the minimum text of a paragraph below a heading, outside links, as a mapper counts it.
	ownWords = 25
	// maxLooked bounds the nodes examined to weigh one block.
	maxLooked = 2000
	// shortBlock is the length from which a block merely happens to contain a form.
	shortBlock = 600
)

// isSection reports whether n is a section of a text: a heading of its own and, below it, a paragraph. Such a
// block is content whatever its name: there are chapters on comments, cookies, menus and pagination. Reader
// comments are no section: their paragraphs are in separate blocks below the heading.
func isSection(n *html.Node) bool { return sectionLevel(n) > 0 }

// sectionLevel returns the level of a section's heading, 0 for a block that is no section.
func sectionLevel(n *html.Node) int {
	for range 4 { // it may be in a wrapper or two
		heading := 0
		for c := range n.ChildNodes() {
			if level := titleLevel(c); level > 0 {
				heading = level
			} else if heading > 0 && isParagraph(c) {
				if isPrompt(n) {
					return 0
				}
				return heading
			}
		}
		if n = onlySeen(n); n == nil || !tree.IsBlock(n.DataAtom) {
			return 0
		}
	}
	return 0
}

// onlySeen returns the only visible element inside n, nil if there are several or none.
func onlySeen(n *html.Node) (only *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type != html.ElementNode, unseenTags[c.DataAtom]:
		case only != nil:
			return nil
		default:
			only = c
		}
	}
	return only
}

var unseenTags = tree.Tags("script style template noscript link meta a br hr span")

// IsPartOfMany reports whether a section has a sibling of the same tag and level.
func IsPartOfMany(n *html.Node) bool {
	level := sectionLevel(n)
	if level == 0 || n.Parent == nil {
		return false
	}
	looked := 0
	for c := range n.Parent.ChildNodes() {
		if looked++; looked > maxLooked {
			break
		}
		if c != n && c.DataAtom == n.DataAtom && sectionLevel(c) == level {
			return true
		}
	}
	return false
}

// titleLevel returns the level of the heading that n is or begins with; a link to another page is none.
func titleLevel(n *html.Node) int {
	for range 5 {
		if n == nil || n.Type != html.ElementNode {
			return 0
		}
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			if link := tree.OnlyChild(n); link != nil && link.DataAtom == atom.A &&
				!strings.HasPrefix(cmp.Or(tree.Attr(link, "href"), "#"), "#") {
				return 0
			}
			return int(n.Data[1] - '0')
		case atom.Div, atom.Header, atom.Hgroup:
		default:
			return 0
		}
		inner := onlySeen(n)
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
				return 0
			case tree.IsHeading(c.DataAtom) && (inner == nil || !tree.IsHeading(inner.DataAtom)):
				inner = c
			}
		}
		n = inner
	}
	return 0
}

var running = tree.Tags("pre p table dl blockquote")

// isParagraph reports whether n is running text, code or a table, and not mostly links.
func isParagraph(n *html.Node) bool {
	if n.Type != html.TextNode && !running[n.DataAtom] {
		return false
	}
	text, linked := weigh(n, 1000)
	return text-linked >= ownWords && linked*2 < text
}

// weigh counts characters, and those in links, up to about most.
func weigh(n *html.Node, most int) (text, linked int) {
	looked, blank := 0, true
	for c := n; c != nil && looked < maxLooked && text < most; c = tree.After(c, n, false) {
		looked++
		if c.Type != html.TextNode {
			continue
		}
		var wide int
		wide, blank = plain.Width(c.Data, blank)
		text += wide
		if c != n && (c.Parent.DataAtom == atom.A || tree.Inside(c.Parent, atom.A)) {
			linked += wide
		}
	}
	return text, linked
}

// isPrompt reports whether a short block asks its reader to enter or press something.
func isPrompt(n *html.Node) bool {
	looked, asks := 0, false
	for c := tree.After(n, n, false); c != nil && looked < maxLooked; c = tree.After(c, n, false) {
		looked++
		switch c.DataAtom {
		case atom.Pre, atom.Table:
			return false
		case atom.Input, atom.Textarea, atom.Select, atom.Button:
			asks = asks || tree.Attr(c, "type") != "hidden"
		}
	}
	text, _ := weigh(n, shortBlock)
	return asks && text < shortBlock
}
