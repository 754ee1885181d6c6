package rounds

import (
	"context"

	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// bestKey is the workspace key of the best report so far.
const bestKey = "best"

// best is the best report so far, with the round that judged it.
type best struct {
	Round int    `json:"round"`
	Text  string `json:"text"`
}

// best returns the one on record, or false if none was judged in this work.
func (v Reviewer) best(r State) (b best, ok bool) {
	ok = v.Workspace.Kept(bestKey, &b) && b.Round > r.Begun && b.Round <= len(r.Rounds)
	return b, ok
}

// keepsBefore reports whether the report of the best round so far is better than the current one. If the
// current one loses a checklist point that the best one met, it wins only if it meets more points and a judge
// who sees both, in both orders, prefers it.
func (p *proposal) keepsBefore(ctx context.Context, now Round, text string) (bool, error) {
	before, ok := p.best(p.State)
	if !ok || p.Judging.spares(NoComparison) || fingerprint(before.Text) == fingerprint(text) {
		return false, nil
	}
	old := p.Rounds[before.Round-1]
	then, err := p.faults(ctx, before.Text)
	if err != nil {
		return false, err
	}
	since, err := p.faults(ctx, text)
	if err != nil || then != since { // faults that code finds come first
		return then < since, err
	}
	losing := loses(old.Assessment, now.Assessment)
	better, _, err := p.evaluator().Compare(ctx, p.turn.Nest, p.asked(), own(before.Text),
		own(text), p.enough(p.State, losing))
	if err != nil {
		return false, err
	}
	switch {
	case better == 1:
		return true, nil
	case losing:
		return better != 2 || now.Assessment.Met() <= old.Assessment.Met(), nil
	}
	return false, nil
}

// loses reports whether a judgement misses, or marks wrong, a point that the one before found met.
func loses(before, now evaluator.Assessment) bool {
	for i, p := range before.Points {
		if i < len(now.Points) && p.Mark == "met" &&
			(now.Points[i].Mark == "missing" || now.Points[i].Mark == "wrong") {
			return true
		}
	}
	return false
}

// faults returns how many citations of a report do not hold, by code and by the judgements on record.
func (v Reviewer) faults(ctx context.Context, text string) (int, error) {
	result, err := v.checked(ctx, own(text))
	return len(result.Missing()), err
}

// putBack restores the best report to report.md, unless words of a person would be lost.
func (v Reviewer) putBack(r State, report string) error {
	before, ok := v.best(r)
	now, err := v.Workspace.Peek(report)
	if err != nil || !ok || fingerprint(now) == fingerprint(before.Text) ||
		len(markdown.Lost(v.Workspace.ByHand(report), before.Text)) > 0 {
		return err
	}
	return v.Workspace.Amend(report, func(string) (string, error) { return before.Text, nil })
}
