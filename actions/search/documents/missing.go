package documents

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
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
// meant. A word that only seems to begin others, as referal does by its stem, may be one too; what is quoted
// is wanted to the letter.
func (l *lookup) respelt(query string, wanted []words.Term, missing []string) (all []search.Respelt) {
	wrong := slices.Clone(missing)
	for _, t := range wanted {
		isHeld := t.Dense || l.number(holding, quoted(t)) > 0
		if !isHeld && !slices.Contains(missing, t.Text) {
			wrong = append(wrong, t.Text)
		}
	}
	literal := strings.ToLower(strings.Join(quotedPhrase.FindAllString(query, -1), " "))
	isQuoted := func(word string) bool { return strings.Contains(literal, word) }
	for _, word := range slices.DeleteFunc(wrong, isQuoted) {
		meant := cmp.Or(l.meantByLetters(word), l.deedOf(word))
		if prose.HasHan(word) {
			meant = l.meantBySound(word)
		}
		if meant != "" {
			all = append(all, search.Respelt{Word: word, Meant: meant})
		}
	}
	return all
}

// doer finds the name of somebody or something by what it does, without its ending.
var doer = regexp.MustCompile(`^([a-z]{3,}?)[eo]rs?$`)

// deedOf returns what a missing word for somebody does, if the documents speak of that: clean for cleaners
// where there is cleaning. A flow is not what flowers do.
func (l *lookup) deedOf(word string) string {
	const doing = "SELECT count(*) FROM passage WHERE id IN (SELECT rowid FROM passage_text " +
		"WHERE passage_text MATCH ?) AND text LIKE ?"
	m := doer.FindStringSubmatch(word)
	if m == nil || l.number(doing, `"`+m[1]+`"`, "%"+m[1]+"ing%") == 0 {
		return ""
	}
	return m[1]
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

// A word of so many letters may be written wrong, and one of manyLetters in two of them. Shorter words are
// near too many others.
const fewLetters, manyLetters = 6, 9

// surelyLong is how many letters a word has that is rarely another with one more or less, as contact and
// contract are.
const surelyLong = 8

// Bytes of the longest ending that a stem is without, and how many stems are looked at.
const longestEnding, mostStems = 5, 30

// isSlip reports whether a word may be another written wrong: the same but for two letters swapped, doubled
// letters, vowels too many or too few, or, behind its beginning, another vowel. Butter is not better, and
// with other consonants it is another word too: contact is no contract.
func isSlip(word, meant string) bool {
	const beginning = 3
	d, isLong := prose.Distance(word, meant), utf8.RuneCountInString(word) >= manyLetters
	switch {
	case d == 0 || d > 2 || word[0] != meant[0]:
		return false
	case d == 1 && sorted(word) == sorted(meant):
		return true
	case d == 1 && len(word) != len(meant) && min(len(word), len(meant)) >= surelyLong:
		return true
	case consonants(word) != consonants(meant):
		return false
	case len(word) != len(meant):
		return d == 1 || isLong
	}
	return d == 1 && word[:beginning] == meant[:beginning]
}

func sorted(word string) string {
	letters := []rune(word)
	slices.Sort(letters)
	return string(letters)
}

// consonants returns the letters of a word without its vowels, and doubled ones once.
func consonants(word string) string {
	return string(slices.Compact([]rune(vowels.ReplaceAllString(word, ""))))
}

var vowels = regexp.MustCompile(`[aeiouäöü]`)

// isNoLetter reports whether a character is none of a word that may be written wrong by a letter.
func isNoLetter(r rune) bool { return !unicode.IsLetter(r) || words.IsDense(r) }

// meantByLetters returns the word of the documents that was meant by one written wrong, "" if there is none.
func (l *lookup) meantByLetters(word string) (meant string) {
	if utf8.RuneCountInString(word) < fewLetters || strings.ContainsFunc(word, isNoLetter) {
		return ""
	}
	var stems []string // of words that may be it, the most frequent first
	var term string
	begin, _ := utf8.DecodeRuneInString(word)
	l.each(func() {
		isLong := utf8.RuneCountInString(word) >= surelyLong
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
				for _, form := range slices.Compact([]string{w.Text, strings.TrimSuffix(w.Text, "s")}) {
					if form == "" || form[0] != word[0] || max(len(form)-len(word), len(word)-len(form)) > 2 {
						continue
					}
					isNearer := meant == "" || prose.Distance(form, word) < prose.Distance(meant, word)
					if isNearer && !strings.ContainsFunc(form, isNoLetter) && isSlip(word, form) {
						meant = form
					}
				}
			}
		}, []any{&text}, "SELECT title || ' ' || headings || ' ' || text "+
			"FROM passage JOIN file ON file.id = passage.file "+
			"WHERE passage.id IN (SELECT rowid FROM passage_text WHERE passage_text MATCH ? LIMIT 20)",
			`"`+stem+`"`)
	}
	return meant
}

// A run of so many dense characters is looked up by its sound, in so many passages for each candidate.
const shortRuns, longRuns, mostSounding = 2, 4, 50

// meantBySound returns the run of the documents that differs from another in one character of the same sound,
// as 房租 from 房祖: who types Chinese by sound picks a wrong one easily. Of several it is the most frequent.
func (l *lookup) meantBySound(word string) (meant string) {
	runes, most := []rune(word), 0
	if len(runes) < shortRuns || len(runes) > longRuns {
		return ""
	}
	for i, r := range runes {
		pair, other, term := "_"+string(runes[min(1, len(runes)-1)]), 0, ""
		if i > 0 {
			pair, other = string(runes[i-1])+"_", 1
		}
		var alike []string
		l.each(func() {
			if c := []rune(term); len(c) == 2 && c[other] != r && soundAlike(string(c[other]), string(r)) {
				alike = append(alike, string(runes[:i])+string(c[other])+string(runes[i+1:]))
			}
		}, []any{&term}, "SELECT term FROM indexed_term WHERE term LIKE ? ORDER BY cnt DESC", pair)
		for _, run := range alike[:min(len(alike), mostStems)] {
			if n := l.timesAsWord(run); n > most {
				meant, most = run, n
			}
		}
	}
	return meant
}

// timesAsWord counts where a run of dense characters begins or ends one of the documents. A pair must be
// there twice: of two words, one may end and the next begin so by chance.
func (l *lookup) timesAsWord(run string) (n int) {
	edge := regexp.MustCompile(`(?:^|[^\p{Han}])` + run + `|` + run + `(?:$|[^\p{Han}])`)
	runes, all, pairs, text := []rune(run), 0, []string(nil), ""
	for i := range runes[1:] {
		pairs = append(pairs, string(runes[i:i+2]))
	}
	l.each(func() {
		all += strings.Count(text, run)
		n += len(edge.FindAllString(text, -1))
	}, []any{&text}, "SELECT text FROM passage WHERE id IN (SELECT rowid FROM passage_text WHERE "+
		"passage_text MATCH ? LIMIT ?)", `"`+strings.Join(pairs, " ")+`"`, mostSounding)
	if all < 2 && len(runes) == shortRuns {
		return 0
	}
	return n
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
