package clip

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// settle plays the intake: it asks only when no word of a question says what is to be researched.
func settle(opening string) agent.Reply {
	_, text, _ := strings.Cut(opening, "The question: ")
	question := prose.OneLine(below.Split(text, 2)[0])
	lang, topic := prose.LanguageOf("", question), joined(subjects(question))
	for _, m := range saidBeside.FindAllStringSubmatch(text, -1) {
		topic = cmp.Or(topic, joined(subjects(m[1])))
	}
	focus := func(name string) arguments { return arguments{"name": name, "queries": []string{topic}} }
	judgement := arguments{
		"topic": topic, "topic_clear": topic != "", "scope": question, "scope_clear": true, "goal": question, "goal_clear": true,
		"focus": []arguments{focus(topic), focus(question)}, "confidence": 0.8, "assumptions": []string{lang.Say(sayByKeywords)},
	}
	if topic == "" {
		judgement["focus"], judgement["confidence"] = []arguments{}, 0.1
		judgement["question"], judgement["missing"] = lang.Say("What exactly is to be researched?"), lang.Say("topic")
	}
	return ask(call("judge", judgement))
}

// What an intake opens with below the question: what the person said beside it, and its own words.
var (
	saidBeside = regexp.MustCompile(`(?m)^(?:What it is for|They answered): (.*)$`)
	below      = regexp.MustCompile(`(?m)^(?:What it is for: |The person was asked: |Looked up for you, |The person wants you to start|Nobody can be asked|No more questions)`)
)

// subjects are the keywords of a text that are not made of words of asking alone.
func subjects(text string) (left []prose.Keyword) {
	for _, k := range prose.Keywords(text) {
		if prose.HasHan(k.Text) && utf8.RuneCountInString(hanEmpty.ReplaceAllString(k.Text, "")) > 1 ||
			!prose.HasHan(k.Text) && askingWords[strings.ToLower(k.Text)] == 0 {
			left = append(left, k)
		}
	}
	return left
}

// hanEmpty are Chinese words that are empty alone, as 研究 is, but not in 研究型大学.
var hanEmpty = regexp.MustCompile(`研究|调研|调查|了解|分析|信息|资料|情况|内容|东西|事情|事儿|问题|方面|主题|话题|课题|报告|最新|进展|更多|相关|详细|任何|随便|` +
	`新的|[新那这某写找查看搞做弄我你想要些点下份篇个种]`)
