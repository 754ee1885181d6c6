package clip

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// keyword is something a question asks about: an English word, an identifier such as json.loads, or a run of Chinese between
// two stop words.
type keyword struct {
	text  string
	terms []string // what has to stand in a sentence: a stem, or the overlapping pairs of a Chinese run
}

// keywords are the words of a text that carry it, each once, in their order.
func keywords(text string) []keyword {
	var found []keyword
	seen := map[string]bool{}
	add := func(word string, terms []string) {
		key := strings.Join(terms, " ")
		if len(terms) > 0 && !seen[key] {
			seen[key] = true
			found = append(found, keyword{text: word, terms: terms})
		}
	}
	for _, token := range tokens(text) {
		switch {
		case isHan(token):
			for _, run := range splitHan(token) {
				add(run, pairs(run))
			}
		case isIdentifier(token):
			add(token, []string{strings.ToLower(token)})
		case utf8.RuneCountInString(token) > 1 && !stopWords()[strings.ToLower(token)]:
			add(token, []string{stem(token)})
		}
	}
	return found
}

// terms are what a text is matched by: stems of its words, identifiers whole and in their parts, pairs of Chinese characters.
func terms(text string) []string { return forms{}.terms(text) }

// forms are the terms of words that were seen: a page has most of its words many times.
type forms map[string][]string

func (seen forms) terms(text string) []string {
	words := tokens(text)
	all := make([]string, 0, len(words))
	for _, token := range words {
		found, known := seen[token]
		if !known {
			found = termsOf(token)
			seen[token] = found
		}
		all = append(all, found...)
	}
	return all
}

func termsOf(token string) []string {
	switch {
	case isHan(token):
		return pairs(token)
	case isIdentifier(token):
		all := []string{strings.ToLower(token)}
		if parts := strings.FieldsFunc(token, func(r rune) bool { return r == '_' || r == '.' }); len(parts) > 1 {
			for _, part := range parts {
				all = append(all, stem(part))
			}
		}
		return all
	}
	return []string{stem(token)}
}

// tokens cuts a text into words and runs of Chinese. A dot or an underscore inside a word stays, as in os.replace; a hyphen
// divides. A backslash that Markdown puts before such a character is not seen.
func tokens(text string) []string {
	const none, han, word = 0, 1, 2
	text = strings.ReplaceAll(text, `\`, "")
	const perWord = 6 // bytes, about
	out := make([]string, 0, len(text)/perWord+1)
	from, in := 0, none
	for i, r := range text {
		kind := none
		switch {
		case wordRune(r), in == word && joins(text[i:]):
			kind = word
		case r > unicode.MaxASCII && unicode.Is(unicode.Han, r):
			kind = han
		}
		if kind == in {
			continue
		}
		if in != none {
			out = append(out, text[from:i])
		}
		from, in = i, kind
	}
	if in != none {
		out = append(out, text[from:])
	}
	return out
}

func wordRune(r rune) bool {
	if r <= unicode.MaxASCII {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

// joins says whether a text inside a name or a number goes on with a dot of it.
func joins(text string) bool {
	if text[0] != '.' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[1:])
	return wordRune(next)
}

func isHan(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.Is(unicode.Han, r)
}

// isIdentifier says whether a token is a name that must not be stemmed: full_page_writes, json.loads, FTS5.
func isIdentifier(token string) bool { return strings.ContainsAny(token, "_.0123456789") }

// pairs are the overlapping pairs of a Chinese run; one character alone is itself.
func pairs(run string) []string {
	runes := []rune(run)
	if len(runes) < 2 {
		return []string{run}
	}
	all := make([]string, 0, len(runes)-1)
	for i := range len(runes) - 1 {
		all = append(all, string(runes[i:i+2]))
	}
	return all
}

// splitHan divides Chinese at stop words and drops what is left of a single character.
func splitHan(run string) []string {
	const bar = "|"
	for _, stop := range hanStops() {
		run = strings.ReplaceAll(run, stop, bar)
	}
	var runs []string
	for _, piece := range strings.Split(run, bar) {
		if utf8.RuneCountInString(piece) > 1 {
			runs = append(runs, piece)
		}
	}
	return runs
}

// stem folds the forms of an English word that differ in plural, -ing, -ed or -ion, roughly: it is for matching, not for
// reading.
func stem(word string) string {
	word = strings.ToLower(word)
	if len(word) < 4 || strings.IndexFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return word
	}
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		word = word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
	case strings.HasSuffix(word, "s"):
		word = word[:len(word)-1]
	}
	for _, suffix := range []string{"ing", "ed", "ion"} {
		if base, ok := strings.CutSuffix(word, suffix); ok && len(base) > 2 && strings.ContainsAny(base, "aeiouy") {
			word = base
			if n := len(word); suffix != "ion" && word[n-1] == word[n-2] && !strings.ContainsRune("lsz", rune(word[n-1])) {
				word = word[:n-1] // committed, running
			}
			break
		}
	}
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "e")
	}
	return word
}

// countWords counts as a reader would: a Chinese character is a word, and so is a run of anything else.
func countWords(text string) int {
	n := 0
	for _, token := range tokens(text) {
		if isHan(token) {
			n += utf8.RuneCountInString(token)
		} else {
			n++
		}
	}
	return n
}

// stopWords carry no question. Verbs of asking are among them.
var stopWords = sync.OnceValue(func() map[string]bool {
	const list = `a about above across after again against all also am an and any anybody anyone anything are aren as ask at be
became because become been before being below between both but by came can cannot come compare could couldn describe did didn
different do does doesn doing don done down during each either else etc ever every everything exactly example explain few find
first for from further gave get gets getting give given gives go goes going got had happen happened happens has hasn have haven
having he help hence her here hers him his how however i if in instead into is isn it its itself just keep kind know known last
let like likely made main make makes making many may me mean means might mine more most much must my need needs neither never no
nor not nothing now of off often on once one only onto or other others our out over own per please possible put quite rather
really regarding same say says see seem seen shall she should since so some someone something still such take tell than that
the their them themselves then there these they thing things this those though through thus to together too toward under
unless until up upon us use used uses using usually various very via vs want was way ways we well were what whatever when where
whether which while who whole whom whose why will with within without work works would yes yet you your`
	words := map[string]bool{}
	for _, word := range strings.Fields(list) {
		words[word] = true
	}
	return words
})

// hanStops divide Chinese: the longer first, so that 为什么 is not taken for 什么.
var hanStops = sync.OnceValue(func() []string {
	return strings.Fields(`为什么 了解 是什么 是不是 有没有 能不能 会不会 要不要 能否 可否 是否 能在 会在 能被 会被 能用 各个 各种 各自 分别 各
怎么样 怎样 怎么 如何 什么 为何 哪些 哪个 哪种 哪里 多少 请问 请 介绍 说明
解释 描述 可以 应该 需要 能够 进行 一个 一种 一些 这个 那个 这些 那些 以及 以便 之间 其中 它们 他们 我们 你们 自己 并且 而且 或者 还是 因为
所以 如果 的话 时候 之后 之前 之中 通过 使用 关于 对于 由于 的 了 吗 呢 吧 和 与 及 或 是 在 把 被 将 它 让 而 却 都 也 在`)
})
