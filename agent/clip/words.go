package clip

import (
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// saysSomething reports whether a word does not just lead through a page or a site.
func saysSomething(word string) bool { return ways[strings.ToLower(word)] == 0 }

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

// ways lead through a page or a site, and say nothing when nothing else is there.
var ways = tally(strings.Fields(`
	top bottom up down home back next previous prev page pages main menu navigation nav toc table of contents content index
	search sitemap skip to the jump go on this in article section chapter show hide expand collapse all toggle
	目录 导航 首页 索引 菜单 搜索 上一页 下一页 上一章 下一章 上一节 下一节 返回 返回顶部 回到顶部 回到首页`))
