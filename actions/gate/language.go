package gate

import (
	"cmp"
	"context"
	_ "embed" // for languages.txt
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/yuin/goldmark/ast"
)

// language requires the report to be in the language of the question, or in the one asked for: there, in the
// notes or in the brief. Code and quotations do not count. If a question is too short to tell its language,
// its script decides; if that does not either, the report passes.
func language(_ context.Context, r Report) string {
	text := unquoted(r.prose())
	asked, is := lettersOf(r.Question), lettersOf(text).language(text, 20)
	want := r.Language
	if want == "" {
		want = asked.language(r.Question, 1)
		if want == "zh" && is == "ja" && isName(r.Question) || asksFor(r.Question+"\n"+r.Wishes, is) {
			return ""
		}
	}
	in := names[want]
	if want == "" && len(tongues()[is].common) == 0 && asked.latin > 0 && asked.by(is) == 0 {
		in = "Latin letters"
	}
	if in == "" || is == "" || want == is {
		return ""
	}
	return fmt.Sprintf(
		"%s is written in %s and the question in %s: write it in the language of the question; "+
			"quotes stay as they are", r.File, names[is], in)
}

// quoted matches quotations in a report, which are in the language of their source.
var quoted = regexp.MustCompile(`"[^"\n]+"|“[^“”\n]+”|「[^「」\n]+」|«[^«»\n]+»|『[^『』\n]+』`)

// unquoted returns a text without its quotations. A match that is too long is none, but one may begin in it.
func unquoted(text string) string {
	const longest = 600 // characters
	var out strings.Builder
	for {
		at := quoted.FindStringIndex(text)
		if at == nil {
			return out.String() + text
		}
		out.WriteString(text[:at[0]] + " ")
		if utf8.RuneCountInString(text[at[0]:at[1]]) > longest {
			_, mark := utf8.DecodeRuneInString(text[at[0]:])
			at[1] = at[0] + mark
		}
		text = text[at[1]:]
	}
}

// prose returns the report's text without code, block quotes and addresses.
func (r Report) prose() string {
	d, _ := r.document() // a report that cannot be read has no language
	var out strings.Builder
	bounds.Inspect(d.root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.CodeSpan, *ast.Blockquote, *ast.AutoLink,
			*ast.HTMLBlock:
			return false
		case *ast.Text:
			out.Write(n.Segment.Value(d.source))
			out.WriteByte(' ')
		case *ast.Paragraph, *ast.Heading:
			out.WriteByte('\n')
		}
		return true
	})
	return out.String()
}

// names lists the languages that the gate distinguishes.
var names = map[string]string{"zh": "Chinese", "ja": "Japanese", "ko": "Korean",
	"ru": "a language in Cyrillic letters", "ar": "a language in Arabic letters", "en": "English",
	"de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"}

//go:embed languages.txt
var languagesFile string

// tongue is how a language is recognized.
type tongue struct {
	called string   // its names in all languages, as a pattern
	common []string // for one in Latin letters: words that most of the others do not have
}

// tongues returns the languages of languages.txt by their BCP 47 codes.
var tongues = sync.OnceValue(func() map[string]tongue {
	all := map[string]tongue{}
	for entry := range strings.SplitSeq(languagesFile, "\n\n") {
		lines := append(strings.Split(strings.TrimSpace(entry), "\n"), "")
		all[lines[0]] = tongue{lines[1], strings.Fields(lines[2])}
	}
	return all
})

// letters counts a text by script: the syllables of syllabic scripts, the words of others.
type letters struct{ han, kana, hangul, cyrillic, arabic, latin int }

// lettered matches a syllable, or a word of a script that separates words by blanks.
var lettered = regexp.MustCompile(`\p{Han}|[\p{Hiragana}\p{Katakana}]|\p{Hangul}|` +
	`(?:[^\PL\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]|\p{Nd})+`)

// lettersOf counts a text. Codes such as G12C belong to no language.
func lettersOf(text string) (all letters) {
	for _, found := range lettered.FindAllString(text, -1) {
		word := []rune(found)
		switch first := word[max(0, slices.IndexFunc(word, unicode.IsLetter))]; {
		case unicode.Is(unicode.Han, first):
			all.han++
		case unicode.In(first, unicode.Hiragana, unicode.Katakana):
			all.kana++
		case unicode.Is(unicode.Hangul, first):
			all.hangul++
		case unicode.Is(unicode.Cyrillic, first):
			all.cyrillic++
		case unicode.Is(unicode.Arabic, first):
			all.arabic++
		case unicode.Is(unicode.Latin, first) && !isCode(word):
			all.latin++
		}
	}
	return all
}

// isCode reports whether a word is a code rather than a word of a language: KRAS, G12C, iPhone15, mRNA.
func isCode(word []rune) bool {
	upper := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			return true
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return upper > 1
}

// by returns how much of a text is in the script of a language other than Latin. A syllable is half a word,
// so that a Chinese text full of Latin names remains Chinese.
func (l letters) by(code string) int {
	return map[string]int{"zh": l.han + l.kana, "ja": l.han + l.kana, "ko": l.hangul, "ru": 2 * l.cyrillic,
		"ar": 2 * l.arabic}[code]
}

// language returns the code of the language of most of the text; "" if that is uncertain.
func (l letters) language(text string, least int) string {
	total := l.by("zh") + l.by("ko") + l.by("ru") + l.by("ar") + 2*l.latin
	for _, code := range []string{"zh", "ko", "ru", "ar"} {
		if n := l.by(code); n >= least && 2*n >= total {
			if code == "zh" && 5*l.kana > l.han {
				return "ja"
			}
			return code
		}
	}
	if 2*l.latin >= least && 4*l.latin >= total {
		return latinLanguage(text)
	}
	return ""
}

// asking lists words that alone tell the language of a question when they begin it. Those that are also a
// word or a name in another language are not among them.
var asking = strings.Fields("what how which why when where who warum wieso weshalb wann welche welcher " +
	"welches pourquoi quel quelle quels quelles combien qué cómo cuál cuáles cuándo dónde cuánto quién " +
	"perché quali quais onde waarom wanneer")

// latinLanguage distinguishes languages in Latin letters by their common words, in lower case unless they
// begin the text: Die Hard and the WHO are names. One language must be clearly ahead.
func latinLanguage(text string) string {
	of := map[string][]string{} // the languages that have a word
	for code, language := range tongues() {
		for _, word := range language.common {
			of[word] = append(of[word], code)
		}
	}
	found, first := map[string]int{}, ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if first == "" && !isCode([]rune(word)) {
			word = strings.ToLower(word)
			first = word
		}
		for _, code := range of[word] {
			found[code]++
		}
	}
	codes := slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(found[b]-found[a], strings.Compare(a, b))
	})
	codes = append(codes, "", "")
	best, second := codes[0], found[codes[1]]
	least := 2
	if slices.Contains(asking, first) {
		least = 1
	}
	if best == "" || found[best] < least || found[best] < 2*second {
		return ""
	}
	return best
}

// isName reports whether a question is so short that it may be Japanese as well as Chinese.
func isName(question string) bool {
	letters := 0
	for _, r := range question {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters <= 12
}

// asksFor reports whether a question names a language as the one to write in: "in German" or 用英文. It also
// accepts other senses, such as "in German law": in doubt the report passes.
func asksFor(question, code string) bool {
	called := tongues()[code].called
	if called == "" {
		return false
	}
	asked :=
		regexp.MustCompile(`(?i)(?:^|\PL)(?:in|into|to|auf|ins|en|em|op|på|на|use|using)\s+(?:the\s+)?(?:` +
			called + `)(?:\PL|$)|` + `[用以成为為]\s*(?:` + called + `)|(?:` + called +
			`)\s*(?:で|に|로|[写寫撰答回版]|报告|報告|输出|輸出|\s(?:report|summary|answer|version)\b)`)
	return asked.MatchString(question)
}
