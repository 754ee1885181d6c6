package clip

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// keyword is an English word, an identifier such as json.loads, or a run of Chinese between two stop words.
type keyword struct {
	text  string
	terms []string // that a passage must hold: a stem, or the overlapping pairs of a Chinese run
}

// keywords returns the words of a text that carry it, each once, in their order, without "long" in "how long".
func keywords(text string) (found []keyword) {
	add := func(text string, terms []string) {
		if !slices.ContainsFunc(found, func(have keyword) bool { return slices.Equal(have.terms, terms) }) {
			found = append(found, keyword{text, terms})
		}
	}
	before, names := "", []string{}
	if text != strings.ToUpper(text) {
		names = tokens(strings.Join(inCapitals.FindAllString(text, -1), " "))
	}
	for _, token := range tokens(text) {
		lower := strings.ToLower(token)
		name := len(token) == 1 && token[0] >= 'B' && token[0] <= 'Z' && token != "I" // as of the languages C and R
		switch {
		case isHan(token):
			for _, run := range splitHan(token) {
				add(run, pairs(run))
			}
		case name, isIdentifier(token),
			utf8.RuneCountInString(token) > 1 && (stopWords[lower] == 0 || slices.Contains(names, token)) && !(before == "how" && degrees[lower] > 0):
			add(token, []string{stem(token)})
		}
		before = lower
	}
	return found
}

// saysSomething reports whether a word does not just lead through a page or a site.
func saysSomething(word string) bool { return ways[strings.ToLower(word)] == 0 }

func joined(keys []keyword) string {
	words := make([]string, len(keys))
	for i, k := range keys {
		words[i] = k.text
	}
	return strings.Join(words, " ")
}

// in reports whether a text of those terms speaks of a keyword: of a Chinese run it holds half.
func (k keyword) in(terms map[string]int) bool {
	n := 0
	for _, term := range k.terms {
		n += count(terms[term] > 0)
	}
	return n > 0 && 2*n >= len(k.terms)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// terms returns what a text is matched by: stems of words, names whole and in parts, pairs of Chinese characters.
func terms(text string) (all []string) {
	for _, token := range tokens(text) {
		if isHan(token) {
			all = append(all, pairs(token)...)
			continue
		}
		all = append(all, stem(token))
		parts := strings.FieldsFunc(innerCapital.ReplaceAllString(token, "$1 $2"), func(r rune) bool { return strings.ContainsRune(" _.", r) })
		for i := 0; i < len(parts) && len(parts) > 1; i++ {
			all = append(all, stem(parts[i]))
		}
	}
	return all
}

// stem is what a word is matched by: a name such as json.loads whole.
func stem(token string) string {
	if isIdentifier(token) {
		return strings.ToLower(token)
	}
	return prose.Stem(token)
}

var (
	innerCapital = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	inCapitals   = regexp.MustCompile(`\b[A-Z][A-Z\d_]+(?: [A-Z][A-Z\d_]+)+\b`) // such as WITHOUT ROWID
)

// tally is how often each of some words is among them.
func tally(words []string) map[string]int {
	m := make(map[string]int, len(words))
	for _, word := range words {
		m[word]++
	}
	return m
}

// wordOrRun finds a flag such as --no-verify, a run of Chinese, or a word such as os.replace or full_page_writes.
var wordOrRun = regexp.MustCompile(`(?:^|[^\pL\pN-])(--?[A-Za-z][\w-]*)|\p{Han}+|` +
	`(?:[^\P{L}\p{Han}]|[\pN_])(?:[^\P{L}\p{Han}]|[\pN_]|\.(?:[^\P{L}\p{Han}]|[\pN_]))*`)

// tokens cuts a text into words and runs of Chinese. A backslash of Markdown's is not seen.
func tokens(text string) (all []string) {
	for _, m := range wordOrRun.FindAllStringSubmatch(strings.ReplaceAll(text, `\`, ""), -1) {
		all = append(all, cmp.Or(m[1], m[0]))
	}
	return all
}

// isHan reports whether a text has Chinese in it. A token is either a word or a run of Chinese.
func isHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// isIdentifier reports whether a token is a name that must not be stemmed, as json.loads, FTS5, --no-verify.
func isIdentifier(token string) bool { return strings.ContainsAny(token, "-_.0123456789") }

// pairs returns the overlapping pairs of a Chinese run; one character alone is itself.
func pairs(run string) (all []string) {
	runes := []rune(oneWord.Replace(run))
	for i := range max(1, len(runes)-1) {
		all = append(all, string(runes[i:min(i+2, len(runes))]))
	}
	return all
}

// splitHan divides Chinese at stop words and drops what is left of a single character.
func splitHan(run string) []string {
	run = hanAmount.ReplaceAllString(run, "$1 ")
	for _, stop := range hanStops {
		run = strings.ReplaceAll(run, stop, " ")
	}
	return slices.DeleteFunc(strings.Fields(run), func(piece string) bool { return utf8.RuneCountInString(piece) < 2 })
}

func shorten(title string) string {
	return prose.Shorten(title, 56-28*count(strings.ContainsFunc(title, prose.IsCJK)))
}

func appendNew[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// hanAmount is how Chinese asks for a figure, with what it is measured in: 多久, 几年, but not 很多大学 or 几乎.
var hanAmount = regexp.MustCompile(`(^|[^很许最更众诸太大])(?:要|有)?(?:多(?:长时间|少时间|久|长|大|高|远|快)|` +
	`几(?:分钟|小时|个月|星期|[年月日天周号点时分秒个次种楼层岁倍条台页章行人块元米]))`)

//go:embed words.txt
var words string

// listed are the words of words.txt below a name.
func listed(name string) []string {
	_, list, _ := strings.Cut(words, "\n## "+name+": ")
	list, _, _ = strings.Cut(list, "\n## ")
	_, list, _ = strings.Cut(list, "\n")
	return strings.Fields(list)
}

var (
	stopWords, degrees = tally(listed("stop")), tally(listed("degree"))
	askingWords, ways  = tally(listed("asking")), tally(listed("ways"))
	hanStops, oneWord  = listed("停用"), strings.NewReplacer(listed("同义")...)
)
