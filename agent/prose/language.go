package prose

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Language is a language in which the program speaks to a person.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// LanguageOf returns the language of a research: the one that is set, otherwise that of its question.
func LanguageOf(set Language, question string) Language {
	if set == "" && asksInChinese(question) {
		return Chinese
	}
	return cmp.Or(set, English)
}

// grammar finds words that occur only in English sentences.
var grammar = regexp.MustCompile(
	`\b(?:[Tt]he|[Oo]f|[Ii]s|[Aa]re|[Ww]as|[Dd]o|[Dd]oes|[Dd]id|[Ww]hat|[Hh]ow|` +
		`[Ww]hy|[Ww]hen|[Ww]here|[Ww]hich|[Ww]ho|[Cc]an|[Ss]hould|[Ii]n|[Oo]n|[Ff]or|[Tt]o|[Aa]nd|` +
		`[Oo]r|[Ww]ith)\b`)

// asksInChinese reports whether a question is Chinese. Names and codes have no language: "KRAS G12C 靶点".
func asksInChinese(question string) bool {
	return IsChinese(question) || has(question, unicode.Han) && !grammar.MatchString(question) &&
		!has(question, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// has reports whether a text has a letter of one of these scripts.
func has(text string, scripts ...*unicode.RangeTable) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, scripts...) })
}

// HasWord reports whether a text has any letter or digit.
func HasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

//go:embed zh.txt
var chinese string

// table maps each English text to the Chinese one, on the line below it after a tab.
var table = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	english, lines := "", strings.NewReplacer(`\n`, "\n", `\_`, " ")
	for line := range strings.Lines(chinese) {
		line = strings.TrimRight(line, "\r\n")
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			all[lines.Replace(english)] = lines.Replace(text)
		}
		english = line
	}
	return all
})

// Say returns a text in this language, filled in by fmt.Sprintf; texts missing from the table stay English.
func (l Language) Say(english string, with ...any) string {
	if text, ok := table()[english]; ok && l == Chinese {
		english = text
	}
	if len(with) == 0 {
		return english
	}
	return fmt.Sprintf(english, with...)
}

// Count returns a number with a noun, such as "2 sources". The table has it as "%d source".
func (l Language) Count(n int, noun string) string {
	if text, ok := table()["%d "+noun]; ok && l == Chinese {
		return fmt.Sprintf(text, n)
	}
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// IsEnglish reports whether at least one word in so many is a word that every English text contains. Each
// Chinese character counts as a word.
func IsEnglish(text string, many int) bool {
	words, n := Tokens(text), 0
	for _, w := range words {
		if stopWords[strings.ToLower(w)] {
			n++
		}
	}
	return many*n > max(len(words), len(Keyword{Text: text}.Characters()))
}

// IsForeign reports whether a text is in another language than English: it has more foreign words than
// English ones, and at least one in twelve. Lists of names and tables have no language.
func IsForeign(text string) bool {
	words, english, others := Tokens(text), 0, 0
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		switch w = strings.ToLower(w); {
		case stopWords[w]:
			english++
		case foreignWords[w], unicode.IsLetter(first) && !unicode.Is(unicode.Latin, first):
			others++
		}
	}
	return others > english && 12*others > len(words)
}
