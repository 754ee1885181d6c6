package rounds

import (
	"cmp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// DefaultShare is what judging may cost as a share of what the rest of a research cost.
const DefaultShare = 0.1

// Cost is what the judging of a research costs, compared with the rest of it.
type Cost struct {
	Share float64 `json:"share"`           // of what the rest cost: 0.08 is 8 %
	Bound float64 `json:"bound,omitempty"` // what it may be; 0 is no bound
}

// Above reports whether judging costs more than it may.
func (c Cost) Above() bool { return c.Bound > 0 && c.Share > c.Bound }

// share returns what the evaluator and the opponent, which a mode without judges does not have, cost as a
// share of all the rest: in money where it is known of both, otherwise in tokens.
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

// cost is what the record says of the judging so far.
func (v Reviewer) cost() Cost {
	return Cost{share(v.Workspace.Journal().Spent()), max(0, cmp.Or(v.Judging.Share, DefaultShare))}
}

// enough says when one order of a comparison is asked and not the other: when the answer to the second can
// change nothing, because the report of now is preferred and loses nothing; or when judging has cost more
// than it may. The cost counts as it was when the last judgement was put on record, so that a run that is
// resumed asks the same. Without a bound both orders are asked always.
func (v Reviewer) enough(r State, losing bool) func(ahead int) bool {
	return func(ahead int) bool {
		return v.Judging.Share >= 0 && (ahead == 2 && !losing || r.Cost.Above())
	}
}
