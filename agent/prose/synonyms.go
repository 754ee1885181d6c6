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

// groups are the words of synonyms.txt, a group each.
var groups = sync.OnceValue(func() (all [][]string) {
	for line := range strings.Lines(synonymLines) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.Fields(line))
		}
	}
	return all
})

// others are the other words for each word of synonyms.txt, of English ones by their stem.
var others = sync.OnceValue(func() map[string][]Keyword {
	all := map[string][]Keyword{}
	for _, group := range groups() {
		for i, word := range group {
			for _, other := range slices.Concat(group[:i], group[i+1:]) {
				all[Stem(word)] = append(all[Stem(word)], Keyword{other, Terms(other)})
			}
		}
	}
	return all
})

// hanWords are the Chinese words that have others, the longer ones first.
var hanWords = sync.OnceValue(func() []string {
	all := slices.DeleteFunc(slices.Concat(groups()...), func(word string) bool { return !HasHan(word) })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return all
})

// oneWord reads Chinese words of one meaning as the first of their group.
var oneWord = sync.OnceValue(func() *strings.Replacer {
	first := map[string]string{}
	for _, group := range groups() {
		for _, word := range group {
			first[word] = group[0]
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

// Otherwise is a query with other words in the place of those that have some.
func Otherwise(query string) string {
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
		if stem := Stem(word); !HasHan(word) && len(others()[stem]) > 0 {
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

// Meant are the terms of English keywords that a text of those terms has in another word.
func Meant(keys []Keyword, of ...map[string]int) (all []string) {
	for _, k := range keys {
		isThere := func(other Keyword) bool { return other.In(of...) }
		if len(k.Terms) == 1 && slices.ContainsFunc(others()[k.Terms[0]], isThere) {
			all = append(all, k.Terms[0])
		}
	}
	return all
}
