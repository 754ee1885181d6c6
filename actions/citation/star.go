package citation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// star is a run of stars that may begin emphasis.
type star struct{ at, n int }

// stars finds the runs of stars of a block that are no marks of emphasis: no other run goes with them. One
// that could only end it is a mark all the same, which a cut or an author left behind.
func (e *eraser) stars() map[int]bool {
	literal := map[int]bool{}
	var open []star
	for i := 0; i < len(e.raw); i++ {
		switch e.raw[i] {
		case '\\':
			i++
		case '`':
			n, end := e.codeFrom(i)
			i = max(i, end) + n - 1
		case '*':
			s := star{i, run(e.raw[i:], '*')}
			begins, ends, leads := e.turns(s)
			if k := len(open) - 1; ends && k >= 0 {
				literal[open[k].at] = false
				if open[k].n -= s.n; open[k].n <= 0 {
					open = open[:k]
				}
			} else {
				literal[s.at] = leads || !ends
				if begins {
					open = append(open, s)
				}
			}
			i += s.n - 1
		}
	}
	return literal
}

// turns reports whether a run may begin emphasis and whether it may end it. Between digits, and alone in
// quotation marks, it does neither; right behind an opening mark it ends nothing. leads is whether it may
// begin it by the rules of CommonMark, which are too strict for Chinese.
func (e *eraser) turns(s star) (begins, ends, leads bool) {
	before, size := utf8.DecodeLastRune(e.raw[:s.at])
	after, _ := utf8.DecodeRune(e.raw[s.at+s.n:])
	outer, _ := utf8.DecodeLastRune(e.raw[:s.at-size])
	isMark := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	first := size == 0 || unicode.IsSpace(before)
	last := s.at+s.n == len(e.raw) || unicode.IsSpace(after)
	leads = !last && (!isMark(after) || first || isMark(before))
	const brackets = "([{（【「『„"
	opens := strings.ContainsRune(brackets, before) || strings.ContainsRune("\"'“‘«»", before) &&
		(s.at == size || unicode.IsSpace(outer) || strings.ContainsRune(brackets, outer)) ||
		strings.ContainsRune("“‘", before) && prose.IsCJK(outer)
	if isDigit(before) && isDigit(after) || opens && isQuotationMark(after) ||
		slices.Contains([]string{"“”", "‘’", "«»", "»«", "„“"}, string([]rune{before, after})) {
		return false, false, leads
	}
	return !last && !strings.ContainsRune(")]}）】」』", after), !first && !opens, leads
}
