package agent

import "sync"

// Limits bound a run. A zero field is no bound.
type Limits struct {
	Steps  int // replies of this agent; those of nested ones count against their own
	Tokens int // tokens in and out, nested agents included
}

// Budget counts what an agent and all agents nested in it spent. A charge goes to every budget up to the outermost one.
type Budget struct {
	parent *Budget
	tokens int // limit, 0 for none

	mu   sync.Mutex
	used Usage
}

func (b *Budget) nested(tokens int) *Budget { return &Budget{parent: b, tokens: tokens} }

func (b *Budget) charge(u Usage) {
	for ; b != nil; b = b.parent {
		b.mu.Lock()
		b.used = b.used.Plus(u)
		b.mu.Unlock()
	}
}

// Spent is what was charged so far.
func (b *Budget) Spent() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// over says whether the tokens of this budget, or of one above it, are used up.
func (b *Budget) over() bool {
	for ; b != nil; b = b.parent {
		if b.tokens > 0 && b.Spent().Tokens() >= b.tokens {
			return true
		}
	}
	return false
}
