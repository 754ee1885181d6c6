package rounds

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// judge has the round judged that a call proposes to end, and compared with the best before it.
func (v Reviewer) judge(ctx context.Context, turn *agent.Turn, r *State, report string,
	checked citation.Result) error {
	before := turn.Spent()
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return err
	}
	now, err := v.nextRound(ctx, turn, *r, report, checked)
	if err != nil {
		return err
	}
	now.Report = fingerprint(text)
	if now.Assessed {
		if now.Worse, err = v.keepsBefore(ctx, turn, *r, now, text); err != nil {
			return err
		}
	}
	if now.Worse && now.Stop == evaluator.GoOn && now.N-r.Begun >= v.Judging.Rule.Min {
		now.Stop = evaluator.NoImprovement
	}
	if !now.Worse {
		if err := v.Workspace.Keep(bestKey, best{now.N, text}); err != nil {
			return err
		}
	}
	r.Rounds, r.Refusals = append(r.Rounds, now), nil
	return v.keep(turn, r, before)
}

// keep puts on record what a call has come to, with what it paid for that.
func (v Reviewer) keep(turn *agent.Turn, r *State, before agent.Usage) error {
	if r.Call != turn.Path() {
		r.Call, r.Paid = turn.Path(), agent.Usage{}
	}
	r.Paid = r.Paid.Plus(turn.Spent().Minus(before))
	r.Cost = v.cost()
	return v.Workspace.Keep(Key, r)
}

// nextRound is the round that ends now, with why it is the last, if it is.
func (v Reviewer) nextRound(ctx context.Context, turn *agent.Turn, r State, report string,
	checked citation.Result) (Round, error) {
	now := Round{Step: turn.Step(), Sources: len(v.Workspace.Sources()), Claims: counted(checked)}
	now.N = len(r.Rounds) + 1
	unfound, _ := v.unfound()
	if v.Judging.Fixed > 0 || v.Judging.spares(NoJudge) {
		now.Spent, now.Assessment.Gaps = turn.Spent(), unfound
		switch {
		case v.Judging.spares(NoJudge):
			now.Stop = NotJudged
		case now.N-r.Begun >= v.Judging.Fixed:
			now.Stop = FixedRounds
		case turn.Closing():
			now.Stop = BudgetEnds
		}
		return now, nil
	}
	if err := v.listIdeal(ctx, turn); err != nil {
		return now, err
	}
	m, err := v.material(ctx, r, report, checked)
	if err != nil {
		return now, err
	}
	now.Assessment, err = v.evaluator().Assess(ctx, turn.Nest, m)
	if err != nil && !errors.Is(err, evaluator.ErrUnreadable) {
		return now, err
	}
	now.Assessed, now.Unread, now.Spent = err == nil, err != nil, turn.Spent()
	now.Assessment.Gaps = append(slices.Clip(now.Assessment.Gaps), unfound...)
	var all []evaluator.Round
	for i, round := range append(r.Rounds[r.Begun:], now) {
		round.N = i + 1
		all = append(all, round.Round)
	}
	now.Stop = v.Judging.Rule.Stop(all)
	if now.Stop == evaluator.GoOn && turn.Closing() {
		now.Stop = BudgetEnds
	}
	return now, nil
}

// counted counts the citations of a report.
func counted(checked citation.Result) Claims {
	return Claims{len(checked.Findings), checked.Count(citation.Supported), checked.Count(citation.Partly),
		checked.Count(citation.NotChecked)}
}

func (v Reviewer) evaluator() evaluator.Evaluator {
	e := v.Judging.Evaluator
	if e.Brain == nil {
		e.Brain = v.Files.Brain
	}
	return e
}

// material is what a judge is shown.
func (v Reviewer) material(ctx context.Context, r State, report string,
	checked citation.Result) (evaluator.Material, error) {
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return evaluator.Material{}, err
	}
	m := evaluator.Material{Question: v.Workspace.Asked(), Language: v.Workspace.Language(), Places: v.Searchable(),
		OwnAlone: v.SearchesOwnAlone(), Brief: v.brief(),
		Report: unboxed(citation.WithoutOwn(text)), Round: len(r.Rounds) + 1, Today: today(),
		Points: v.checklist()}
	c := counted(checked)
	m.Claims = evaluator.Claims{All: c.All, Supported: c.Supported, Partly: c.Partly, Unchecked: c.Unchecked,
		InPart: v.words().inPart(checked)}
	if last, ok := r.Last(); ok && last.Assessed {
		m.Before = &last.Assessment
	}
	for _, u := range citation.UncitedIn(ctx, text) {
		if len(u.Figures) > 0 {
			m.Uncited = append(m.Uncited, u.Sentence)
		}
	}
	chapters, err := v.Workspace.Chapters()
	if err != nil {
		return m, err
	}
	for _, c := range chapters {
		text, err := v.Workspace.Peek(c.File)
		if err != nil {
			continue // the report is judged, and it was written without this file
		}
		m.Chapters = append(m.Chapters, evaluator.Text{Name: c.File, Text: text})
	}
	for _, s := range v.Workspace.Sources() {
		m.Sources = append(m.Sources, judged(s))
	}
	m.Done, err = v.done()
	return m, err
}

func today() string { return time.Now().Format(time.DateOnly) }

// section is the body of a section of the overall dashboard, "" when there is none.
func (v Reviewer) section(id string) string {
	overall, err := v.Workspace.Peek(workspace.OverallFile)
	if err != nil {
		return ""
	}
	body, _ := workspace.Section(overall, id)
	return body
}

// brief is what was settled about the question, what the person noted since, and what kind of report is
// wanted.
func (v Reviewer) brief() string {
	brief := v.section("question")
	if !strings.Contains(brief, "\n") {
		brief = "" // it says no more than the question
	}
	if notes := v.Workspace.Notes(); len(notes) > 0 {
		brief += "\n\nNotes of the person:"
		for _, n := range notes {
			brief += "\n- " + n.Text
		}
	}
	if v.Profile.Guide != "" {
		brief += "\n\nThe report that was wanted: " + v.Profile.Guide
	}
	return strings.TrimSpace(brief)
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// judged is a source as a judge is shown it.
func judged(s workspace.Source) evaluator.Source {
	shown := evaluator.Source{ID: s.ID, Title: s.Title, Published: s.Published}
	if path, own := strings.CutPrefix(s.URL, "doc:"); own {
		shown.Path = path
	} else {
		shown.Host = cmp.Or(host(s.URL), "unknown host")
	}
	return shown
}
