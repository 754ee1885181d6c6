package words

import (
	_ "embed" // for functionwords.txt
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// wordOrPhrase matches a "quoted phrase", with a qualifier right before it if there is one, or a word. It
// leaves out a quotation mark without a partner.
var wordOrPhrase = regexp.MustCompile(`([^"“”\s\v\x{85}\pZ]*:)?["“”]([^"“”]*)["“”]|([^"“”\s\v\x{85}\pZ]+)["“”]?`)

// Keywords splits a query for services that want every one of its words. It drops the words that only make it
// a question, and keeps quoted phrases, names and qualifiers such as repo:golang/go in one piece, as they
// were written. It returns at most most characters, counting a space after each word. A query of nothing but
// question words keeps them.
func Keywords(query string, most int) []string {
	var kept, others []string
	for _, m := range wordOrPhrase.FindAllStringSubmatch(strings.ToValidUTF8(query, " "), -1) {
		word := m[1] + m[3]
		pieces := strings.Fields(withoutFunctionWords(word))
		if phrase := prose.OneLine(m[2]); phrase != "" {
			pieces = []string{word + `"` + phrase + `"`}
		} else if len(pieces) == 0 && word != "" {
			others = append(others, strings.TrimFunc(word, isEdge))
		}
		for _, piece := range pieces {
			piece = strings.TrimFunc(piece, isEdge)
			size := utf8.RuneCountInString(piece) + 1
			switch {
			case piece == "" || size > most+1 || slices.Contains(kept, piece):
			case IsFunctionWord(strings.ToLower(piece)):
				others = append(others, piece)
			default:
				kept, most = append(kept, piece), most-size
			}
		}
	}
	if len(kept) == 0 {
		return others[:min(len(others), 10)]
	}
	return kept
}

// isEdge reports whether a character around a word is no part of it. C++, C# and .NET keep theirs.
func isEdge(r rune) bool {
	return strings.ContainsRune(",;:?!()[]{}<>'‘’，。；：？！、（）《》【】「」…", r) || unicode.IsControl(r)
}

//go:embed functionwords.txt
var functionWords string

// lists returns the lists of functionwords.txt. The English one is short on purpose: bm25 makes little of
// frequent words anyway, and a word dropped wrongly is a page not found. The Chinese one has words that ask,
// point or join and are part of no other word, a longer one before its own beginning; their characters are
// removed from the query. The joints begin or end other words (用 in 用户, 中 in 中文), and are dropped
// only where they are alone.
var lists = sync.OnceValue(func() map[string]string { return prose.Sections(functionWords) })

var english = sync.OnceValue(func() []string { return slices.Sorted(strings.FieldsSeq(lists()["English"])) })

var chinese = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join(strings.Fields(lists()["Chinese"]), "|"))
})

// IsFunctionWord reports whether an English word says nothing about what is looked for.
func IsFunctionWord(word string) bool {
	_, is := slices.BinarySearch(english(), word)
	return is
}

// withoutFunctionWords replaces the Chinese words that only make a question with spaces, one a character:
// 什么是向量数据库 asks for 向量数据库. The rest stays as it was written.
func withoutFunctionWords(text string) string {
	shown := []rune(chinese().ReplaceAllStringFunc(text, func(word string) string {
		return strings.Repeat(" ", utf8.RuneCountInString(word))
	}))
	isApart := func(i int) bool { return i < 0 || i == len(shown) || !IsDense(shown[i]) }
	for i, r := range shown {
		if strings.ContainsRune(lists()["Chinese joints"], r) && isApart(i-1) && isApart(i+1) {
			shown[i] = ' '
		}
	}
	return string(shown)
}
