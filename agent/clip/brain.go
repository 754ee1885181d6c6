// Package clip is the built-in Brain: it needs no model, no key and no network, and it never writes a claim of its own.
//
// [Brain] is all there is, and [New] gives a faster one. It plays the agents that a research needs, told apart by the actions it is offered: the
// researcher (which has all_finished), the file agent (which has write_file), the intake (which has judge) and the reader of a page
// (which has none). It drives them through the same loop and the same actions as a language
// model does:
//
//	a := agent.Agent{Name: "researcher", Brain: clip.Brain{}, Actions: actions, Open: open}
//	result, err := a.Run(ctx)
//
// As researcher it searches for the keywords of the question, lays out chapters from the headings under which the documents
// speak of them, fills each chapter with sentences quoted to the letter, and binds the chapters into a report. Each step is
// derived from the dashboards and the history of the stretch alone: it goes on after a kill, and it does as a person who
// edited the dashboards says. The same conversation always gets the same reply.
//
// It judges no report and checks no claim: that takes a model.
//
// What it will not do: put anything in its own words, judge whether a source is right, follow what a person writes in the notes
// (it obeys the question, the blueprint and the chapters, and says so in an answer to each), or translate: a question in Chinese finds
// documents in English only by the names that both use.
package clip

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent"
)

// Brain quotes what it finds. The zero value is ready, and it may be shared by any number of agents.
type Brain struct{ shelf *shelf }

// New gives a Brain that keeps what it made of the pages that it was shown last, a few megabytes, and thinks the faster.
func New() Brain { return Brain{new(shelf)} }

var _ agent.Brain = Brain{}

// OnlyQuotes implements [agent.Quoter].
func (Brain) OnlyQuotes() {}

// Think decides the next step from the conversation alone. It fails only when ctx has ended or when the actions are those
// of no agent that it plays. Its usage counts the reply and no tokens, since none are paid for.
func (b Brain) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, fmt.Errorf("thinking without a model: %w", context.Cause(ctx))
	}
	var reply agent.Reply
	switch {
	case offers(talk, "all_finished"):
		s := newStretch(talk)
		s.shelf = b.shelf
		reply = research(s)
	case offers(talk, "write_file"):
		reply = handleFile(talk)
	case offers(talk, "judge"):
		reply = settle(talk)
	case len(talk.Actions) == 0:
		reply = agent.Reply{Text: distil(talk)}
	default:
		return reply, errors.New("the built-in brain plays the researcher and the agents that work for it; this one needs a language model")
	}
	reply.Usage = agent.Usage{Calls: 1}
	return reply, nil
}

// research picks the phase: a blueprint without chapters is to be planned, an open chapter is to be filled, and when all are
// ticked the report is due.
func research(s *stretch) agent.Reply {
	if len(s.stale) > 0 {
		return ask(s.stale...)
	}
	if len(s.chapters) == 0 {
		return plan(s)
	}
	for i := range s.chapters {
		if !s.chapters[i].done {
			return fill(s, i)
		}
	}
	return report(s)
}

func offers(talk *agent.Conversation, action string) bool {
	for _, a := range talk.Actions {
		if a.Name == action {
			return true
		}
	}
	return false
}

// ask is a reply of calls.
func ask(calls ...agent.Call) agent.Reply { return agent.Reply{Calls: calls} }

// giveUp is a reply of words alone, which the loop takes for being stuck.
func giveUp(why string) agent.Reply { return agent.Reply{Text: why} }

type arguments map[string]any

func call(action string, args arguments) agent.Call {
	encoded, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless an argument is neither text, number nor bool: %v", err))
	}
	return agent.Call{Name: action, Args: string(encoded)}
}
