package documents

import (
	"slices"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// isBeginning reports whether a word of some length begins others, as delivered does delivery: it is there in
// another form.
func (l *lookup) isBeginning(word string) bool {
	const least = 6
	return utf8.RuneCountInString(word) >= least && l.number("SELECT count(*) FROM (SELECT 1 FROM "+
		"passage_text WHERE passage_text MATCH ? LIMIT 1)", `"`+word+`"*`) > 0
}

// shortRun returns the run of three dense characters that a missing pair belongs to, if that is all of it:
// without one of its pairs the word itself is missing, such as 摄像头 where 摄像 is held.
func shortRun(wanted []words.Term, pair words.Term) []string {
	var run []rune
	for _, t := range wanted {
		if two := []rune(t.Text); t.Dense && max(t.Place-pair.Place, pair.Place-t.Place) <= 2 {
			run = append(run, two[min(len(run), len(two)-1):]...)
		}
	}
	if len(run) != 3 {
		return nil
	}
	return []string{string(run)}
}

// characters returns the characters of dense words that no document holds: 结婚 may be in 婚假.
func characters(wanted []words.Term, missing []string) (all []words.Term) {
	for _, word := range missing {
		for i, r := range []rune(word) {
			isThis := func(t words.Term) bool { return t.Text == string(r) }
			if words.IsDense(r) && !slices.ContainsFunc(slices.Concat(wanted, all), isThis) {
				all = append(all, words.Term{Text: string(r), Dense: true, Place: 2 * (len(wanted) + i)})
			}
		}
	}
	return all
}
