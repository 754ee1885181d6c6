package agent

import (
	"slices"
	"time"
)

// Recorder remembers what a run has paid for. A run whose replies and results are on record is run again from
// its last opening with the same outcome, which is how one that was killed goes on where it was. Keys are
// unique in a run; an action that nests several agents gives them different names. The methods may be called
// by several goroutines at once.
type Recorder interface {
	// Recall fills into with what was recorded under key since the outermost agent's last opening, and says
	// whether there was anything.
	Recall(key string, into any) bool
	// Record appends a value, so that it outlives this process.
	Record(key string, value any) error
	// Sync makes all that was recorded outlive a power cut. Whoever changes something in the world because of
	// a reply calls it first; the loop itself calls it at the end of a run.
	Sync() error
}

// Mark is what is recorded, under "open", when the outermost agent opens a stretch, and under "end" when it
// stops.
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

// Allowance is from where the limits count: what had been used when the run was given them.
type Allowance struct {
	Steps  int           `json:"start"`
	Tokens int           `json:"paid"`
	Cost   float64       `json:"paid_cost,omitempty"`
	Ran    time.Duration `json:"started,omitempty"`
}

// next is the allowance of a run that goes on after this end, because somebody asked for more.
func (m Mark) next() Allowance {
	return Allowance{Steps: m.Step, Tokens: m.Used.Tokens(), Cost: m.Used.Cost, Ran: m.Ran}
}

// Watch is what a run counts to see that it leads nowhere. It stands outside the conversation, so that it
// outlives both a Restart and a kill.
type Watch struct {
	Progress int     `json:"progress,omitempty"` // the most that Agent.Progress ever was
	Grew     int     `json:"grew,omitempty"`     // steps taken when it grew to that
	Silent   int     `json:"silent,omitempty"`   // replies in a row that asked for no action
	Failing  int     `json:"failing,omitempty"`  // replies in a row of which every call failed
	Trail    []trace `json:"trail,omitempty"`    // the last calls
	Vain     []vain  `json:"vain,omitempty"`     // calls that fail in the same words again and again
	Unheard  string  `json:"unheard,omitempty"`  // a warning whose result a Restart dropped
	// Carried are the calls and results of the reply that cleared the memory: they open the next stretch.
	Carried []Message `json:"carried,omitempty"`
}

// see takes note of what has come of the work after so many steps.
func (w *Watch) see(progress, step int) {
	if progress > w.Progress {
		w.Progress, w.Grew = progress, step
	}
}

// answer is what is recorded of a step: the reply, and what cannot be known again from it.
type answer struct {
	Reply
	Cut      bool          `json:"cut,omitempty"`      // the reply was cut off; only its usage is kept
	Over     int           `json:"over,omitempty"`     // calls that were too many, and are not in it
	Progress int           `json:"progress,omitempty"` // before the step
	Ran      time.Duration `json:"ran,omitempty"`      // running time so far
}

func (r *run) mark() Mark {
	m := Mark{Stretch: r.stretch, Step: r.step, Allowance: r.from, Used: r.budget.sum(), Ran: r.clock.now(),
		Watch: r.watch}
	m.Watch.Trail, m.Watch.Vain = slices.Clone(r.watch.Trail), slices.Clone(r.watch.Vain)
	return m
}

// takeUp restores the counters from the record and says whether the stretch on record is to be gone on with.
// A run that was stopped by a limit gets a new allowance, since somebody asked for more; one that was killed
// goes on with the old one.
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

// chargeWasted charges what a run before this one paid for replies to this step that could not be used.
func (r *run) chargeWasted() {
	if r.step <= r.paidTo {
		return
	}
	r.paidTo, r.wasted = r.step, Usage{}
	if r.recall(r.stepKey("wasted"), &r.wasted) {
		r.budget.charge(r.wasted)
	}
}

// Keys under which the outermost agent's marks are recorded.
const (
	KeyOpen = "open"
	KeyEnd  = "end"
)
