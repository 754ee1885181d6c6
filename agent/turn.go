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
	path      string // of the call: the agent's path and the call's id
	trace     trace
	known     bool            // the outcome was on record
	tooEarly  bool            // a call before it failed, and it would end the work
	makesRoom bool            // a call of the same reply clears the memory
	before    <-chan struct{} // closed when the calls before it in the reply have ended; nil for the first
	spent     *budget         // what agents nested in this call spent
}

// Path names the call, unique in a whole run: the agent's path and the call's id. It is the same when a run
// is resumed.
func (t *Turn) Path() string { return t.path }

// Step is the step of the agent whose call this is, from 1.
func (t *Turn) Step() int { return t.run.step }

// StepsLeft is how many more steps the agent whose call this is may take in this run; 0 for no limit.
func (t *Turn) StepsLeft() int {
	if n := t.run.agent.Limits.Steps; n > 0 {
		return max(0, n-(t.run.step-t.run.from.Steps))
	}
	return 0
}

// Spent is what the outermost agent and all that are nested in it spent so far.
func (t *Turn) Spent() Usage {
	b := t.run.budget
	for b.parent != nil {
		b = b.parent
	}
	return b.sum()
}

// Charge charges what was paid in this call before a kill, by agents that it does not run again.
func (t *Turn) Charge(u Usage) {
	t.run.budget.charge(u)
	t.spent.charge(u)
}

// Closing reports whether the last 15 % of a limit have begun, of this agent's or of one that it is nested
// in: what is left is for finishing.
func (t *Turn) Closing() bool {
	_, closing := t.run.closing()
	return closing
}

// MustCompress reports whether the history has to go, since there is hardly room for anything else.
func (t *Turn) MustCompress() bool { return t.run.talk.Must != "" }

// Room is how many tokens a result may have that is to be shown whole. More of it is kept in a file, and the
// Brain told where.
func (t *Turn) Room() int { return t.run.mostResult() }

// Nest runs another agent inside this call. It has a context of its own; what it spends is charged to this
// agent too, and its events go to the same observer. Its Observe and Recorder are not used. An error is one
// that the nested agent could not go on after, such as a model that is not there, and is Fatal for this one
// too, unless there is another way: a content filter refused what the nested one was shown, and there are
// other pages; or it was asked at such length that its model cannot take it, and may be asked for less, as
// the error says.
func (t *Turn) Nest(ctx context.Context, a Agent) (Result, error) {
	r := newRun(a, t)
	result, err := r.loop(ctx)
	t.spent.charge(result.Usage)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrFiltered) && !r.askLess {
		err = Fatal(err)
	}
	return result, err
}

// recorded is what is kept of a call: its outcome, and what must be charged again when it is taken from the
// record.
type recorded struct {
	Outcome
	Failed bool `json:"failed,omitempty"` // Text is an error
	// it was not carried out, since it would only have repeated another
	Repeated bool          `json:"repeated,omitempty"`
	Spent    Usage         `json:"spent,omitzero"` // by agents nested in it
	Ran      time.Duration `json:"ran,omitempty"`  // running time so far
}

// InTurn waits until the calls before this one in the same reply have ended. An action that runs side by side
// with others calls it before it changes what they share, so that the outcome is that of the Brain's order.
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

// IsFirst reports whether InTurn would not wait: no call before this one in the same reply is still under
// way.
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
