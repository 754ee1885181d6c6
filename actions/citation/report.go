package citation

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Report is a parsed report: its claims with their citations, and what is uncited.
type Report struct {
	source   string
	text     string // of it, with the program's parts blanked
	passages []*passage
	headings map[string]bool
	claims   []claim
	uncited  []Uncited

	heads    []string // columns of the current table
	listLead string   // the sentence that introduces the current list
	intros   []intro  // sentences that may continue in the next blocks, the deepest last
	listings []string // code blocks without a citation so far
	samples  string   // all code blocks
}

// passage is a block of a report.
type passage struct {
	node
	plain   plain
	text    string
	marks   []mark
	quotes  []quotation
	ends    []int // of its sentences
	report  *Report
	section string // the heading above it
	listing bool   // the section lists references
	quoted  bool   // it is in a block quote
	taken   bool   // its first citation belongs to the block quote before it
}

// claim is a parsed claim of a report: what can be searched for in a passage of its source.
type claim struct {
	Claim
	quotes  []string
	figures []figure.Figure
	counts  []count    // in words
	mine    figure.Set // of clauses that say that their figures are the author's
	opening []string   // the quotes that begin a sentence
	names   []string   // in code type
	code    []string   // its code blocks
	row     string     // with the table head, if the claim is a whole row
	cellOf  *passage   // the table row of the claim
	part    bool       // a part of a sentence, list or table: its words alone do not say what it is about
	start   int        // of the text that it belongs to, in its block
	end     int
}

// Read parses a report's own text. If the context has ended, the result is incomplete.
func Read(ctx context.Context, report string) *Report {
	r := &Report{source: report, text: withoutOwn(report), headings: map[string]bool{}}
	if ctx.Err() != nil {
		return r
	}
	above := &passage{}
	for _, b := range nodes([]byte(r.text), true) {
		x := &passage{node: b, report: r, section: above.section, listing: above.listing}
		if ctx.Err() != nil {
			return r
		}
		if b.kind != code && b.kind != pageBreak {
			x.plain.erase(b)
			x.text = string(x.plain.text)
			x.marks = marks(x.text, x.plain.bits)
			x.quotes = quotations(x.text, x.plain.bits)
			x.ends = sentenceEnds(x.text, x.quotes, x.plain.bits)
		}
		if b.kind == heading {
			x.section = prose.OneLine(WithoutMarks(x.text))
			x.listing = listed.MatchString(withoutNumbering(x.text, true))
			r.headings[prose.OneLine(x.text)] = true
		}
		r.passages, above = append(r.passages, x), x
	}
	r.read(ctx)
	return r
}

// read parses the passages in order, those of a block quote together.
func (r *Report) read(ctx context.Context) {
	for all := r.passages; len(all) > 0 && ctx.Err() == nil; {
		n := 1
		for all[0].quote > 0 && n < len(all) && all[n].quote == all[0].quote {
			n++
		}
		quoted := all[0].quote > 0 && !note.MatchString(all[0].text)
		var waiting quote
		for _, x := range all[:n] {
			if x.kind == row && x.index == 0 {
				r.heads = strings.Split(x.text, "\t")
			}
			switch x.quoted = quoted; {
			case x.kind == code:
				r.code(x)
				continue
			case x.kind == pageBreak:
				continue
			case quoted:
				r.quotes(x, &waiting)
			default:
				if x.depth == 0 {
					r.listLead = introduces(WithoutMarks(x.text))
				}
				r.says(x)
			}
			r.listings = nil
		}
		if all = all[n:]; !waiting.cited && len(waiting.texts) > 0 {
			r.attribute(waiting, all)
		}
	}
}

func (r *Report) line(x *passage, at int) int { return r.lineOf(int(x.plain.at[at])) }

// lineOf returns the line, from 1, of an offset in the report.
func (r *Report) lineOf(at int) int { return 1 + strings.Count(r.text[:at], "\n") }

// claim starts a claim with its citation.
func (x *passage) claim(m mark) claim {
	at := span{int(x.plain.at[m.start]), int(x.plain.at[m.end-1]) + 1}
	return claim{Claim: Claim{Line: x.report.line(x, m.start), Section: x.section, Refs: m.refs, mark: at}}
}

// note matches the start of a GitHub alert, a block quote that quotes nothing.
var note = regexp.MustCompile(`(?i)^\s*\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]`)

// quote is the text of a block quote without a citation so far.
type quote struct {
	texts []string
	line  int
	cited bool // it has a citation
}

// quotes reads a block of a block quote: the text before a citation, or any quotations in it.
func (r *Report) quotes(x *passage, waiting *quote) {
	from := 0
	for _, m := range x.marks {
		text := attribution.ReplaceAllString(x.text[from:m.start], "")
		c := x.claim(m)
		c.Text = prose.OneLine(strings.Join(append(slices.Clone(waiting.texts), text), " "))
		c.quotes = append(waiting.texts, quotesOf(text)...)
		r.claims = append(r.claims, c)
		waiting.texts, waiting.cited, from = nil, true, m.end
	}
	rest := attribution.ReplaceAllString(x.text[from:], "")
	switch {
	case !waiting.cited && prose.HasWord(rest):
		if len(waiting.texts) == 0 {
			waiting.line = r.line(x, from)
		}
		waiting.texts = append(waiting.texts, prose.OneLine(rest))
	case waiting.cited && weight(rest) >= leastQuote && !remark.MatchString(rest):
		c := &r.claims[len(r.claims)-1]
		c.Text += " " + prose.OneLine(rest)
		c.quotes = append(c.quotes, quotesOf(strings.TrimLeft(rest, " ,:，：.。"))...)
	}
}

// attribute finds the citation of a block quote that has none: after it, or before it with a colon.
func (r *Report) attribute(waiting quote, behind []*passage) {
	text := strings.Join(waiting.texts, " ")
	quotes := slices.Concat(each(waiting.texts, quotesOf)...)
	k := len(r.intros)
	switch {
	case len(behind) > 0 && behind[0].attributes():
		c := behind[0].claim(behind[0].marks[0])
		c.Text, c.quotes = text, quotes
		r.claims, behind[0].taken = append(r.claims, c), true
	case k > 0:
		c := &r.claims[r.intros[k-1].claim]
		c.Text, c.quotes = c.Text+": "+text, append(c.quotes, quotes...)
	default:
		r.bareQuote(waiting)
	}
}

// attributes reports whether a block begins with a citation, after at most a few words of attribution.
func (x *passage) attributes() bool {
	const longest = 120 // bytes of an attribution
	if x.kind != paragraph || x.quote > 0 || len(x.marks) == 0 || x.marks[0].start > longest {
		return false
	}
	lead := x.text[:x.marks[0].start]
	return isLeadIn(lead) || strings.HasPrefix(lead, "—") || strings.HasPrefix(lead, "–")
}

var (
	// remark matches a text that is all in brackets: (our translation).
	remark = regexp.MustCompile(`(?s)^[ \n.。]*[(（].*[)）][ \n.。]*$`)
	// attribution matches a last line that begins with a dash, and names the author.
	attribution = regexp.MustCompile(`(?:^|\n)[\t\pZ]*(?:—|–|--).*$`)
)

// quotesOf returns the quotations of a block quote if they cover it, otherwise all of it.
func quotesOf(text string) []string {
	text = strings.TrimSpace(text)
	outer := text
	if strings.HasPrefix(text, "“") && strings.HasSuffix(text, "”") { // other marks are part of the quote
		outer = strings.ReplaceAll(text, `"`, "'")
	}
	marked := quotations(outer, nil)
	if n := len(marked); n > 0 && marked[0].start == 0 && !prose.HasWord(text[marked[n-1].end:]) {
		return each(marked, func(q quotation) string {
			return prose.OneLine(text[q.inner.start:q.inner.end])
		})
	}
	if prose.HasWord(text) {
		return []string{prose.OneLine(text)}
	}
	return nil
}

// rowIndex returns the length of a row's first cell if that only counts the rows.
func (x *passage) rowIndex() int {
	cell, _, _ := strings.Cut(x.text, "\t")
	if x.kind == row && strings.Trim(cell, " .#") == strconv.Itoa(x.index) {
		return len(cell)
	}
	return 0
}

// intro is a sentence that ends with a citation and a colon, and includes what it introduces.
type intro struct {
	claim int // the citation's claim
	depth int // number of lists that it is in
}

// says reads a block of the report's own words. What belongs to none of its citations is uncited.
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
	if len(all) > 0 && isLeadIn(x.text[:x.marks[0].start]) { // code right before a citation belongs to it
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

// introduced reads an item, a row or a quote without a citation, introduced by an earlier sentence.
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

func endsWithColon(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// introduces returns the last sentence of a text that ends with a colon, or "".
func introduces(text string) string {
	if text = prose.OneLine(text); !endsWithColon(text) {
		return ""
	}
	all := sentences(text)
	return strings.TrimSpace(all[len(all)-1])
}
