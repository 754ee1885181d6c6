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

// inference is a remark by which authors mark what they say as their own: "(inference)", "（本报告的建议）".
var inference = regexp.MustCompile(`(?i)[(（]\s*(?:` + oneOf("own in English") + `(?:['’]s|['’])?\s+)*` +
	oneOf("conclusions in English") + `\b[^()（）]{0,60}[)）]|[(（]\s*` + oneOf("own in Chinese") + `*` +
	oneOf("conclusions in Chinese") + `[^()（）]{0,20}[)）]`)

// Words by which a clause says that its figures are the author's, and where clauses end.
var (
	ownWork = regexp.MustCompile(`(?i)(?:\b(?:my|our)(?: own)?|(?:^|\b(?:is|are|an|as|by))\s*\bown) ` +
		`(?:arithmetic|calculation|computation|reckoning|estimate|choice|assumption|margin|guess)s?\b|` +
		`(?:自行|本报告|本文|笔者|我们)(?:自己|自行)?的?(?:估算|计算|推算|估计|选定|选择|假设|假定)`)
	clauseEnd = regexp.MustCompile(`[,;:](?:\s|$)|[，；：—–()（）]`)
)

// ownClauses are the clauses of a stretch that say that their figures are the author's own, with the one
// before where they name none, as in "900, our choice, is above 60". Behind a colon go all up to the last
// semicolon, behind which the citation has its own.
func ownClauses(text string) string {
	var own strings.Builder
	before, from, taken := "", 0, 0 // taken is how far what is behind a colon was written
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

// unmarked is where a stretch before a citation begins that its author does not mark as inference: behind
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

// Words with which a clause behind a citation goes on with what it says, and those that lead to a citation
// before what it says.
var (
	goingOn = regexp.MustCompile(`(?i)^[\s,，]*(?:(?:(?:(?:some|all|most|many|none|\d+) ` +
		`)?of )?(?:which|whom|whose)\b|who\b|where\b|其中|[“"「『«„])`)
	leading = regexp.MustCompile(
		`(?i)^\s*(?:according to|as|per|see|following|根据|依据|据|按照?|如|见)|[,，(（]\s*$`)
)

// A sentence that opens with when or where it holds, "In 1868 [s1], the wave killed 900 people", says the
// rest of it by its citation, unless the rest concludes or adds something: "…, so stay away".
var (
	circumstance = regexp.MustCompile(`(?i)^\s*` + oneOf("circumstances"))
	concluding   = regexp.MustCompile(`(?i)^[\s,，]*` + oneOf("conclusions"))
)

// opens reports whether what is before a citation only opens its sentence.
func (x *passage) opens(text string, end int) bool {
	return circumstance.MatchString(text) && !concluding.MatchString(x.text[end:])
}

// tail is where what follows a citation ceases to belong to it, at most so far. What belongs to it
// is the rest of its clause, "the wave [s1] killed 900 people", a relative clause and a quote; what comes
// after the next comma or semicolon, or is marked as inference, are its author's own words. Of a mere lead,
// "As [s1] shows, …", it is the rest up to a semicolon.
func (x *passage) tail(p seat, most int, isLead bool) int {
	behind := p.end
	most = max(most, behind) // a citation may go on in the next cell
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

// stop is the first of some marks in a stretch, outside code and quotes and not between digits, or the
// stretch's length.
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

// pronoun is a word that says what a sentence is about only together with the one before it.
var pronoun = regexp.MustCompile(`(?i)\b(?:it|they|this|these|he|she)\b|[它他她这此该]`)

// understood gives a claim what it needs to be understood: what its sentence begins with, when it is only a
// part of it, the sentence that introduces the list in which it is an item, and the sentence before when
// there is a pronoun.
func (x *passage) understood(c *claim) {
	from, before := 0, 0
	if i := sort.SearchInts(x.ends, c.start+1); i > 0 {
		from = x.ends[i-1]
		const most = 8 // sentences that are no more than their citation
		for k := i - 2; k >= max(0, i-2-most) && before == 0 && from-x.ends[k] <= longestSentence; k-- {
			if prose.HasWord(withoutMarks(x.text[x.ends[k]:x.ends[k+1]])) { // those behind it have none
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
	if prose.HasWord(withoutMarks(said)) {
		parts = append(parts, x.begun(span{from, c.start}))
	}
	c.part = len(parts) > 0
	if isLater && pronoun.MatchString(said+c.Text) {
		parts = slices.Insert(parts, 0, clipped(prose.OneLine(withoutMarks(x.text[before:from]))))
	}
	if len(parts) > 0 {
		c.Context = strings.Join(parts, " ") + " "
	}
}

// leastSaid is the weight below which a claim in the middle of a sentence may be no more than a thing that
// the sentence names: "A full disk [s1.2], a lost lock [s1.3] and a crash [s1.4] end the transaction".
const leastSaid = 12

// rest is how a sentence goes on behind a citation.
func (x *passage) rest(from int) string {
	rest := clipped(prose.OneLine(withoutMarks(x.text[from:x.sentenceEnd(from)])))
	if strings.HasPrefix(x.text[from:], " ") && !parted(rest) {
		rest = " " + rest
	}
	return rest
}

// longestSentence is how far before a claim, in bytes, its sentence may begin: what is before it is shown
// with each claim of the sentence.
const longestSentence = 1000

// near is where a stretch begins, or a place so far before its end that no sentence is as long.
func (x *passage) near(from, to int) int {
	if from = max(from, to-longestSentence); from > 0 && from < len(x.text) {
		for !utf8.RuneStart(x.text[from]) {
			from--
		}
	}
	return from
}

// begun shows how a sentence begins before one of its later claims: its first part and the one right before
// the claim.
func (x *passage) begun(s span) string {
	first, last := s.end, s.start
	for _, m := range overlapping(x.marks, s) {
		first = min(first, m.start)
		if m.end < s.end {
			last = m.end // of all but the one right before
		}
	}
	show := func(from, to int) string {
		return strings.TrimRight(strings.TrimLeft(clipped(prose.OneLine(withoutMarks(x.text[from:to]))),
			" ,，、;；:："), " ,，、;；")
	}
	shown, between := show(s.start, first), ", "
	if last > first {
		if prose.HasWord(withoutMarks(x.text[first:last])) {
			between = " … "
		}
		shown += between + show(last, s.end)
	}
	return strings.TrimSpace(shown) + ","
}

// parted reports whether a comma or a semicolon follows a citation: what is before it is said for itself.
func parted(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && strings.ContainsRune(",，、;；", firstRune(rest))
}

// clipped is at most so much of a text as is shown of what comes before a claim, up to the end of a word.
func clipped(text string) string {
	const most = 200 // columns
	return cut(text, most)
}
