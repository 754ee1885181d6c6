package citation

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// claim is what a sentence of a report takes from the sources that it cites.
type claim struct {
	line     int // of the citation
	sentence string
	ids      []string
	quotes   []string
	figures  []figure
}

// mark is a citation in a text, such as [s3] or [s3, s7] or [s3] [s7].
type mark struct {
	span
	ids []string
}

var citationMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[s[1-9][0-9]*(?:\s*[,，;、]\s*s[1-9][0-9]*)*\]`)
})

var citedID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`s[1-9][0-9]*`) })

func isCitation(inBrackets string) bool {
	if !strings.HasPrefix(inBrackets, "s") {
		return false
	}
	text := "[" + inBrackets + "]"
	return citationMark().FindString(text) == text
}

func startsWithCitation(text string) bool {
	if !strings.HasPrefix(text, "[s") {
		return false
	}
	at := citationMark().FindStringIndex(text)
	return at != nil && at[0] == 0
}

// marks finds the citations of a text. Those that follow each other with nothing said between are one.
func marks(t string, hidden []span) []mark {
	var found []mark
	for _, at := range citationMark().FindAllStringIndex(t, -1) {
		if inside(hidden, at[0]) || (at[0] == 0 || t[at[0]-1] == '\n') && strings.HasPrefix(t[at[1]:], ": http") {
			continue // in code, or the definition of a link
		}
		ids := citedID().FindAllString(t[at[0]:at[1]], -1)
		if n := len(found); n > 0 && strings.Trim(t[found[n-1].end:at[0]], " \t\n,;，；、&和与及") == "" {
			found[n-1].end = at[1]
			found[n-1].ids = append(found[n-1].ids, ids...)
			continue
		}
		found = append(found, mark{span{at[0], at[1]}, ids})
	}
	for i := range found {
		var once []string
		for _, id := range found[i].ids {
			if !slices.Contains(once, id) {
				once = append(once, id)
			}
		}
		found[i].ids = once
	}
	return found
}

// reader reads the claims of a report, block after block.
type reader struct {
	source   string
	newlines []int
	claims   []claim

	quote   int      // the block quote that is read
	note    bool     // it is none, but a box such as [!NOTE]
	cited   bool     // it holds a citation
	waiting []string // its text for which no citation came yet
	intro   int      // 1 + the claim whose citation the last paragraph ended with, and a colon; 0 for none
	taken   bool     // the next block's first citation is that of the block quote before it
}

// claims reads what a report cites. The list of references that the program adds is left out.
func claims(report string) []claim {
	r := reader{source: report}
	for i := range len(report) {
		if report[i] == '\n' {
			r.newlines = append(r.newlines, i)
		}
	}
	inReferences := false
	for _, b := range blocks([]byte(report), true) {
		if b.kind == heading {
			inReferences = b.id == "references"
		}
		if inReferences = inReferences && (b.kind == heading || b.kind == row); inReferences {
			continue
		}
		if b.quote != r.quote {
			r.leaveQuote(&b)
		}
		if b.kind != code && b.kind != pageBreak {
			r.block(b)
		}
	}
	r.leaveQuote(nil)
	return r.claims
}

func (r *reader) line(p plain, at int) int {
	n, _ := slices.BinarySearch(r.newlines, int(p.at[at]))
	return n + 1
}

func (r *reader) block(b block) {
	var p plain
	p.erase(b)
	t := string(p.text)
	if b.quote > 0 && !r.cited && len(r.waiting) == 0 && isNote(t) {
		r.note = true
	}
	found := marks(t, p.bits)
	if b.quote > 0 && !r.note {
		r.quoted(p, t, found)
		return
	}
	r.stated(passage{plain: p, text: t, kind: b.kind, index: b.index, marks: found})
}

// stated reads a block of the report's own words.
func (r *reader) stated(x passage) {
	r.intro = 0
	n := len(x.marks)
	if n == 0 {
		return
	}
	x.quotes = quotations(x.text, x.plain.bits)
	x.ends = sentenceEnds(x.text, x.quotes, x.plain.bits)
	for k, m := range x.marks {
		if k == 0 && r.taken {
			continue
		}
		c := x.claim(k)
		c.line = r.line(x.plain, m.start)
		r.claims = append(r.claims, c)
	}
	r.taken = false
	if behind := x.text[x.marks[n-1].end:]; strings.Trim(behind, " :：") == "" && behind != strings.Trim(behind, ":：") {
		r.intro = len(r.claims)
	}
}

// isNote says whether a block quote is a box of GitHub's, which quotes nothing.
func isNote(t string) bool {
	name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(t), "[!"), "]")
	return ok && slices.Contains([]string{"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"}, strings.ToUpper(name))
}

// quoted reads a block of a block quote: what stands before a citation is a quote, all of it, unless it marks itself what it quotes.
func (r *reader) quoted(p plain, t string, found []mark) {
	from := 0
	for _, m := range found {
		text := withoutAttribution(t[from:m.start])
		quotes := append(slices.Clone(r.waiting), quotesOf(text, p.bits)...)
		r.claims = append(r.claims, claim{line: r.line(p, m.start), sentence: oneLine(strings.Join(append(slices.Clone(r.waiting), text), " ")), ids: m.ids, quotes: quotes})
		r.waiting, r.cited, from = nil, true, m.end
	}
	if rest := withoutAttribution(t[from:]); !r.cited && hasWords(rest) {
		r.waiting = append(r.waiting, oneLine(rest))
	}
}

// quotesOf gives what is quoted in a block quote's text: what stands in marks when they are around all of it, else all.
func quotesOf(text string, hidden []span) []string {
	text = strings.TrimSpace(text)
	marked := quotations(text, nil)
	if n := len(marked); n > 0 && marked[0].outer.start == 0 && !hasWords(text[marked[n-1].outer.end:]) {
		var all []string
		for _, q := range marked {
			all = append(all, oneLine(text[q.inner.start:q.inner.end]))
		}
		return all
	}
	if hasWords(text) {
		return []string{oneLine(text)}
	}
	return nil
}

// withoutAttribution takes off the last line that begins with a dash, which names the author.
func withoutAttribution(text string) string {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "—") || strings.HasPrefix(trimmed, "–") || strings.HasPrefix(trimmed, "--") {
		return text[:len(text)-len(line)]
	}
	return text
}

func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// leaveQuote finds the citation of a block quote that holds none itself: right behind it, or with a colon before it.
func (r *reader) leaveQuote(next *block) {
	if len(r.waiting) > 0 && !r.cited {
		text, quotes := strings.Join(r.waiting, " "), unmarked(r.waiting)
		if ids, line := r.following(next); ids != nil {
			r.claims = append(r.claims, claim{line: line, sentence: text, ids: ids, quotes: quotes})
			r.taken = true
		} else if r.intro > 0 {
			c := &r.claims[r.intro-1]
			c.sentence, c.quotes = c.sentence+": "+text, append(c.quotes, quotes...)
		}
	}
	r.waiting, r.cited, r.note = nil, false, false
	if next != nil {
		r.quote = next.quote
	}
}

func unmarked(texts []string) []string {
	var all []string
	for _, t := range texts {
		all = append(all, quotesOf(t, nil)...)
	}
	return all
}

// following is the citation that a block begins with, a few words of an attribution aside.
func (r *reader) following(b *block) (ids []string, line int) {
	if b == nil || b.kind != paragraph || b.quote > 0 {
		return nil, 0
	}
	var p plain
	p.erase(*b)
	t := string(p.text)
	found := marks(t, p.bits)
	const longest = 120 // bytes of an attribution
	if len(found) == 0 || found[0].start > longest {
		return nil, 0
	}
	if lead := t[:found[0].start]; isLeadIn(lead) || strings.HasPrefix(lead, "—") || strings.HasPrefix(lead, "–") {
		return found[0].ids, r.line(p, found[0].start)
	}
	return nil, 0
}

// passage is a block of a report with its citations.
type passage struct {
	plain  plain
	text   string
	kind   kind
	index  int
	marks  []mark
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
