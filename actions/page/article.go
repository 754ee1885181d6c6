package page

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/clutter"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// article is the part of a page that holds its text.
type article struct {
	root    *html.Node
	without map[*html.Node]bool // elements inside that do not belong to it
	prose   int                 // in the article, in characters
	dropped int                 // prose of the page outside the article
}

// leftOut returns a remark on prose of the page that is not in its article, "" if it is little.
func (a article) leftOut() string {
	if a.dropped < ownText || a.dropped*2 < a.prose {
		return ""
	}
	return fmt.Sprintf("some %d characters of text beside the article, such as comments, are left out",
		a.dropped/100*100)
}

const (
	// nearlyAll is the share of its prose that an element must hold in one child for the text to be there. If
	// no child holds that much, the text has parts, and the element itself is the text. Of 0.6 to 0.9, this
	// value read the annotated set best.
	nearlyAll = 0.7
	// allOfIt is the same for technical writing, where a short section matters as much as a long one.
	allOfIt = 0.98
	// secondPart is how much prose, relative to the text's, makes a later block another part of it.
	secondPart = 0.2
	// mostlyLinks is the share of links above which a block without prose is a menu.
	mostlyLinks = 0.5
	// ownText is how much text outside links protects a block that has an ambiguous name.
	ownText = 600
)

// articleOf finds the text of a page by its prose: starting at the top, it descends into the element that
// holds nearly all of it, as long as there is one. The text begins at the heading above that element, which
// includes the lead that many sites set apart. Technical writing keeps every list, since its lists of links
// are its index.
func articleOf(top *html.Node, s *survey, base *url.URL) article {
	p := parts{regions: regionsOf(top, s.blocks > 0), technical: s.blocks > 0, base: base}
	p.main = p.mainRegion()
	p.head = p.headRegion(s.title)
	whole := p.main
	if p.goesOn() {
		whole = p.regions[whole].parent
	}
	for p.head >= 0 && (whole > p.head || p.regions[whole].end <= p.head) {
		whole = p.regions[whole].parent
	}
	without := p.prune(whole)
	kept := p.regions[whole].prose
	for i := range p.regions {
		if without[p.regions[i].node] {
			kept -= p.regions[i].prose
		}
	}
	return article{p.regions[whole].node, without, kept, p.regions[0].prose - kept}
}

// parts is a page divided into regions, with the two that all others are judged by.
type parts struct {
	regions   []region
	main      int // index of the element that holds nearly all prose
	head      int // index of the heading above or in it, or -1
	technical bool
	base      *url.URL
}

// mainRegion follows the prose. Clutter does not count, unless most of the page has a name that suggests it.
func (p *parts) mainRegion() int {
	regions := p.regions
	prose := make([]int, len(regions))
	for i := len(regions) - 1; i >= 0; i-- {
		r := &regions[i]
		prose[i] += r.own.prose
		if r.clutter == clutter.Surely || r.clutter == clutter.Perhaps && r.prose*2 < regions[0].prose {
			prose[i] = 0
		}
		if i > 0 {
			prose[r.parent] += prose[i]
		}
	}
	main, share := 0, nearlyAll
	if p.technical {
		share = allOfIt
	}
	for i := 1; i < regions[main].end; {
		if prose[i] > 0 && float64(prose[i]) >= share*float64(prose[main]) {
			if isText[regions[i].node.DataAtom] || clutter.IsPartOfMany(regions[i].node) || p.hasBefore(i) {
				break
			}
			main = i
			i++
			continue
		}
		i = regions[i].end
	}
	return main
}

// hasBefore reports whether a block of the same class with prose comes before a region: both are sections of
// one text, however short the first is.
func (p *parts) hasBefore(at int) bool {
	main := &p.regions[at]
	for i := main.parent + 1; i < at; i = p.regions[i].end {
		r := &p.regions[i]
		class := tree.Attr(main.node, "class")
		isAlike := class != "" && tree.Attr(r.node, "class") == class && r.node.Data == main.node.Data
		if isAlike && r.prose > 0 && p.isPart(r, main) {
			return true
		}
	}
	return false
}

// isText has the elements that are part of a text, however long.
var isText = tree.Tags("p li ul ol table tbody tr pre blockquote dl dd figure")

// headRegion is the heading that matches the page's title, otherwise the last h1 before the main region.
func (p *parts) headRegion(title string) int {
	found := -1
	title = folded(title)
	for i := range p.regions[:p.regions[p.main].end] {
		r := &p.regions[i]
		if r.headings == 0 || !tree.IsHeading(r.node.DataAtom) {
			continue
		}
		text := folded(headingText(r.node))
		if len(text) > 10 && (strings.HasPrefix(title, text) ||
			strings.HasPrefix(text, title) && title != "") {
			return i
		}
		if r.node.DataAtom == atom.H1 && text != "" && i < p.main {
			found = i
		}
	}
	return found
}

// prune returns the elements inside a region that do not belong to the text.
func (p *parts) prune(whole int) map[*html.Node]bool {
	without := map[*html.Node]bool{}
	// the latest heading if nothing has followed it yet, and whether something after it was left out
	heading, gone := -1, false
	// end of a further part of the text, which is judged like the first part
	part := 0
	for i := whole + 1; i < p.regions[whole].end; {
		r := &p.regions[i]
		if i < part && !p.inMain(r, p.regions[p.main].prose) || i >= part && !p.belongs(i) {
			without[r.node] = true
			gone = true
			i = r.end
			continue
		}
		if i >= p.regions[p.main].end && i >= part {
			part = r.end
		}
		switch {
		case tree.IsHeading(r.node.DataAtom):
			if heading >= 0 && gone && r.node.Data <= p.regions[heading].node.Data {
				without[p.regions[heading].node] = true
			}
			if heading, gone = i, false; i == p.head {
				heading = -1
			}
		case r.own.text > 0 || r.node.DataAtom == atom.Pre || r.node.DataAtom == atom.Table:
			heading = -1
		}
		i++
	}
	if heading >= 0 && gone { // over the last list of related articles
		without[p.regions[heading].node] = true
	}
	return without
}

// belongs judges a region by its position relative to the heading and the main region.
func (p *parts) belongs(i int) bool {
	r, main := &p.regions[i], &p.regions[p.main]
	switch {
	case i <= p.main && p.main < r.end, i <= p.head && p.head < r.end:
		return true
	case i < p.head && p.head < p.main:
		return false
	case i < p.main: // a lead has sentences or is marked up as a heading
		return (r.prose > 0 && r.clutter != clutter.Surely || r.headings > 0 ||
			p.technical && r.code+r.tables > 0) &&
			r.linked*2 < r.text
	case i >= main.end:
		return p.isPart(r, main)
	}
	return p.inMain(r, main.prose)
}

// goesOn reports whether a block after the main region is another part of the text.
func (p *parts) goesOn() bool {
	main := &p.regions[p.main]
	for i := main.end; p.main > 0 && i < p.regions[main.parent].end; i = p.regions[i].end {
		if p.isPart(&p.regions[i], main) {
			return true
		}
	}
	return false
}

// isPart reports whether a block after the main region continues it: a long one, or one of the same class.
func (p *parts) isPart(r, main *region) bool {
	if r.clutter != clutter.None || r.linked*4 > r.text {
		return false
	}
	if p.technical && r.prose+r.code+r.tables+r.headings > 0 ||
		float64(r.prose) > secondPart*float64(main.prose) {
		return true
	}
	return r.prose > 0 && r.node.Parent == main.node.Parent && r.node.Data == main.node.Data &&
		tree.Attr(r.node, "class") == tree.Attr(main.node, "class")
}

func (p *parts) inMain(r *region, all int) bool {
	if r.clutter == clutter.Surely && r.prose*2 < all {
		return false
	}
	hasFew := r.text-r.linked < ownText || r.linked*4 > r.text
	if r.clutter == clutter.Perhaps && r.prose*3 < all && hasFew && r.code == 0 {
		return false
	}
	if p.technical || r.prose > 0 {
		return true
	}
	switch r.node.DataAtom {
	case atom.Ul, atom.Ol, atom.Dl, atom.Div, atom.Section, atom.Aside, atom.Header, atom.Form:
		return float64(r.linked) <= mostlyLinks*float64(r.text) || namesAuthor(r.node)
	case atom.P:
		return !p.isTeaser(r)
	}
	return true
}

// namesAuthor reports whether an element is the head of a forum post.
func namesAuthor(n *html.Node) bool {
	looked := 0
	for c := n; c != nil && looked < 30; c = tree.After(c, n, false) {
		if looked++; tree.Attr(c, "itemprop") == "author" {
			return true
		}
	}
	return false
}

// isTeaser reports whether a paragraph is only a link to a page, not a file, of the same site.
func (p *parts) isTeaser(r *region) bool {
	if r.linked*10 < r.text*9 || r.text == 0 {
		return false
	}
	for n := range r.node.Descendants() {
		if n.DataAtom != atom.A {
			continue
		}
		u, err := url.Parse(tree.Attr(n, "href"))
		if err != nil || u.Host != "" && (p.base == nil || !sameSite(u.Host, p.base.Host)) {
			return false
		}
		end := strings.ToLower(u.Path[strings.LastIndexByte(u.Path, '/')+1:])
		if strings.Contains(end, ".") && !strings.Contains(end, ".htm") && !strings.Contains(end, ".php") {
			return false
		}
	}
	return true
}

func sameSite(a, b string) bool {
	return strings.TrimPrefix(a, "www.") == strings.TrimPrefix(b, "www.")
}
