package citation

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
)

var leadIn = regexp.MustCompile(
	`(?i)^[\s(（\[.。—–-]*` + oneOf("before a citation") + `?[\s:：]*$`)

// isLeadIn reports whether a text only leads to a citation: "(see", "Source:".
func isLeadIn(text string) bool { return len(text) < 60 && leadIn.MatchString(text) }

// claims returns the claims of a passage, and the ranges that belong to its citations. What follows a mere
// lead, "According to [s1], …", up to the next citation of its sentence may come from either, so the two are
// one claim.
func (x *passage) claims() (all []claim, taken []span) {
	if x.kind == row {
		return x.rowClaims()
	}
	var lead *claim
	for k, p := range x.seats() {
		m, closed := p.mark, p.closed
		c := x.claim(m)
		c.start, c.end = x.unmarked(span{p.from, m.start}), m.end
		author := k == 0 && x.taken // the citation is that of the block quote before
		if !author {
			x.fill(&c, span{c.start, m.start}, true)
		}
		text := x.text[c.start:m.start]
		leads := !prose.HasWord(text) || leading.MatchString(text)
		isLead := !closed && !author && c.parts() == 0 && weight(text) < leastQuote &&
			(leads || !parted(x.text[m.end:]))
		if !closed || x.goesOn(p) {
			c.end = x.tail(p, p.to, closed || isLead && leads || x.opens(text, m.end))
			x.fill(&c, span{m.end, c.end}, isLead)
		}
		if lead != nil {
			c.Line, c.start, c.mark = lead.Line, lead.start, span{lead.mark.start, c.mark.end}
			c.Refs = once(append(lead.Refs, c.Refs...))
			lead = nil
		}
		const most = 20 // refs that may share a sentence
		if isLead && len(c.Refs) < most && p.shares {
			lead = &c
			continue
		}
		shown := c.end
		if !prose.HasWord(x.text[m.end:c.end]) {
			shown = m.start
		}
		c.Text = shownSentence(WithoutMarks(x.text[c.start:shown]))
		x.understood(&c)
		if !closed && p.shares && weight(c.Text) < leastSaid {
			c.After = x.rest(m.end)
		}
		taken = append(taken, span{c.start, c.end})
		if !author || c.parts() > 0 {
			all = append(all, c)
		}
	}
	return all, taken
}

// parts counts the parts of a claim that can be searched for.
func (c claim) parts() int { return len(c.quotes) + len(c.figures) }

// seat is the position of a citation in its sentence.
type seat struct {
	mark
	from   int  // start of the text since the last sentence or citation
	closed bool // the sentence before it has ended
	shares bool // the next citation is in the same sentence, and may own the text between
	to     int  // the latest end of the text after it that belongs to it
}

// seats returns the seats of the citations of a passage, in order.
func (x *passage) seats() []seat {
	all := make([]seat, len(x.marks))
	behind := 0 // end of the previous citation
	for k, m := range x.marks {
		p := seat{mark: m, from: behind}
		for _, e := range x.ends[sort.SearchInts(x.ends, behind+1):] {
			if e > m.start {
				break
			}
			if isLeadIn(x.text[e:m.start]) {
				p.closed = true
			} else {
				p.from = e
			}
		}
		if k > 0 && p.from == behind {
			all[k-1].shares, all[k-1].to = true, behind
		}
		behind = m.end
		p.to = x.sentenceEnd(behind)
		all[k] = p
	}
	return all
}

// sentenceEnd returns the end of the sentence that continues after an offset.
func (x *passage) sentenceEnd(at int) int {
	if i := sort.SearchInts(x.ends, at+1); i < len(x.ends) {
		return x.ends[i]
	}
	return len(x.text)
}

// goesOn reports whether a citation also begins the next sentence: "[s1] says that …", not "(… [s1])".
func (x *passage) goesOn(p seat) bool {
	text := x.text[p.from:p.start]
	if strings.ContainsAny(text[strings.LastIndexAny(text, ".!?。！？")+1:], "(（") {
		return false
	}
	rest := strings.TrimLeftFunc(x.text[p.end:], unicode.IsSpace)
	next := firstRune(rest)
	return unicode.IsLower(next) || strings.ContainsRune(",:，：、“\"「『«„", next) && rest != "" ||
		sayingVerb.MatchString(rest)
}

// sayingVerb matches what follows a citation that begins a Chinese sentence.
var sayingVerb = regexp.MustCompile(`^` + oneOf("behind a citation"))

func shownSentence(text string) string {
	text = prose.OneLine(strings.ReplaceAll(strings.Trim(text, "\t"), "\t", " | "))
	return leftover.ReplaceAllString(strings.TrimSpace(strings.ReplaceAll(text, "| |", "|")), "")
}

// leftover matches punctuation left over from the previous sentence. The point of ".001 s" is its own.
var leftover = regexp.MustCompile(`^(?:[ ,;:!?。，；：！？、|)）]|\.+(?:[ |]|$))+`)

// fill reads the quotes, figures and names of a range; few means that even a few words may be a quote.
func (x *passage) fill(c *claim, scope span, few bool) {
	rest := []byte(x.text[scope.start:scope.end])
	blank := func(s span) {
		for i := max(s.start, scope.start); i < min(s.end, scope.end); i++ {
			rest[i-scope.start] = 0
		}
	}
	for _, m := range overlapping(x.marks, scope) {
		blank(m.span)
	}
	for _, at := range inference.FindAllIndex(rest, -1) {
		blank(span{scope.start + at[0], scope.start + at[1]})
	}
	for _, q := range overlapping(x.quotes, scope) {
		// a citation may be inside the quote
		piece := span{max(q.inner.start, scope.start), min(q.inner.end, scope.end)}
		if piece.start >= piece.end {
			continue
		}
		text := prose.OneLine(WithoutMarks(x.text[piece.start:piece.end]))
		if weight(text) >= leastQuote && !x.isLabel(q) || few && prose.HasWord(text) && x.alone(scope, q) {
			c.quotes = append(c.quotes, text)
			if x.begins(q.start) {
				c.opening = append(c.opening, text)
			}
			blank(q.span)
		}
	}
	for _, b := range overlapping(x.plain.bits, scope) {
		code, isQuoted := x.text[b.start:b.end], rest[max(b.start, scope.start)-scope.start] == 0
		if isAmount(code) {
			continue
		}
		if blank(b); !isQuoted {
			c.names = append(c.names, code)
		}
	}
	text := string(rest)
	if x.kind != row && (len(x.marks) == 0 || scope.start < x.marks[0].start) {
		text = withoutNumbering(text, x.kind == heading)
	}
	c.figures = append(c.figures, figure.Read(text)...)
	c.counts = append(c.counts, countsOf(text)...)
	c.mine.Add(ownClauses(text), "")
	for _, name := range identifier.FindAllString(text, -1) {
		c.names = append(c.names, strings.TrimSpace(name))
	}
}

// begins reports whether a sentence, or text after a colon, begins at an offset.
func (x *passage) begins(at int) bool {
	before := strings.TrimRight(x.text[:at], " \t\n")
	return before == "" || strings.ContainsRune(":：", lastRune(before)) || slices.ContainsFunc(x.ends,
		func(end int) bool { return end <= at && strings.TrimSpace(x.text[end:at]) == "" })
}

// identifier matches what can only be a name in a program, though it is not in code type.
var identifier = regexp.MustCompile(
	`(?:^|[\s(（，、])--[a-z][a-z0-9-]{2,}|\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b`)

// alone reports whether a range of text has nothing but the quote.
func (x *passage) alone(scope span, q quotation) bool {
	return !prose.HasWord(x.text[scope.start:max(scope.start, min(q.start, scope.end))]) &&
		!prose.HasWord(x.text[min(max(q.end, scope.start), scope.end):scope.end])
}

// isAmount reports whether a span of code is a number, such as 8192 or 16MB, rather than a name.
func isAmount(code string) bool {
	code = strings.TrimLeft(code, " v-+$")
	return code != "" && isDigit(rune(code[0])) && !strings.ContainsAny(code, "_/\\:=(){}<>")
}

// The number of a paragraph or an item, "3、结果" and "2) so", and that of a heading, "2.1 Results".
var (
	itemNumber    = regexp.MustCompile(`^[\s\pZ]*(?:\d[\d.]*、|\d\.?\d?\.?[)）]|\d[\d.]*\. )`)
	headingNumber = regexp.MustCompile(`^[\s\pZ]*(?:\d{1,2}|\d[\d.]*\.[\d.]*) `)
)

// withoutNumbering removes the number of a heading or a paragraph; a number after it is a figure.
func withoutNumbering(text string, heading bool) string {
	if heading && !itemNumber.MatchString(text) {
		return headingNumber.ReplaceAllString(text, " ")
	}
	return itemNumber.ReplaceAllString(text, " ")
}
