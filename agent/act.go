package agent

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Turn is a call being carried out, as an action sees it.
type Turn struct {
	Call Call

	run    *run
	path   string          // of the call: the agent's path and the call's id
	before <-chan struct{} // closed when the calls before it in the reply have ended; nil for the first
	spent  Budget          // what agents nested in this call spent
}

// Path names the call, unique in a whole run: the agent's path and the call's id. It is the same when a run is resumed.
func (t *Turn) Path() string { return t.path }

// Step is the step of the agent whose call this is, from 1.
func (t *Turn) Step() int { return t.run.step }

// Closing says whether only what finishes the work is to be done.
func (t *Turn) Closing() bool { return false }

// Spent is what the whole run spent so far, up to the outermost agent.
func (t *Turn) Spent() Usage {
	b := t.run.budget
	for b.parent != nil {
		b = b.parent
	}
	return b.Spent()
}

// Nest runs another agent inside this call. It has a context of its own; what it spends is charged to this agent too, and its
// events go to the same observer. Its Observe and Recorder are not used. An error is one that the nested agent could not go on
// after, such as a model that is not there, and is Fatal for this one too.
func (t *Turn) Nest(ctx context.Context, a Agent) (Result, error) {
	result, err := newRun(a, t).loop(ctx)
	t.spent.charge(result.Usage)
	if err != nil && ctx.Err() == nil {
		err = Fatal(err)
	}
	return result, err
}

// recorded is what is kept of a call: its outcome, and what must be charged again when it is taken from the record.
type recorded struct {
	Outcome
	Failed bool  `json:"failed,omitempty"` // Text is an error
	Spent  Usage `json:"spent,omitzero"`   // by agents nested in it
}

// InTurn waits until the calls before this one in the same reply have ended. An action that runs side by side with others
// calls it before it changes what they share, so that the outcome is that of the Brain's order.
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

// act carries out the calls of one reply and appends their results in the reply's order. Neighbours that may run side by side
// do; the others run one by one. The strongest effect of all wins: a Finish over a Restart over a Continue. But while one of them
// failed the history goes on, for the Brain has to see the error, and would else end, or forget, on the belief that all was done.
func (r *run) act(ctx context.Context, calls []Call) (Outcome, error) {
	outcomes := make([]recorded, len(calls))
	errs := make([]error, len(calls))
	for i := 0; i < len(calls); {
		n := 1
		for r.parallel(calls[i]) && i+n < len(calls) && r.parallel(calls[i+n]) {
			n++
		}
		r.sideBySide(ctx, calls[i:i+n], outcomes[i:], errs[i:])
		for j := i; j < i+n; j++ {
			if errs[j] != nil {
				return Outcome{}, errs[j]
			}
		}
		i += n
	}
	strongest, failed := outcomes[0].Outcome, false
	for i, o := range outcomes {
		r.say(Message{Role: RoleResult, CallID: calls[i].ID, Text: o.Text})
		failed = failed || o.Failed
		switch {
		case i == 0:
		case o.Effect == Finish && strongest.Effect == Finish && o.Text != strongest.Text:
			strongest.Text += "\n\n" + o.Text
		case o.Effect == Finish, o.Effect == Restart && strongest.Effect == Continue:
			strongest = o.Outcome
		}
	}
	if failed {
		strongest.Effect = Continue
	}
	return strongest, nil
}

func (r *run) parallel(c Call) bool {
	a, ok := r.action(c.Name)
	return ok && a.Parallel
}

func (r *run) sideBySide(ctx context.Context, calls []Call, outcomes []recorded, errs []error) {
	if len(calls) == 1 {
		outcomes[0], errs[0] = r.carryOut(ctx, &Turn{Call: calls[0], run: r, path: r.path + "/" + calls[0].ID})
		return
	}
	var all sync.WaitGroup
	var before chan struct{}
	for i, c := range calls {
		turn := &Turn{Call: c, run: r, path: r.path + "/" + c.ID, before: before}
		ended := make(chan struct{})
		all.Go(func() {
			defer func() {
				if turn.before != nil {
					<-turn.before // a call has ended only when those before it have
				}
				close(ended)
			}()
			outcomes[i], errs[i] = r.carryOut(ctx, turn)
		})
		before = ended
	}
	all.Wait()
}

// carryOut runs one call, or takes its outcome from the record. An ordinary error becomes the call's result; what is
// returned as an error ends the run.
func (r *run) carryOut(ctx context.Context, turn *Turn) (recorded, error) {
	var known recorded
	key := turn.path + " result"
	if r.recall(key, &known) {
		r.budget.charge(known.Spent)
		return known, nil
	}
	at := r.at()
	r.emit(Acting{At: at, Call: turn.Call})
	began := time.Now()
	outcome, err := r.attempt(ctx, turn)
	if err != nil {
		if ctx.Err() != nil {
			return recorded{}, fmt.Errorf("stopping in %s: %w", turn.Call.Name, context.Cause(ctx))
		}
		if isFatal(err) {
			return recorded{}, fmt.Errorf("running %s: %w", turn.Call.Name, err)
		}
		outcome = Outcome{Effect: Continue, Text: "Error: " + err.Error()}
	}
	if outcome.Effect == "" {
		outcome.Effect = Continue
	}
	done := recorded{outcome, err != nil, turn.spent.Spent()}
	if err := r.record(key, done); err != nil {
		return recorded{}, err
	}
	r.emit(Acted{At: at, Call: turn.Call, Effect: outcome.Effect, Text: outcome.Text, Failed: done.Failed, Took: time.Since(began)})
	return done, nil
}

// attempt runs the action under its own deadline. A panic in it is an error like any other: one page that breaks a parser must
// not end a research of hours.
func (r *run) attempt(ctx context.Context, turn *Turn) (outcome Outcome, err error) {
	action, ok := r.action(turn.Call.Name)
	if !ok {
		return Outcome{}, fmt.Errorf("there is no action %q; the actions are %s", turn.Call.Name, r.actionNames())
	}
	if action.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, action.Timeout, fmt.Errorf("%s took longer than %s", action.Name, action.Timeout))
		defer cancel()
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s broke on this input (%v); try another way", action.Name, p)
		}
	}()
	outcome, err = action.Run(ctx, turn)
	if err != nil && ctx.Err() != nil {
		return outcome, fmt.Errorf("%w (%w)", err, context.Cause(ctx))
	}
	return outcome, err
}

func (r *run) action(name string) (Action, bool) {
	for _, a := range r.agent.Actions {
		if a.Name == name {
			return a, true
		}
	}
	return Action{}, false
}

func (r *run) actionNames() string {
	names := make([]string, len(r.agent.Actions))
	for i, a := range r.agent.Actions {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}
