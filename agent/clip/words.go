package clip

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

func joined(keys []prose.Keyword) string {
	words := make([]string, len(keys))
	for i, k := range keys {
		words[i] = k.Text
	}
	return strings.Join(words, " ")
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// tally is how often each of some words is among them.
func tally(words []string) map[string]int {
	m := make(map[string]int, len(words))
	for _, word := range words {
		m[word]++
	}
	return m
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
