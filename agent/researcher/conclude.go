package researcher

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// work settles the question and has it researched.
func (c Config) work(ctx context.Context, w *workspace.Workspace, review rounds.Reviewer) (Result, error) {
	spent, err := c.settle(ctx, w, review.Kit)
	if err != nil {
		return Result{Result: agent.Result{Usage: spent}}, err
	}
	a, gone := c.agent(w, review), w.Deleted()
	a.Spent = spent
	ended, err := a.Run(ctx)
	result := Result{Result: ended}
	if err == nil {
		result, err = c.conclude(ctx, review, ended)
	}
	since := slices.DeleteFunc(w.Deleted(), func(s workspace.Source) bool {
		return slices.ContainsFunc(gone, func(before workspace.Source) bool { return before.ID == s.ID })
	})
	for _, warning := range rounds.Deleted(ctx, w, since) {
		c.Log.Warn(warning)
	}
	return result, err
}

// conclude leaves a report of a run that ended.
func (c Config) conclude(ctx context.Context, review rounds.Reviewer, ended agent.Result) (Result, error) {
	result, report := Result{Result: ended}, ended.Text
	if ended.Reason != agent.Finished && !c.rerun.wasCutOffAtEnd() {
		last, done := lastWords(ctx)
		defer done()
		var err error
		if report, err = review.Conclude(last, ended); err != nil {
			return result, err
		}
	}
	if report != "" {
		result.Report = filepath.Join(c.dir, report)
	}
	var state rounds.State
	review.Workspace.Kept(rounds.Key, &state)
	result.Unsound = state.Unsound
	if ended.Reason == agent.Finished {
		result.Unmended = rounds.Unmended(ctx, review.Workspace, report)
	}
	for _, n := range workspace.Unanswered(review.Workspace.Notes()) {
		result.Notes = append(result.Notes, n.Text)
	}
	text, err := review.Workspace.Peek(report)
	result.Nothing = err == nil && ended.Reason == agent.Finished && state.FoundNothing(text)
	if best, ok := state.Best(); ok && best.Assessed && len(state.Unsound) == 0 {
		result.Score = best.Assessment.Score()
	}
	return result, nil
}

// grace is how long a run that was interrupted may still take to leave its report.
const grace = 900 * time.Millisecond

// lastWords is a context for leaving the report: it outlives an interruption by grace, so that a run which
// has ended is not cut off from its report, and a report that takes long does not hold up whoever interrupts.
func lastWords(ctx context.Context) (context.Context, context.CancelFunc) {
	last, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		wait := time.NewTimer(grace)
		defer wait.Stop()
		select {
		case <-wait.C:
			cancel(context.Cause(ctx))
		case <-last.Done():
		}
	})
	return last, func() { stop(); cancel(nil) }
}

// wantsMore reports whether a finished research is asked for more than it was: a higher quality than its
// report has, or an opponent.
func (c Config) wantsMore(w *workspace.Workspace) bool {
	var before terms
	var state rounds.State
	if !w.Journal().Recall(store.KeyRun, &before) || !w.Kept(rounds.Key, &state) {
		return false
	}
	best, judged := state.Best()
	wanted := cmp.Or(c.Judging.Rule.Threshold, evaluator.DefaultThreshold)
	higher := wanted > cmp.Or(before.Rule.Threshold, evaluator.DefaultThreshold)
	return c.Judging.Fixed == 0 && higher && judged && best.Assessment.Score() < wanted || c.Judging.Harsh &&
		!before.Harsh
}
