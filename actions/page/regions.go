package page

import (
	"github.com/daybook-agent/daybook/actions/page/clutter"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// region is a block of a page. Regions are in document order: those inside one follow it, up to its end.
type region struct {
	node   *html.Node
	parent int // index of the enclosing region
	end    int // index of the first region after it

	weight         // of everything inside
	own     weight // of the text that is in no nested region
	clutter clutter.Level
}

// weight counts the content of a region, in characters as wide as a Latin letter.
type weight struct {
	text   int
	linked int // of text, in links
	prose  int // of text, outside links, in runs long enough to be sentences

	headings, code, tables int // how many of each
}

func (w *weight) add(v weight) {
	w.text += v.text
	w.linked += v.linked
	w.prose += v.prose
	w.headings += v.headings
	w.code += v.code
	w.tables += v.tables
}

// sentence is the minimum length of a run of text that counts as prose. Menus, buttons and names are shorter.
const sentence = 80

// mapper builds the regions of a page in one walk.
type mapper struct {
	technical bool
	regions   []region
	run       weight // since the last end of a block
	blank     bool   // whether the run ends in white space
	linked    int    // above 0 inside a link
}

// regionsOf maps what a reader of the page may see.
func regionsOf(top *html.Node, technical bool) []region {
	m := mapper{technical: technical, regions: make([]region, 0, 512)}
	m.block(top, 0, clutter.None)
	for i := len(m.regions) - 1; i > 0; i-- {
		m.regions[m.regions[i].parent].add(m.regions[i].weight)
	}
	return m.regions
}

func (m *mapper) block(n *html.Node, parent int, is clutter.Level) {
	at := len(m.regions)
	r := region{node: n, parent: parent, clutter: is}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.headings = 1
	case atom.Pre:
		r.code = 1
	case atom.Table:
		r.tables = 1
	}
	m.regions = append(m.regions, r)
	m.inside(n, at)
	m.flush(at)
	m.regions[at].end = len(m.regions)
}

func (m *mapper) inside(n *html.Node, at int) {
	for c := range n.ChildNodes() {
		switch c.Type {
		case html.TextNode:
			m.count(c.Data)
		case html.ElementNode:
			m.element(c, at)
		}
	}
}

func (m *mapper) element(n *html.Node, at int) {
	if clutter.Skipped(n) {
		return
	}
	is := clutter.None
	if len(n.Attr) > 0 {
		is = clutter.Of(n, m.technical)
	}
	switch {
	case n.DataAtom == atom.A && tree.Attr(n, "href") != "" && is == clutter.None:
		m.linked++
		m.inside(n, at)
		m.linked--
	case tree.IsBlock(n.DataAtom) || is != clutter.None:
		m.flush(at)
		m.block(n, at, is)
	default:
		m.inside(n, at)
	}
}

// flush adds the finished run of text to its region.
func (m *mapper) flush(at int) {
	r := &m.regions[at]
	if m.run.text >= sentence && m.run.linked*2 < m.run.text && !tree.IsHeading(r.node.DataAtom) {
		m.run.prose = m.run.text - m.run.linked
	}
	r.own.add(m.run)
	r.weight.add(m.run)
	m.run, m.blank = weight{}, false
}

func (m *mapper) count(s string) {
	n, blank := plain.Width(s, m.blank)
	m.blank = blank
	if m.run.text == 0 && n == 1 && m.blank {
		return // white space between blocks
	}
	m.run.text += n
	if m.linked > 0 {
		m.run.linked += n
	}
}
