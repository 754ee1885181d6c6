package export

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
)

// note is a cited passage. It has a number, that of its first citation among all passages: a screen opens it
// as a card at the citation, paper has it at the end, and Word at the foot of the page.
type note struct {
	N       int
	Ref     workspace.Ref
	passage string
	title   string // of its source
	address string // on the web, or ""
}

// note returns the passage that a citation names, with the number 0 when none is known.
func (c *citing) note(ref workspace.Ref) note {
	n, known := c.numbered[ref]
	link, source := c.links[ref], c.sources[ref.ID]
	if known || link.Passage == "" || source.ID == "" {
		return n
	}
	n = note{N: len(c.notes) + 1, Ref: ref, passage: link.Passage, title: tooltip(source)}
	if webAddress(link.Address) {
		n.address = link.Address
	}
	c.notes = append(c.notes, n)
	c.numbered[ref] = n
	return n
}

// HTML is the passage and where it is from.
func (n note) HTML() template.HTML {
	from := html.EscapeString(fmt.Sprintf("%s, %s", n.Ref, n.title))
	if n.address != "" {
		from = fmt.Sprintf(outward, html.EscapeString(n.address)) + from + "</a>"
	}
	return template.HTML(fmt.Sprintf(`%s <span class="from">— %s</span>`, html.EscapeString(n.passage), from))
}

// show writes a citation of the note.
func (n note) show(m mark, form form) string {
	// The word joiner keeps a number on the line of the word before it.
	const begin = "<sup class=\"cite\">\u2060"
	switch form {
	case word:
		return fmt.Sprintf(`<a epub:type="noteref" href="#note:%d">%[1]d</a>`, n.N)
	case print:
		return fmt.Sprintf(begin+`<a id="cite:%s:%d" href="#note:%d">%[3]d</a></sup>`, n.Ref.ID, m.nth, n.N)
	}
	return fmt.Sprintf(begin+`<button type="button" id="cite:%s:%d" popovertarget="card:%d:%d">%[3]d</button>`+
		`<span class="card" id="card:%[3]d:%d" popover="auto">%s</span></sup>`, n.Ref.ID, m.nth, n.N, m.times, n.HTML())
}

// attach makes a citation that names passages alone a number behind the word before it, as notes have it.
// Where several follow one another, commas part them.
func (n *citation) attach(source []byte) {
	rest := strings.Trim(sourceID.ReplaceAllString(n.text, ""), " ,;，、；")
	for _, m := range n.marks {
		n.bare = rest == "" && (n.bare || m == n.marks[0]) && m.note.N > 0
	}
	if !n.bare {
		return
	}
	if before, ok := n.PreviousSibling().(*ast.Text); ok && !before.HardLineBreak() {
		before.Segment = before.Segment.TrimRightSpace(source)
		before.SetSoftLineBreak(false)
		if before.Segment.IsEmpty() {
			n.Parent().RemoveChild(n.Parent(), before)
		}
	}
	if before, ok := n.PreviousSibling().(*citation); ok {
		n.follows = before.bare
	}
}
