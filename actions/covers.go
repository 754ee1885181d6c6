package actions

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

const (
	mostUncovered = 6   // items that are named at once
	longestItem   = 120 // letters that are shown of one
)

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
			return k.IsEveryday() || !k.IsThing() || holdsAll(everywhere, k.Terms)
		})
		isSaid := func(k prose.Keyword) bool { return k.In(said) }
		switch {
		case len(keys) == 0, slices.ContainsFunc(keys, isSaid), len(prose.Meant(keys, said)) > 0:
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

func holdsAll(terms map[string]int, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(term string) bool { return terms[term] == 0 })
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
		next := i + len(string(r))
		isEnd := next == len(list) || unicode.IsSpace(rune(list[next]))
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
		case strings.ContainsRune(";；。，、", r), isEnd && (r == ',' || r == '.'):
			add(i, next)
		}
	}
	add(len(list), len(list))
	return items
}
