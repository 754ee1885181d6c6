package prose

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// IsCJK reports whether a letter is Han, Hiragana or Katakana, which are written without spaces.
func IsCJK(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// IsChinese reports whether a text is mostly Chinese: its Han characters outnumber its other words.
func IsChinese(text string) bool {
	han := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	return han > 0 && 2*han > Count(text)
}

// ownHeading finds a heading in the report's own words: deeper ones may be titles of sources.
var ownHeading = regexp.MustCompile(`^##?[ \t]+(.*)`)

// IsChineseReport reports whether a report is in Chinese, whatever the language of its quotes. It judges by
// the title and section headings, if any, which the built-in brain writes in the question's language. A
// comment in code is not a heading.
func IsChineseReport(markdown string) bool {
	headings, fence := "", ""
	for line := range strings.Lines(markdown) {
		fence = FenceAfter(fence, line)
		if m := ownHeading.FindStringSubmatch(line); m != nil && fence == "" {
			headings += m[1] + "\n"
		}
	}
	if Count(headings) == 0 {
		headings = markdown
	}
	return IsChinese(headings)
}

// Count counts the words of a text as a person would: each Chinese or Japanese character counts as one, and
// so does each run of other letters and digits.
func Count(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		switch {
		case IsCJK(r):
			n, inWord = n+1, false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !inWord {
				n++
			}
			inWord = true
		case r != '\'' && r != '’' && r != '-':
			inWord = false
		}
	}
	return n
}

// Length counts the words of a report as its length is meant: without blocks of code and citations.
func Length(text string) int { return Count(Countable(text)) }

// Countable returns Markdown without its blocks of code and its citations, which nobody reads as words.
func Countable(text string) string {
	return citations.ReplaceAllString(listings.ReplaceAllString(text, ""), "")
}

var (
	citations = regexp.MustCompile(`\[s\d+(?:\.\d+)?(?:, s\d+(?:\.\d+)?)*\]`)
	listings  = regexp.MustCompile("(?ms)^[ \t]*(?:```[^`\n]*|~~~[^\n]*)\n.*?^[ \t]*(?:```|~~~)[ \t]*\r?$")
)

// Words returns the words of a text in lower case, without marks. Each Chinese or Japanese character is one.
func Words(text string) []string {
	var words []string
	start := -1
	for i, r := range text {
		letter, alone := unicode.IsLetter(r) || unicode.IsNumber(r), IsCJK(r)
		if start >= 0 && (!letter || alone) {
			words = append(words, strings.ToLower(text[start:i]))
			start = -1
		}
		switch {
		case alone:
			words = append(words, string(r))
		case letter && start < 0:
			start = i
		}
	}
	if start >= 0 {
		words = append(words, strings.ToLower(text[start:]))
	}
	return words
}

// Slug turns a title into part of a file name that is safe on every system: at most 40 letters, and, where
// there are words, no half word at the end. Chinese is kept.
func Slug(title string) string {
	const longest = 40
	var out []rune
	for _, r := range strings.ToLower(title) {
		if len(out) == longest {
			if i := strings.LastIndexByte(string(out), '-'); i > longest/2 {
				return string(out)[:i]
			}
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		} else if len(out) > 0 && out[len(out)-1] != '-' {
			out = append(out, '-')
		}
	}
	return strings.Trim(string(out), "-")
}

//go:embed irregular.txt
var irregular string

// forms maps each form of an irregular English word, and the regular forms of its base, to all its forms.
var forms = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(irregular) {
		group := strings.Fields(line)
		base := group[0]
		if base == "#" {
			continue
		}
		bare := strings.TrimSuffix(base, "e")
		doubled := base + base[len(base)-1:]
		for _, form := range append([]string{base + "s", bare + "ing", doubled + "ing"}, group...) {
			all[form] = group
		}
	}
	return all
})

// Forms returns the forms of an irregular English word, such as break, broke and broken, base first; for any
// other word only itself, in lower case.
func Forms(word string) []string {
	word = strings.ToLower(word)
	if group := forms()[word]; group != nil {
		return group
	}
	return []string{word}
}

// unaccented returns a word as typed without accents: Sao Tome. In other scripts marks make another letter,
// and stay.
func unaccented(word string) string {
	isLatin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	if !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII && isLatin(r) }) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

// isProtocol are names whose last letter is not a plural but means secured.
var isProtocol = map[string]bool{"https": true, "ftps": true, "imaps": true, "ldaps": true, "smtps": true}

// Stem cuts the commonest English endings of a word, or of an irregular word's base, in lower case and
// without accents. It is only for matching.
func Stem(word string) string {
	if word = Forms(unaccented(word))[0]; isProtocol[word] {
		return word
	}
	if rest, found := strings.CutSuffix(word, "ories"); found {
		word = rest + "ory"
	}
	if strings.HasSuffix(word, "ory") { // a directory is no director
		return word
	}
	for _, ending := range [...]string{
		"ations", "ation", "ings", "ing", "ies", "ied", "ions", "ion", "ed", "es", "ly", "s", "e", "y",
	} {
		rest, found := strings.CutSuffix(word, ending)
		isRoot := ending == "y" && strings.ContainsAny(rest[max(0, len(rest)-1):], "aeou") // as of holidays
		if found && len(rest) >= 3 && !isRoot {
			word = rest
			break
		}
	}
	if n := len(word); n > 2 && word[n-1] == word[n-2] && word[n-1] >= 'a' && word[n-1] <= 'z' { // committed
		word = word[:n-1]
	}
	return word
}

// Letters returns the letters and digits of a text in lower case, to find words whatever marks and blanks
// surround them.
func Letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Tally counts each word, by so much for each occurrence.
func Tally(much int, words []string) map[string]int {
	m := make(map[string]int, len(words))
	for _, word := range words {
		m[word] += much
	}
	return m
}

// Shares divides room among texts of given sizes: what a small one does not need goes to the others.
func Shares(sizes []int, room int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	given := make([]int, len(sizes))
	room = max(0, room)
	for k, i := range order {
		given[i] = min(sizes[i], room/(len(order)-k))
		room -= given[i]
	}
	return given
}
