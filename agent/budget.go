package agent

import (
	"sync"
	"time"
)

// Limits bound a run. A zero field is no bound. Limits are checked before each step, so one reply may exceed
// them.
type Limits struct {
	Steps  int     // replies of this agent; those of nested ones count against their own
	Tokens int     // tokens in and out, nested agents included
	Cost   float64 // US dollars, as the Brain counts them, nested agents included
	// running time, without the time between two runs or while the machine sleeps
	Time time.Duration
	Idle int // consecutive steps without growth of Agent.Progress
	// Stretch bounds a stretch's history in tokens, for an agent with an action that clears its memory. The
	// agent is asked to call that action at three quarters, and may call nothing else at the end.
	Stretch int
}

// rounding allows for error in a sum of prices, in US dollars: ten times ten cents is a little less than a
// dollar.
const rounding = 1e-9

// budget counts what an agent and all agents nested in it spent. A charge goes to every budget up to the
// outermost.
type budget struct {
	mu     *sync.Mutex // shared by all budgets up to the outermost
	parent *budget
	limits Limits
	from   Allowance // where counting starts

	used    Usage
	asking  int   // replies under way
	dearest Usage // the most tokens, and the most money, of any reply
}

func newBudget(parent *budget, l Limits) *budget {
	b := &budget{mu: new(sync.Mutex), parent: parent, limits: l}
	if parent != nil {
		b.mu = parent.mu
	}
	return b
}

func (b *budget) charge(u Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; b != nil; b = b.parent {
		b.used = b.used.Plus(u)
		if u.Calls <= 1 {
			b.dearest.In = max(b.dearest.In, u.Tokens())
			b.dearest.Cost = max(b.dearest.Cost, u.Cost)
		}
	}
}

// sum returns what was charged so far.
func (b *budget) sum() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// book reserves one more reply, in this budget and all above it, or returns the limit that forbids it; a
// reply already paid for is always booked. Replies under way count as the dearest so far: otherwise parallel
// agents would all see the same remainder, and each take it.
func (b *budget) book(paid bool) Reason {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at := b; at != nil && !paid; at = at.parent {
		tokens := at.used.Tokens() - at.from.Tokens + at.asking*at.dearest.In
		cost := at.used.Cost - at.from.Cost + float64(at.asking)*at.dearest.Cost + rounding
		switch {
		case at.limits.Tokens > 0 && tokens >= at.limits.Tokens:
			return OutOfTokens
		case at.limits.Cost > 0 && cost >= at.limits.Cost:
			return OutOfMoney
		}
	}
	for ; b != nil; b = b.parent {
		b.asking++
	}
	return ""
}

// release ends the booking of a reply that has arrived or will not come.
func (b *budget) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; b != nil; b = b.parent {
		b.asking--
	}
}
