package clip

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
)

// keyword is something that a question asks about: an English word, an identifier such as json.loads, or a
// run of Chinese between two stop words.
type keyword struct {
	text  string
	terms []string // that a passage must hold: a stem, or the overlapping pairs of a Chinese run
}

// keywords returns the words of a text that carry it, each once, in their order. What asks for a figure, as
// "long" in "how long", is none.
func keywords(text string) (found []keyword) {
	add := func(text string, terms []string) {
		if !slices.ContainsFunc(found, func(have keyword) bool { return slices.Equal(have.terms, terms) }) {
			found = append(found, keyword{text, terms})
		}
	}
	before := ""
	for _, token := range tokens(text) {
		lower := strings.ToLower(token)
		name := len(token) == 1 && token[0] >= 'B' && token[0] <= 'Z' && token != "I" // as of the languages C and R
		switch {
		case isHan(token):
			for _, run := range splitHan(token) {
				add(run, pairs(run))
			}
		case isIdentifier(token):
			add(token, []string{lower})
		case name, utf8.RuneCountInString(token) > 1 && !stopWords[lower] && !(before == "how" && degrees[lower]):
			add(token, []string{stem(token)})
		}
		before = lower
	}
	return found
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

// terms returns what a text is matched by: stems of its words, names such as os.replace or DetectContentType
// whole and in parts, pairs of Chinese characters.
func terms(text string) (all []string) {
	for _, token := range tokens(text) {
		if isHan(token) {
			all = append(all, pairs(token)...)
			continue
		}
		if isIdentifier(token) {
			all = append(all, strings.ToLower(token))
		} else {
			all = append(all, stem(token))
		}
		parts := strings.FieldsFunc(innerCapital.ReplaceAllString(token, "$1 $2"), func(r rune) bool { return strings.ContainsRune(" _.", r) })
		for i := 0; i < len(parts) && len(parts) > 1; i++ {
			all = append(all, stem(parts[i]))
		}
	}
	return all
}

var innerCapital = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

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

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
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

func shorten(title string) string {
	return prose.Shorten(title, 56-28*count(strings.ContainsFunc(title, prose.IsCJK)))
}

func appendNew(list []string, items ...string) []string {
	for _, item := range items {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

var stopWords = set(strings.Fields(`
a about above across after again against all also am an and any anything are as ask at be because become
been before being below between both but by came can come compare could did different do does doing done
down during each either else example explain few find first for from further gave get gets getting give
given gives go goes going got had happen happened happens has have having he help her here hers him his how
however i if in instead into is it its just keep kind know known last let like likely made main make makes
making many may me mean means mine more most much must my need needs never no not now of off often on once
one only or other others our out over own per please possible put quite rather really same say says see she
should since so some still such take tell than that the their them then there these they thing things this
those though through to together too under until up us use used uses using usually very vs want was way ways
we well were what when where whether which while who whole why will with within without work works would yes
yet you your something someone anything`))

// degrees ask for a figure behind "how".
var degrees = set(strings.Fields(`long far big large small fast quick quickly slow slowly soon frequently old young high tall low deep
wide thick heavy close hot cold warm expensive cheap early late hard easy easily`))

// hanAmount is how Chinese asks for a figure, with what it is measured in: 多久, 几年, but not 很多大学 or 几乎.
var hanAmount = regexp.MustCompile(`(^|[^很许最更众诸太大])(?:要|有)?(?:多(?:长时间|少时间|久|长|大|高|远|快)|` +
	`几(?:分钟|小时|个月|星期|[年月日天周号点时分秒个次种楼层岁倍条台页章行人块元米]))`)

// hanStops divide Chinese: the longer first, so that 为什么 is not taken for 什么.
var hanStops = strings.Fields(`帮我 帮忙 给我 麻烦 一下 想知道 看看 讲讲 说说 谈谈 聊聊 查查 有关 为什么 有什么 有哪些 了解 是什么 是不是 有没有 能不能 会不会 要不要 不能 不可以 能否 可否 是否 能在 会在 能被 会被 能用 各个 各种 各自 分别 各
怎么样 怎样 怎么 如何 什么 为何 哪些 哪个 哪种 哪里 多少 请问 请 介绍 说明
解释 描述 区别 差别 有何 可以 应该 需要 能够 进行 一个 一种 一些 这个 那个 这些 那些 以及 以便 之间 其中 它们 他们 我们 你们 自己 并且 而且 或者 还是 因为
所以 如果 的话 时候 之后 之前 之中 通过 使用 关于 对于 由于 的 了 吗 呢 吧 和 与 及 或 是 在 把 被 将 它 让 而 却 都 也 在`)
