package researcher

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// task is the work that a run finds to do.
type task struct {
	end     agent.Mark // the earlier end of the research
	work    bool       // it is not finished, or a person changed it since
	more    bool       // it is finished, but more is asked of it than before
	refresh bool       // its sources are to be checked again
}

func (t task) any() bool { return t.work || t.more || t.refresh }

// task reads from a workspace what there is to do.
func (c Config) task(w *workspace.Workspace) (t task, err error) {
	changed, err := w.Changed()
	if err != nil {
		return t, err
	}
	finished := false
	if t.end, finished = c.finished(w); c.Refresh && !finished {
		return t, ErrNotFinished
	}
	t.work = changed || !finished
	t.more, t.refresh = !t.work && c.wantsMore(w), c.Refresh
	return t, nil
}

// finished reports whether the research on record was finished, and how.
func (c Config) finished(w *workspace.Workspace) (agent.Mark, bool) {
	end, ok := ended(w)
	var state rounds.State
	if w.Kept(rounds.Key, &state); len(state.Unsound) > 0 {
		return end, false // what failed a gate is not finished, and another run tries again
	}
	var refresh rounds.Refresh
	w.Kept(rounds.RefreshKey, &refresh)
	return end, ok && end.Step >= refresh.Due // its sources have not changed since
}

// wantsMore reports whether more is asked of a finished research than before: a higher quality than its
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

// work does the task, and returns how the research ended, now or before.
func (c Config) work(ctx context.Context, review rounds.Reviewer, t task) (agent.Result, error) {
	if t.refresh {
		found, err := review.Refresh(ctx, t.end.Text, t.end.Step, c.Strange)
		if err != nil {
			return agent.Result{}, fmt.Errorf("looking at the sources again: %w", err)
		}
		c.Observe(account.Refreshed{At: agent.At{Agent: account.Name}, Refreshed: found})
		if found.IsWork() {
			t.work, t.more = true, false
		}
	}
	if !t.work && !t.more {
		return agent.Result{Reason: t.end.Reason, Text: t.end.Text, Steps: t.end.Step, Usage: t.end.Used}, nil
	}
	if err := c.recorder(review.Workspace).Record(store.KeyRun, c.terms(review.Kit)); err != nil {
		return agent.Result{}, err
	}
	if t.more {
		if err := review.TakeUp(); err != nil {
			return agent.Result{}, err
		}
	}
	return c.research(ctx, review)
}

// research settles the question and has it researched.
func (c Config) research(ctx context.Context, review rounds.Reviewer) (agent.Result, error) {
	w := review.Workspace
	spent, err := c.settle(ctx, review.Kit)
	if err != nil {
		return agent.Result{Usage: spent}, err
	}
	gone, a := w.Deleted(), c.agent(review)
	a.Spent = spent
	result, err := a.Run(ctx)
	since := slices.DeleteFunc(w.Deleted(), func(s workspace.Source) bool {
		return slices.ContainsFunc(gone, func(before workspace.Source) bool { return before.ID == s.ID })
	})
	for _, warning := range rounds.Deleted(ctx, w, since) {
		c.Log.Warn(warning)
	}
	return result, err
}

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
