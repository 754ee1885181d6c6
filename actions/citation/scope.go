package citation

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation/figure"
	"github.com/daybook-agent/daybook/agent/prose"
)

// inference matches a remark that marks text as the author's own: "(inference)", "（本报告的建议）".
var inference = regexp.MustCompile(`(?i)[(（]\s*(?:` + oneOf("own in English") + `(?:['’]s|['’])?\s+)*` +
	oneOf("conclusions in English") + `\b[^()（）]{0,60}[)）]|[(（]\s*` + oneOf("own in Chinese") + `*` +
	oneOf("conclusions in Chinese") + `[^()（）]{0,20}[)）]`)

// Words by which a clause says that its figures are the author's, and marks at which clauses end.
var (
	ownWork = regexp.MustCompile(`(?i)(?:\b(?:my|our)(?: own)?|(?:^|\b(?:is|are|an|as|by))\s*\bown) ` +
		`(?:arithmetic|calculation|computation|reckoning|estimate|choice|assumption|margin|guess)s?\b|` +
		`(?:自行|本报告|本文|笔者|我们)(?:自己|自行)?的?(?:估算|计算|推算|估计|选定|选择|假设|假定)`)
	clauseEnd = regexp.MustCompile(`[,;:](?:\s|$)|[，；：—–()（）]`)
)

// ownClauses returns the clauses of a range that say that their figures are the author's own, with the clause
// before if they have no figures, as in "900, our choice, is above 60". After a colon it includes all clauses
// up to the last semicolon; the text after that belongs to the citation.
func ownClauses(text string) string {
	var own strings.Builder
	before, from, taken := "", 0, 0 // taken is the end of the text after a colon that was already written
	for _, at := range append(clauseEnd.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		clause := text[from:at[0]]
		if ownWork.MatchString(clause) {
			if own.WriteString(clause + "\n"); len(figure.Read(clause)) == 0 {
				own.WriteString(before + "\n")
			}
			rest := text[at[0]:]
			if at[0] >= taken && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")) {
				if last := strings.LastIndexAny(rest, ";；"); last > 0 {
					rest = rest[:last]
				}
				own.WriteString(rest + "\n")
				taken = at[0] + len(rest)
			}
		}
		before, from = clause, at[1]
	}
	return own.String()
}

// unmarked returns where a range before a citation begins that its author does not mark as inference: after
// the last such remark that ends a clause.
func (x *passage) unmarked(s span) int {
	for _, at := range slices.Backward(inference.FindAllStringIndex(x.text[s.start:s.end], -1)) {
		rest := strings.TrimLeft(x.text[s.start+at[1]:s.end], " ")
		if strings.IndexAny(rest[:min(len(rest), utf8.UTFMax)], ",;:，；、：") == 0 && prose.HasWord(rest) {
			return s.start + at[1]
		}
	}
	return s.start
}

// Words by which a clause after a citation continues what the source says, and words that lead to a citation
// before its claim.
var (
	goingOn = regexp.MustCompile(`(?i)^[\s,，]*(?:(?:(?:(?:some|all|most|many|none|\d+) ` +
		`)?of )?(?:which|whom|whose)\b|who\b|where\b|其中|[“"「『«„])`)
	leading = regexp.MustCompile(
		`(?i)^\s*(?:according to|as|per|see|following|根据|依据|据|按照?|如|见)|[,，(（]\s*$`)
)

// For a sentence that opens with when or where it holds, "In 1868 [s1], the wave killed 900 people", the
// citation covers the rest too, unless the rest concludes or adds something: "…, so stay away".
var (
	circumstance = regexp.MustCompile(`(?i)^\s*` + oneOf("circumstances"))
	concluding   = regexp.MustCompile(`(?i)^[\s,，]*` + oneOf("conclusions"))
)

// opens reports whether the text before a citation only opens its sentence.
func (x *passage) opens(text string, end int) bool {
	return circumstance.MatchString(text) && !concluding.MatchString(x.text[end:])
}

// tail returns the end of the text after a citation that belongs to it, at most most. That is the rest of its
// clause, "the wave [s1] killed 900 people", a relative clause and a quote. Text after the next comma or
// semicolon, or marked as inference, is the author's own. For a mere lead, "As [s1] shows, …", it is the rest
// up to a semicolon.
func (x *passage) tail(p seat, most int, isLead bool) int {
	behind := p.end
	most = max(most, behind) // a citation may continue in the next cell
	rest := x.text[behind:most]
	if !prose.HasWord(rest) || p.shares {
		return most
	}
	stops, from := ",;，；、—–", 0
	if isLead {
		stops = ";；"
	} else if at := goingOn.FindStringIndex(rest); at != nil {
		from = at[1]
	}
	end := behind + from + x.stop(span{behind + from, most}, stops)
	if tail := x.text[behind:end]; inference.MatchString(tail) &&
		prose.HasWord(inference.ReplaceAllString(tail, "")) && !isLead {
		return behind
	}
	return end
}

// stop returns the offset of the first of some marks in a range, outside code and quotes and not between
// digits, or the range's length.
func (x *passage) stop(s span, marks string) int {
	text := x.text[s.start:s.end]
	for i, r := range text {
		if !strings.ContainsRune(marks, r) || inside(x.plain.bits, s.start+i) {
			continue
		}
		next := strings.TrimPrefix(text[i:], string(r))
		if !inside(x.quotes, s.start+i) &&
			!(isDigit(firstRune(next)) && isDigit(lastRune(x.text[:s.start+i]))) {
			return i
		}
	}
	return len(text)
}

// pronoun matches a word that needs the previous sentence to be understood.
var pronoun = regexp.MustCompile(`(?i)\b(?:it|they|this|these|he|she)\b|[它他她这此该]`)

// understood adds the context that a claim needs: the beginning of its sentence if it is only a part of it,
// the sentence that introduces its list, and the previous sentence if there is a pronoun.
func (x *passage) understood(c *claim) {
	from, before := 0, 0
	if i := sort.SearchInts(x.ends, c.start+1); i > 0 {
		from = x.ends[i-1]
		const most = 8 // sentences with nothing but their citation
		for k := i - 2; k >= max(0, i-2-most) && before == 0 && from-x.ends[k] <= longestSentence; k-- {
			if prose.HasWord(WithoutMarks(x.text[x.ends[k]:x.ends[k+1]])) { // those after it have none
				before = x.ends[k]
			}
		}
	}
	isLater := from > 0
	from = x.near(from, c.start)
	before = x.near(before, from)
	var parts []string
	if x.depth > 0 && !isLater && x.report.listLead != "" {
		parts = append(parts, clipped(x.report.listLead))
	}
	said := x.text[from:c.start]
	if prose.HasWord(WithoutMarks(said)) {
		parts = append(parts, x.begun(span{from, c.start}))
	}
	c.part = len(parts) > 0
	if isLater && pronoun.MatchString(said+c.Text) {
		parts = slices.Insert(parts, 0, clipped(prose.OneLine(WithoutMarks(x.text[before:from]))))
	}
	if len(parts) > 0 {
		c.Context = strings.Join(parts, " ") + " "
	}
}

// leastSaid is the weight below which a claim in the middle of a sentence may be just a thing that the
// sentence names: "A full disk [s1.2], a lost lock [s1.3] and a crash [s1.4] end the transaction".
const leastSaid = 12

// rest returns how a sentence continues after a citation.
func (x *passage) rest(from int) string {
	rest := clipped(prose.OneLine(WithoutMarks(x.text[from:x.sentenceEnd(from)])))
	if strings.HasPrefix(x.text[from:], " ") && !parted(rest) {
		rest = " " + rest
	}
	return rest
}

// longestSentence bounds, in bytes, how far before a claim its sentence may begin: the text before a claim is
// shown with each claim of the sentence.
const longestSentence = 1000

// near returns the start of a range, moved forward if no sentence can be as long as the range.
func (x *passage) near(from, to int) int {
	if from = max(from, to-longestSentence); from > 0 && from < len(x.text) {
		for !utf8.RuneStart(x.text[from]) {
			from--
		}
	}
	return from
}

// begun returns the beginning of a sentence before one of its later claims: its first part and the one right
// before the claim.
func (x *passage) begun(s span) string {
	first, last := s.end, s.start
	for _, m := range overlapping(x.marks, s) {
		first = min(first, m.start)
		if m.end < s.end {
			last = m.end // of all but the one right before the claim
		}
	}
	show := func(from, to int) string {
		return strings.TrimRight(strings.TrimLeft(clipped(prose.OneLine(WithoutMarks(x.text[from:to]))),
			" ,，、;；:："), " ,，、;；")
	}
	shown, between := show(s.start, first), ", "
	if last > first {
		if prose.HasWord(WithoutMarks(x.text[first:last])) {
			between = " … "
		}
		shown += between + show(last, s.end)
	}
	return strings.TrimSpace(shown) + ","
}

// parted reports whether a comma or a semicolon follows a citation: then the text before it stands alone.
func parted(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && strings.ContainsRune(",，、;；", firstRune(rest))
}

// clipped shortens a text to what is shown before a claim, up to the end of a word.
func clipped(text string) string {
	const most = 200 // columns
	return cut(text, most)
}
