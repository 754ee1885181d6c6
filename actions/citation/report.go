package citation

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
)

// claim is a claim of a report, read for what can be looked for in a passage.
type claim struct {
	Claim
	quotes  []string
	figures []figure.Figure
	names   []string // in code type
	code    []string // blocks of code that go with it
	row     string   // of a table, with its head, when the claim is a whole row
	part    bool     // of a sentence, a list or a table: its words alone do not say what it is about
	start   int      // of what it belongs to, in the text of its block
	end     int
}

// reader reads the claims of a report, block after block.
type reader struct {
	source   string
	newlines []int
	claims   []claim
	section  string // the heading above
	headings map[string]bool
	heads    []string // of the columns of the table that is read
	listLead string   // the sentence that introduces the list that is read

	quote    int      // the block quote that is read
	note     bool     // it is none, but a box such as [!NOTE]
	cited    bool     // it holds a citation
	waiting  []string // its text for which no citation came yet
	intros   []intro  // what may go on in the next blocks, the deepest last
	listings []string // blocks of code for which no citation came yet
	taken    bool     // the next block's first citation is that of the block quote before it

	loose     bool // what cites nothing is wanted, too
	uncited   []Uncited
	alike     []alike
	listing   bool // the section lists references
	listed    bool // one does
	waitingAt int  // the line of what waits
}

// claims reads what a report cites.
func claims(ctx context.Context, report string) []claim { return read(ctx, report, false).claims }

// read reads a report's own text, and if loose is set what cites nothing.
func read(ctx context.Context, report string, loose bool) *reader {
	report = withoutOwn(report)
	r := &reader{source: report, loose: loose, headings: map[string]bool{}}
	for i := range len(report) {
		if report[i] == '\n' {
			r.newlines = append(r.newlines, i)
		}
	}
	if ctx.Err() != nil {
		return r
	}
	all := nodes([]byte(report), true)
	for _, b := range all {
		if b.kind == heading {
			r.headings[prose.OneLine(plainText(string(b.raw)))] = true
		}
	}
	for _, b := range all {
		if ctx.Err() != nil {
			break
		}
		if b.quote != r.quote {
			r.leaveQuote(&b)
		}
		switch b.kind {
		case pageBreak:
		case code:
			r.code(b)
		default:
			r.block(b)
			r.listings = nil
		}
	}
	r.leaveQuote(nil)
	return r
}

func (r *reader) line(p plain, at int) int {
	n, _ := slices.BinarySearch(r.newlines, int(p.at[at]))
	return n + 1
}

func (r *reader) block(b node) {
	var p plain
	p.erase(b)
	t := string(p.text)
	if b.quote > 0 && !r.cited && len(r.waiting) == 0 && isNote(t) {
		r.note = true
	}
	switch b.kind {
	case heading:
		r.section, r.listing = prose.OneLine(withoutMarks(t)), isListing(t)
		r.listed = r.listed || r.listing
	case row:
		if b.index == 0 {
			r.heads = strings.Split(t, "\t")
		}
	}
	found := marks(t, p.bits)
	if b.quote > 0 && !r.note {
		r.quoted(p, t, found)
		return
	}
	if b.depth == 0 {
		r.listLead = introduces(withoutMarks(t))
	}
	if r.loose && !r.listing {
		r.looks(b, p)
	}
	r.stated(passage{plain: p, text: t, kind: b.kind, index: b.index, depth: b.depth, marks: found,
		reader: r})
}

// isNote reports whether a block quote is a box of GitHub's, which quotes nothing.
func isNote(t string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(t), "[!"), "]")
	return ok && slices.Contains(strings.Fields("NOTE TIP IMPORTANT WARNING CAUTION"), strings.ToUpper(name))
}

// quoted reads a block of a block quote: all before a citation is a quote, unless marks say what is.
func (r *reader) quoted(p plain, t string, found []mark) {
	from := 0
	for _, m := range found {
		text := withoutAttribution(t[from:m.start])
		quotes := append(slices.Clone(r.waiting), quotesOf(text, p.bits)...)
		c := r.claim(p, m)
		c.Text, c.quotes = prose.OneLine(strings.Join(append(slices.Clone(r.waiting), text), " ")), quotes
		r.claims = append(r.claims, c)
		r.waiting, r.cited, from = nil, true, m.end
	}
	rest := withoutAttribution(t[from:])
	switch {
	case !r.cited && hasWords(rest):
		if len(r.waiting) == 0 {
			r.waitingAt = r.line(p, from)
		}
		r.waiting = append(r.waiting, prose.OneLine(rest))
	case r.cited && weight(rest) >= leastQuote && !isRemark(rest):
		c := &r.claims[len(r.claims)-1]
		c.Text += " " + prose.OneLine(rest)
		c.quotes = append(c.quotes, quotesOf(strings.TrimLeft(rest, " ,:，：.。"), p.bits)...)
	}
}

// isRemark reports whether all of a text is in brackets: (our translation).
func isRemark(text string) bool {
	text = strings.Trim(text, " \n.。")
	return (strings.HasPrefix(text, "(") || strings.HasPrefix(text, "（")) &&
		(strings.HasSuffix(text, ")") || strings.HasSuffix(text, "）"))
}

// quotesOf returns what is in quotation marks if these cover a block quote, otherwise all of it.
func quotesOf(text string, hidden []span) []string {
	text = strings.TrimSpace(text)
	marked := quotations(text, nil)
	if n := len(marked); n > 0 && marked[0].outer.start == 0 && !hasWords(text[marked[n-1].outer.end:]) {
		var all []string
		for _, q := range marked {
			all = append(all, prose.OneLine(text[q.inner.start:q.inner.end]))
		}
		return all
	}
	if hasWords(text) {
		return []string{prose.OneLine(text)}
	}
	return nil
}

// withoutAttribution takes off the last line that begins with a dash, which names the author.
func withoutAttribution(text string) string {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "—") ||
		strings.HasPrefix(trimmed, "–") || strings.HasPrefix(trimmed, "--") {
		return text[:len(text)-len(line)]
	}
	return text
}

func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// leaveQuote finds the citation of a block quote that holds none: behind it, or before it with a colon.
func (r *reader) leaveQuote(next *node) {
	if len(r.waiting) > 0 && !r.cited {
		text := strings.Join(r.waiting, " ")
		var quotes []string
		for _, t := range r.waiting {
			quotes = append(quotes, quotesOf(t, nil)...)
		}
		if c, ok := r.following(next); ok {
			c.Text, c.quotes = text, quotes
			r.claims, r.taken = append(r.claims, c), true
		} else if k := len(r.intros); k > 0 {
			c := &r.claims[r.intros[k-1].claim]
			c.Text, c.quotes = c.Text+": "+text, append(c.quotes, quotes...)
		} else {
			r.bareQuote()
		}
	}
	r.waiting, r.cited, r.note = nil, false, false
	if next != nil {
		r.quote = next.quote
	}
}

// following is the citation that a block begins with, a few words of an attribution aside.
func (r *reader) following(b *node) (c claim, ok bool) {
	if b == nil || b.kind != paragraph || b.quote > 0 {
		return c, false
	}
	var p plain
	p.erase(*b)
	t := string(p.text)
	found := marks(t, p.bits)
	const longest = 120 // bytes of an attribution
	if len(found) == 0 || found[0].start > longest {
		return c, false
	}
	if lead := t[:found[0].start]; isLeadIn(lead) || strings.HasPrefix(lead, "—") ||
		strings.HasPrefix(lead, "–") {
		return r.claim(p, found[0]), true
	}
	return c, false
}

// claim begins a claim with its citation.
func (r *reader) claim(p plain, m mark) claim {
	at := span{int(p.at[m.start]), int(p.at[m.end-1]) + 1}
	return claim{Claim: Claim{Line: r.line(p, m.start), Section: r.section, Refs: m.refs, mark: at}}
}

// passage is a block of a report with its citations.
type passage struct {
	plain  plain
	text   string
	kind   kind
	index  int
	depth  int  // in lists and tables
	taken  bool // its first citation is that of the block quote before it
	marks  []mark
	reader *reader
	quotes []quotation
	ends   []int
}

// rowIndex is the number with which a row of a table begins when it only counts the rows.
func (x passage) rowIndex() int {
	cell, _, _ := strings.Cut(x.text, "\t")
	if x.kind == row && strings.Trim(cell, " .#") == strconv.Itoa(x.index) {
		return len(cell)
	}
	return 0
}
