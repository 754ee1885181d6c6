package citation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
)

// confirms reports whether code can be certain that a ref supports the claim: the claim is hardly more than a
// quotation, or the cited table row, or all its words are in the block in this order.
func (m *comparison) confirms(x *cite) bool {
	if x.copies(m.claim) {
		return true
	}
	if len(m.asked) > 0 {
		return false
	}
	if here := len(x.here); here+m.copied > 0 && here == len(m.claim.quotes) &&
		m.copied == len(m.claim.code) && len(m.lower) == 0 && x.leadsToQuotes(m.claim) {
		return true
	}
	if x.n == 0 || len(m.lower) > 0 || len(m.claim.quotes) > len(x.here) {
		return false
	}
	return len(m.beside) == 0 && x.says(m.claim)
}

// leadsToQuotes reports whether a claim has nothing besides its quotes and who said them: no figure, no
// negation, no word that is not in the passage or the source's title.
func (e *evidence) leadsToQuotes(c claim) bool {
	rest := c.Text
	solid := len(c.code) > 0
	for _, q := range c.quotes {
		rest = strings.Replace(rest, q, " ", 1)
		solid = solid || weight(q) >= leastQuote || weight(c.Text) <= 2*weight(q)
	}
	if !solid || negated(rest) > 0 || len(c.figures) > 0 || len(c.names) > 0 {
		return false
	}
	around := map[string]bool{}
	for _, t := range tokens(e.around + "\n" + e.plain) {
		around[t.text] = true
	}
	words, quoted := 0, len(tokens(strings.Join(slices.Concat(c.code, c.quotes), " ")))
	for _, t := range tokens(rest) {
		switch {
		case t.stop, reporting[t.text],
			prose.IsCJK(firstRune(t.text)) && strings.Contains(reportingCharacters, t.text):
		case !around[t.text]:
			return false
		default:
			words++
		}
	}
	return words <= max(2, quoted/4)
}

// says reports whether all words of a claim are in the block, in this order and close together, without a
// word between them that could change the meaning. For a part of a sentence that is never certain.
func (e *evidence) says(c claim) bool {
	if c.part {
		return false
	}
	words, passage := solidTokens(tokens(c.Text)), e.tokens
	const fewest, most = 3, 400
	if len(words) == 0 || len(words) > most || len(passage) > 2*most {
		return false
	}
	if len(words) < fewest && !c.solid() {
		return false
	}
	at := common(words, passage)
	if slices.Contains(at, -1) {
		return false
	}
	first, last := at[0], at[len(at)-1]
	between := len(solidTokens(passage[first : last+1]))
	return between <= len(words)+max(2, len(words)/3) &&
		negated(c.Text) == negated(e.sentencesFrom(first, last)) &&
		turned(c.Text, e.plain) == "" && !conditional(e.plain, c.Text)
}

// solid reports whether a claim has a figure that is not in nearly every passage.
func (c claim) solid() bool {
	return slices.ContainsFunc(c.figures, func(f figure.Figure) bool { return !f.Small() })
}

// sentencesFrom returns the sentences of the block from one token to another.
func (e *evidence) sentencesFrom(first, last int) string {
	start := 0
	for _, end := range sentenceEnds(e.plain, nil, nil) {
		if end >= e.tokens[last].end {
			return e.plain[start:end]
		}
		if end <= e.tokens[first].start {
			start = end
		}
	}
	return e.plain[start:]
}

// limit matches words by which a passage limits its statement.
var limit = regexp.MustCompile(oneOf("limits"))

// conditional reports whether a passage limits its statement by a word that the claim does not have.
func conditional(passage, claim string) bool {
	claim = strings.ToLower(claim)
	return slices.ContainsFunc(limit.FindAllString(strings.ToLower(passage), -1),
		func(word string) bool { return !strings.Contains(claim, word) })
}

// sentences splits a plain text.
func sentences(text string) []string {
	var all []string
	start := 0
	for _, end := range sentenceEnds(text, nil, nil) {
		all, start = append(all, text[start:end]), end
	}
	if strings.TrimSpace(text[start:]) != "" || len(all) == 0 {
		all = append(all, text[start:])
	}
	return all
}

// clauseMark matches the marks between the clauses of a sentence.
var clauseMark = regexp.MustCompile(`[,;:，；：、—()（）]`)

// clauseAround returns the part of a sentence between two offsets, extended to the commas around it.
func clauseAround(sentence string, from, to int) string {
	before := clauseMark.Split(sentence[:from], -1)
	return before[len(before)-1] + sentence[from:to] + clauseMark.Split(sentence[to:], 2)[0]
}

// leastAlike is the share of a claim's words that the passage must have for a contradiction to be certain.
const leastAlike = 0.85

// opposite returns how a passage says the opposite of a claim in nearly the same words, or "" if that is not
// certain.
func (m *comparison) opposite() string {
	if len(m.cites) != 1 || m.cites[0].evidence == nil || m.cites[0].n == 0 || len(m.claim.quotes) > 0 {
		return ""
	}
	e := m.cites[0]
	if e.copies(m.claim) {
		return ""
	}
	said := strings.Join(strings.Fields(m.Text), " ")
	words := slices.DeleteFunc(tokens(said), func(t token) bool { return t.stop || negations[t.text] })
	const fewest = 4
	if len(words) < fewest {
		return ""
	}
	for _, sentence := range sentences(e.plain) {
		there := tokens(sentence)
		matched, first, last := 0, len(sentence), 0
		for _, k := range common(words, there) {
			if k >= 0 {
				matched, first, last = matched+1, min(first, there[k].start), max(last, there[k].end)
			}
		}
		if float64(matched)+1 < leastAlike*float64(len(words)) {
			continue
		}
		if sides := turned(said, sentence); !m.part && sides != "" && turned(said, e.plain) != "" &&
			negated(said) == negated(sentence) { // the row may negate what a cell says
			return fmt.Sprintf("the passage says the opposite (%s): “%s”",
				sides, short(prose.OneLine(sentence)))
		}
		if float64(matched) < leastAlike*float64(len(words)) || turned(said, sentence) != "" {
			continue
		}
		const strange = 2 // maximum words of the passage between those of the claim
		between := solidTokens(tokens(sentence[first:last]))
		if clause := clauseAround(sentence, first, last); len(between) <= matched+strange &&
			10*len(tokens(clause)) <= 13*len(tokens(said))+20 &&
			negated(said)%2 != negated(clause)%2 && isContrary(said) == isContrary(clause) &&
			!saysWhen(said, clause) && !saysWhen(clause, said) &&
			(min(negated(said), negated(clause)) == 0 || sameBut(said, clause)) {
			return fmt.Sprintf("one of claim and passage is negated, and the other is not: “%s”",
				short(prose.OneLine(sentence)))
		}
	}
	return ""
}
