package agent

import (
	"context"
	"errors"
	"time"
)

// Turn is a call being carried out, as an action sees it.
type Turn struct {
	Call Call

	run       *run
	path      string // the agent's path and the call's id
	trace     trace
	known     bool            // the outcome was on record
	tooEarly  bool            // a call before it failed, and this one would end the work
	makesRoom bool            // a call of the same reply clears the memory
	before    <-chan struct{} // closed when the calls before it in the reply have ended; nil for the first
	spent     *budget         // by agents nested in this call
}

// Path returns the agent's path and the call's id, unique in a whole run and the same when it is resumed.
func (t *Turn) Path() string { return t.path }

// Step returns the current step of the calling agent, from 1.
func (t *Turn) Step() int { return t.run.step }

// StepsLeft returns how many more steps the calling agent may take in this run; 0 for no limit.
func (t *Turn) StepsLeft() int {
	if n := t.run.agent.Limits.Steps; n > 0 {
		return max(0, n-(t.run.step-t.run.from.Steps))
	}
	return 0
}

// Spent returns what the outermost agent and all agents nested in it spent so far.
func (t *Turn) Spent() Usage {
	b := t.run.budget
	for b.parent != nil {
		b = b.parent
	}
	return b.sum()
}

// Charge charges what this call paid before a kill, for agents that it does not run again.
func (t *Turn) Charge(u Usage) {
	t.run.budget.charge(u)
	t.spent.charge(u)
}

// Closing reports whether the last 15 % of a limit have begun, of this agent's or one it is nested in: the
// rest is for finishing.
func (t *Turn) Closing() bool {
	_, closing := t.run.closing()
	return closing
}

// MustCompress reports whether the history has to go because hardly any room is left.
func (t *Turn) MustCompress() bool { return t.run.talk.Must != "" }

// Room returns how many tokens a result may have to be shown whole. A longer one is kept in a file, whose
// place the Brain learns.
func (t *Turn) Room() int { return t.run.mostResult() }

// Nest runs another agent inside this call. It has its own context; its spending is charged to this agent
// too, and its events go to the same observer. Its Observe and Recorder are not used. An error means that the
// nested agent could not continue, for example because its model is unavailable. It is Fatal for this agent
// too, with two exceptions: a content filter refused what the nested agent was shown, since there are other
// pages; or the request was too long for its model, since the error allows a shorter one.
func (t *Turn) Nest(ctx context.Context, a Agent) (Result, error) {
	r := newRun(a, t)
	result, err := r.loop(ctx)
	t.spent.charge(result.Usage)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrFiltered) && !r.askLess {
		err = Fatal(err)
	}
	return result, err
}

// recorded is the record of a call: its outcome, and what must be charged when it is replayed.
type recorded struct {
	Outcome
	Failed bool `json:"failed,omitempty"` // Text is an error
	// not carried out, because it would only have repeated another
	Repeated bool          `json:"repeated,omitempty"`
	Spent    Usage         `json:"spent,omitzero"` // by agents nested in it
	Ran      time.Duration `json:"ran,omitempty"`  // running time so far
}

// InTurn waits until the earlier calls of the same reply have ended. An action that runs in parallel calls it
// before changing shared state, so that the Brain's order decides the outcome.
func (t *Turn) InTurn(ctx context.Context) error {
	if t.before == nil {
		return nil
	}
	select {
	case <-t.before:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// IsFirst reports whether InTurn would return at once: no earlier call of the same reply is still running.
func (t *Turn) IsFirst() bool {
	if t.before == nil {
		return true
	}
	select {
	case <-t.before:
		return true
	default:
		return false
	}
}
