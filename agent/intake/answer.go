package intake

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// longestWording is how many bytes of impatience are listened to; who writes more says something.
const longestWording = 400

// JustStart reports whether an answer is empty or says, in one of many wordings, to start without questions.
// One that only begins so, such as "start with the history", is an answer.
func JustStart(answer string) bool {
	if answer = strings.TrimSpace(answer); len(answer) > longestWording {
		return false
	}
	said := words(answer)
	return len(said) == 0 || justStart().MatchString(strings.Join(said, " ")+" ")
}

// justStart is made of wordings, at least one of which says to start by itself.
var justStart = sync.OnceValue(func() *regexp.Regexp {
	oneOf := func(list string) string {
		var all []string
		for _, wording := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' }) {
			all = append(all, strings.Join(words(wording), " ")+" ")
		}
		return "(?:" + strings.Join(all, "|") + ")"
	}
	start, along := oneOf(startWordings), oneOf(alongWordings)
	return regexp.MustCompile("^" + along + "*" + start + "(?:" + start + "|" + along + ")*$")
})

// Turns of phrase in a person's answer: those that say to start, and those that only go along with one.
const (
	startWordings = `start, begin, proceed, continue, go ahead, go on, go for it, carry on, get started,
get going, get on with it, get to work, lets go, off you go, just do it, do it, skip, skip it, skip this,
skip that, skip the question, skip the questions, skip questions, whatever, whatever you think, dont ask,
do not ask, dont ask me, do not ask me, no questions, no more questions, no further questions, stop asking,
stop asking me, enough questions, without questions, without asking, you decide, you choose, you pick,
decide yourself, decide for me, your choice, your call, up to you, its up to you, i dont care, dont care,
i dont mind, dont mind, no preference, i have no preference, doesnt matter, does not matter,
it doesnt matter, it does not matter, any is fine, any will do, anything is fine, anything goes,
either is fine, as you like, as you see fit, as you think best, use your judgment, use your judgement,
your best guess, best guess, use defaults, use the defaults, the defaults, defaults, make assumptions,
assume what you need, assume whatever you need, i dont know, dont know, not sure, im not sure, no idea,
i have no idea, just research it, research it, just search, im in a hurry, 开始, 直接研究, 直接做, 直接来,
直接查, 直接搜, 直接搜索, 直接检索, 直接调研, 直接上, 马上研究, 立即研究, 现在研究, 先研究, 先做, 先查,
先搜, 继续, 进行吧, 动手, 干吧, 走起, 搞起来, 不用问, 不用多问, 不用再问, 别问, 别再问, 不要问, 不要再问,
不必问, 不必再问, 不想回答, 不回答, 不用确认, 无需确认, 不需要确认, 不必确认, 不用澄清, 无需澄清,
不需要澄清, 不用问题, 怎么都行, 怎样都行, 什么都行, 哪个都行, 哪个都可以, 怎么都可以, 怎样都可以,
什么都可以, 跳过, 略过, 随便, 随意, 随你, 任意, 都行, 都可以, 都好, 都没问题, 都无所谓, 无所谓, 没所谓,
没有偏好, 没偏好, 没有特别要求, 没有要求, 没要求, 没有特别的要求, 你决定, 你来决定, 由你决定, 你自己决定,
你看着办, 看着办, 你定, 你来定, 你说了算, 你选, 你来选, 您决定, 您定, 您看着办, 自己判断, 你自己判断,
按默认, 默认, 用默认, 默认即可, 默认设置, 按你的假设, 按你的理解, 按你的想法, 按你说的, 照你说的, 不用了,
不必了, 不了, 不知道, 不清楚, 不确定, 说不好, 没想好, 没想法, 少废话, 快点, 不选, 少啰嗦`
	alongWordings = `just, ok, okay, yes, no, well, fine, please, now, then, already, thanks, thank you,
right away, straight away, immediately, asap, at once, with it, the research, research, researching,
your research, the work, working, the search, searching, you can, you may, can you, could you, lets, so,
and, i said, enough, sure, honestly, really, sorry, with assumptions, with your assumptions,
with the defaults, with defaults, with what you have, me, anything, any, more, me anything, for me,
as it is, as is, any more, anymore, questions, first, from there, 吧, 了, 啊, 呀, 呢, 嘛, 哈, 啦, 就, 请,
先, 那, 那就, 好, 好的, 行, 嗯, 直接, 马上, 立刻, 立即, 现在, 赶紧, 赶快, 尽快, 快, 研究, 调研, 调查, 检索,
搜索, 工作, 任务, 干活, 做, 查, 搜, 你, 您, 我, 我们, 咱们, 帮我, 给我, 可以, 就好, 就行, 就可以, 即可,
算了, 其他, 我说, 再, 都, 也, 还是, 谢谢, 麻烦, 麻烦你, 麻烦您, 问题, 我问题, 一下, 它, 来, 不用, 不要, 别,
起来, 个, 这个, 去, 多, 目前`
)

// resolve gives an answer its words: an option that was named by its number, its letter or its text is that
// option, several are joined, and everything else stays as it was said.
func (q Question) resolve(answer string) string {
	answer = strings.TrimSpace(answer)
	if option, ok := q.option(answer); ok {
		return option
	}
	var chosen []string
	for _, part := range strings.FieldsFunc(joiner.Replace(strings.ToLower(answer)),
		func(r rune) bool { return strings.ContainsRune(",，、;；/&+ ", r) }) {
		option, ok := q.option(part)
		if !ok {
			return answer
		}
		if !holds(chosen, option) {
			chosen = append(chosen, option)
		}
	}
	if len(chosen) == 0 {
		return answer
	}
	return strings.Join(chosen, "; ")
}

// joiner takes out the words between the options in "1 and 3", "选A和C".
var joiner = strings.NewReplacer(" and ", ",", " or ", ",", "和", ",", "与", ",", "跟", ",", "以及", ",")

// option is the option that an answer names.
func (q Question) option(answer string) (string, bool) {
	for _, option := range q.Options {
		if same(option, answer) && len(words(option)) > 0 {
			return option, true
		}
	}
	said := strings.Join(words(strings.Map(halfWidth, answer)), " ")
	name := leading.ReplaceAllString(said, "")
	if name != said {
		name = counting.ReplaceAllString(name, "$1")
	}
	name, rest, _ := strings.Cut(trailing.ReplaceAllString(name, ""), " ")
	at := place(name)
	if at < 0 || at >= len(q.Options) || rest != "" && rest != strings.Join(words(q.Options[at]), " ") {
		return "", false // "2 years ago" names no option, but "b) in mice" does when b is so called
	}
	return q.Options[at], true
}

// Words around the name of an option. A counting word does only in 第一个: 一个 is just "one".
var (
	leading  = regexp.MustCompile(`^(?:(?:option|number|no|answer|the|choice|选|项|第|择|我|答|案|就|是) )+`)
	counting = regexp.MustCompile(`(?: (?:one|个|项|条|种))+((?: (?:please|吧|号))*)$`)
	trailing = regexp.MustCompile(`(?: (?:please|吧|号))+$`)
)

// halfWidth turns full-width letters and digits into the ordinary ones.
func halfWidth(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// place is the position of an option named by a number or a letter, from 0; -1 for no such name.
func place(word string) int {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= maxOptions {
		return n - 1
	}
	for i, names := range [maxOptions]string{"a first 一", "b second 二", "c third 三", "d fourth 四",
		"e fifth 五"} {
		for _, name := range strings.Fields(names) {
			if word == name {
				return i
			}
		}
	}
	return -1
}
