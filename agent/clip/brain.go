// Package clip is the built-in Brain: it needs no model, key or network, and never writes a claim of its own.
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
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// Brain quotes what it finds. The zero value is ready, and it may be shared by any number of agents.
type Brain struct{}

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
	case offers("write_file"): // what the file agent did not understand as it is written
		last := append([]agent.Message{{}}, talk.Messages...)[len(talk.Messages)]
		reply = ask(call("answer", arguments{"text": prose.LanguageOf("", last.Text).Say(sayNotUnderstood)}))
	default:
		return reply, errors.New("the built-in brain plays the researcher; this agent needs a language model")
	}
	reply.Usage = agent.Usage{Calls: 1}
	return reply, nil
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
	sayNoModel = "No language model wrote this: what Daybook quotes here is word for word in the source that it cites, " +
		"and whether it answers the question was not judged."
	sayCannotFollow = "The built-in brain cannot follow notes, and nothing was done about this one. It obeys the question, " +
		"the chapters, and what is not ticked on the blueprint: change those, or run it with a language model."
	sayNotUnderstood = "I did not understand this request. Without a language model a request must be plain, " +
		"such as: Read report.md."
)
