package clip

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyword is something that a question asks about: an English word, an identifier such as json.loads, or a
// run of Chinese between two stop words.
type keyword struct {
	text  string
	terms []string // that a passage must hold: a stem, or the overlapping pairs of a Chinese run
	asks  bool     // for a figure, as "long" in "how long": an answer need not hold it
}

// keywords returns the words of a text that carry it, each once, in their order.
func keywords(text string) (found []keyword) {
	before := ""
	for _, token := range tokens(text) {
		asks := before == "how" && degrees[strings.ToLower(token)]
		before = strings.ToLower(token)
		switch {
		case isHan(token):
			for _, run := range splitHan(token) {
				found = appendKeys(found, keyword{text: run, terms: pairs(run)})
			}
		case isIdentifier(token):
			found = appendKeys(found, keyword{text: token, terms: []string{strings.ToLower(token)}})
		case isLetterName(token), utf8.RuneCountInString(token) > 1 && !stopWords[strings.ToLower(token)]:
			found = appendKeys(found, keyword{token, []string{stem(token)}, asks})
		}
	}
	return found
}

// isLetterName reports whether a capital by itself is a name, as of the languages C and R.
func isLetterName(token string) bool {
	return len(token) == 1 && token[0] >= 'B' && token[0] <= 'Z' && token != "I"
}

// appendKeys appends the keywords that are not there yet.
func appendKeys(keys []keyword, others ...keyword) []keyword {
	keys = slices.Clip(keys)
	for _, k := range others {
		if !slices.ContainsFunc(keys, func(have keyword) bool { return slices.Equal(have.terms, k.terms) }) {
			keys = append(keys, k)
		}
	}
	return keys
}

func joined(keys []keyword) string {
	words := make([]string, len(keys))
	for i, k := range keys {
		words[i] = k.text
	}
	return strings.Join(words, " ")
}

// in reports whether a text of those terms speaks of a keyword: it holds half of what a Chinese run is made
// of.
func (k keyword) in(terms map[string]bool) bool {
	n := 0
	for _, term := range k.terms {
		n += count(terms[term])
	}
	return n > 0 && 2*n >= len(k.terms)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// terms returns what a text is matched by: stems of its words, identifiers whole and in parts, pairs of
// Chinese characters.
func terms(text string) (all []string) {
	for _, token := range tokens(text) {
		switch {
		case isHan(token):
			all = append(all, pairs(token)...)
		case isIdentifier(token):
			all = append(all, strings.ToLower(token))
			if strings.ContainsAny(token, "_.") {
				for _, part := range strings.FieldsFunc(token, func(r rune) bool { return r == '_' || r == '.' }) {
					all = append(all, stem(part))
				}
			}
		default:
			all = append(all, stem(token))
		}
	}
	return all
}

func set[T comparable](items []T) map[T]bool {
	m := make(map[T]bool, len(items))
	for _, item := range items {
		m[item] = true
	}
	return m
}

// wordOrRun finds a flag such as --no-verify, a run of Chinese, or a word, in which a dot or an underscore
// stays, as in os.replace.
var wordOrRun = regexp.MustCompile(`(?:^|[^\pL\pN-])(--?[A-Za-z][\w-]*)|\p{Han}+|` +
	`(?:[^\P{L}\p{Han}]|[\pN_])(?:[^\P{L}\p{Han}]|[\pN_]|\.(?:[^\P{L}\p{Han}]|[\pN_]))*`)

// tokens cuts a text into words and runs of Chinese. A backslash of Markdown's is not seen.
func tokens(text string) (all []string) {
	for _, m := range wordOrRun.FindAllStringSubmatch(strings.ReplaceAll(text, `\`, ""), -1) {
		all = append(all, cmp.Or(m[1], m[0]))
	}
	return all
}

func isHan(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.Is(unicode.Han, r)
}

// isIdentifier reports whether a token is a name that must not be stemmed: full_page_writes, json.loads,
// FTS5, --no-verify.
func isIdentifier(token string) bool { return strings.ContainsAny(token, "-_.0123456789") }

// pairs returns the overlapping pairs of a Chinese run; one character alone is itself.
func pairs(run string) (all []string) {
	runes := []rune(run)
	for i := range max(1, len(runes)-1) {
		all = append(all, string(runes[i:min(i+2, len(runes))]))
	}
	return all
}

// splitHan divides Chinese at stop words and drops what is left of a single character.
func splitHan(run string) []string {
	run = hanAmount.ReplaceAllString(run, "$1 ")
	for _, stop := range hanStops {
		run = strings.ReplaceAll(run, stop, " ")
	}
	return slices.DeleteFunc(strings.Fields(run), func(piece string) bool { return utf8.RuneCountInString(piece) < 2 })
}

// stem folds the forms of an English word that differ in plural, -ing, -ed or -ion, roughly: it is for
// matching only.
func stem(word string) string {
	word = strings.ToLower(word)
	if len(word) < 4 || len(word) != utf8.RuneCountInString(word) {
		return word
	}
	word = strings.TrimSuffix(word, "s")
	for _, suffix := range []string{"ing", "ed", "ion"} {
		if base, ok := strings.CutSuffix(word, suffix); ok && len(base) > 2 && strings.ContainsAny(base, "aeiouy") {
			word = base
			break
		}
	}
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "e")
	}
	if n := len(word); word[n-1] == word[n-2] { // committed
		word = word[:n-1]
	}
	if base, ok := strings.CutSuffix(word, "y"); ok { // queries
		word = base + "i"
	}
	return word
}

// columns measures a text: a Chinese character takes two.
func columns(s string) (n int) {
	for _, r := range s {
		n += 1 + count(r >= 0x1100)
	}
	return n
}

// shorten cuts a heading to what a dashboard takes, which refuses 16 words in a row of a page; briefly leaves
// a word or two.
func shorten(title string) string { return within(title, 56) }
func briefly(title string) string { return within(title, 12) }

// within is so much of a text as takes so many columns, without half a word at the end.
func within(text string, most int) string {
	for i := range text {
		if columns(text[:i]) < most {
			continue
		}
		if blank := strings.LastIndexByte(text[:i], ' '); 2*blank > i {
			i = blank
		}
		return strings.TrimSpace(text[:i]) + "…"
	}
	return text
}

func appendNew(list []string, items ...string) []string {
	for _, item := range items {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// stopWords carry no question. Verbs of asking are among them.
var stopWords = set(strings.Fields(`a about above across after again against all also am an and any anybody anyone anything are aren as ask at be
became because become been before being below between both but by came can cannot come compare could couldn describe did didn
different do does doesn doing don done down during each either else etc ever every everything exactly example explain few find
first for from further gave get gets getting give given gives go goes going got had happen happened happens has hasn have haven
having he help hence her here hers him his how however i if in instead into is isn it its itself just keep kind know known last
let like likely made main make makes making many may me mean means might mine more most much must my need needs neither never no
nor not nothing now of off often on once one only onto or other others our out over own per please possible put quite rather
really regarding same say says see seem seen shall she should since so some someone something still such take tell than that
the their them themselves then there these they thing things this those though through thus to together too toward under
unless until up upon us use used uses using usually various very via vs want was way ways we well were what whatever when where
whether which while who whole whom whose why will with within without work works would yes yet you your`))

// degrees ask for a figure behind "how".
var degrees = set(strings.Fields(`long far big large small fast quick quickly slow slowly soon frequently old young high tall low deep
wide thick heavy close hot cold warm expensive cheap early late hard easy easily`))

// hanAmount is how Chinese asks for a figure, with what it is measured in: 多久, 几年, but not 很多大学 or 几乎.
var hanAmount = regexp.MustCompile(`(^|[^很许最更众诸太大])(?:要|有)?(?:多(?:长时间|少时间|久|长|大|高|远|快)|` +
	`几(?:分钟|小时|个月|星期|[年月日天周号点时分秒个次种楼层岁倍条台页章行人块元米]))`)

// hanStops divide Chinese: the longer first, so that 为什么 is not taken for 什么.
var hanStops = strings.Fields(`为什么 有什么 有哪些 了解 是什么 是不是 有没有 能不能 会不会 要不要 不能 不可以 能否 可否 是否 能在 会在 能被 会被 能用 各个 各种 各自 分别 各
怎么样 怎样 怎么 如何 什么 为何 哪些 哪个 哪种 哪里 多少 请问 请 介绍 说明
解释 描述 区别 差别 有何 可以 应该 需要 能够 进行 一个 一种 一些 这个 那个 这些 那些 以及 以便 之间 其中 它们 他们 我们 你们 自己 并且 而且 或者 还是 因为
所以 如果 的话 时候 之后 之前 之中 通过 使用 关于 对于 由于 的 了 吗 呢 吧 和 与 及 或 是 在 把 被 将 它 让 而 却 都 也 在`)
