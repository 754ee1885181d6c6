package clip

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// settle plays the intake: it asks only when no word of a question says what is to be researched.
func settle(opening string) agent.Reply {
	_, text, _ := strings.Cut(opening, "The question: ")
	question := prose.OneLine(below.Split(text, 2)[0])
	lang, topic, chapters := prose.LanguageOf("", question), "", []arguments{}
	for _, m := range append([][]string{{"", "", question}}, saidBeside.FindAllStringSubmatch(text, -1)...) {
		query := joined(prose.Question(m[2]).Subjects()) // an answer may be what should be different in a plan
		if query != "" && (topic == "" || m[1] == "They answered") {
			chapters = append(chapters, arguments{"title": m[2], "question": "", "queries": []string{query}})
		}
		topic = cmp.Or(topic, query)
	}
	focus := func(name string) arguments { return arguments{"name": name, "queries": []string{topic}} }
	judgement := arguments{
		"topic": topic, "topic_clear": topic != "", "scope": question, "scope_clear": true, "goal": question, "goal_clear": true,
		"focus": []arguments{focus(topic), focus(question)}, "confidence": 0.8, "assumptions": []string{lang.Say(sayByKeywords)},
		"chapters": chapters,
	}
	if topic == "" {
		judgement["focus"], judgement["confidence"] = []arguments{}, 0.1
		judgement["question"], judgement["missing"] = lang.Say("What exactly is to be researched?"), lang.Say("topic")
	}
	if errand.MatchString(question) {
		judgement["impossible"] = lang.Say(sayErrand)
	}
	return ask(call("judge", judgement))
}

// What an intake opens with below the question: what the person said beside it, and its own words.
var (
	saidBeside = regexp.MustCompile(`(?m)^(What it is for|They answered): (.*)$`)
	below      = regexp.MustCompile(`(?m)^(?:What it is for: |The person was asked: |Looked up for you, |The person wants you to start|Nobody can be asked|No more questions)`)
)
