// Package figure reads the numbers, units, dates and versions in a text, and compares those of a report with
// those of a passage.
//
//	var set figure.Set
//	set.Add("The run took 1.2 million nanoseconds.", "")
//	for _, f := range figure.Read("It took 1,200,000 ns.") {
//		found := set.Has(f) // true
//	}
//
// Figures are compared by value: 1.2 million is 1,200,000 and 120万, 14 March 2024 is 2024-03-14. A unit that
// is known on both sides must agree, after any exact conversion. In a sentence, numbers up to twelve in words
// are prose, and numbers of sections, figures and lists are labels; neither is read.
package figure

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Figure is a number, a date or a version in a text.
//
// A key is the canonical form of a value: n:1200000 a number, d:2024-03-14 a date, m:2024-03 a month,
// md:03-14 a day of any year, v:1.26.5 a version, t:7b a number with a letter, i:100 a number inside a name
// such as H100, c:10:30 a time, q:time:5400 an amount in its base unit.
type Figure struct {
	Text   string
	Unit   string     // its English name; "" for none or an unknown one
	ways   [][]string // any one of them will do, but with all its keys
	before string     // the sentence up to it
}

// Behind reports whether a figure of a sentence directly follows a whole word, which includes any blank:
// "PostgreSQL " and "A".
func (f Figure) Behind(word string) bool {
	before, follows := strings.CutSuffix(f.before, word)
	return follows && (before == "" || !isLetter(before[len(before)-1]))
}

// scanner finds every reading of a source's figures, but of a sentence's only the one a reader would choose.
type scanner struct {
	text   string
	i      int
	source bool
	give   func(Figure)
}

// Read reads the figures of a sentence.
func Read(sentence string) []Figure {
	var all []Figure
	s := scanner{text: narrow(sentence), give: func(f Figure) { all = append(all, f) }}
	s.scan()
	return all
}

// wideComma matches a comma between full-width digit groups.
var wideComma = regexp.MustCompile(`([０-９])，`)

// narrow converts full-width digits, all blanks and minus signs to ASCII.
func narrow(text string) string {
	return strings.Map(asASCII, wideComma.ReplaceAllString(text, "$1,"))
}

// asASCII returns the ASCII form of a character. Invisible ones are dropped.
func asASCII(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r >= 0xff01 && r <= 0xff5e && !strings.ContainsRune("，；：（）", r): // full width
		return r - 0xfee0
	case strings.ContainsRune("\u2212\u2010\u2011", r):
		return '-'
	case r == '’':
		return '\''
	case unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

func (s *scanner) scan() {
	for s.i < len(s.text) {
		c := s.text[s.i]
		switch {
		case isDigit(c):
			s.number()
		case isLetter(c):
			s.letters()
		case c >= 0xe3 && s.numeral():
		default:
			s.i++
		}
	}
}

// found reports a figure that ends at end, and continues there.
func (s *scanner) found(end int, ways ...[]string) {
	if len(ways) > 0 {
		f := Figure{ways: ways}
		if !s.source {
			f.Text, f.before = strings.TrimSpace(s.text[s.i:end]), s.text[:s.i]
		}
		if slices.ContainsFunc(ways, func(way []string) bool { return strings.HasPrefix(way[0], "n:") }) {
			f.Unit = cmp.Or(unitBefore(s.text, s.i), unitBehind(s.text, end))
		}
		s.give(f)
	}
	s.i = end
}

// letters reads a word: an address, which is skipped, a month, a number in words, or nothing.
func (s *scanner) letters() {
	end := s.lettersFrom(s.i)
	word := s.text[s.i:end]
	switch {
	case strings.HasPrefix(s.text[end:], "://") || word == "www" && strings.HasPrefix(s.text[end:], "."):
		s.i += len(address.FindString(s.text[s.i:]))
	case monthNumbers[word] > 0 && !s.inName() && s.is(monthFirst):
	case !s.inName() && s.spelled():
	default:
		s.i = end
	}
}

var address = regexp.MustCompile(`^[!#-(*-;=?-\\^-~]+`)

// inName reports whether a letter, digit or underscore is right before.
func (s *scanner) inName() bool {
	return s.i > 0 && (isLetter(s.text[s.i-1]) || isDigit(s.text[s.i-1]) || s.text[s.i-1] == '_')
}

func isLetter[C byte | rune](c C) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// ahead returns the text from i on, as far as any pattern needs: regexp prepares for all of its input.
func (s *scanner) ahead(i int) string { return s.text[i:min(i+100, len(s.text))] }

// digitsFrom returns the end of the digits that begin at i.
func (s *scanner) digitsFrom(i int) int {
	return len(s.text) - len(strings.TrimLeft(s.text[i:], "0123456789"))
}

// lettersFrom returns the end of the letters that begin at i.
func (s *scanner) lettersFrom(i int) int {
	for i < len(s.text) && isLetter(s.text[i]) {
		i++
	}
	return i
}

func isDigit[C byte | rune](c C) bool { return '0' <= c && c <= '9' }
