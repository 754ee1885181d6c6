package rounds

import (
	"cmp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// DefaultShare bounds the cost of judging, as a share of what the rest of a research cost.
const DefaultShare = 0.1

// Cost is the cost of judging a research, relative to the rest of it.
type Cost struct {
	Share float64 `json:"share"`           // of what the rest cost: 0.08 is 8 %
	Bound float64 `json:"bound,omitempty"` // the most allowed; 0 for no bound
}

// Above reports whether judging costs more than it may.
func (c Cost) Above() bool { return c.Bound > 0 && c.Share > c.Bound }

// share returns what the evaluator and the opponent cost as a share of all the rest: in money if both are
// known, otherwise in tokens. A mode without judges has neither.
func share(spent map[string]agent.Usage) float64 {
	var judges, others agent.Usage
	for kind, used := range spent {
		if strings.HasPrefix(kind, "evaluator") || kind == "opponent" {
			judges = judges.Plus(used)
		} else {
			others = others.Plus(used)
		}
	}
	switch {
	case judges.Cost > 0 && others.Cost > 0:
		return judges.Cost / others.Cost
	case others.Tokens() > 0:
		return float64(judges.Tokens()) / float64(others.Tokens())
	}
	return 0
}

// cost returns the recorded cost of judging so far.
func (v Reviewer) cost() Cost {
	return Cost{share(v.Workspace.Journal().Spent()), max(0, cmp.Or(v.Judging.Share, DefaultShare))}
}

// enough returns a function that reports whether one order of a comparison is enough. It is when the second
// can change nothing, because the current report is preferred and loses nothing; or when judging has cost
// more than it may. The cost is the one recorded with the last judgement, so that a resumed run asks the
// same. Without a bound both orders are always asked.
func (v Reviewer) enough(r State, losing bool) func(ahead int) bool {
	return func(ahead int) bool {
		return v.Judging.Share >= 0 && (ahead == 2 && !losing || r.Cost.Above())
	}
}
