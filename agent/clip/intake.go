package clip

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
)

// settle plays the intake: it judges a question by rules. It can tell that no word is left which says what is
// to be researched, and then asks for one; whether a field is too wide, or a name is known, it cannot judge,
// so it never asks about that, and says instead what it takes for granted.
func settle(opening string) agent.Reply {
	question, said := opened(opening)
	say := phrasesFor("", question)
	keys := subjects(question)
	if len(keys) == 0 {
		keys = subjects(said)
	}
	// Scope and goal are what the question says of them; the assumption says what is made of that.
	judgement := arguments{
		"topic": joined(keys), "topic_clear": len(keys) > 0, "scope": question, "scope_clear": true, "goal": question, "goal_clear": true,
		"focus": aspects(keys, say), "confidence": 0.8, "assumptions": []string{say.byKeywords},
	}
	if len(keys) == 0 {
		judgement["confidence"], judgement["question"], judgement["missing"] = 0.1, say.whatTopic, say.topic
	}
	return ask(call("judge", judgement))
}

// ofTheIntake begins the lines of the opening that are the intake's own.
var ofTheIntake = regexp.MustCompile(`^(?:The person was asked: |Looked up for you, |The person wants you to start|Nobody can be asked|No more questions)`)

// opened reads what an intake opens with: the question, and what the person said beside it.
func opened(text string) (question, said string) {
	_, text, _ = strings.Cut(text, "The question: ")
	inQuestion := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if purpose, ok := strings.CutPrefix(line, "What it is for: "); ok {
			said, inQuestion = said+" "+purpose, false
		} else if answer, ok := strings.CutPrefix(line, "They answered: "); ok {
			said += " " + answer
		} else if inQuestion = inQuestion && !ofTheIntake.MatchString(line); inQuestion {
			question += " " + line
		}
	}
	return strings.TrimSpace(question), said
}

// aspects are the focuses that the keywords give: all of them together, then each; of a single one, what is
// said of it and what it is.
func aspects(keys []keyword, say phrases) []arguments {
	all := []arguments{}
	focus := func(name, query string) { all = append(all, arguments{"name": name, "queries": []string{query}}) }
	keys = keys[:min(6, len(keys))]
	if len(keys) > 0 {
		focus(joined(keys), joined(keys))
	}
	if len(keys) == 1 {
		focus(strings.ReplaceAll(say.whatItIs, "%s", keys[0].text), keys[0].text)
		return all
	}
	for _, k := range keys[:min(3, len(keys))] {
		focus(k.text, k.text)
	}
	return all
}

// subjects are the keywords of a question that say what it is about: those that are not made of words of
// asking alone.
func subjects(text string) (left []keyword) {
	for _, k := range keywords(text) {
		if !isHan(k.text) {
			if !askingWords[strings.ToLower(k.text)] {
				left = append(left, k)
			}
			continue
		}
		run := hanAsking.ReplaceAllString(k.text, "")
		if utf8.RuneCountInString(hanEmpty.ReplaceAllString(run, "")) > 1 {
			left = append(left, keyword{text: run, terms: pairs(run)})
		}
	}
	return left
}

// Chinese words of asking: those that may be taken off the ends of a run whatever follows, and those that are
// only empty when nothing else is there, as 研究 in 研究型大学 is not. The longer stand first.
var (
	ends = `(?:帮我研究一下|帮我调研一下|帮我了解一下|帮忙研究一下|我想了解一下|我想了解|我想研究|我想知道|想了解|想知道|研究一下|调研一下|调查一下|` +
		`了解一下|介绍一下|分析一下|查一下|看一下|看看|讲讲|说说|谈谈|聊聊|查查|帮我|帮忙|给我|麻烦|有什么|一下|那个|这个|那种|这种|某个|某种|东西|有关)+`
	hanAsking = regexp.MustCompile(`^` + ends + `|` + ends + `$`)
	hanEmpty  = regexp.MustCompile(`研究|调研|调查|了解|分析|信息|资料|情况|内容|东西|事情|事儿|问题|方面|主题|话题|课题|报告|最新|进展|更多|相关|详细|任何|随便|` +
		`新的|[新那这某写找查看搞做弄我你想要些点下份篇个种]`)
)

// askingWords are the English ones, beside the stop words.
var askingWords = set(strings.Fields(`research researching study investigate investigation explore look looking into check report reports write
info information details detail topic topics subject thing things stuff matter issue question questions new newest latest recent
interesting cool learn understand overview summary summarize analyze analyse analysis discuss teach hear curious interested help`))
