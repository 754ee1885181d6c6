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

// judge judges the round that a call proposes to end, and compares it with the best before it.
func (p *proposal) judge(ctx context.Context, text string, checked citation.Result) error {
	before := p.turn.Spent()
	now, err := p.nextRound(ctx, text, checked)
	if err != nil {
		return err
	}
	now.Report = fingerprint(text)
	if now.Assessed {
		if now.Worse, err = p.keepsBefore(ctx, now, text); err != nil {
			return err
		}
	}
	if now.Worse && now.Stop == evaluator.GoOn && now.N-p.Begun >= p.Judging.Rule.Min {
		now.Stop = evaluator.NoImprovement
	}
	if !now.Worse {
		if err := p.Workspace.Keep(bestKey, best{now.N, text}); err != nil {
			return err
		}
	}
	p.Rounds, p.Refusals = append(p.Rounds, now), nil
	return p.keep(before)
}

// keep records the state that a call has reached, with what the call paid for it.
func (p *proposal) keep(before agent.Usage) error {
	if p.Call != p.turn.Path() {
		p.Call, p.Paid = p.turn.Path(), agent.Usage{}
	}
	p.Paid = p.Paid.Plus(p.turn.Spent().Minus(before))
	p.Cost = p.cost()
	return p.Workspace.Keep(Key, p.State)
}

// nextRound returns the round that ends now, with the reason to stop if it is the last.
func (p *proposal) nextRound(ctx context.Context, text string, checked citation.Result) (Round, error) {
	now := Round{Step: p.turn.Step(), Sources: len(p.Workspace.Sources()), Claims: counted(checked)}
	now.N = len(p.Rounds) + 1
	unfound, _ := p.unfound()
	if p.Judging.Fixed > 0 || p.Judging.spares(NoJudge) {
		now.Spent, now.Assessment.Gaps = p.turn.Spent(), unfound
		switch {
		case p.Judging.spares(NoJudge):
			now.Stop = notJudged
		case now.N-p.Begun >= p.Judging.Fixed:
			now.Stop = fixedRounds
		case p.turn.Closing():
			now.Stop = budgetEnds
		}
		return now, nil
	}
	if err := p.listIdeal(ctx, p.turn); err != nil {
		return now, err
	}
	m, err := p.material(ctx, text, checked)
	if err != nil {
		return now, err
	}
	now.Assessment, err = p.evaluator().Assess(ctx, p.turn.Nest, m)
	if err != nil && !errors.Is(err, evaluator.ErrUnreadable) {
		return now, err
	}
	now.Assessed, now.Unread, now.Spent = err == nil, err != nil, p.turn.Spent()
	now.Assessment.Gaps = append(slices.Clip(now.Assessment.Gaps), unfound...)
	var all []evaluator.Round
	for i, round := range append(p.Rounds[p.Begun:], now) {
		round.N = i + 1
		all = append(all, round.Round)
	}
	now.Stop = p.Judging.Rule.Stop(all)
	if now.Stop == evaluator.GoOn && p.turn.Closing() {
		now.Stop = budgetEnds
	}
	return now, nil
}

// counted counts the citations of a report.
func counted(checked citation.Result) evaluator.Claims {
	return evaluator.Claims{All: len(checked.Findings), Supported: checked.Count(citation.Supported),
		Partly: checked.Count(citation.Partly), Unchecked: checked.Count(citation.NotChecked)}
}

func (v Reviewer) evaluator() evaluator.Evaluator {
	e := v.Judging.Evaluator
	e.Brain = cmp.Or(e.Brain, v.Files.Brain)
	return e
}

// asked returns what every judge is shown: the question, what was settled about it, and its checklist.
func (v Reviewer) asked() evaluator.Material {
	return evaluator.Material{Question: v.Workspace.Asked(), Language: v.Workspace.Language(),
		Brief: v.brief(), Today: today(), Points: v.checklist()}
}

// material returns what a judge of a round is shown.
func (p *proposal) material(ctx context.Context, text string,
	checked citation.Result) (m evaluator.Material, err error) {
	m = p.asked()
	m.Places, m.OwnAlone = p.Searchable(), p.SearchesOwnAlone()
	m.Report, m.Round, m.Claims = own(text), len(p.Rounds)+1, counted(checked)
	m.Claims.InPart = p.words().inPart(checked)
	if last, ok := p.Last(); ok && last.Assessed {
		m.Before = &last.Assessment
	}
	for _, u := range citation.Read(ctx, text).Uncited() {
		if len(u.Figures) > 0 {
			m.Uncited = append(m.Uncited, u.Sentence)
		}
	}
	chapters, err := p.Workspace.Chapters()
	if err != nil {
		return m, err
	}
	for _, c := range chapters {
		text, err := p.Workspace.Peek(c.File)
		if err != nil {
			continue // the report is judged, and it was written without this file
		}
		m.Chapters = append(m.Chapters, evaluator.Text{Name: c.File, Text: text})
	}
	for _, s := range p.Workspace.Sources() {
		m.Sources = append(m.Sources, judged(s))
	}
	m.Done, err = p.done()
	return m, err
}

func today() string { return time.Now().Format(time.DateOnly) }

// textOf returns the text of a file; one that cannot be read says nothing.
func textOf(ws *workspace.Workspace, file string) string {
	text, _ := ws.Peek(file)
	return text
}

// section returns the body of a section of the overall dashboard, or "" if there is none.
func (v Reviewer) section(id string) string {
	body, _ := workspace.Section(textOf(v.Workspace, workspace.OverallFile), id)
	return body
}

// brief returns what was settled about the question, the user's notes since, and the kind of report wanted.
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

// judged returns a source as a judge is shown it.
func judged(s workspace.Source) evaluator.Source {
	shown := evaluator.Source{ID: s.ID, Title: s.Title, Published: s.Published}
	if path, own := strings.CutPrefix(s.URL, "doc:"); own {
		shown.Path = path
		return shown
	}
	shown.Host = "unknown host"
	if at, err := url.Parse(s.URL); err == nil {
		shown.Host = cmp.Or(at.Host, shown.Host)
	}
	return shown
}
