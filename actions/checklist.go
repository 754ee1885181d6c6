package actions

import (
	"context"
	"errors"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// ChecklistKey is what the checklist of a research is kept under, by which its reports are marked.
const ChecklistKey = "checklist"

// checklist is the one on record.
func (k Kit) checklist() (points []evaluator.Point) {
	k.Workspace.Kept(ChecklistKey, &points)
	return points
}

// listIdeal has the evaluator write the checklist before it sees the first report. One that cannot be read is done without.
func (k Kit) listIdeal(ctx context.Context, turn *agent.Turn) error {
	if k.Judging.spares(NoChecklist) || len(k.checklist()) > 0 {
		return nil
	}
	m := evaluator.Material{Question: k.Workspace.Asked(), Places: k.searchable(), Brief: k.brief(), Today: today()}
	for _, s := range k.Workspace.Sources() {
		shown := judged(s)
		if text, _, err := k.Workspace.SourceText(s.ID); err == nil {
			shown.Headings = headings(text)
		}
		m.Sources = append(m.Sources, shown)
	}
	points, err := k.evaluator().Ideal(ctx, turn.Nest, m)
	if errors.Is(err, evaluator.ErrUnreadable) {
		return nil
	}
	if err != nil {
		return err
	}
	return k.Workspace.Keep(ChecklistKey, points)
}

// mostHeadings is how many headings of a source the checklist is made from.
const mostHeadings = 12

// headings are the first of a text, in a line.
func headings(text string) string {
	var titles []string
	var before block.Block
	for _, b := range block.Split(text) {
		for _, title := range fresh(before, b) {
			if len(titles) < mostHeadings {
				titles = append(titles, shorten(oneLine(unlinked(title)), maxHeading))
			}
		}
		before = b
	}
	return strings.Join(titles, "; ")
}
