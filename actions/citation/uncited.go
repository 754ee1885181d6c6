package citation

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Uncited is a sentence with a quote or a figure that cites nothing.
type Uncited struct {
	Line     int      `json:"line"` // of the report, from 1
	Sentence string   `json:"sentence"`
	Quotes   []string `json:"quotes,omitempty"`  // at least six words or twelve Chinese characters each
	Figures  []string `json:"figures,omitempty"` // other than years, and numbers inside a name such as UTF-8
}

// leastUncited is the minimum weight of words in quotation marks that count as a quote where nothing is
// cited: six English words or twelve Chinese characters. Shorter ones are terms and titles.
const leastUncited = 12

// Uncited lists the sentences of a report that have a quote or a figure but no citation, in order. Code, the
// program's parts and sections that list references are left out; so are figures in headings, and those in an
// abstract that a cited sentence also has: it sums up sections with citations. An abstract is the text before
// the first citation.
func (r *Report) Uncited() (all []Uncited) {
	cited, first := map[string]bool{}, math.MaxInt
	for _, c := range r.claims {
		first = min(first, c.Line)
		for _, f := range c.figures {
			cited[f.Text] = true
		}
	}
	for _, u := range r.uncited {
		if u.Line < first {
			u.Figures = slices.DeleteFunc(slices.Clone(u.Figures), func(f string) bool { return cited[f] })
		}
		if len(u.Quotes)+len(u.Figures) > 0 {
			all = append(all, u)
		}
	}
	slices.SortStableFunc(all, func(a, b Uncited) int { return a.Line - b.Line })
	return all
}

// bare reads the text of a passage that belongs to no citation, sentence by sentence. A table row is one
// sentence, and any citation in it covers all of it.
func (r *Report) bare(x *passage, taken []span) {
	if x.listing || x.kind == row && len(taken) > 0 {
		return
	}
	at := x.rowIndex()
	for _, s := range append(taken, span{len(x.text), len(x.text)}) {
		for at < s.start {
			end := s.start
			if x.kind != row {
				end = min(end, x.sentenceEnd(at))
			}
			r.sentence(x, span{at, end})
			at = end
		}
		at = max(at, s.end)
	}
}

func (r *Report) sentence(x *passage, s span) {
	text := x.text[s.start:s.end]
	first := strings.IndexFunc(text, func(c rune) bool { return !unicode.IsSpace(c) })
	if first < 0 {
		return
	}
	var c claim
	x.fill(&c, s, false)
	if x.kind == heading || x.kind == row && x.index == 0 { // column heads are not claims
		c.figures = nil
	}
	if x.kind == row {
		text = x.text
	}
	r.keep(Uncited{Line: r.line(x, s.start+first), Sentence: shownSentence(text)}, c)
}

// keep adds a sentence with a quote or a figure. If a quote is too short to count, its figures are the
// sentence's own.
func (r *Report) keep(u Uncited, c claim) {
	for _, q := range c.quotes {
		if weight(q) >= leastUncited && !isTitle(q) {
			u.Quotes = append(u.Quotes, q)
		} else {
			c.figures = append(c.figures, figure.Read(q)...)
		}
	}
	for _, f := range c.figures {
		if !f.IsName() && !strings.Contains(u.Sentence, "["+f.Text+"]") { // [1] is the mark of a note
			u.Figures = append(u.Figures, f.Text)
		}
	}
	if len(u.Quotes)+len(u.Figures) > 0 {
		r.uncited = append(r.uncited, u)
	}
}

// bareQuote reads a block quote without a citation. Only text in quotation marks is a quote: without them the
// block may be a remark.
func (r *Report) bareQuote(waiting quote) {
	for _, text := range waiting.texts {
		c := claim{figures: figure.Read(text)}
		for _, q := range quotations(text, nil) {
			said := prose.OneLine(text[q.inner.start:q.inner.end])
			if weight(said) >= leastUncited { // the figures of shorter ones are in those of the text
				c.quotes = append(c.quotes, said)
			}
		}
		r.keep(Uncited{Line: waiting.line, Sentence: shownSentence(text)}, c)
	}
}

// isTitle reports whether words in quotation marks are the title of a work, in English title case: all longer
// words begin with a capital.
func isTitle(quote string) bool {
	return !smallWord.MatchString(quote) && len(capitalWord.FindAllString(quote, -1)) > 2 &&
		!strings.ContainsAny(quote, ".;")
}

var (
	smallWord   = regexp.MustCompile(`(?:^|\s)[^\p{Lu}\s]\S{3}`)
	capitalWord = regexp.MustCompile(`(?:^|\s)\p{Lu}\S{3}`)
)

// listed matches the heading of a list of references that the author wrote.
var listed = regexp.MustCompile(`(?i)^[ :：.]*` + oneOf("titles of references") + `[ :：.]*$`)

// Blankets lists the marks of a conclusion, "Inference: …", that cover a whole paragraph, list or table in
// which several statements have a name or a figure but no citation: nobody can tell fact from conclusion
// there. A link to a section of the report counts as a citation.
func (r *Report) Blankets() (all []Uncited) {
	var mark Uncited
	covered, facts := false, 0 // under the mark
	for _, x := range r.passages {
		if x.kind == code || x.kind == pageBreak {
			continue
		}
		if x.depth == 0 {
			if covered, facts = ownText.MatchString(x.text), 0; covered {
				mark = Uncited{Line: r.line(x, 0), Sentence: shownSentence(x.text)}
			}
		}
		if !covered || bytes.Contains(x.raw, []byte("](#")) {
			continue
		}
		from := 0
		for _, end := range append(slices.Clip(x.ends), len(x.text)) {
			s := span{from, end}
			isFact := len(figure.Read(x.text[from:end])) > 0 || len(overlapping(x.plain.bits, s)) > 0
			if (from > 0 || x.depth > 0) && isFact && len(overlapping(x.marks, s)) == 0 {
				if facts++; facts == 2 {
					all = append(all, mark)
				}
			}
			from = end
		}
	}
	return all
}

// Stray is a quote for which a report has no citation.
type Stray struct {
	Line     int    `json:"line"`
	Sentence string `json:"sentence"`
	Quote    string `json:"quote"`
	Source   string `json:"source,omitempty"` // the first source that has it; "" for none
}

// mostStrays bounds the quotes that are searched for in all sources: nobody fixes more at a time.
const mostStrays = 200

// Strays searches sources, given by id, for the quotes of uncited sentences, and lists all that the person
// did not write. It skips a source that is unavailable now, and looks nothing up if there is no such quote.
func (r *Report) Strays(ctx context.Context, ids []string, lookup Lookup,
	wrote func(quote string) bool) (all []Stray) {
	var needles []needle
	for _, u := range r.Uncited() {
		for _, q := range u.Quotes {
			_, parts := needleOf(q).parts() // shorter parts would be found anywhere
			if n := joined(parts); len(n) > 0 && len(all) < mostStrays && (wrote == nil || !wrote(q)) {
				all, needles = append(all, Stray{u.Line, u.Sentence, q, ""}), append(needles, n)
			}
		}
	}
	isOpen := func(s Stray) bool { return s.Source == "" }
	for _, id := range ids {
		if ctx.Err() != nil || !slices.ContainsFunc(all, isOpen) {
			break
		}
		s, err := lookup(id)
		if err != nil {
			continue
		}
		p, title := newPage(s.Text, false), titleOf(s)
		for k, n := range needles {
			_, _, ok := p.find(n, p.all())
			if isOpen(all[k]) && (ok || title.holds(n) || p.fold(folding{code: true}).holds(n)) {
				all[k].Source = id
			}
		}
	}
	return all
}
