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

// stated reads a block of the report's own words.
func (r *reader) stated(x passage) {
	n := len(x.marks)
	if n == 0 && len(r.intros) == 0 && !r.loose {
		return
	}
	x.quotes = quotations(x.text, x.plain.bits)
	quote := n == 0 && len(x.quotes) > 0 && x.quotes[0].outer.start == 0
	for k := len(r.intros); k > 0 &&
		(r.intros[k-1].depth > x.depth || r.intros[k-1].depth == x.depth && !quote); k-- {
		r.intros = r.intros[:k-1]
	}
	if n == 0 && len(r.intros) > 0 {
		r.introduced(x)
		return
	}
	x.ends = sentenceEnds(x.text, x.quotes, x.plain.bits)
	if n == 0 {
		r.bare(x, nil)
		return
	}
	x.taken, r.taken = r.taken, false
	all, taken := x.claims()
	x.followed(all)
	r.claims = append(r.claims, all...)
	r.bare(x, taken)
	text := strings.TrimRight(x.text, " ")
	if k := len(r.claims) - 1; k >= 0 && r.claims[k].end >= len(text) &&
		text != strings.TrimRight(text, ":：") {
		r.intros = append(r.intros, intro{k, x.depth})
	}
}

// introduced reads an item, a row or a quote without a citation that a sentence before it introduced.
func (r *reader) introduced(x passage) {
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
