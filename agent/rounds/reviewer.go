package rounds

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Reviewer decides what happens to a report that the researcher proposes to end with.
type Reviewer struct {
	actions.Kit              // what the researcher works on; an opponent explores with its actions
	Profile     gate.Profile // what kind of report is wanted; the zero value asks for no length
	Judging     Judging      // when it is good enough
}

// Actions returns the researcher's six actions; all_finished proposes a report to this reviewer.
func (v Reviewer) Actions() []agent.Action {
	kit := v.Kit
	kit.Propose, kit.Compare, kit.Check = v.Propose, v.compare, v.check
	return kit.Actions()
}

// proposal is a call that proposes to end with a report, with the state of the research's judging.
type proposal struct {
	Reviewer
	turn   *agent.Turn
	report string // its file
	State
}

// Propose takes a report through the gates, the check of its claims, its round's judgement, and an opponent's
// objections. After a refusal work goes on in this stretch; when the tries are used up, the research ends as
// not sound. A report that is not good enough yet opens a fresh stretch with its gaps as the task. Gates that
// ask for a different report come first, and one is reported at a time; those that say what is wrong with
// this one are reported all at once.
func (v Reviewer) Propose(ctx context.Context, turn *agent.Turn, report string) (agent.Outcome, error) {
	p := &proposal{v, turn, report, stateOf(v.Workspace)}
	if p.Broken = ""; p.Ended != "" && p.Call != turn.Path() { // somebody asked for more
		p.State = p.next()
	}
	// Judged before a kill, but the outcome was not recorded: what the call paid is only charged
	if p.Call == turn.Path() {
		turn.Charge(p.Paid)
		return p.decide(ctx)
	}
	// The gates repeat now what they said before a kill
	p.Refusals = slices.DeleteFunc(p.Refusals, func(why gate.Refusal) bool { return why.Call == turn.Path() })
	moved, err := p.repoint(ctx)
	if err != nil {
		return agent.Outcome{}, err
	}
	outcome, err := p.examine(ctx)
	if outcome.Effect != agent.Finish && moved != "" { // the text of a finish is the report's name
		outcome.Text += "\n" + moved
	}
	return outcome, err
}

// examine decides the outcome of a proposal: see [Reviewer.Propose].
func (p *proposal) examine(ctx context.Context) (agent.Outcome, error) {
	proposed := p.proposed()
	answered, left := p.answers(p.State, proposed.Text)
	first, err := p.alone().Refuse(ctx, proposed)
	switch {
	case err != nil:
		return agent.Outcome{}, err
	case len(first) > 0 && first[0].Gate == judgedAlready && first[0].Spent(p.Refusals):
		return p.stalled(ctx)
	case len(first) > 0:
		return p.refuse(ctx, first[:1])
	}
	apart, err := p.apart(p.State)
	if err != nil {
		return agent.Outcome{}, err
	}
	isWritten := proposed.Missing == nil && prose.Count(proposed.Text) > 0
	if p.once(oneVoice, len(apart.files) > 0 && isWritten && !p.turn.Closing()) {
		return p.askOneVoice(ctx, proposed, apart)
	}
	refused, err := p.together(left, p.oneVoice(ctx, apart, proposed, p.faulted())).Refuse(ctx, proposed)
	if err != nil {
		return agent.Outcome{}, err
	}
	besides, err := p.remarks(ctx, proposed.Text, apart)
	if err != nil {
		return agent.Outcome{}, err
	}
	clashes, err := p.clashes(ctx, proposed.Text)
	if err != nil {
		return agent.Outcome{}, err
	}
	if besides = strings.TrimSpace(besides + clashes); besides != "" {
		besides += p.listed()
	}
	if outcome, answered, err := p.askToMend(ctx, refused, besides); answered || err != nil {
		return outcome, err
	}
	return p.settle(ctx, proposed, answered, apart.calls)
}

// settle takes a report that the gates let pass through the check of its claims and its judgement.
func (p *proposal) settle(ctx context.Context, proposed gate.Report, answered []answer,
	delegated int) (agent.Outcome, error) {
	before := p.turn.Spent()
	checked, err := p.checkClaims(ctx, p.turn, proposed.Text)
	if err != nil {
		return agent.Outcome{}, err
	}
	proposed.Judgements = citation.Judged(p.Workspace)
	refused, err := confirmed(checked, p.checks()).Refuse(ctx, proposed)
	if err != nil {
		return agent.Outcome{}, err
	}
	if outcome, told, err := p.askToMend(ctx, refused, p.tellPartly(checked)); told || err != nil {
		return outcome, err
	}
	err = p.Workspace.Amend(p.report, func(text string) (string, error) { // what needs no writer
		return gate.Tidy(text, p.Profile.LineWidth), nil
	})
	if err != nil {
		return agent.Outcome{}, err
	}
	text, err := p.Workspace.Peek(p.report)
	if err != nil {
		return agent.Outcome{}, err
	}
	p.Voice = voiced{Calls: delegated}
	delete(p.Answered, oneVoice)
	if p.Passing {
		err = p.pass(ctx, text, answered, before)
	} else {
		err = p.judge(ctx, text, checked)
	}
	if err != nil {
		return agent.Outcome{}, err
	}
	return p.decide(ctx)
}

// pass ends the mending of a report after its last judgement: it compares the report with the one before, and
// keeps the better one.
func (p *proposal) pass(ctx context.Context, text string, answered []answer, before agent.Usage) error {
	worse, err := p.keepsBefore(ctx, Round{}, text)
	if err != nil {
		return err
	}
	if last := len(p.Rounds) - 1; worse {
		p.Standing = p.Objections
	} else if err := p.Workspace.Keep(bestKey, best{last + 1, text}); err != nil {
		return err
	} else {
		p.Rounds[last].Report, p.Rounds[last].Worse = fingerprint(text), false
	}
	if p.Judging.Harsh && len(answered) > 0 && !worse {
		if err := p.attack(ctx, answered); err != nil {
			return err
		}
	}
	p.Passing, p.Mended, p.Objections, p.Refusals = false, true, nil, nil
	return p.keep(before)
}

// decide returns what follows from the judgement that a research has reached.
func (p *proposal) decide(ctx context.Context) (agent.Outcome, error) {
	last, _ := p.Last()
	if len(p.Unsound) > 0 {
		return p.conclude(ctx, notSound)
	}
	if err := p.putBack(p.State, p.report); err != nil {
		return agent.Outcome{}, err
	}
	partly := p.partly(ctx, p.report)
	if last.Stop == evaluator.GoOn {
		return p.goOn(p.words().task(p.State, partly), agent.Fact{Kind: agent.NextRound, N: last.N + 1})
	}
	if p.Mended || p.Judging.spares(NoJudge) {
		return p.conclude(ctx, last.Stop)
	}
	if p.isOpposed() && p.Attacks == 0 {
		if err := p.attack(ctx, nil); err != nil {
			return agent.Outcome{}, err
		}
	}
	gaps := last.Assessment.Gaps
	mends := !p.Judging.spares(NoMending) && !p.turn.Closing() && last.Assessed
	if !mends {
		gaps = nil
	}
	long := p.excess(p.report)
	if len(p.Objections) > 0 || len(gaps) > 0 || mends && (len(partly) > 0 || long != "") {
		p.Passing = true
		pass := p.words().mending(p.State, long, gaps, partly)
		pass.task += p.listed()
		return p.goOn(pass)
	}
	return p.conclude(ctx, last.Stop)
}

// excess reports by how much a report is longer than it has to be, and where; "" if it is not.
func (v Reviewer) excess(report string) string {
	total, sections, enough := v.Profile.Excess(own(textOf(v.Workspace, report)),
		len(workspace.Checklist(v.section("blueprint"))))
	if total == 0 {
		return ""
	}
	if v.Profile.Asked > 0 {
		return "\n\n" + v.words().Say("It is too long: %d words without code, where the question asks for %d. Cut it to "+
			"that: what is said twice, background, side matters, remarks on the sources, and rows and conditions of "+
			"least weight; say the rest in fewer words. By section: %s.", total, enough, strings.Join(sections, " · "))
	}
	return "\n\n" + v.words().Say("It is long: %d words, where some %d are enough for most questions like this. "+
		"Delete what costs the reader nothing, though no gate counts it: what is said twice, side "+
		"matters that nobody asked about, remarks on the sources. Conditions, traps and tests stay, and what an "+
		"objection or a question asks for may add to it. By section: %s.",
		total, enough, strings.Join(sections, " · "))
}

// isOpposed reports whether an opponent looks at the report before it is done.
func (v Reviewer) isOpposed() bool {
	return v.Judging.Harsh || v.Profile.Opponent && v.Judging.Fixed == 0 && !v.Judging.spares(NoOpponent)
}

// stalled accepts as good as it gets a judged report that is proposed again and again without a change. The
// opponent looks at it like at any other.
func (p *proposal) stalled(ctx context.Context) (agent.Outcome, error) {
	p.Rounds[len(p.Rounds)-1].Stop, p.Refusals = evaluator.NoImprovement, nil
	if err := p.keep(p.turn.Spent()); err != nil {
		return agent.Outcome{}, err
	}
	return p.decide(ctx)
}

// TakeUp writes the next task on the dashboards when somebody asks a finished research for more.
func (v Reviewer) TakeUp() error {
	r := stateOf(v.Workspace)
	return v.assign(r, v.words().task(r, nil))
}

// goOn opens a fresh stretch, with a task that the program wrote.
func (p *proposal) goOn(t task, facts ...agent.Fact) (agent.Outcome, error) {
	if err := p.Workspace.Keep(Key, p.State); err != nil {
		return agent.Outcome{}, err
	}
	if err := p.assign(p.State, t); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Effect: agent.Restart, Facts: facts,
		Text: fmt.Sprintf("Not finished: %s", prose.FirstLine(t.task))}, nil
}

// conclude ends the research with what the program adds to the report.
func (p *proposal) conclude(ctx context.Context, stop evaluator.Stop) (agent.Outcome, error) {
	p.Ended, p.Call = p.words().ended(p.State, stop), p.turn.Path()
	if err := p.Workspace.Keep(Key, p.State); err != nil {
		return agent.Outcome{}, err
	}
	if err := p.sign(ctx, p.State, p.report); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Effect: agent.Finish, Text: p.report}, nil
}

// proposed returns the report as the gates look at it.
func (p *proposal) proposed() gate.Report {
	r := p.reportOf(p.report)
	r.Question, r.Wishes, r.Language = p.Workspace.Asked(), p.brief(), string(p.Workspace.SetLanguage())
	r.Blueprint, r.Gaps, r.Tokens = p.section("blueprint"), p.section("gaps"), p.turn.Spent().Tokens()
	r.HasRead, r.Quoted = p.Workspace.SourcesRead() > 0, p.Judging.spares(NoJudge)
	r.Nowhere = p.Search == nil || len(p.Search.Providers) == 0
	r.Exists, r.WasShown = p.Exists, p.Workspace.WasShown
	r.Judgements = citation.Judged(p.Workspace)
	return r
}

// reportOf returns a file as the gate of the citations looks at it.
func (v Reviewer) reportOf(file string) gate.Report {
	text, err := v.Workspace.Peek(file)
	r := gate.Report{File: file, Text: own(text), Missing: err, Lookup: citation.Of(v.Workspace),
		Wrote: citation.WroteIn(v.Workspace)}
	for _, s := range v.Workspace.Sources() {
		r.Sources = append(r.Sources, s.ID)
	}
	return r
}

// refuse records what the gates said. When one of them has said the same of the same report too often, or
// refused too often in all, the research ends, and its report is not sound.
func (p *proposal) refuse(ctx context.Context, refused []gate.Refusal) (agent.Outcome, error) {
	if p.Exists(p.report) && slices.ContainsFunc(refused,
		func(why gate.Refusal) bool { return why.Spent(p.Refusals) }) {
		p.Unsound = p.words().belowBox(p.reportOf(p.report).Text, refused)
		return p.conclude(ctx, notSound)
	}
	for _, why := range refused {
		why.Call = p.turn.Path()
		p.Refusals = append(p.Refusals, why)
	}
	if err := p.Workspace.Keep(Key, p.State); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Say(fmt.Sprintf("Not finished: %s", gate.Told(refused))), nil
}
