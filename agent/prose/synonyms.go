package prose

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed synonyms.txt
var synonymLines string

// group has interchangeable words, and others that may only replace them: a question for something cheap
// finds a price, but one for a price does not find cheap.
type group struct{ words, oneWay []string }

// groups returns the lines of synonyms.txt.
var groups = sync.OnceValue(func() (all []group) {
	for line := range strings.Lines(synonymLines) {
		if !strings.HasPrefix(line, "#") {
			words, oneWay, _ := strings.Cut(line, ">")
			all = append(all, group{strings.Fields(words), strings.Fields(oneWay)})
		}
	}
	return all
})

// others maps each word of synonyms.txt to its synonyms, English ones by stem.
var others = sync.OnceValue(func() map[string][]Keyword {
	all := map[string][]Keyword{}
	for _, group := range groups() {
		for i, word := range group.words {
			for _, other := range slices.Concat(group.words[:i], group.words[i+1:], group.oneWay) {
				all[Stem(word)] = append(all[Stem(word)], Keyword{Text: other, Terms: Terms(other)})
			}
		}
	}
	return all
})

// hanWords returns the Chinese words with synonyms, longer ones first.
var hanWords = sync.OnceValue(func() []string {
	var all []string
	for _, group := range groups() {
		all = append(all, group.words...)
	}
	all = slices.DeleteFunc(all, func(word string) bool { return !HasHan(word) })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return all
})

// oneWord replaces Chinese synonyms by the first word of their group.
var oneWord = sync.OnceValue(func() *strings.Replacer {
	first := map[string]string{}
	for _, group := range groups() {
		for _, word := range group.words {
			first[word] = group.words[0]
		}
	}
	var pairs []string
	for _, word := range hanWords() {
		if HasHan(first[word]) {
			pairs = append(pairs, word, first[word])
		}
	}
	return strings.NewReplacer(pairs...)
})

// isPersonal reports whether a word of a question is written as a name, such as Rank in "Why did Tobias Rank
// leave?", or is a command such as find in Chinese, so that it has no synonyms. Abbreviations do not count.
func (q Question) isPersonal(word string) bool {
	return q.IsName(word) && word != strings.ToUpper(word) && !isIdentifier(word) ||
		stopWords[word] && slices.Contains(commands(string(q)), word)
}

// IsOn reports whether a page is about a command named in a Chinese question, such as SORT(1).
func (q Question) IsOn(title string) bool {
	return slices.ContainsFunc(commands(string(q)), func(name string) bool {
		first := Tokens(title)
		return len(first) > 0 && strings.EqualFold(first[0], name)
	})
}

// Otherwise returns a query with synonyms in place of the words that have some.
func (q Question) Otherwise(query string) string {
	const most = 4 // per word
	var all []string
	put := func(word string) {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	replace := func(word string) {
		alike := others()[word]
		for _, k := range alike[:min(len(alike), most)] {
			put(k.Text)
		}
	}
	for word := range strings.FieldsSeq(query) {
		if stem := Stem(word); !HasHan(word) && len(others()[stem]) > 0 && !q.isPersonal(word) {
			put(word)
			replace(stem)
			continue
		}
		left := word
		for _, known := range hanWords() {
			if strings.Contains(left, known) {
				replace(known)
				left = strings.ReplaceAll(left, known, " ")
			}
		}
		for piece := range strings.FieldsSeq(left) {
			if !HasHan(piece) || utf8.RuneCountInString(piece) > 1 {
				put(piece)
			}
		}
	}
	return strings.Join(all, " ")
}

// Meant returns the terms of a question's words for which a text with those terms has a synonym. Chinese ones
// that may stand for one another have the same terms already.
func (q Question) Meant(of ...map[string]int) (all []string) {
	lacks := func(term string) bool { return !Keyword{Terms: []string{term}}.In(of...) }
	isThere := func(other Keyword) bool { return !slices.ContainsFunc(other.Terms, lacks) }
	for i, known := 0, hanWords(); i < len(known) && HasHan(string(q)); i++ {
		if strings.Contains(string(q), known[i]) && slices.ContainsFunc(others()[known[i]], isThere) {
			all = append(all, pairs(known[i])...)
		}
	}
	for _, k := range Keywords(string(q)) {
		if q.isMeant(k, of...) {
			all = append(all, k.Terms[0])
		}
	}
	return all
}

// isMeant reports whether a text with those terms has a synonym of a question's word.
func (q Question) isMeant(k Keyword, of ...map[string]int) bool {
	isThere := func(other Keyword) bool { return other.In(of...) }
	hasOthers := len(k.Terms) == 1 && !q.isPersonal(k.Text)
	return hasOthers && slices.ContainsFunc(others()[k.Terms[0]], isThere) || k.isSaid(of...)
}
