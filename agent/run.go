package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// run is one run of an agent: the state that the loop works on.
type run struct {
	agent  Agent
	path   string
	budget *Budget
	events *events

	talk    *Conversation // nil when a stretch has to be opened
	opening int           // how many messages it opened with
	untold  string        // a notice that no reply has followed yet
	stretch int
	step    int
	start   int // the step from which Limits.Steps counts
	paid    int // the tokens from which Limits.Tokens counts
}

// events serialises the calls of an observer for an agent and all that are nested in it.
type events struct {
	mu      sync.Mutex
	observe func(Event)
}

func newRun(a Agent, parent *Turn) *run {
	r := &run{agent: a, path: a.Name}
	if parent == nil {
		r.budget = &Budget{tokens: a.Limits.Tokens}
		r.events = &events{observe: a.Observe}
		return r
	}
	r.path = parent.path + "/" + a.Name
	r.budget = parent.run.budget.nested(a.Limits.Tokens)
	r.events = parent.run.events
	r.agent.Recorder = parent.run.agent.Recorder
	return r
}

func (r *run) nested() bool { return strings.Contains(r.path, "/") }

// openIfNeeded opens a stretch when there is none. At the start it takes up the stretch that a run before this one left, if the
// recorder knows of one.
func (r *run) openIfNeeded(ctx context.Context) error {
	if r.talk != nil {
		return nil
	}
	resumed := r.stretch == 0 && r.takeUp()
	messages, err := r.agent.Open(ctx)
	if err != nil {
		return fmt.Errorf("opening a stretch of %s: %w", r.path, err)
	}
	r.talk = &Conversation{Actions: r.agent.Actions, Messages: messages, Tell: r.tell}
	r.opening = len(messages)
	if !resumed {
		r.stretch++
		if !r.nested() {
			if err := r.record(KeyOpen, r.mark()); err != nil {
				return err
			}
		}
	}
	r.emit(Opened{At: r.at(), Resumed: resumed})
	return nil
}

// takeUp restores the counters from the record and says whether the stretch on record is to be gone on with. A run that was
// stopped by a limit gets a new allowance, since somebody asked for more; one that was killed goes on with the old one.
func (r *run) takeUp() bool {
	var open, end Mark
	if r.nested() || !r.recall(KeyOpen, &open) {
		return false
	}
	stopped := r.recall(KeyEnd, &end)
	r.stretch, r.step, r.start, r.paid = open.Stretch, open.Step, open.Start, open.Paid
	if stopped {
		r.start, r.paid = end.Step, end.Used.Tokens()
	}
	if r.budget.tokens > 0 {
		r.budget.tokens += r.paid
	}
	if stopped && end.Reason != OutOfSteps && end.Reason != OutOfTokens {
		r.step = end.Step
		r.budget.charge(end.Used)
		return false
	}
	r.budget.charge(open.Used)
	return true
}

func (r *run) mark() Mark {
	return Mark{Stretch: r.stretch, Step: r.step, Start: r.start, Paid: r.paid, Used: r.budget.Spent()}
}

func (r *run) overLimit() Reason {
	if n := r.agent.Limits.Steps; n > 0 && r.step-r.start >= n {
		return OutOfSteps
	}
	if r.budget.over() {
		return OutOfTokens
	}
	return ""
}

// notice tells the Brain what happened outside since the last step.
func (r *run) notice(ctx context.Context) error {
	var text string
	if r.agent.Notice == nil {
		return nil
	}
	key := r.stepKey("notice")
	switch {
	case r.untold != "" && len(r.talk.Messages) > r.opening:
		return nil // it stands in this conversation, whose last reply was cut off
	case r.untold != "": // it was said in a conversation that turned out too long
		text = r.untold
		if err := r.record(key, text); err != nil {
			return err
		}
	case !r.recall(key, &text):
		if r.recall(r.stepKey("reply"), new(Reply)) {
			return nil // on record, and nothing was told then
		}
		var err error
		if text, err = r.agent.Notice(ctx); err != nil {
			return fmt.Errorf("looking for changes before step %d of %s: %w", r.step, r.path, err)
		}
		if text == "" {
			return nil
		}
		if err := r.record(key, text); err != nil {
			return err
		}
		r.emit(Noticed{At: r.at(), Text: text})
	}
	r.untold = text
	r.say(User(text))
	return nil
}

// grown says whether the conversation holds more than a new opening would.
func (r *run) grown() bool {
	least := r.opening
	if r.untold != "" {
		least++
	}
	return len(r.talk.Messages) > least
}

func (r *run) end(why Reason, text string) (Result, error) {
	if !r.nested() {
		mark := r.mark()
		mark.Reason, mark.Text = why, text
		if err := errors.Join(r.record(KeyEnd, mark), r.sync()); err != nil {
			return r.result(why, text), err
		}
	}
	r.emit(Ended{At: r.at(), Reason: why, Text: text, Total: r.budget.Spent()})
	return r.result(why, text), nil
}

func (r *run) result(why Reason, text string) Result {
	return Result{Reason: why, Text: text, Steps: r.step, Usage: r.budget.Spent()}
}

func (r *run) say(m Message) { r.talk.Messages = append(r.talk.Messages, m) }

func (r *run) at() At { return At{Agent: r.path, Stretch: r.stretch, Step: r.step} }

func (r *run) emit(e Event) {
	if r.events.observe == nil {
		return
	}
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	r.events.observe(e)
}

func (r *run) stepKey(what string) string { return fmt.Sprintf("%s#%d %s", r.path, r.step, what) }

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

// tell passes on an event of the Brain, which does not know where it is asked.
func (r *run) tell(e Event) {
	if w, ok := e.(Waiting); ok {
		w.At = r.at()
		e = w
	}
	r.emit(e)
}
