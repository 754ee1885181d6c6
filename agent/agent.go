// Package agent implements the micro-agent: everything that thinks in Daybook is one.
//
// A micro-agent is a [Brain], a handful of Actions and a few opening messages, run in a loop until an
// action ends it. [Agent.Run] is the function you want:
//
//	a := agent.Agent{
//		Name:    "greeter",
//		Brain:   brain,
//		Actions: []agent.Action{agent.NewAction("done", "Ends the work.", done)},
//		Open: func(context.Context) ([]agent.Message, error) {
//			return []agent.Message{agent.System("Say hello.")}, nil
//		},
//		Limits: agent.Limits{Steps: 10},
//	}
//	result, err := a.Run(ctx)
//
// An action's outcome decides what the loop does next, and there is no other control flow: [Continue] appends
// its text to the history, [Restart] drops the history and opens again, [Finish] ends the run. [Turn.Nest]
// starts a micro-agent inside another's action: it has its own context, and its spending is charged to both.
//
// Every run ends. [Limits] bound steps, tokens, money and time; the Brain is warned before one is reached,
// and the rest is for finishing. An agent that goes in circles, keeps failing, or makes no progress is warned
// and then ended. These counters live outside the conversation: they survive a Restart and, with a Recorder,
// a kill.
//
// The package knows nothing of files, networks or model vendors. It persists nothing itself: with a
// [Recorder] an interrupted run resumes at the same step, without asking the Brain twice.
package agent

import (
	"context"
	"errors"
	"fmt"
)

// Agent describes a micro-agent. It is a plain value: Run does not change it, and it can be run many times.
type Agent struct {
	// Name is the agent's label in events and records; a nested agent's is prefixed by the call that runs it.
	Name  string
	Brain Brain
	// Actions are the Brain's actions, in the order shown to it. An agent without any is asked once: its
	// first reply in words ends the run. Without an action it cannot be made to act, whatever it reads.
	Actions []Action
	// Answer names the action that answers in words, for an agent that carries out one request. Once a call
	// has worked, plain words count as its answer too. Its Result lists all calls.
	Answer string
	// Open returns the messages that begin each stretch. It is called at the start and after every Restart.
	Open func(ctx context.Context) ([]Message, error)
	// Notice, if set, returns before each step what happened outside the conversation, such as a person's
	// edit. Its text goes to the Brain; a Notice without a text is ignored.
	Notice func(ctx context.Context) (Notice, error)
	// Limits bound the run; a zero field is no bound. The Brain is warned when 80 % of one are used, and the
	// last 15 % are reserved for finishing: actions that explore are then refused.
	Limits Limits
	// Spent was paid for this work before the loop began. It is charged to the run, but only once if the run
	// is resumed.
	Spent Usage
	// Keep, if set, stores a result too large for the conversation in a file that the agent can read by
	// lines, and returns its path. Without Keep the rest of the result is lost. The name is that of the call,
	// unique in a run. Nested agents share it.
	Keep func(call, text string) (where string, err error)
	// Progress, if set, counts what the work has yielded over all its runs, such as pages kept and files
	// changed. It is called before each step. If it does not grow for Limits.Idle steps, the run ends.
	Progress func() int
	// Observe, if set, receives every event as it happens. Calls are serialised; it must not block.
	Observe func(Event)
	// Recorder, if set, remembers replies and results, so that an interrupted run can resume. Nested agents
	// share it.
	Recorder Recorder
}

// Reason is the cause of a run's end.
type Reason string

// The reasons why a run ends without an error.
const (
	Finished   Reason = "finished"     // an action returned Finish
	OutOfSteps Reason = "out of steps" // Limits.Steps was reached
	// Limits.Tokens was reached, of this agent or one it is nested in
	OutOfTokens Reason = "out of tokens"
	OutOfMoney  Reason = "out of money" // Limits.Cost was, of this agent or one it is nested in
	OutOfTime   Reason = "out of time"  // Limits.Time was, of this agent or one it is nested in
	// three replies in a row called no action, or all calls of ten in a row failed
	Stuck   Reason = "stuck"
	Looping Reason = "going in circles" // the same calls came again and again with the same results
	Idle    Reason = "no progress"      // Agent.Progress did not grow for Limits.Idle steps
)

// AtLimit reports whether a run ended because an allowance was used up. The next run then continues the same
// conversation with a new allowance; after any other end it opens a new one.
func (why Reason) AtLimit() bool {
	return why == OutOfSteps || why == OutOfTokens || why == OutOfMoney || why == OutOfTime
}

// Result is the outcome of a run.
type Result struct {
	Reason Reason
	// what the finishing action returned, the last words of a stuck Brain, or the calls of a loop
	Text  string
	Steps int   // replies of this agent, including those before a resume
	Usage Usage // nested agents included
	Did   []Did // the calls carried out, for an agent with an Answer
}

const (
	cutting = "Your reply broke off before its end, so nothing in it was done. Send it again; " +
		"if it was long, in smaller pieces: a long text in several calls, the first to write " +
		"it and the others to append."
	quiet = "This reply called nothing. What stands in a code fence or within a sentence is only words. " +
		"Reply with a call of one of your actions; if there is nothing to do, call %s, which ends the work."
	asking = "You asked for no action, so nothing happened. What stands in a code fence or within " +
		"a sentence is only words. Reply with a call of one of your actions; if the work is done, call the " +
		"one that ends it."
)

// Run runs the agent until an action finishes it, a limit is reached, or it gets stuck; each of these is a
// Result. An error means that the run could not continue: the Brain failed, an action's error was [Fatal], or
// ctx ended.
func (a Agent) Run(ctx context.Context) (Result, error) {
	return newRun(a, nil).loop(ctx)
}

func (r *run) loop(ctx context.Context) (Result, error) {
	for {
		if err := r.openIfNeeded(ctx); err != nil {
			return r.result("", ""), err
		}
		if why, text := r.ahead(); why != "" {
			return r.end(why, text)
		}
		reply, err := r.think(ctx)
		if errors.Is(err, ErrTooLong) {
			if err = r.tooLong(err); err == nil {
				continue
			}
		}
		if err != nil && !errors.Is(err, ErrCut) {
			if err := r.lighten(err); err != nil {
				return r.result("", ""), err
			}
			continue
		}
		if err == nil && len(r.agent.Actions) == 0 {
			return r.end(Finished, reply.Text)
		}
		if err == nil && r.isAnswer(reply) {
			return r.end(Finished, reply.Text)
		}
		if err != nil || len(reply.Calls) == 0 {
			if r.watch.Silent++; r.watch.Silent == maxSilent {
				return r.end(Stuck, reply.Text)
			}
			r.nudge(err)
			continue
		}
		r.watch.Silent = 0
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
			r.watch.Unheard = ""
		}
		if why, text := r.watch.lost(r.step); why != "" {
			return r.end(why, text)
		}
	}
}

// nudge answers a reply that called nothing, or was cut off before it could.
func (r *run) nudge(err error) {
	switch {
	case err != nil:
		r.say(User(cutting))
	case r.agent.Answer != "":
		r.say(User(fmt.Sprintf(quiet, r.agent.Answer)))
	default:
		r.say(User(asking))
	}
}

// think takes one step: it reports what happened outside, asks the Brain, and records the reply. A step
// already on record is taken from there.
func (r *run) think(ctx context.Context) (Reply, error) {
	defer r.budget.release()
	if err := ctx.Err(); err != nil {
		return Reply{}, fmt.Errorf("thinking at step %d of %s: %w", r.step+1, r.path, context.Cause(ctx))
	}
	r.step++
	r.chargeWasted()
	before := len(r.talk.Messages)
	if err := r.notice(ctx); err != nil {
		return Reply{}, err
	}
	told, err := r.warn()
	if err != nil {
		return Reply{}, err
	}
	r.pending = len(r.talk.Messages) - before
	r.withheld()
	r.talk.Must = r.must()
	got := r.next
	if got != nil {
		r.budget.charge(got.Usage)
	} else if got, err = r.ask(ctx); err != nil {
		return Reply{}, err
	}
	r.untold, r.told, r.watch.Unheard, r.taken = Notice{}, told, "", nil
	r.gauge.read(got.Reply)
	if got.Cut {
		return Reply{}, ErrCut
	}
	r.say(Message{Role: RoleAssistant, Text: got.Text, Calls: got.Calls, Thoughts: got.Thoughts})
	r.over = got.Over
	return got.Reply, nil
}

// ask asks the Brain. A reply that was cut off counts as a step and is paid for, but its content is
// discarded.
func (r *run) ask(ctx context.Context) (*answer, error) {
	r.emit(Thinking{At: r.at()})
	reply, err := r.agent.Brain.Think(ctx, r.talk)
	cut := errors.Is(err, ErrCut)
	if err != nil && !cut {
		r.budget.charge(reply.Usage)
		if reply.Usage != (Usage{}) {
			r.wasted = r.wasted.Plus(reply.Usage)
			err = errors.Join(err, r.record(r.stepKey("wasted"), r.wasted))
		}
		r.step--
		return nil, fmt.Errorf("asking the model at step %d of %s: %w", r.step+1, r.path, err)
	}
	if cut {
		reply = Reply{Usage: reply.Usage, Model: reply.Model}
	}
	asked := len(reply.Calls)
	reply.Calls = r.numbered(reply.Calls)
	r.budget.charge(reply.Usage)
	got := &answer{Reply: reply, Cut: cut, Over: asked - len(reply.Calls), Progress: r.watch.Progress,
		Ran: r.clock.now()}
	if err := errors.Join(r.record(r.stepKey("reply"), got), r.sync()); err != nil { // it is paid for
		return nil, err
	}
	r.emit(Replied{At: r.at(), Text: reply.Text, Calls: reply.Calls, Usage: reply.Usage,
		Total: r.budget.sum(), Model: reply.Model})
	return got, nil
}
