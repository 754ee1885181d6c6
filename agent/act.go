package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/prose"
)

// act carries out the calls of one reply and appends their results in the reply's order. Neighbouring calls
// run in parallel where their actions allow it; all others run one by one, and so do two identical calls,
// because the second may be one repetition too many.
func (r *run) act(ctx context.Context, calls []Call) (Outcome, error) {
	turns := make([]*Turn, len(calls))
	makesRoom := slices.ContainsFunc(calls, func(c Call) bool { return r.action(c.Name).Compresses })
	for i, c := range calls {
		turns[i] = &Turn{Call: c, run: r, path: r.path + "/" + c.ID, trace: asked(c, r.step),
			makesRoom: makesRoom, spent: newBudget(nil, Limits{})}
	}
	outcomes := make([]recorded, len(calls))
	for i := 0; i < len(calls); {
		n := 1
		for i+n < len(calls) && r.action(calls[i].Name).Parallel && r.action(calls[i+n].Name).Parallel &&
			!anySame(turns[i:i+n], turns[i+n]) {
			n++
		}
		turns[i].tooEarly = r.action(calls[i].Name).Ends &&
			slices.ContainsFunc(outcomes[:i], func(o recorded) bool { return o.Failed })
		if err := r.sideBySide(ctx, turns[i:i+n], outcomes[i:]); err != nil {
			return Outcome{}, err
		}
		for ; n > 0; i, n = i+1, n-1 {
			r.tellResult(turns[i], outcomes[i])
		}
	}
	r.tellOver()
	r.remember(calls, outcomes)
	r.countFailures(outcomes, turns[len(turns)-1].known)
	return r.strongest(calls, outcomes), nil
}

func anySame(turns []*Turn, as *Turn) bool {
	return slices.ContainsFunc(turns, func(t *Turn) bool { return t.trace.Args == as.trace.Args })
}

// tellResult appends the result of a call, with a warning if it was a repetition.
func (r *run) tellResult(turn *Turn, done recorded) {
	trace := turn.trace
	if done.Repeated {
		if same, ok := r.watch.repetition(trace); ok { // it counts as the call it would have repeated
			trace.Same, trace.Like, trace.Failed, trace.Warned = same.Same, same.Like, same.Failed, true
		}
	} else {
		trace = trace.answered(turn.Call, done, r.watch.Progress)
	}
	warning := r.watch.note(trace)
	if done.Repeated {
		warning = ""
	}
	if warning != "" {
		done.Text += "\n\n" + warning
		r.watch.Unheard = warning
		if !turn.known {
			r.emit(Warned{At: r.at(), Text: warning})
		}
	}
	r.say(Message{Role: RoleResult, CallID: turn.Call.ID, Text: done.Text, Warning: warning})
}

// strongest returns the strongest effect: Finish over Restart over Continue. If any call failed, the history
// is kept, so that the Brain sees the error instead of finishing or forgetting as if everything had worked.
// The decision of an action that Ends holds all the same, and its refusal is repeated when another call drops
// the history.
func (r *run) strongest(calls []Call, outcomes []recorded) Outcome {
	strongest, failed, refused := Outcome{Effect: Continue}, false, ""
	r.watch.Carried = nil
	for i, o := range outcomes {
		if r.action(calls[i].Name).Ends {
			if o.Effect == Restart {
				r.watch.Carried = r.carried(calls, outcomes)
			}
			if o.Effect != Continue {
				return o.Outcome
			}
			refused = o.Text
		}
		failed = failed || o.Failed && !o.Repeated // for a repeated call the first failure is enough
		switch {
		case o.Effect == Finish && strongest.Effect == Finish && o.Text != strongest.Text:
			strongest.Text += "\n\n" + o.Text
		case o.Effect == Finish, o.Effect == Restart && strongest.Effect == Continue:
			strongest = o.Outcome
		}
	}
	// with no room left, the history must go
	if failed && !(strongest.Effect == Restart && r.talk.Must != "") {
		strongest.Effect = Continue
	}
	if strongest.Effect == Restart {
		r.watch.Carried = r.carried(calls, outcomes)
		if refused != "" {
			r.watch.Unheard = strings.TrimSpace(refused + "\n\n" + r.watch.Unheard)
		}
	}
	return strongest
}

// carried returns the calls of a reply that cleared the memory, except those that cleared it, with their
// results. The Brain has not seen these results: what it searched or read next to an update would be lost.
func (r *run) carried(calls []Call, outcomes []recorded) []Message {
	kept := map[string]bool{}
	for i, c := range calls {
		kept[c.ID] = outcomes[i].Effect == Continue && !r.action(c.Name).Ends
	}
	var reply Message
	var results []Message
	for _, m := range r.talk.Messages[r.opening:] {
		switch {
		case m.Role == RoleAssistant:
			reply, results = m, nil
		case kept[m.CallID]:
			results = append(results, m)
		}
	}
	if len(results) == 0 {
		return nil
	}
	reply.Text = ""
	reply.Calls = slices.DeleteFunc(slices.Clone(reply.Calls), func(c Call) bool { return !kept[c.ID] })
	for i, c := range reply.Calls {
		reply.Calls[i].Args = inBrief(c.Args)
	}
	return append([]Message{reply}, results...)
}

// longestCarried is the length, in characters, to which a text in a carried call's arguments is cut: what was
// written into a file is in the file.
const longestCarried = 300

// inBrief returns a call's arguments with long texts shortened; arguments that are not an object are kept.
func inBrief(args string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &fields) != nil {
		return args
	}
	shortened := false
	for name, value := range fields {
		var text string
		if json.Unmarshal(value, &text) != nil || len([]rune(text)) <= longestCarried {
			continue
		}
		shortened = true
		fields[name], _ = json.Marshal(prose.Shorten(text, longestCarried)) // a string never fails
	}
	if brief, err := json.Marshal(fields); shortened && err == nil {
		return string(brief)
	}
	return args
}

// countFailures counts consecutive replies in which every call failed, and warns the Brain in time.
func (r *run) countFailures(outcomes []recorded, known bool) {
	if slices.ContainsFunc(outcomes, func(o recorded) bool { return !o.Failed }) {
		r.watch.Failing = 0
		return
	}
	if r.watch.Failing++; r.watch.Failing != warnFailing {
		return
	}
	text := fmt.Sprintf("All calls of your last %d replies failed; after %d more like them the work ends. "+
		"Try another way, or finish with what you have.", warnFailing, maxFailing-warnFailing)
	r.say(User(text))
	if !known {
		r.emit(Warned{At: r.at(), Text: text})
	}
}

func (r *run) sideBySide(ctx context.Context, turns []*Turn, outcomes []recorded) error {
	var all sync.WaitGroup
	errs := make([]error, len(turns))
	var before chan struct{}
	for i, turn := range turns {
		turn.before = before
		ended := make(chan struct{})
		all.Go(func() {
			defer func() {
				if turn.before != nil {
					<-turn.before // a call ends only after those before it
				}
				close(ended)
			}()
			outcomes[i], errs[i] = r.carryOut(ctx, turn)
		})
		before = ended
	}
	all.Wait()
	return cmp.Or(errs...)
}

// carryOut runs one call, or takes its outcome from the record. An ordinary error becomes the call's result;
// a returned error ends the run.
func (r *run) carryOut(ctx context.Context, turn *Turn) (recorded, error) {
	var known recorded
	key := turn.path + " result"
	if r.recall(key, &known) {
		r.budget.charge(known.Spent)
		r.clock.forward(known.Ran)
		turn.known = true
		return known, nil
	}
	at := r.at()
	r.emit(Acting{At: at, Call: turn.Call})
	began := time.Now()
	var outcome Outcome
	_, repeated := r.watch.repetition(turn.trace)
	err := r.refusal(turn, repeated)
	if err == nil {
		outcome, err = r.attempt(ctx, turn)
	}
	if err != nil {
		if ctx.Err() != nil {
			return recorded{}, fmt.Errorf("stopping in %s: %w", turn.Call.Name, context.Cause(ctx))
		}
		if _, fatal := errors.AsType[*fatalError](err); fatal {
			return recorded{}, fmt.Errorf("running %s: %w", turn.Call.Name, err)
		}
		outcome = Outcome{Effect: Continue, Text: Failure + err.Error()}
	}
	if outcome.Effect == "" {
		outcome.Effect = Continue
	}
	if outcome.Effect == Continue {
		var unkept error
		if outcome.Text, unkept = r.shorten(turn, outcome.Text); unkept != nil {
			return recorded{}, fmt.Errorf("running %s: %w", turn.Call.Name, unkept)
		}
	}
	done := recorded{Outcome: outcome, Failed: err != nil, Repeated: repeated, Spent: turn.spent.sum(),
		Ran: r.clock.now()}
	if err := r.record(key, done); err != nil {
		return recorded{}, err
	}
	acted := Acted{At: at, Call: turn.Call, Effect: outcome.Effect, Text: outcome.Text, Facts: outcome.Facts,
		Failed: done.Failed, Repeated: repeated, Took: time.Since(began)}
	if refused, ok := errors.AsType[*notDone](err); ok {
		acted.NotDone = refused.why
	}
	r.emit(acted)
	return done, nil
}

// notDone is the error of a call that the loop refused for lack of room or allowance.
type notDone struct {
	why string
	error
}

// refusal returns the reason not to carry out a call, or nil.
func (r *run) refusal(turn *Turn, repeated bool) error {
	if repeated {
		return errors.New("this was not done: the very same call brought the same result again and again, " +
			"and would once more. Use that result, or do something else: going on like this ends the work")
	}
	action := r.action(turn.Call.Name)
	// what is written down next to the update is not lost with the memory
	if must := r.talk.Must; must != "" && action.Name != "" && !action.Compresses && !action.Ends &&
		(action.Explores || !turn.makesRoom) {
		const why = "there is hardly room for its result"
		return &notDone{why, fmt.Errorf("%s was not done: %s. Call %s first, with all that you must not "+
			"lose; then your memory is cleared and you go on", action.Name, why, must)}
	}
	if action.Explores {
		if a, closing := r.closing(); closing {
			return &notDone{"what is left is for finishing", fmt.Errorf("%s was not done: the last of "+
				"the %s is for finishing. Finish with what you have, and say what is missing",
				action.Name, a.what())}
		}
	}
	return nil
}

// attempt runs the action under its own deadline. A panic counts as an ordinary error: one page that breaks a
// parser must not end hours of research.
func (r *run) attempt(ctx context.Context, turn *Turn) (outcome Outcome, err error) {
	if turn.Call.Fault != "" {
		return Outcome{}, errors.New(turn.Call.Fault)
	}
	action := r.action(turn.Call.Name)
	if action.Name == "" {
		return Outcome{}, fmt.Errorf("there is no action %s, so nothing was done; the actions are %s",
			quoted(turn.Call.Name), r.actionNames())
	}
	if turn.tooEarly {
		return Outcome{}, fmt.Errorf("%s was not carried out, since a call before it in your reply failed: "+
			"see to that first", action.Name)
	}
	if action.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, action.Timeout,
			fmt.Errorf("%s took longer than %s", action.Name, action.Timeout))
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

// action returns the action of that name, or one without a name if there is none.
func (r *run) action(name string) Action {
	for _, a := range r.agent.Actions {
		if a.Name == name {
			return a
		}
	}
	return Action{}
}

func (r *run) actionNames() string {
	var names []string
	for _, a := range r.agent.Actions {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}
