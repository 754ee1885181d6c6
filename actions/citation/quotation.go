package citation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxQuote bounds a shown quote, in columns: about 70 English words. A Chinese character takes two.
const maxQuote = 400

// quotation is a range of a text in quotation marks, with them and without.
type quotation struct {
	span
	inner span
}

// quotations finds the text inside “…”, "…", 「…」, 『…』, «…» or „…“; of nested quotations, the outer one.
// It ignores single quotation marks, which look like apostrophes.
func quotations(t string, hidden []span) []quotation {
	var found []quotation
	var open []opening
	last := ' '
	for i, r := range t {
		size := utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(t[min(i+max(size, 1), len(t)):])
		if strings.ContainsRune(openers+closers, r) && !inside(hidden, i) {
			k := -1
			if !(r == '"' && unicode.IsSpace(last)) {
				k = openedBy(open, r)
			}
			switch {
			case k >= 0:
				for len(found) > 0 && found[len(found)-1].start > open[k].at { // it is inside
					found = found[:len(found)-1]
				}
				found = append(found, quotation{span{open[k].at, i + size},
					span{open[k].at + utf8.RuneLen(open[k].mark), i}})
				open = open[:k]
			case strings.ContainsRune(openers, r),
				r == '"' && !unicode.IsSpace(next) && next != utf8.RuneError && !isSpaced(last):
				open = append(open, opening{i, r})
			}
		}
		last = r
	}
	return found
}

type opening struct {
	at   int
	mark rune
}

const (
	openers = "“„«「『｢"
	closers = "\"”»」』｣"
)

// opened lists the marks that each mark closes; “ also closes „.
var opened = map[rune]string{'”': "“„", '“': "„", '"': "\"“", '»': "«", '」': "「｢", '｣': "「｢", '』': "『"}

// openedBy returns the index of the innermost open mark that r closes, or -1. None nests deeper than deepest.
func openedBy(open []opening, r rune) int {
	const deepest = 20
	for k := len(open) - 1; k >= max(0, len(open)-deepest); k-- {
		m := open[k].mark
		if strings.ContainsRune(opened[r], m) && (r != '"' || m == '"' || k == len(open)-1) {
			return k
		}
	}
	return -1
}

// weight returns how much a few words can prove: an English word counts 2 and a Chinese character 1.
func weight(text string) int {
	return 2*prose.Count(text) - countCJK(text)
}

func countCJK(text string) int { return len(cjk.FindAllStringIndex(text, -1)) }

var (
	cjk  = regexp.MustCompile(cjkLetter)
	wide = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}\x{3000}-\x{303f}\x{ff01}-\x{ff60}]`)
)

// leastQuote is the minimum weight of words in quotation marks that count as a quote of a source: three
// English words or six Chinese characters. Shorter ones may be a term or irony; they are a quote only if a
// sentence has nothing else.
const leastQuote = 6

// leastPart is the minimum weight of a part of a quote with an ellipsis. Shorter ones are found anywhere.
const leastPart = 4

func columns(text string) int {
	return utf8.RuneCountInString(text) + len(wide.FindAllStringIndex(text, -1))
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// leastSentence is the weight from which Chinese words in quotation marks are a sentence, and so a quote.
const leastSentence = 12

// isLabel reports whether Chinese words in quotation marks are a label or a coinage rather than a quote: too
// short for a sentence, without a figure, and without a verb of saying before them; or any words that are a
// heading of the report.
func (x *passage) isLabel(q quotation) bool {
	text := prose.OneLine(x.text[q.inner.start:q.inner.end])
	if x.report.headings[text] {
		return true
	}
	if 2*countCJK(text) < utf8.RuneCountInString(text) || weight(text) >= leastSentence ||
		strings.ContainsAny(text, "。，；！？,;!?…0123456789") {
		return false
	}
	before := strings.TrimRight(x.text[:q.start], " ")
	if endsWithColon(before) {
		return false
	}
	const nearby = 8 * 3 // bytes of Chinese
	before = strings.ToValidUTF8(before[max(0, len(before)-nearby):], "")
	before = before[strings.LastIndexAny(before, "。；，,")+1:]
	return !verbOfSaying.MatchString(naming.ReplaceAllString(before, ""))
}

// Verbs that introduce a quote, and those that introduce a name, which may contain one of them.
var (
	verbOfSaying = regexp.MustCompile(oneOf("verbs that lead to a quote"))
	naming       = regexp.MustCompile(oneOf("verbs that lead to a name"))
)

// recased reports whether the passage has a quote with its first letter in the other case: lower case where
// the quote begins a sentence of the report, a capital where it begins one of the source.
func (e *evidence) recased(n needle, begins bool) bool {
	if len(n) == 0 {
		return false
	}
	first, size := utf8.DecodeRuneInString(n[0])
	other := func(r rune) needle { return append(needle{string(r) + n[0][size:]}, n[1:]...) }
	if unicode.IsUpper(first) {
		return begins && e.holds(other(unicode.ToLower(first)))
	}
	f, at, ok := e.source.page.find(other(unicode.ToUpper(first)), e.window)
	if !ok || !unicode.IsLower(first) {
		return false
	}
	before := strings.TrimRight(string(f.plain[:f.place(at).start]), " \t“\"‘(")
	return before == "" || strings.ContainsRune(".!?:\n\x00\x01", lastRune(before))
}

// mark is a citation in a text, such as [s3.4] or [s3, s7] or [s3.4] [s7].
type mark struct {
	span
	refs []workspace.Ref
}

// isCitation reports whether text in square brackets is a citation.
func isCitation(inBrackets string) bool {
	return workspace.MarkHere([]byte("["+inBrackets+"]")) == len(inBrackets)+2
}

// nothingSaid matches text that only joins two citations.
var nothingSaid = regexp.MustCompile(`(?i)^[\s,;，；、]*(?:` + joining + `)?[\s,;，；、]*$`)

const joining = `&|and|or|as well as|和|与|及|以及|或`

// marks finds the citations in a text. Consecutive ones with nothing said between them are one.
func marks(t string, hidden []span) []mark {
	var found []mark
	for _, at := range workspace.Marks(t) {
		if inside(hidden, at.Start) ||
			(at.Start == 0 || t[at.Start-1] == '\n') && strings.HasPrefix(t[at.End:], ": http") {
			continue // in code, or a link definition
		}
		if n := len(found); n > 0 && nothingSaid.MatchString(t[found[n-1].end:at.Start]) {
			found[n-1].end = at.End
			found[n-1].refs = append(found[n-1].refs, at.Refs...)
			continue
		}
		found = append(found, mark{span{at.Start, at.End}, at.Refs})
	}
	for i := range found {
		found[i].refs = once(found[i].refs)
	}
	return found
}

// once removes duplicates.
func once[T comparable](all []T) (kept []T) {
	for _, one := range all {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// WithoutMarks removes the citations from a text.
func WithoutMarks(text string) string {
	var out strings.Builder
	at := 0
	for _, m := range workspace.Marks(text) {
		out.WriteString(strings.TrimRight(text[at:m.Start], " "))
		at = m.End
	}
	return out.String() + text[at:]
}
