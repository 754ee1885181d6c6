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
