package search

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	// characters of a query; a longer one is no query but a text, and a way to carry a file out
	maxQuery = 300
	// alike is the share of common words from which two queries count as one. At four fifths, they differ in
	// one word of five, and services that rank by words return nearly the same list.
	alike = 0.8
)

// differing returns the queries to ask, in order and cut to maxQuery, without those that have no word or say
// nearly the same as an earlier one. over holds those beyond most.
func differing(queries []string, most int) (kept, over []string) {
	var sets []map[string]bool
	for _, query := range queries {
		query = shortened(query, maxQuery, maxQuery)
		set := wordSet(query, true)
		if len(set) == 0 || slices.ContainsFunc(sets,
			func(other map[string]bool) bool { return similarity(set, other) >= alike }) {
			continue
		}
		if len(kept) == most {
			over = append(over, query)
			continue
		}
		kept, sets = append(kept, query), append(sets, set)
	}
	return kept, over
}

// wordSet returns the words of a query without those that carry no meaning, or all if that leaves none. They
// are folded: case, width, plurals. Suffixes and prefixes that change the meaning are kept: C++ and C# are
// not C, and -car is not car. Chinese is cut into pairs.
func wordSet(query string, dropFunctionWords bool) map[string]bool {
	set := map[string]bool{}
	for _, w := range words.Split(query) {
		if w.Dense {
			for _, pair := range words.EachPair(w.Text, dropFunctionWords) {
				set[pair] = true
			}
			continue
		}
		before, after := query[:w.Start], query[w.Stop:]
		text := prose.Stem(w.Text) + after[:len(after)-len(strings.TrimLeft(after, "+#"))]
		if strings.HasSuffix(before, " -") || before == "-" {
			text = "-" + text
		}
		if !dropFunctionWords || !words.IsFunctionWord(w.Text) {
			set[text] = true
		}
	}
	if len(set) == 0 && dropFunctionWords {
		return wordSet(query, false)
	}
	return set
}

// similarity returns the share of words that two queries have in common (Jaccard). It is 0 if they differ in
// a number: a release or a year is what they are about.
func similarity(a, b map[string]bool) float64 {
	common, all := 0, maps.Clone(a)
	maps.Copy(all, b)
	for word := range all {
		if a[word] && b[word] {
			common++
		} else if strings.ContainsFunc(word, unicode.IsNumber) {
			return 0
		}
	}
	return float64(common) / float64(len(all))
}

// shortened returns the beginning of a query that a service takes, in whole words if it has spaces.
func shortened(query string, mostChars, mostWords int) string {
	fields := strings.Fields(oneLine(query))
	query = strings.Join(fields[:min(len(fields), mostWords)], " ")
	if utf8.RuneCountInString(query) <= mostChars {
		return query
	}
	cut := string([]rune(query)[:mostChars])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimSpace(cut)
}

var latinWord = regexp.MustCompile(`\p{Latin}[\p{Latin}\p{Nd}\p{M}]*`)

// languageFor returns the language of a question by its letters. A Latin word counts as two Chinese
// characters, as most Chinese words have: "Rust 语言的所有权" is Chinese and "Who is 李白" English.
func languageFor(query string) string {
	letters := func(scripts ...*unicode.RangeTable) (n int) {
		for _, r := range query {
			if unicode.In(r, scripts...) {
				n++
			}
		}
		return n
	}
	han, kana := letters(unicode.Han), letters(unicode.Hiragana, unicode.Katakana)
	best, most := "en", max(1, 2*len(latinWord.FindAllString(query, -1)))
	for _, l := range []struct {
		name    string
		letters int
	}{{"zh", han}, {"ja", han*min(kana, 1) + kana}, {"ko", letters(unicode.Hangul)},
		{"ru", letters(unicode.Cyrillic)}, {"ar", letters(unicode.Arabic)}} {
		if l.letters >= most {
			best, most = l.name, l.letters
		}
	}
	return best
}
