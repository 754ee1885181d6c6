package researcher

import (
	"context"
	"path/filepath"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// conclude leaves a report for a run that ended.
func (c Config) conclude(ctx context.Context, review rounds.Reviewer, ended agent.Result) (Result, error) {
	w := review.Workspace
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
	w.Kept(rounds.Key, &state)
	result.Unsound = state.Unsound
	if ended.Reason == agent.Finished {
		result.Unmended = rounds.Unmended(ctx, w, report)
	}
	for _, n := range workspace.Unanswered(w.Notes()) {
		result.Notes = append(result.Notes, n.Text)
	}
	text, err := w.Peek(report)
	result.Nothing = err == nil && ended.Reason == agent.Finished && state.FoundNothing(text)
	if best, ok := state.Best(); ok && best.Assessed && len(state.Unsound) == 0 {
		result.Score = best.Assessment.Score()
	}
	return result, nil
}

// grace is the time that an interrupted run has left for its report.
const grace = 900 * time.Millisecond

// lastWords returns a context for leaving the report. It outlives an interruption by grace: an ended run can
// still leave its report, but a slow report does not delay the interruption.
func lastWords(ctx context.Context) (context.Context, context.CancelFunc) {
	last, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(grace, func() { cancel(context.Cause(ctx)) })
	})
	return last, func() { stop(); cancel(nil) }
}
