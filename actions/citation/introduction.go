package citation

import (
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// intro is a sentence that ends with a citation and a colon: what it introduces is a part of it.
type intro struct {
	claim int // the citation's
	depth int // in how many lists it is
}

// says reads a block of the report's own words. What no citation of it takes is uncited.
func (r *Report) says(x *passage) {
	isQuote := len(x.marks) == 0 && len(x.quotes) > 0 && x.quotes[0].start == 0
	for k := len(r.intros); k > 0 &&
		(r.intros[k-1].depth > x.depth || r.intros[k-1].depth == x.depth && !isQuote); k-- {
		r.intros = r.intros[:k-1]
	}
	if len(x.marks) == 0 {
		if len(r.intros) > 0 {
			r.introduced(x)
		} else {
			r.bare(x, nil)
		}
		return
	}
	all, taken := x.claims()
	if len(all) > 0 && isLeadIn(x.text[:x.marks[0].start]) { // code right before a citation is its own
		all[0].code = append(all[0].code, r.listings...)
	}
	r.claims = append(r.claims, all...)
	r.bare(x, taken)
	text := strings.TrimRight(x.text, " ")
	if k := len(r.claims) - 1; k >= 0 && r.claims[k].end >= len(text) &&
		text != strings.TrimRight(text, ":：") {
		r.intros = append(r.intros, intro{k, x.depth})
	}
}

// introduced reads an item, a row or a quote without a citation that a sentence before it introduced.
func (r *Report) introduced(x *passage) {
	k := len(r.intros) - 1
	by := r.intros[k]
	c := &r.claims[by.claim]
	before := c.parts()
	x.fill(c, span{x.rowIndex(), len(x.text)}, by.depth == x.depth)
	if c.parts() > before {
		c.Text += " " + shownSentence(x.text)
	}
	if by.depth == x.depth {
		r.intros = r.intros[:k]
	}
}

// introduces is the last sentence of a text that ends with a colon, "" for any other text.
func introduces(text string) string {
	text = prose.OneLine(text)
	if !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "：") {
		return ""
	}
	all := sentences(text)
	return strings.TrimSpace(all[len(all)-1])
}
