package citation

import (
	"bytes"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Uncited is a sentence that cites nothing and holds a quote or a figure.
type Uncited struct {
	Line     int      `json:"line"` // of the report, from 1
	Sentence string   `json:"sentence"`
	Quotes   []string `json:"quotes,omitempty"`  // of six words or twelve Chinese characters at least
	Figures  []string `json:"figures,omitempty"` // other than years, and numbers inside a name such as UTF-8
}

// leastUncited is the weight from which words in quotation marks are taken for a quote where nothing is
// cited: six English words or twelve Chinese characters. Shorter ones are terms and titles.
const leastUncited = 12

// Uncited lists the sentences of a report that have no citation and that hold a quote or a figure, in
// order. Code, what the program wrote, and sections that list references are left out; so are the figures of
// headings, and those of an abstract that a cited sentence gives too: it sums up sections that have the
// citations. An abstract is what is before the first citation.
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

// bare reads what belongs to no citation of a passage, sentence by sentence; a row of a table is one, and
// any citation in it stands for all of it.
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
	switch x.kind {
	case heading:
		c.figures = nil
	case row:
		if text = x.text; x.index == 0 { // what its columns hold is no claim
			c.figures = nil
		}
	}
	r.keep(Uncited{Line: r.line(x, s.start+first), Sentence: shownSentence(text)}, c)
}

// keep keeps a sentence that holds something. The figures of a quote that is too short to be one are the
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

// bareQuote reads a block quote that has no citation. What it quotes is what it has in quotation
// marks: without them it may be a remark.
func (r *Report) bareQuote(waiting quote) {
	for _, text := range waiting.texts {
		c := claim{figures: figure.Read(text)}
		for _, q := range quotations(text, nil) {
			c.quotes = append(c.quotes, prose.OneLine(text[q.inner.start:q.inner.end]))
		}
		// whose figures are among those of all
		c.quotes = slices.DeleteFunc(c.quotes, func(q string) bool { return weight(q) < leastUncited })
		r.keep(Uncited{Line: waiting.line, Sentence: shownSentence(text)}, c)
	}
}

// isTitle reports whether words in quotation marks are those of a work's title, as English writes it: all
// longer ones begin with a capital.
func isTitle(quote string) bool {
	capitals := 0
	for word := range strings.FieldsSeq(quote) {
		first, size := utf8.DecodeRuneInString(word)
		if len(word)-size < 3 {
			continue // a, of, the
		}
		if !unicode.IsUpper(first) {
			return false
		}
		capitals++
	}
	return capitals > 2 && !strings.ContainsAny(quote, ".;")
}

// listed are the headings of a list of references that the author wrote.
var listed = regexp.MustCompile(`(?i)^[ :：.]*(?:references|bibliography|works cited|sources|参考文献|参考资料|资料来源|` +
	`引用来源|来源)[ :：.]*$`)

// Stray is a quote that a report cites nothing for.
type Stray struct {
	Line     int    `json:"line"`
	Sentence string `json:"sentence"`
	Quote    string `json:"quote"`
	Source   string `json:"source,omitempty"` // the first that has it; "" for none
}

// mostStrays bounds the quotes that are searched for in all sources: nobody fixes more at a time.
const mostStrays = 200

// Strays looks for the quotes of uncited sentences in sources, by their ids, and lists all that the person
// did not write. It skips a source that cannot be read now, and looks nothing up if there is no such quote.
func (r *Report) Strays(ctx context.Context, ids []string, lookup Lookup,
	wrote func(quote string) bool) []Stray {
	var all []Stray
	var needles []needle
	for _, u := range r.Uncited() {
		for _, q := range u.Quotes {
			_, parts := needleOf(q).parts() // others would be anywhere
			if n := joined(parts); len(n) > 0 && len(all) < mostStrays && (wrote == nil || !wrote(q)) {
				all, needles = append(all, Stray{u.Line, u.Sentence, q, ""}), append(needles, n)
			}
		}
	}
	open := len(all)
	for i := 0; i < len(ids) && open > 0 && ctx.Err() == nil; i++ {
		s, err := lookup(ids[i])
		if err != nil {
			continue
		}
		p, title := newPage(s.Text, false), titleOf(s)
		whole := p.fold(folding{code: true})
		for k := range all {
			if all[k].Source != "" {
				continue
			}
			_, _, ok := p.find(needles[k], p.all())
			if ok || title.holds(needles[k]) || whole.holds(needles[k]) {
				all[k].Source = ids[i]
				open--
			}
		}
	}
	return all
}

// Blankets lists the marks of a conclusion, "Inference: …", that cover a whole paragraph, list or table in
// which several statements have a name or a figure and no citation: nobody can tell there what is fact and
// what is conclusion. A link to a section of the report is as good as a citation.
func (r *Report) Blankets() (all []Uncited) {
	facts := map[int]int{} // under each mark
	covered := false
	for _, x := range r.passages {
		if x.kind == code || x.kind == pageBreak {
			continue
		}
		if x.depth == 0 {
			if covered = ownText.MatchString(x.text); covered {
				all = append(all, Uncited{Line: r.line(x, 0), Sentence: shownSentence(x.text)})
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
				facts[len(all)-1]++
			}
			from = end
		}
	}
	kept := all[:0]
	for i, b := range all {
		if facts[i] > 1 {
			kept = append(kept, b)
		}
	}
	return kept
}

// lookalike is a line of a report with what looks like a citation and is none.
type lookalike struct {
	Line  int
	Forms []string // as they are written there, each once
	Write []string // what was meant by each, such as [s1]
}

// alikeForm is ids in round brackets, behind a word or a footnote's mark, or a number in square brackets.
var alikeForm = regexp.MustCompile(
	`[\[［【(（]\s*(\^|(?:(?i:sources?|ref)|资料来源|来源|出处)\s*[:：]?\s*)?([sS][1-9][0-9]{0,5}(?:\s*[,，` +
		`、;；]\s*[sS][1-9][0-9]{0,5})*)\s*[\]］】)）]|\[([1-9][0-9]{0,5})\]`)

// Lookalikes finds what looks like a citation of a source that exists, such as (s1), [^s1], [source s1] or
// [1], by its line. Code and quotes are left out, and so are marks that the report has a list or a note for.
func (r *Report) Lookalikes(exists func(id string) bool) []lookalike {
	unknown := func(id string) bool { return !exists(id) }
	listed := slices.ContainsFunc(r.passages, func(x *passage) bool { return x.kind == heading && x.listing })
	var all []lookalike
	looked := 0
	for _, x := range r.passages {
		if x.quoted || x.listing {
			continue
		}
		for _, m := range alikeForm.FindAllSubmatchIndex(x.raw, -1) {
			form, ids := x.alike(m)
			if looked += min(len(ids), 1); len(ids) == 0 || looked > mostAlike {
				continue
			}
			if m[6] >= 0 && listed || slices.ContainsFunc(ids, unknown) || r.defines(form) {
				continue
			}
			line := r.lineOf(x.textAt(m[0]))
			if n := len(all); n == 0 || all[n-1].Line != line {
				all = append(all, lookalike{Line: line})
			}
			last := &all[len(all)-1]
			if !slices.Contains(last.Forms, form) {
				last.Forms = append(last.Forms, form)
				last.Write = append(last.Write, "["+strings.Join(ids, ", ")+"]")
			}
		}
	}
	return all
}

// mostAlike is how many such places are looked at: nobody fixes more at a time.
const mostAlike = 200

// defines says whether a line begins with a mark, as in a list of references or of notes.
func (r *Report) defines(form string) bool {
	for line := range strings.Lines(r.text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t-*+>|"), form) {
			return true
		}
	}
	return false
}

// alike reads a place in the Markdown of a block, since a footnote's mark is no part of its text: what is
// written there, and the ids that it means, none for a citation, a link, code or a quote.
func (x *passage) alike(m []int) (form string, ids []string) {
	form = string(x.raw[m[0]:m[1]])
	round := strings.HasPrefix(form, "(") || strings.HasPrefix(form, "（")
	behind := string(x.raw[m[1]:min(m[1]+1, len(x.raw))])
	number := m[6] >= 0
	switch {
	case x.kind == code, len(workspace.Marks(form)) > 0, strings.ContainsAny(behind, "(:") && !round,
		number && (behind == "[" || m[0] > 0 && x.raw[m[0]-1] == ']'):
		return form, nil // a citation, or a link or what it leads to
	case round && m[2] < 0 && strings.Contains(form, "S"):
		return form, nil // an abbreviation, as in Simple Storage Service (S3)
	}
	inPlain, _ := slices.BinarySearch(x.plain.at, int32(x.textAt(m[0])))
	if inside(x.quotes, inPlain) || inside(x.plain.bits, inPlain) {
		return form, nil
	}
	if number {
		return form, []string{"s" + string(x.raw[m[6]:m[7]])}
	}
	return form, workspace.Cited("[" + string(x.raw[m[4]:m[5]]) + "]")
}
