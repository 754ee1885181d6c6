package rounds

import (
	"context"
	"errors"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
)

// checklistKey is the workspace key of a research's checklist, by which its reports are marked.
const checklistKey = "checklist"

// checklist returns the one on record.
func (v Reviewer) checklist() (points []evaluator.Point) {
	v.Workspace.Kept(checklistKey, &points)
	return points
}

// listIdeal has the evaluator write the checklist before it sees the first report. If the reply cannot be
// read, there is no checklist.
func (v Reviewer) listIdeal(ctx context.Context, turn *agent.Turn) error {
	if v.Judging.spares(NoChecklist) || len(v.checklist()) > 0 {
		return nil
	}
	m := v.asked()
	m.Places, m.OwnAlone = v.Searchable(), v.SearchesOwnAlone()
	for _, s := range v.Workspace.Sources() {
		shown := judged(s)
		if text, _, err := v.Workspace.SourceText(s.ID); err == nil {
			shown.Headings = actions.Headings(text)
		}
		m.Sources = append(m.Sources, shown)
	}
	points, err := v.evaluator().Ideal(ctx, turn.Nest, m)
	if errors.Is(err, evaluator.ErrUnreadable) {
		return nil
	}
	if err != nil {
		return err
	}
	return v.Workspace.Keep(checklistKey, points)
}
