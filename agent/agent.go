// Package agent is the micro-agent: whatever thinks in Daybook is one.
//
// A micro-agent is a [Brain], a handful of [Action]s and a few opening messages, run in a loop until an action ends it.
// [Agent.Run] is the function you want:
//
//	a := agent.Agent{
//		Name:    "greeter",
//		Brain:   brain,
//		Actions: []agent.Action{agent.NewAction("done", "Ends the work.", done)},
//		Open:    func(context.Context) ([]agent.Message, error) { return []agent.Message{agent.System("Say hello.")}, nil },
//		Limits:  agent.Limits{Steps: 10},
//	}
//	result, err := a.Run(ctx)
//
// What an action returns says what the loop does next, and there is no other control flow: [Continue] appends its text to
// the history, [Restart] drops the history and opens again, [Finish] ends the run. A micro-agent inside an action of
// another one is started with [Turn.Nest]: it has a context of its own, and what it spends is charged to both.
//
// The package knows no files, no network and no vendor of models. It keeps nothing on its own: with a [Recorder] a run that
// was cut off goes on at the step where it was, without asking the Brain twice.
package agent

import (
	"context"
	"errors"
	"fmt"
)

// Agent describes a micro-agent. It is a plain value: Run changes nothing in it, and one may be run many times.
type Agent struct {
	// Name is the agent's label in events and records; a nested agent's is prefixed by the call that runs it.
	Name string
	// Brain decides what to do next.
	Brain Brain
	// Actions are what the Brain may do, in the order in which it is shown them. An agent without any is asked once: its first
	// reply in words ends the run. What has no action can not be made to act, whatever it reads.
	Actions []Action
	// Open gives the messages that each stretch opens with. It is called at the start and after every Restart.
	Open func(ctx context.Context) ([]Message, error)
	// Notice, when set, is asked before each step what happened outside the conversation, such as a file that a person
	// changed. What it returns is told to the Brain; "" says nothing.
	Notice func(ctx context.Context) (string, error)
	// Limits bound the run; a zero field is no bound.
	Limits Limits
	// Observe, when set, hears of everything as it happens. Calls are serialised; it must not block.
	Observe func(Event)
	// Recorder, when set, remembers replies and results, so that a run that was cut off resumes. Nested agents share it.
	Recorder Recorder
}

// Reason says why a run ended.
type Reason string

// The reasons for which a run ends without an error.
const (
	Finished    Reason = "finished"      // an action returned Finish
	OutOfSteps  Reason = "out of steps"  // Limits.Steps was reached
	OutOfTokens Reason = "out of tokens" // Limits.Tokens, of this agent or of one it is nested in, was reached
	Stuck       Reason = "stuck"         // three replies in a row asked for no action
)

// Result is how a run ended.
type Result struct {
	Reason Reason
	Text   string // of the action that finished, or the last words of a Brain that got stuck
	Steps  int    // replies of this agent, those before a resume included
	Usage  Usage  // nested agents included
}

const (
	maxSilent = 3
	cutting   = "Your reply was too long and was cut off, so nothing in it was done. Do it in smaller pieces: write a long text in several calls, the first to write it and the others to append."
	asking    = "You asked for no action, so nothing happened. Reply with a call of one of your actions; if the work is done, call the one that ends it."
)

// Run runs the agent until an action finishes it, a limit is reached, or it gets stuck; each of these is a Result. An error
// means that the run could not go on: the Brain failed, an action's error was [Fatal], or ctx ended.
func (a Agent) Run(ctx context.Context) (Result, error) {
	return newRun(a, nil).loop(ctx)
}

func (r *run) loop(ctx context.Context) (Result, error) {
	silent := 0
	for {
		if err := r.openIfNeeded(ctx); err != nil {
			return r.result("", ""), err
		}
		if why := r.overLimit(); why != "" {
			return r.end(why, "")
		}
		reply, err := r.think(ctx)
		if errors.Is(err, ErrTooLong) && r.grown() {
			r.talk = nil
			continue
		}
		if err != nil && !errors.Is(err, ErrCut) {
			return r.result("", ""), err
		}
		if err == nil && len(r.agent.Actions) == 0 {
			return r.end(Finished, reply.Text)
		}
		if err != nil || len(reply.Calls) == 0 {
			if silent++; silent == maxSilent {
				return r.end(Stuck, reply.Text)
			}
			r.nudge(err)
			continue
		}
		silent = 0
		outcome, err := r.act(ctx, reply.Calls)
		if err != nil {
			return r.result("", ""), err
		}
		switch outcome.Effect {
		case Finish:
			return r.end(Finished, outcome.Text)
		case Restart:
			r.talk = nil
		case Continue:
		}
	}
}

// nudge answers a reply that asked for nothing, or was cut off before it could.
func (r *run) nudge(err error) {
	if err != nil {
		r.say(User(cutting))
	} else {
		r.say(User(asking))
	}
}

// think takes one step: it tells what happened outside, asks the Brain, and puts the reply on record. A step that is on record
// already is taken from there.
func (r *run) think(ctx context.Context) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, fmt.Errorf("thinking at step %d of %s: %w", r.step+1, r.path, context.Cause(ctx))
	}
	r.step++
	if err := r.notice(ctx); err != nil {
		return Reply{}, err
	}
	var reply Reply
	key := r.stepKey("reply")
	if r.recall(key, &reply) {
		r.budget.charge(reply.Usage)
	} else {
		r.emit(Thinking{At: r.at()})
		var err error
		if reply, err = r.agent.Brain.Think(ctx, r.talk); err != nil {
			r.step--
			return Reply{}, fmt.Errorf("asking the model at step %d of %s: %w", r.step+1, r.path, err)
		}
		reply.Calls = numbered(reply.Calls, r.step)
		r.budget.charge(reply.Usage)
		if err := r.record(key, reply); err != nil {
			return Reply{}, err
		}
		r.emit(Replied{At: r.at(), Text: reply.Text, Calls: reply.Calls, Usage: reply.Usage, Total: r.budget.Spent()})
	}
	r.untold = ""
	r.say(Message{Role: RoleAssistant, Text: reply.Text, Calls: reply.Calls})
	return reply, nil
}

// maxCalls is how many calls of a reply are carried out, as many as there are ids for them. A reply with more is a model run wild.
const maxCalls = 100

// numbered gives each call an id of our own: servers repeat theirs, leave them empty, or refuse those of others. Nine letters
// and digits is the strictest form known (Mistral's).
func numbered(calls []Call, step int) []Call {
	own := make([]Call, min(len(calls), maxCalls))
	for i := range own {
		own[i] = calls[i]
		own[i].ID = fmt.Sprintf("c%06d%02d", step%1_000_000, i)
	}
	return own
}
