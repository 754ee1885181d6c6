package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// run is the state of one run of an agent.
type run struct {
	agent  Agent
	parent *run // nil for the outermost
	path   string
	budget *budget
	events *events
	clock  *clock // of the outermost agent

	talk    *Conversation // nil when a stretch has to be opened
	opening int           // how many messages it opened with
	pending int           // messages since the last reply
	untold  Notice        // not yet followed by a reply
	told    stages        // in this stretch
	gauge   gauge         // how full the model's window is
	stretch int
	step    int
	from    Allowance
	renewed bool     // a new allowance in an old conversation
	over    int      // calls of the last reply beyond maxCalls
	taken   []string // calls whose results are withheld before the next reply
	wasted  Usage    // paid for unusable replies to this step
	anew    int      // the step before which a nested agent's conversation was dropped
	paidTo  int      // the step up to which waste has been charged
	askLess bool     // the request to a nested agent is too long for its model
	next    *answer  // the record of the next step, nil if there is none
	watch   Watch
	did     []Did // for an agent with an Answer
}

// events serialises the calls of an observer for an agent and all agents nested in it.
type events struct {
	mu      sync.Mutex
	observe func(Event)
}

func newRun(a Agent, parent *Turn) *run {
	r := &run{agent: a, path: a.Name}
	if parent == nil {
		r.budget = newBudget(nil, a.Limits)
		r.clock, r.events = &clock{began: time.Now()}, &events{observe: a.Observe}
		return r
	}
	r.parent, r.path = parent.run, parent.path+"/"+a.Name
	r.budget = newBudget(r.parent.budget, a.Limits)
	r.clock, r.events = r.parent.clock, r.parent.events
	r.from.Ran = r.clock.now()
	r.agent.Recorder, r.agent.Keep = r.parent.agent.Recorder, r.parent.agent.Keep
	return r
}

func (r *run) nested() bool { return r.parent != nil }

// openIfNeeded opens a stretch if none is open. At the start it resumes the stretch of an earlier run, if the
// recorder has one.
func (r *run) openIfNeeded(ctx context.Context) error {
	if r.talk != nil && !r.dropped() {
		return nil
	}
	if len(r.watch.Carried) > 0 { // what an earlier run could not carry is not carried again
		r.dropped()
	}
	resumed := r.stretch == 0 && r.takeUp()
	messages, err := r.agent.Open(ctx)
	if err != nil {
		return fmt.Errorf("opening a stretch of %s: %w", r.path, err)
	}
	r.talk = &Conversation{Actions: r.agent.Actions, Messages: messages, Tell: r.tell}
	r.opening, r.told = len(messages), stages{}
	r.gauge.open(r.talk)
	for _, m := range r.watch.Carried {
		r.say(m)
	}
	if !resumed {
		r.stretch++
		if !r.nested() {
			r.wasted = Usage{} // the mark counts it
			if err := r.record(KeyOpen, r.mark()); err != nil {
				return err
			}
		}
	}
	r.emit(Opened{At: r.at(), Resumed: resumed})
	return nil
}

// ahead looks at the next step: it returns why there is none, or books it and loads its record, if any. A
// recorded step was allowed when it was taken, and is not judged again.
func (r *run) ahead() (Reason, string) {
	r.next = nil
	var known answer
	if r.recall(r.keyOf(r.step+1, "reply"), &known) {
		r.next = &known
		r.clock.forward(known.Ran)
		r.watch.see(known.Progress, r.step)
		r.budget.book(true)
		return "", ""
	}
	if r.agent.Progress != nil {
		r.watch.see(r.agent.Progress(), r.step)
		if n := r.step - r.watch.Grew; r.agent.Limits.Idle > 0 && n >= r.agent.Limits.Idle {
			return Idle, fmt.Sprintf("nothing new came of the last %d steps", n)
		}
	}
	return r.overLimit(), ""
}

// grown reports whether the conversation holds more than a fresh opening would with the pending messages
// repeated.
func (r *run) grown() bool { return len(r.talk.Messages) > r.opening+r.pending }

func (r *run) end(why Reason, text string) (Result, error) {
	if !r.nested() {
		mark := r.mark()
		mark.Reason, mark.Text = why, text
		if err := errors.Join(r.record(KeyEnd, mark), r.sync()); err != nil {
			return r.result(why, text), err
		}
	}
	r.emit(Ended{At: r.at(), Reason: why, Text: text, Total: r.budget.sum()})
	return r.result(why, text), nil
}

func (r *run) result(why Reason, text string) Result {
	return Result{Reason: why, Text: text, Steps: r.step, Usage: r.budget.sum(), Did: r.did}
}

func (r *run) say(m Message) {
	r.talk.Messages = append(r.talk.Messages, m)
	r.gauge.said += tokensOf(m)
}

func (r *run) at() At { return At{Agent: r.path, Stretch: r.stretch, Step: r.step} }

func (r *run) emit(e Event) {
	if r.events.observe == nil {
		return
	}
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	r.events.observe(e)
}

func (r *run) stepKey(what string) string { return r.keyOf(r.step, what) }

func (r *run) keyOf(step int, what string) string { return fmt.Sprintf("%s#%d %s", r.path, step, what) }

func (r *run) recall(key string, into any) bool {
	return r.agent.Recorder != nil && r.agent.Recorder.Recall(key, into)
}

func (r *run) record(key string, value any) error {
	if r.agent.Recorder == nil {
		return nil
	}
	if err := r.agent.Recorder.Record(key, value); err != nil {
		return fmt.Errorf("recording %s: %w", key, err)
	}
	return nil
}

func (r *run) sync() error {
	if r.agent.Recorder == nil {
		return nil
	}
	if err := r.agent.Recorder.Sync(); err != nil {
		return fmt.Errorf("saving the record of %s: %w", r.path, err)
	}
	return nil
}

// tell passes on an event from the Brain, which does not know its place in the run.
func (r *run) tell(e Event) {
	if w, ok := e.(Waiting); ok {
		w.At = r.at()
		e = w
	}
	r.emit(e)
}
