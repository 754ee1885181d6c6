package rounds

import (
	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Unseen is what the first proposal of a report was answered with: passages of its sources that no model had
// been shown.
type Unseen struct {
	Call     string           `json:"call,omitempty"` // the proposal
	Passages []actions.Unseen `json:"passages,omitempty"`
}

// unseen shows, once and before the first judgement, what of its sources the report's writer was never shown.
// A proposal that is made again after a kill is answered with the same.
func (v Reviewer) unseen(turn *agent.Turn, r *State, text string) (string, error) {
	switch {
	case v.Judging.spares(NoJudge), len(r.Rounds) > r.Begun:
		return "", nil
	case r.Unseen.Call == turn.Path():
	case r.Unseen.Call != "", turn.Closing():
		return "", nil
	default:
		r.Unseen = Unseen{turn.Path(), v.Unseen(text, "", turn.Room())}
		if err := v.Workspace.Keep(Key, *r); err != nil {
			return "", store.CannotWrite(err)
		}
	}
	return v.Show(r.Unseen.Passages)
}
