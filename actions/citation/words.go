package citation

import (
	_ "embed" // for words.txt
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// token is a word as claims and passages are compared: a word of a script with blanks, folded and without its
// ending, or one Chinese character.
type token struct {
	text string
	stop bool // it means nothing by itself
	span      // its place in the text
}

// tokenForm matches tokens. What joins letters and digits in names (3.7.0, --flag, A-1) is part of a word.
var tokenForm = regexp.MustCompile(cjkLetter + `|(?:` + aLetter + `-\p{Nd}|` + aLetter + `|\p{Nd})` +
	`(?:[.'’-]?` + aLetter + `-\p{Nd}|[.'’-]?` + aLetter + `|[.,'’]?\p{Nd}|[\pM_])*`)

const (
	cjkLetter = `[\p{Han}\p{Hiragana}\p{Katakana}]`
	aLetter   = `[^\PL\p{Han}\p{Hiragana}\p{Katakana}]`
)

// tokens splits a text into tokens.
func tokens(text string) (all []token) {
	for _, at := range tokenForm.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		t := token{word, strings.Contains(stopCharacters, word), span{at[0], at[1]}}
		if first := firstRune(word); !prose.IsCJK(first) {
			if word = strings.ToLower(word); isDigit(first) {
				word = strings.ReplaceAll(word, ",", "")
			}
			t.text, t.stop = stem(word), stopWords[word]
		}
		all = append(all, t)
	}
	return all
}

// solidTokens returns the tokens that mean something by themselves.
func solidTokens(all []token) []token {
	return slices.DeleteFunc(slices.Clone(all), func(t token) bool { return t.stop })
}

// stem removes the commonest endings of an English word.
func stem(word string) string {
	for _, ending := range []string{"ies", "ing", "ed", "es", "s"} {
		if base, ok := strings.CutSuffix(word, ending); ok && len(base) > max(2, len(ending)+1) &&
			!strings.HasSuffix(base, "s") {
			if ending == "ies" {
				return base + "y"
			}
			return strings.TrimSuffix(base, "e")
		}
	}
	if len(word) > 4 {
		return strings.TrimSuffix(word, "e")
	}
	return word
}

//go:embed words.txt
var wordsFile string

// oneOf returns a pattern that matches the words of a list in words.txt, which may be patterns themselves.
func oneOf(list string) string { return `(?:` + strings.Join(strings.Fields(lists[list]), "|") + `)` }

// The lists of words.txt.
var (
	lists = prose.Sections(wordsFile)
	// stopWords mean nothing alone. Words that change a meaning (not, only, than, before …) are left out.
	stopWords = set(lists["stop words"])
	// reporting lists words by which a claim only introduces what it takes from a source.
	reporting = stems(lists["reporting"])
	// negations lists words that negate a sentence.
	negations = set(lists["negations"])
	// contrary lists words that negate without a negation: "discouraged" is "not recommended". If only one of
	// two texts has such a word, code cannot tell whether they contradict each other.
	contrary = set(lists["contrary"])
	// notNegating removes Chinese words that have a character of negation but negate nothing.
	notNegating = strings.NewReplacer(strings.Split(strings.Join(strings.Fields(lists["not negating"]),
		"  ")+" ", " ")...)

	stopCharacters      = lists["stop characters"]
	reportingCharacters = lists["reporting characters"]
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

func stems(words string) map[string]bool {
	all := map[string]bool{}
	for word := range set(words) {
		all[stem(word)] = true
	}
	return all
}

// spoken returns the words of a text in lower case, with their apostrophes; a run of Chinese is one word.
func spoken(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(text), "’", "'"),
		func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}

// isContrary reports whether a text has a contrary word.
func isContrary(text string) bool {
	is := func(word string) bool { return contrary[strings.Trim(word, "'")] }
	return slices.ContainsFunc(spoken(text), is) || strings.Contains(text, "禁止") ||
		strings.Contains(text, "避免") || strings.Contains(text, "拒绝")
}

// until finds a negation that only says when: "not before all queries are finished" is "when they are".
var until = regexp.MustCompile(`(?i)(?:\b(?:not|never|no)\b|n['’]t\b).{0,80}\b(?:until|till|before|unless)\b|` +
	`(?:不|没有?).{0,20}(?:之前|以前|直到)|直到.{1,30}才`)

// saysWhen reports whether a text has such a negation, and the other tells the time without one.
func saysWhen(text, other string) bool {
	return until.MatchString(text) && !untilWords.MatchString(other)
}

var untilWords = regexp.MustCompile(`(?i)\b(?:until|till|before|unless)\b|之前|以前|直到`)

// negated counts the negations in a text.
func negated(text string) int {
	n := len(slices.DeleteFunc(spoken(text), func(word string) bool { return !negations[word] }))
	for _, r := range notNegating.Replace(text) {
		if strings.ContainsRune(negating, r) {
			n++
		}
	}
	return n
}

// sameBut reports whether two texts have the same words in order, apart from negations.
func sameBut(a, b string) bool {
	bare := func(text string) []string {
		words := each(solidTokens(tokens(text)), func(t token) string { return t.text })
		return slices.DeleteFunc(words,
			func(word string) bool { return negations[word] || strings.Contains(negating, word) })
	}
	return slices.Equal(bare(a), bare(b))
}

// negating lists the Chinese characters of negation.
const negating = "不没未无非勿"

// direction is a pair of opposites. Each side lists words, or in Chinese parts of words.
type direction [2][]string

// directions lists the opposites by which one word can reverse a claim.
var directions = func() (all []direction) {
	for line := range strings.Lines(lists["opposites"]) {
		one, other, _ := strings.Cut(line, " | ")
		all = append(all, direction{strings.Fields(one), strings.Fields(other)})
	}
	return all
}()

// bounded replaces bounds with a negation by equivalents without one.
var bounded = strings.NewReplacer("不超过", "至多", "不少于", "至少", "不低于", "至少", "不高于", "至多")

// sides reports which sides of a pair a text has.
func (d direction) sides(text string) (has [2]bool) {
	text = bounded.Replace(strings.ToLower(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) || prose.IsCJK(r) })
	for side, forms := range d {
		has[side] = slices.ContainsFunc(forms, func(form string) bool {
			if prose.IsCJK(firstRune(form)) {
				return strings.Contains(text, form)
			}
			return slices.Contains(words, form)
		})
	}
	return has
}

// turned returns a pair of opposites of which the claim has one side and the passage only the other, or "".
func turned(claim, passage string) string {
	for _, d := range directions {
		c, p := d.sides(claim), d.sides(passage)
		for side := range c {
			if c[side] && !c[1-side] && !p[side] && p[1-side] {
				return d[side][0] + " / " + d[1-side][0]
			}
		}
	}
	return ""
}

// common returns the longest common subsequence of tokens: for each token of a its index in b, or -1.
func common(a, b []token) []int {
	table := make([][]int16, len(a)+1)
	for i := range table {
		table[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].text == b[j].text {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	at := slices.Repeat([]int{-1}, len(a))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].text == b[j].text:
			at[i] = j
			i, j = i+1, j+1
		case table[i+1][j] >= table[i][j+1]:
			i++
		default:
			j++
		}
	}
	return at
}
