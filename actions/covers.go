package actions

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	mostUncovered = 6   // items that are named at once
	longestItem   = 120 // letters that are shown of one
)

// leastTelling is how much an item has to hold to be looked for: a name, or two words. One word that is none,
// as in "limits", may be said in many others.
const leastTelling = 2

// uncovered names what belongs to a chapter and is not spoken of in a text: items of covers of which it holds
// no word that tells them from the others. asked is the question of the whole. "" for none.
func (t chapterTask) uncovered(asked, text string) string {
	if prose.IsChinese(t.Covers) != prose.IsChinese(text) {
		return "" // words of two languages cannot be compared
	}
	said, everywhere := termsOf(text), termsOf(t.Title+"\n"+asked)
	var left []string
	more := 0
	for _, item := range itemsOf(t.Covers) {
		keys := slices.DeleteFunc(prose.Keywords(item), func(k prose.Keyword) bool {
			return k.IsEveryday() || !k.IsThing() || !slices.ContainsFunc(k.Terms, isNotIn(everywhere))
		})
		tells, isSaid := 0, len(prose.Meant(keys, said)) > 0
		for _, k := range keys {
			tells += telling(k.Text, item)
			isSaid = isSaid || slices.ContainsFunc(k.Terms, func(term string) bool { return said[term] > 0 })
		}
		switch {
		case tells < leastTelling, isSaid:
		case len(left) == mostUncovered:
			more++
		default:
			left = append(left, prose.Shorten(prose.OneLine(item), longestItem))
		}
	}
	if len(left) == 0 {
		return ""
	}
	if more > 0 {
		left = append(left, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("\n\nOf what belongs to this chapter %s says nothing about: %s. Write what was found "+
		"of it there, or say in missing what was looked for.", t.File, strings.Join(left, "; "))
}

func termsOf(text string) map[string]int {
	all := map[string]int{}
	for _, term := range prose.Terms(text) {
		all[term]++
	}
	return all
}

func isNotIn(terms map[string]int) func(string) bool {
	return func(term string) bool { return terms[term] == 0 }
}

// telling is how much a keyword of an item tells: a name as much as two words, and so do four characters of
// Chinese.
func telling(word, item string) int {
	if prose.HasHan(word) {
		return utf8.RuneCountInString(word) / 2
	}
	if strings.HasPrefix(item, word) {
		_, width := utf8.DecodeRuneInString(word)
		word = word[width:] // a capital there makes no name
	}
	if strings.ContainsAny(word, "-_./0123456789") || strings.ToLower(word) != word {
		return 2
	}
	return 1
}

// itemsOf takes a list in words apart: at line ends, ends of sentences, semicolons and commas that are in no
// brackets and no code.
func itemsOf(list string) (items []string) {
	from, depth, inCode := 0, 0, false
	add := func(end, next int) {
		if item := strings.Trim(list[from:end], " \t-*•.,;，、；。"); item != "" {
			items = append(items, item)
		}
		from = next
	}
	for i, r := range list {
		_, width := utf8.DecodeRuneInString(list[i:])
		next := i + width
		after := strings.TrimLeft(list[next:], " \t")
		isApart := len(after) < len(list)-next || after == ""
		first, _ := utf8.DecodeRuneInString(after)
		switch {
		case r == '\n':
			add(i, next)
			depth, inCode = 0, false
		case r == '`':
			inCode = !inCode
		case inCode:
		case strings.ContainsRune("([（【", r):
			depth++
		case strings.ContainsRune(")]）】", r):
			depth--
		case depth > 0:
		case strings.ContainsRune(";；。，、", r), isApart && r == ',',
			isApart && r == '.' && !unicode.IsLower(first): // it is lower behind "e.g."
			add(i, next)
		}
	}
	add(len(list), len(list))
	return items
}
