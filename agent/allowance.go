package agent

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	warnAt  = 0.80 // the part of a limit at which an agent is warned
	closeAt = 0.85 // the part from which nothing new is gathered, leaving enough to finish with
)

// allowance is a limit on one resource, and how much of it an agent has used.
type allowance struct {
	kind        Reason // why the run ends when it is used up
	used, limit float64
}

// allowances returns one allowance for each limit, in the order of [Limits]. An unlimited one has limit 0.
func (r *run) allowances() [4]allowance {
	limits, spent := r.agent.Limits, r.budget.sum()
	return [4]allowance{
		// the step being taken does not count yet
		{OutOfSteps, float64(r.step - 1 - r.from.Steps), float64(limits.Steps)},
		{OutOfTokens, float64(spent.Tokens() - r.from.Tokens), float64(limits.Tokens)},
		{OutOfMoney, spent.Cost - r.from.Cost + rounding, limits.Cost},
		{OutOfTime, float64(r.clock.now() - r.from.Ran), float64(limits.Time)},
	}
}

// part returns the used part of the allowance, 1 for all of it.
func (a allowance) part() float64 {
	if a.limit <= 0 {
		return 0
	}
	return a.used / a.limit
}

// closes returns where the allowance's last part, kept for finishing, begins. Steps and tokens are whole.
func (a allowance) closes() float64 {
	if a.kind == OutOfSteps || a.kind == OutOfTokens {
		return math.Ceil(closeAt * a.limit)
	}
	return closeAt * a.limit
}

// String returns how much of the allowance is used, such as "80 of 100 steps are used".
func (a allowance) String() string {
	unit := " " + a.what()
	if a.kind == OutOfMoney {
		unit = "" // the amounts include it
	}
	return fmt.Sprintf("%s of %s%s are used", a.amount(a.used), a.amount(a.limit), unit)
}

// what names the resource.
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

// closing returns an allowance of this agent, or one it is nested in, whose last part has begun.
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

// overLimit returns the limit that forbids another step. If none does, it books the next reply in the budget.
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

// explores reports whether any action of the agent gathers something new.
func (r *run) explores() bool {
	return slices.ContainsFunc(r.agent.Actions, func(a Action) bool { return a.Explores })
}
