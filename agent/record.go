package agent

import (
	"slices"
	"time"
)

// Recorder remembers what a run has paid for. A run whose replies and results are on record can be repeated
// from its last opening with the same outcome; this is how a killed run resumes. Keys are unique in a run; an
// action that nests several agents names them differently. The methods may be called concurrently.
type Recorder interface {
	// Recall fills into with what was recorded under key since the outermost agent's last opening, and
	// reports whether there was anything.
	Recall(key string, into any) bool
	// Record appends a value that survives this process.
	Record(key string, value any) error
	// Sync makes everything recorded survive a power cut. Call it before changing something in the world
	// because of a reply; the loop itself calls it at the end of a run.
	Sync() error
}

// Mark is recorded under "open" when the outermost agent opens a stretch, and under "end" when it stops.
type Mark struct {
	Stretch int `json:"stretch"`
	Step    int `json:"step"` // steps taken before
	Allowance
	Used   Usage         `json:"used"`
	Ran    time.Duration `json:"ran,omitempty"` // running time before, in nanoseconds
	Watch  Watch         `json:"watch,omitzero"`
	Reason Reason        `json:"reason,omitempty"`
	Text   string        `json:"text,omitempty"`
}

// Allowance is the starting point of the limits: what had been used when the run was given them.
type Allowance struct {
	Steps  int           `json:"start"`
	Tokens int           `json:"paid"`
	Cost   float64       `json:"paid_cost,omitempty"`
	Ran    time.Duration `json:"started,omitempty"`
}

// next returns the allowance of a run that continues after this end, because somebody asked for more.
func (m Mark) next() Allowance {
	return Allowance{Steps: m.Step, Tokens: m.Used.Tokens(), Cost: m.Used.Cost, Ran: m.Ran}
}

// Watch holds the counters that detect an agent leading nowhere. It is kept outside the conversation, so that
// it survives a Restart and a kill.
type Watch struct {
	Progress int     `json:"progress,omitempty"` // the highest value of Agent.Progress
	Grew     int     `json:"grew,omitempty"`     // steps taken when it grew to that
	Silent   int     `json:"silent,omitempty"`   // consecutive replies that called no action
	Failing  int     `json:"failing,omitempty"`  // consecutive replies in which every call failed
	Trail    []trace `json:"trail,omitempty"`    // the last calls
	Vain     []vain  `json:"vain,omitempty"`     // calls that keep failing in the same words
	Unheard  string  `json:"unheard,omitempty"`  // a warning in a result that a Restart dropped
	// Carried holds the calls and results of the reply that cleared the memory; they open the next stretch.
	Carried []Message `json:"carried,omitempty"`
}

// see notes the progress of the work after so many steps.
func (w *Watch) see(progress, step int) {
	if progress > w.Progress {
		w.Progress, w.Grew = progress, step
	}
}

// answer is the record of a step: the reply, and what cannot be derived from it.
type answer struct {
	Reply
	Cut      bool          `json:"cut,omitempty"`      // the reply was cut off; only its usage is kept
	Over     int           `json:"over,omitempty"`     // calls beyond maxCalls, not included
	Progress int           `json:"progress,omitempty"` // before the step
	Ran      time.Duration `json:"ran,omitempty"`      // running time so far
}

func (r *run) mark() Mark {
	m := Mark{Stretch: r.stretch, Step: r.step, Allowance: r.from, Used: r.budget.sum(), Ran: r.clock.now(),
		Watch: r.watch}
	m.Watch.Trail, m.Watch.Vain = slices.Clone(r.watch.Trail), slices.Clone(r.watch.Vain)
	return m
}

// takeUp restores the counters from the record and reports whether to continue the recorded stretch. A run
// stopped by a limit gets a new allowance, since somebody asked for more; a killed one goes on with the old
// one.
func (r *run) takeUp() bool {
	var open, end Mark
	if r.nested() || !r.recall(KeyOpen, &open) {
		r.budget.charge(r.agent.Spent)
		return false
	}
	last, ended := open, r.recall(KeyEnd, &end)
	r.from, r.watch = open.Allowance, open.Watch
	if ended {
		r.from = end.next()
		r.clock.forward(end.Ran)
	}
	r.renewed = ended && end.Reason.AtLimit()
	if ended && !r.renewed {
		last, r.watch = end, Watch{Progress: end.Watch.Progress, Grew: end.Step}
	}
	r.stretch, r.step = open.Stretch, last.Step
	r.clock.forward(last.Ran)
	r.budget.from = r.from
	r.budget.charge(last.Used)
	return !ended || r.renewed
}

// chargeWasted charges what an earlier run paid for unusable replies to this step.
func (r *run) chargeWasted() {
	if r.step <= r.paidTo {
		return
	}
	r.paidTo, r.wasted = r.step, Usage{}
	if r.recall(r.stepKey("wasted"), &r.wasted) {
		r.budget.charge(r.wasted)
	}
}

// Keys of the outermost agent's marks in the record.
const (
	KeyOpen = "open"
	KeyEnd  = "end"
)
