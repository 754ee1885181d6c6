package agent

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	warnAt  = 0.80 // the part of a limit at which an agent is told of it
	closeAt = 0.85 // and from which on nothing new is gathered, so that what is left is enough to finish with
)

// allowance is what an agent may use of one thing, and what it has used of it.
type allowance struct {
	kind        Reason // why the run ends when it is used up
	used, limit float64
}

// allowances are those of the limits, in the order of [Limits]. What is not limited has a limit of 0.
func (r *run) allowances() [4]allowance {
	limits, spent := r.agent.Limits, r.budget.sum()
	return [4]allowance{
		// the step that is being taken does not count yet
		{OutOfSteps, float64(r.step - 1 - r.from.Steps), float64(limits.Steps)},
		{OutOfTokens, float64(spent.Tokens() - r.from.Tokens), float64(limits.Tokens)},
		{OutOfMoney, spent.Cost - r.from.Cost + rounding, limits.Cost},
		{OutOfTime, float64(r.clock.now() - r.from.Ran), float64(limits.Time)},
	}
}

// part is how much of the allowance is used, 1 for all of it.
func (a allowance) part() float64 {
	if a.limit <= 0 {
		return 0
	}
	return a.used / a.limit
}

// closes is from where on the last part of the allowance is kept for finishing. Steps and tokens are whole.
func (a allowance) closes() float64 {
	if a.kind == OutOfSteps || a.kind == OutOfTokens {
		return math.Ceil(closeAt * a.limit)
	}
	return closeAt * a.limit
}

// String says how far the allowance is used, such as "80 of 100 steps are used".
func (a allowance) String() string {
	unit := " " + a.what()
	if a.kind == OutOfMoney {
		unit = "" // it stands in the amounts
	}
	return fmt.Sprintf("%s of %s%s are used", a.amount(a.used), a.amount(a.limit), unit)
}

// what is the name of what is allowed.
func (a allowance) what() string {
	if a.kind == OutOfTime {
		return "running time"
	}
	return strings.TrimPrefix(string(a.kind), "out of ")
}

func (a allowance) amount(n float64) string {
	switch {
	case a.kind == OutOfTime:
		return time.Duration(n).Round(time.Second).String()
	case a.kind != OutOfMoney:
		return fmt.Sprintf("%.0f", n)
	case a.limit < 1: // cents would hide what is left
		return fmt.Sprintf("$%.4f", n)
	}
	return fmt.Sprintf("$%.2f", n)
}

// closing is the allowance that the last part of has begun, of this agent or of one that it is nested in.
func (r *run) closing() (allowance, bool) {
	for at := r; at != nil; at = at.parent {
		for _, a := range at.allowances() {
			if a.part() >= closeAt {
				return a, true
			}
		}
	}
	return allowance{}, false
}

// overLimit says which limit forbids another step. When none does, the next reply is booked in the budget.
func (r *run) overLimit() Reason {
	if n := r.agent.Limits.Steps; n > 0 && r.step-r.from.Steps >= n {
		return OutOfSteps
	}
	for at := r; at != nil; at = at.parent {
		if most := at.agent.Limits.Time; most > 0 && r.clock.now()-at.from.Ran >= most {
			return OutOfTime
		}
	}
	return r.budget.book(false)
}

// explores says whether the agent can do anything that gathers something new.
func (r *run) explores() bool {
	return slices.ContainsFunc(r.agent.Actions, func(a Action) bool { return a.Explores })
}
