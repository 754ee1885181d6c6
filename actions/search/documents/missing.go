package documents

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mozillazg/go-pinyin"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
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

// respelt returns, for missing words that were probably written wrong, the words of the documents that were
// meant. A word that only seems to begin others, as referal does by its stem, may be one too.
func (l *lookup) respelt(wanted []words.Term, missing []string) (all []search.Respelt) {
	wrong := slices.Clone(missing)
	for _, t := range wanted {
		isHeld := t.Dense || l.number(holding, quoted(t)) > 0
		if !isHeld && !slices.Contains(missing, t.Text) {
			wrong = append(wrong, t.Text)
		}
	}
	for _, word := range wrong {
		meant := l.meantByLetters(word)
		if prose.HasHan(word) {
			meant = l.meantBySound(word)
		}
		if meant != "" {
			all = append(all, search.Respelt{Word: word, Meant: meant})
		}
	}
	return all
}

// replace returns the terms with what was meant in place of what was written wrong.
func (l *lookup) replace(wanted []words.Term, all []search.Respelt) []words.Term {
	for _, r := range all {
		wanted = slices.DeleteFunc(wanted, func(t words.Term) bool {
			return t.Text == r.Word || t.Dense && strings.Contains(r.Word, t.Text)
		})
		meant := words.Terms(r.Meant)
		l.weigh(meant)
		wanted = append(wanted, meant...)
	}
	return wanted
}

// A word of fewLetters may be written wrong in its vowels and doubled letters, and one of manyLetters in any
// letter. Shorter words, and other letters of these, make other words: contact is no contract.
const fewLetters, manyLetters = 6, 9

// Bytes of the longest ending that a stem is without, and how many stems are looked at.
const longestEnding, mostStems = 5, 30

// isSlip reports whether a word may be another written wrong. Both begin with the same letter.
func isSlip(word, meant string) bool {
	letters, d := utf8.RuneCountInString(word), prose.Distance(word, meant)
	return d == 1 && letters >= manyLetters || d <= 2 && consonants(word) == consonants(meant)
}

// consonants returns the letters of a word without its vowels, and doubled ones once.
func consonants(word string) string {
	return string(slices.Compact([]rune(vowels.ReplaceAllString(word, ""))))
}

var vowels = regexp.MustCompile(`[aeiouäöü]`)

// meantByLetters returns the word of the documents that was meant by one written wrong, "" if there is none.
func (l *lookup) meantByLetters(word string) (meant string) {
	if utf8.RuneCountInString(word) < fewLetters || words.IsDense([]rune(word)[0]) {
		return ""
	}
	var stems []string // of words that may be it, the most frequent first
	var term string
	begin, _ := utf8.DecodeRuneInString(word)
	l.each(func() {
		isLong := utf8.RuneCountInString(word) >= manyLetters
		isNear := isLong && prose.Distance(term, word[:min(len(word), len(term))]) <= 2
		isNear = isNear || strings.HasPrefix(consonants(word), consonants(term))
		if isNear && len(term)+longestEnding >= len(word) {
			stems = append(stems, term)
		}
	}, []any{&term}, "SELECT term FROM indexed_term WHERE term >= ? AND term < ? ORDER BY cnt DESC",
		string(begin), string(begin+1))
	for _, stem := range stems[:min(len(stems), mostStems)] {
		var text string
		l.each(func() {
			for _, w := range words.Split(text) {
				isNearer := meant == "" || prose.Distance(w.Text, word) < prose.Distance(meant, word)
				if w.Text != word && w.Text[0] == word[0] && isSlip(word, w.Text) && isNearer {
					meant = w.Text
				}
			}
		}, []any{&text}, "SELECT title || ' ' || headings || ' ' || text "+
			"FROM passage JOIN file ON file.id = passage.file "+
			"WHERE passage.id IN (SELECT rowid FROM passage_text WHERE passage_text MATCH ? LIMIT 3)",
			`"`+stem+`"`)
	}
	return meant
}

// A run of so many dense characters is looked up by its sound, in so many passages for each character.
const shortRuns, longRuns, mostSounding = 2, 4, 500

// meantBySound returns the run of the documents that differs from another in one character of the same sound,
// as 房租 from 房祖: who types Chinese by sound picks a wrong one easily. Of several it is the most frequent.
// A pair must be there twice: of two words, one may end and the next begin so by chance.
func (l *lookup) meantBySound(word string) (meant string) {
	runes, seen := []rune(word), map[string]int{}
	if len(runes) < shortRuns || len(runes) > longRuns {
		return ""
	}
	for i, r := range runes {
		before, behind, text := string(runes[:i]), string(runes[i+1:]), ""
		alike := regexp.MustCompile(regexp.QuoteMeta(before) + `(\p{Han})` + regexp.QuoteMeta(behind))
		l.each(func() {
			for _, m := range alike.FindAllStringSubmatch(text, -1) {
				if run := m[0]; run != word && soundAlike(m[1], string(r)) {
					if seen[run]++; seen[run] > seen[meant] {
						meant = run
					}
				}
			}
		}, []any{&text}, "SELECT text FROM passage WHERE text LIKE ? LIMIT ?", "%"+before+"_"+behind+"%",
			mostSounding)
	}
	if len(runes) == shortRuns && seen[meant] < 2 {
		return ""
	}
	return meant
}

// soundAlike reports whether two Chinese characters have a sound in common, whatever its tone.
func soundAlike(one, other string) bool {
	all := pinyin.NewArgs()
	all.Heteronym = true
	sounds := pinyin.Pinyin(one+other, all)
	return len(sounds) == 2 && slices.ContainsFunc(sounds[0], func(s string) bool {
		return slices.Contains(sounds[1], s)
	})
}
