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

// group is words for one another, and others that are said for them alone: who asks for the cheap one finds
// its price, and who asks for a price is not told of what is cheap.
type group struct{ words, oneWay []string }

// groups are those of synonyms.txt, one a line.
var groups = sync.OnceValue(func() (all []group) {
	for line := range strings.Lines(synonymLines) {
		if !strings.HasPrefix(line, "#") {
			words, oneWay, _ := strings.Cut(line, ">")
			all = append(all, group{strings.Fields(words), strings.Fields(oneWay)})
		}
	}
	return all
})

// others are the other words for each word of synonyms.txt, of English ones by their stem.
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

// hanWords are the Chinese words that have others, the longer ones first.
var hanWords = sync.OnceValue(func() []string {
	var all []string
	for _, group := range groups() {
		all = append(all, group.words...)
	}
	all = slices.DeleteFunc(all, func(word string) bool { return !HasHan(word) })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return all
})

// oneWord reads Chinese words of one meaning as the first of their group.
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

// isPersonal reports whether a word of a question is written as a name, as Rank in "Why did Tobias Rank
// leave?", or is a command such as find in Chinese, which no other word stands for. An abbreviation is none.
func (q Question) isPersonal(word string) bool {
	return q.IsName(word) && word != strings.ToUpper(word) ||
		stopWords[word] && slices.Contains(commands(string(q)), word)
}

// IsOn reports whether a page is that of a command which a Chinese question names, as SORT(1) is.
func (q Question) IsOn(title string) bool {
	return slices.ContainsFunc(commands(string(q)), func(name string) bool {
		first := Tokens(title)
		return len(first) > 0 && strings.EqualFold(first[0], name)
	})
}

// Otherwise is a query for a question with other words in the place of those that have some.
func (q Question) Otherwise(query string) string {
	const most = 4 // for one
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

// Meant are the terms of a question's English keywords that a text of those terms has in another word.
func (q Question) Meant(of ...map[string]int) (all []string) {
	for _, k := range Keywords(string(q)) {
		if q.isMeant(k, of...) {
			all = append(all, k.Terms[0])
		}
	}
	return all
}

// isMeant reports whether a text of those terms has a word of a question in another word.
func (q Question) isMeant(k Keyword, of ...map[string]int) bool {
	isThere := func(other Keyword) bool { return other.In(of...) }
	hasOthers := len(k.Terms) == 1 && !q.isPersonal(k.Text)
	return hasOthers && slices.ContainsFunc(others()[k.Terms[0]], isThere) || k.isSaid(of...)
}
