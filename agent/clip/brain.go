// Package clip is the built-in Brain: it needs no model, no key and no network, and it never writes a claim
// of its own.
//
//	a := agent.Agent{Name: "researcher", Brain: clip.Brain{}, Actions: actions, Open: open}
//	result, err := a.Run(ctx)
//
// As researcher it searches for the keywords of the question, reads the best hits, and quotes the passages that
// answer best: three on top of the report, and a few more by document. It derives each step from the dashboards
// and the history of the stretch alone: it goes on after a kill, and does as a person says who edited the
// dashboards. It judges nothing, follows no notes, and does not translate.
package clip

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Brain quotes what it finds. The zero value is ready, and it may be shared by any number of agents.
type Brain struct{}

var _ agent.Brain = Brain{}

// OnlyQuotes implements [agent.Quoter].
func (Brain) OnlyQuotes() {}

// Think decides the next step from the conversation alone. It fails only when ctx has ended or when the
// actions are those of no agent that it plays. Its usage counts the reply and no tokens.
func (Brain) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, fmt.Errorf("thinking without a model: %w", context.Cause(ctx))
	}
	offers := func(action string) bool {
		return slices.ContainsFunc(talk.Actions, func(a agent.Action) bool { return a.Name == action })
	}
	var reply agent.Reply
	switch {
	case offers("all_finished"):
		reply = research(newStretch(talk))
	case offers("judge"):
		reply = settle(lastSaid(talk))
	case offers("write_file"): // what the file agent did not understand as it is written
		reply = ask(call("answer", arguments{"text": prose.LanguageOf("", lastSaid(talk)).Say(sayNotUnderstood)}))
	default:
		return reply, errors.New("the built-in brain plays the researcher and its intake; this agent needs a language model")
	}
	reply.Usage = agent.Usage{Calls: 1}
	return reply, nil
}

func lastSaid(talk *agent.Conversation) string {
	for _, m := range slices.Backward(talk.Messages) {
		if m.Role == agent.RoleUser {
			return m.Text
		}
	}
	return ""
}

// research plans a blueprint without chapters, fills an open chapter, and writes the report when all are ticked.
func research(s *stretch) agent.Reply {
	_, changed := s.changed[overallFile]
	if calls := s.reads(overallFile); changed && len(calls) > 0 {
		return ask(calls...)
	}
	if calls := s.heedEdit(); len(calls) > 0 {
		return ask(calls...)
	}
	if len(s.chapters) == 0 || slices.ContainsFunc(s.chapters, s.isOld) {
		return plan(s)
	}
	if s.heedBlueprint() {
		s.agenda(false)
		return s.updates()
	}
	if i := slices.IndexFunc(s.chapters, chapter.isOpen); i >= 0 {
		return fill(s, i)
	}
	return report(s)
}

func ask(calls ...agent.Call) agent.Reply { return agent.Reply{Calls: calls} }

type arguments map[string]any

func call(action string, args any) agent.Call {
	encoded, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless an argument is neither text, number nor bool: %v", err))
	}
	return agent.Call{Name: action, Args: string(encoded)}
}

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
	return ask(call("judge", judgement))
}

// What an intake opens with below the question: what the person said beside it, and its own words.
var (
	saidBeside = regexp.MustCompile(`(?m)^(What it is for|They answered): (.*)$`)
	below      = regexp.MustCompile(`(?m)^(?:What it is for: |The person was asked: |Looked up for you, |The person wants you to start|Nobody can be asked|No more questions)`)
)

// What clip writes of its own and looks for again, or is too long for the line that says it.
const (
	sayBest    = "What the documents say"
	sayFile    = "File: "
	sayGap     = "- Nothing found about *%s*."
	sayNothing = "Nothing was found about *%s*."
	sayForeign = "The documents are in another language than the question: only its names and figures can be found in them."
	sayUnread  = "Could not be read, and so not searched: "
	sayTheirs  = "- You edited `report.md`, so it stays as it is. Remove this line to have it written again."
	sayFaulted = "- Left out, since a check found fault with it: `%s`."
	sayNoModel = "No language model wrote this: each passage that cites a source is quoted from it word for word, " +
		"and whether it answers the question was not judged."
	sayCannotFollow = "The built-in brain cannot follow notes, and nothing was done about this one. It obeys the question, " +
		"the blueprint and the chapters: change those, or run it with a language model."
	sayNotUnderstood = "I did not understand this request. Without a language model a request must be plain, " +
		"such as: Read report.md."
	sayByKeywords = "No model judged the question: whatever the documents say on its keywords is wanted."
)
