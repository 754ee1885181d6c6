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

// Reviewer decides what comes of a report that the researcher proposes to end with.
type Reviewer struct {
	actions.Kit              // what the researcher works on; an opponent explores with its actions
	Profile     gate.Profile // what kind of report is wanted; the zero value asks for no length
	Judging     Judging      // when it is good enough
}

// Actions are the researcher's six, of which all_finished proposes a report to this reviewer.
func (v Reviewer) Actions() []agent.Action {
	kit := v.Kit
	kit.Propose, kit.Compare, kit.Check = v.Propose, v.compare, v.check
	return kit.Actions()
}

// Propose takes a report through the gates, the check of its claims, its round's judgement, and an opponent's
// objections. What does not pass a gate goes on in this stretch, and ends the research as not sound when the
// tries are used up; what is not good enough yet opens a fresh stretch with its gaps as the task. A gate that
// asks for another report than this one is heard alone, and before those that say what is wrong with this
// one, all at once.
func (v Reviewer) Propose(ctx context.Context, turn *agent.Turn, report string) (agent.Outcome, error) {
	r := v.state(turn)
	sources := citation.Of(v.Workspace)
	// Judged already when a kill came, before the outcome was on record; what it paid is only charged
	if r.Call == turn.Path() {
		turn.Charge(r.Paid)
		return v.decide(ctx, turn, r, report, sources)
	}
	// Said before a kill, and now again
	r.Refusals = slices.DeleteFunc(r.Refusals, func(why gate.Refusal) bool { return why.Call == turn.Path() })
	moved, err := v.repoint(ctx, r, report, sources)
	if err != nil {
		return agent.Outcome{}, err
	}
	outcome, err := v.examine(ctx, turn, r, report, sources)
	if outcome.Effect != agent.Finish && moved != "" { // the text of a finish is the report's name
		outcome.Text += "\n" + moved
	}
	return outcome, err
}

// examine is what comes of a proposal: see [Reviewer.Propose].
func (v Reviewer) examine(ctx context.Context, turn *agent.Turn, r State, report string,
	sources citation.Lookup) (agent.Outcome, error) {
	proposed := v.reportOf(turn, report, sources)
	answered, left := v.answers(r, proposed.Text)
	first, err := alone(v.Workspace.Notes(), r, proposed.Text).Refuse(ctx, proposed)
	if err != nil {
		return agent.Outcome{}, err
	}
	if len(first) > 0 {
		if first[0].Gate == (worked{}).Name() && first[0].Spent(r.Refusals) {
			return v.stalled(ctx, turn, r, report, sources)
		}
		return v.refuse(ctx, turn, r, report, sources, first[:1])
	}
	apart, err := v.apart(r)
	if err != nil {
		return agent.Outcome{}, err
	}
	if apart.isDue(turn, r.Voice, proposed) {
		return v.askOneVoice(ctx, turn, r, proposed, apart)
	}
	refused, err := append(v.together(left), v.oneVoice(ctx, apart, proposed)).Refuse(ctx, proposed)
	if err != nil {
		return agent.Outcome{}, err
	}
	if outcome, answered, err := v.askToMend(ctx, turn, &r, proposed, sources, refused); answered || err != nil {
		return outcome, err
	}
	before := turn.Spent()
	checked, err := v.checkClaims(ctx, turn, proposed.Text, sources)
	if err != nil {
		return agent.Outcome{}, err
	}
	proposed.Judgements = citation.Judged(v.Workspace)
	if refused, err = confirmed(checked, v.checks()).Refuse(ctx, proposed); err != nil {
		return agent.Outcome{}, err
	}
	if len(refused) > 0 {
		return v.refuse(ctx, turn, r, report, sources, refused)
	}
	if err := v.tidy(report); err != nil {
		return agent.Outcome{}, err
	}
	r.Voice = Voice{Calls: apart.calls}
	if r.Passing {
		if err := v.pass(ctx, turn, &r, report, answered, before); err != nil {
			return agent.Outcome{}, err
		}
		return v.decide(ctx, turn, r, report, sources)
	}
	if err := v.judge(ctx, turn, &r, report, checked); err != nil {
		return agent.Outcome{}, err
	}
	return v.decide(ctx, turn, r, report, sources)
}

// pass ends the mending of a report after its last judgement: it is compared with what it was, and the better
// one stays.
func (v Reviewer) pass(ctx context.Context, turn *agent.Turn, r *State, report string,
	answered []evaluator.Answered, before agent.Usage) error {
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return err
	}
	worse, err := v.keepsBefore(ctx, turn, *r, Round{}, text)
	if err != nil {
		return err
	}
	if last := len(r.Rounds) - 1; worse {
		r.Standing = open(answered)
	} else if err := v.Workspace.Keep(bestKey, best{last + 1, text}); err != nil {
		return err
	} else {
		r.Rounds[last].Report, r.Rounds[last].Worse = fingerprint(text), false
	}
	if v.Judging.Harsh && len(answered) > 0 && !worse {
		if err := v.attack(ctx, turn, r, report, answered); err != nil {
			return err
		}
	}
	r.Passing, r.Mended, r.Objections, r.Refusals = false, true, nil, nil
	return v.keep(turn, r, before)
}

// decide says what comes of the judgement that a research has come to.
func (v Reviewer) decide(ctx context.Context, turn *agent.Turn, r State, report string,
	sources citation.Lookup) (agent.Outcome, error) {
	last, _ := r.Last()
	if len(r.Unsound) > 0 {
		return v.conclude(ctx, turn, r, report, sources, NotSound)
	}
	if err := v.putBack(r, report); err != nil {
		return agent.Outcome{}, err
	}
	partly := v.partly(ctx, report)
	if last.Stop == evaluator.GoOn {
		return v.goOn(r, v.words().task(r, v.Judging.wanted(), partly))
	}
	if r.Mended || v.Judging.spares(NoJudge) {
		return v.conclude(ctx, turn, r, report, sources, last.Stop)
	}
	if v.isOpposed() && r.Attacks == 0 {
		if err := v.attack(ctx, turn, &r, report, nil); err != nil {
			return agent.Outcome{}, err
		}
	}
	gaps := last.Assessment.Gaps
	mends := !v.Judging.spares(NoMending) && !turn.Closing() && last.Assessed
	if !mends {
		gaps = nil
	}
	long := v.excess(report)
	if len(r.Objections) > 0 || len(gaps) > 0 || mends && (len(partly) > 0 || long != "") {
		r.Passing = true
		return v.goOn(r, v.words().mending(r, long, gaps, partly))
	}
	return v.conclude(ctx, turn, r, report, sources, last.Stop)
}

// excess says of a report that is longer than it has to be by how much, and where.
func (v Reviewer) excess(report string) string {
	text, err := v.Workspace.Peek(report)
	if err != nil {
		return ""
	}
	total, sections, enough := v.Profile.Excess(unboxed(citation.WithoutOwn(text)),
		len(workspace.Checklist(v.section("blueprint"))))
	if total == 0 {
		return ""
	}
	return v.words().Say("It is long: %d words, where some %d are enough for most questions like this. "+
		"Delete at least as much as you add, though no gate counts it: what is said twice, side "+
		"matters that nobody asked about, remarks on the sources. By section: %s.",
		total, enough, strings.Join(sections, " · "))
}

// isOpposed reports whether an opponent looks at the report before it is done.
func (v Reviewer) isOpposed() bool {
	return v.Judging.Harsh || v.Profile.Opponent && v.Judging.Fixed == 0 && !v.Judging.spares(NoOpponent)
}

// stalled takes a report that was judged and is proposed again and again without a change for as good as it
// gets. The opponent is asked of it like of any other.
func (v Reviewer) stalled(ctx context.Context, turn *agent.Turn, r State, report string,
	sources citation.Lookup) (agent.Outcome, error) {
	r.Rounds[len(r.Rounds)-1].Stop, r.Refusals = evaluator.NoImprovement, nil
	if err := v.keep(turn, &r, turn.Spent()); err != nil {
		return agent.Outcome{}, err
	}
	return v.decide(ctx, turn, r, report, sources)
}

// TakeUp writes on the dashboards what is to be done when a finished research is asked for more.
func (v Reviewer) TakeUp() error {
	var r State
	v.Workspace.Kept(Key, &r)
	return v.assign(r, v.words().task(r, v.Judging.wanted(), nil))
}

// goOn opens a fresh stretch, with a task that the program wrote.
func (v Reviewer) goOn(r State, t task) (agent.Outcome, error) {
	if err := v.Workspace.Keep(Key, r); err != nil {
		return agent.Outcome{}, err
	}
	if err := v.assign(r, t); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Effect: agent.Restart,
		Text: fmt.Sprintf("Not finished: %s", prose.FirstLine(t.task))}, nil
}

// conclude ends the research with what the program adds to the report.
func (v Reviewer) conclude(ctx context.Context, turn *agent.Turn, r State, report string,
	sources citation.Lookup, stop evaluator.Stop) (agent.Outcome, error) {
	r.Ended, r.Call = v.words().ended(r, stop, v.Judging.wanted()), turn.Path()
	if err := v.Workspace.Keep(Key, r); err != nil {
		return agent.Outcome{}, err
	}
	if err := v.sign(ctx, r, report, sources); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Effect: agent.Finish, Text: report}, nil
}

// reportOf is what the gates look at.
func (v Reviewer) reportOf(turn *agent.Turn, file string, sources citation.Lookup) gate.Report {
	r := gate.Report{File: file, Question: v.Workspace.Asked(), Wishes: v.brief(),
		Language:  string(v.Workspace.SetLanguage()),
		Blueprint: v.section("blueprint"), Gaps: v.section("gaps"), Tokens: turn.Spent().Tokens(),
		HasRead: v.Workspace.SourcesRead() > 0, Quoted: v.Judging.spares(NoJudge), Nowhere: v.Search == nil ||
			len(v.Search.Providers) == 0,
		Lookup: sources, Exists: v.Exists, WasShown: v.Workspace.WasShown}
	r.Sources, r.Wrote = citation.IDs(v.Workspace), citation.WroteIn(v.Workspace)
	r.Judgements = citation.Judged(v.Workspace)
	text, err := v.Workspace.Peek(file)
	r.Text, r.Missing = unboxed(citation.WithoutOwn(text)), err
	return r
}

// refuse puts on record what the gates said. When one of them has said the same of the same report too often,
// or too much of any, the research ends, and its report is not sound.
func (v Reviewer) refuse(ctx context.Context, turn *agent.Turn, r State, report string,
	sources citation.Lookup, refused []gate.Refusal) (agent.Outcome, error) {
	if v.Exists(report) && slices.ContainsFunc(refused,
		func(why gate.Refusal) bool { return why.Spent(r.Refusals) }) {
		r.Unsound = v.words().belowBox(v.reportOf(turn, report, sources).Text, refused)
		return v.conclude(ctx, turn, r, report, sources, NotSound)
	}
	for _, why := range refused {
		why.Call = turn.Path()
		r.Refusals = append(r.Refusals, why)
	}
	if err := v.Workspace.Keep(Key, r); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Say(fmt.Sprintf("Not finished: %s", gate.Told(refused))), nil
}

// tidy mends what needs no writer.
func (v Reviewer) tidy(report string) error {
	return v.Workspace.Amend(report, func(text string) (string,
		error) {
		return gate.Tidy(text, v.Profile.LineWidth), nil
	})
}
