package agent

import (
	"sync"
	"time"
)

// Limits bound a run. A zero field is no bound. A limit is looked at before each step, so that one reply may
// go over it.
type Limits struct {
	Steps  int     // replies of this agent; those of nested ones count against their own
	Tokens int     // tokens in and out, nested agents included
	Cost   float64 // US dollars, as the Brain counts them, nested agents included
	// running time: neither the time between two runs counts nor that of a machine asleep
	Time time.Duration
	Idle int // steps in a row in which Agent.Progress did not grow
	// Stretch is how many tokens of history a stretch may gather, of an agent with an action that clears its
	// memory. It is asked to call that at three quarters of it, and can call nothing else at the end.
	Stretch int
}

// rounding is how far a sum of prices may be off, in US dollars: ten times ten cents are a little less than
// one dollar.
const rounding = 1e-9

// budget counts what an agent and all agents nested in it spent. A charge goes to every budget up to the
// outermost one.
type budget struct {
	mu     *sync.Mutex // one for all budgets up to the outermost
	parent *budget
	limits Limits
	from   Allowance // from where they count

	used    Usage
	asking  int   // replies on their way
	dearest Usage // the most tokens, and the most money, that a reply took
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

// sum is what was charged so far.
func (b *budget) sum() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// book allows for one more reply, in this budget and all above it, or says which limit forbids it; one that
// is paid already is booked anyway. What is on its way is counted as the dearest reply so far: agents side by
// side would otherwise all see the same rest, and each take it.
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

// release says that a reply which was booked is there, or will not come.
func (b *budget) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; b != nil; b = b.parent {
		b.asking--
	}
}
