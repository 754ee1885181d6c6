package actions

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/workspace"
)

func (k Kit) allFinished() agent.Action {
	type input struct {
		Result string `json:"result" jsonschema:"one sentence that names the report's file"`
	}
	a := agent.NewAction("all_finished", doc("all_finished"), func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
		return k.propose(ctx, turn, k.namedFile(in.Result))
	})
	a.Ends = true
	return a
}

// propose takes a report through the gates, the check of its claims, its round's judgement, and an opponent's objections. What does not
// pass a gate goes on in this stretch, and ends the research as not sound when the tries are used up; what is not good enough yet opens a
// fresh stretch with its gaps as the task. A gate that asks for another report than this one is heard alone, and before those that say
// what is wrong with this one, all at once.
func (k Kit) propose(ctx context.Context, turn *agent.Turn, report string) (agent.Outcome, error) {
	r := k.rounds(turn)
	sources := citation.Of(k.Workspace)
	if r.Call == turn.Path() { // judged already when a kill came, before the outcome was on record; what it paid is only charged
		turn.Charge(r.Paid)
		return k.decide(ctx, turn, r, report, sources)
	}
	r.Refusals = slices.DeleteFunc(r.Refusals, func(why gate.Refusal) bool { return why.Call == turn.Path() }) // said before a kill, and now again
	moved, err := k.repoint(ctx, r, report, sources)
	if err != nil {
		return agent.Outcome{}, err
	}
	outcome, err := k.examine(ctx, turn, r, report, sources)
	if outcome.Effect != agent.Finish && moved != "" { // the text of a finish is the report's name
		outcome.Text += "\n" + moved
	}
	return outcome, err
}

// examine is what comes of a proposal: see [Kit.propose].
func (k Kit) examine(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup) (agent.Outcome, error) {
	answered, silent := k.answers(r)
	proposed := k.reportOf(turn, report, sources)
	first, err := gate.Sequence{unheard{k.Workspace.Notes(), r.Refusals}, written{r.isBound(proposed.Text)}, worked{r.lastReport()}}.Refuse(ctx, proposed)
	if err != nil {
		return agent.Outcome{}, err
	}
	if len(first) > 0 {
		if first[0].Gate == (worked{}).Name() && first[0].Spent(r.Refusals) {
			return k.stalled(ctx, turn, r, report, sources)
		}
		return k.refuse(ctx, turn, r, report, sources, first[:1])
	}
	refused, err := append(k.Profile.Gates(), answers{silent}).Refuse(ctx, proposed)
	if err != nil {
		return agent.Outcome{}, err
	}
	if len(refused) > 0 {
		return k.refuse(ctx, turn, r, report, sources, refused)
	}
	before := turn.Spent()
	checked, err := k.checkClaims(ctx, turn, proposed.Text, sources)
	if err != nil {
		return agent.Outcome{}, err
	}
	proposed.Judgements = citation.Judged(k.Workspace)
	if refused, err = (gate.Sequence{gate.Citations{}}).Refuse(ctx, proposed); err != nil {
		return agent.Outcome{}, err
	}
	if len(refused) > 0 {
		return k.refuse(ctx, turn, r, report, sources, refused)
	}
	if err := k.tidy(report); err != nil {
		return agent.Outcome{}, err
	}
	if r.Passing {
		if err := k.pass(ctx, turn, &r, report, answered, before); err != nil {
			return agent.Outcome{}, err
		}
		return k.decide(ctx, turn, r, report, sources)
	}
	if err := k.judge(ctx, turn, &r, report, checked); err != nil {
		return agent.Outcome{}, err
	}
	return k.decide(ctx, turn, r, report, sources)
}

// pass ends the mending of a report after its last judgement: it is compared with what it was, and the better one stays.
func (k Kit) pass(ctx context.Context, turn *agent.Turn, r *Rounds, report string, answered []evaluator.Answered, before agent.Usage) error {
	text, err := k.Workspace.Peek(report)
	if err != nil {
		return err
	}
	worse, err := k.keepsBefore(ctx, turn, *r, Round{}, text)
	if err != nil {
		return err
	}
	if last := len(r.Rounds) - 1; worse {
		r.Standing = open(answered)
	} else if err := k.Workspace.Keep(BestKey, best{last + 1, text}); err != nil {
		return err
	} else {
		r.Rounds[last].Report, r.Rounds[last].Worse = bound(text), false
	}
	if k.Judging.Harsh && len(answered) > 0 && !worse {
		if err := k.attack(ctx, turn, r, report, answered); err != nil {
			return err
		}
	}
	r.Passing, r.Mended, r.Objections, r.Refusals = false, true, nil, nil
	return k.keep(turn, r, before)
}

// decide says what comes of the judgement that a research has come to.
func (k Kit) decide(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup) (agent.Outcome, error) {
	last, _ := r.Last()
	if len(r.Unsound) > 0 {
		return k.conclude(ctx, turn, r, report, sources, NotSound)
	}
	if err := k.putBack(r, report); err != nil {
		return agent.Outcome{}, err
	}
	if last.Stop == evaluator.GoOn {
		return k.goOn(r, k.words().task(r, k.Judging.wanted()))
	}
	if r.Mended || k.Judging.spares(NoJudge) {
		return k.conclude(ctx, turn, r, report, sources, last.Stop)
	}
	if k.isOpposed() && r.Attacks == 0 {
		if err := k.attack(ctx, turn, &r, report, nil); err != nil {
			return agent.Outcome{}, err
		}
	}
	gaps := last.Assessment.Gaps
	if k.Judging.spares(NoMending) || turn.Closing() || !last.Assessed {
		gaps = nil
	}
	if len(r.Objections) > 0 || len(gaps) > 0 {
		r.Passing = true
		return k.goOn(r, k.words().mending(r, gaps, k.partly(ctx, report)))
	}
	return k.conclude(ctx, turn, r, report, sources, last.Stop)
}

// isOpposed reports whether an opponent looks at the report before it is done.
func (k Kit) isOpposed() bool {
	return k.Judging.Harsh || k.Profile.Opponent && k.Judging.Fixed == 0 && !k.Judging.spares(NoOpponent)
}

// stalled ends a research whose report was judged and is proposed again and again without a change: it is as good as it gets.
func (k Kit) stalled(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup) (agent.Outcome, error) {
	r.Rounds[len(r.Rounds)-1].Stop = evaluator.NoImprovement
	return k.conclude(ctx, turn, r, report, sources, evaluator.NoImprovement)
}

// TakeUp writes on the dashboards what is to be done when a finished research is asked for more.
func (k Kit) TakeUp() error {
	var r Rounds
	k.Workspace.Kept(RoundsKey, &r)
	return k.assign(r, k.words().task(r, k.Judging.wanted()))
}

// goOn opens a fresh stretch, with a task that the program wrote.
func (k Kit) goOn(r Rounds, t task) (agent.Outcome, error) {
	if err := k.Workspace.Keep(RoundsKey, r); err != nil {
		return agent.Outcome{}, err
	}
	if err := k.assign(r, t); err != nil {
		return agent.Outcome{}, err
	}
	k.outside.forget()
	return agent.Outcome{Effect: agent.Restart, Text: "Not finished: " + firstLine(t.task)}, nil
}

// conclude ends the research with what the program adds to the report.
func (k Kit) conclude(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup, stop evaluator.Stop) (agent.Outcome, error) {
	r.Ended, r.Call = k.words().ended(r, stop, k.Judging.wanted()), turn.Path()
	if err := k.Workspace.Keep(RoundsKey, r); err != nil {
		return agent.Outcome{}, err
	}
	if err := k.sign(ctx, r, report, sources); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Outcome{Effect: agent.Finish, Text: report}, nil
}

var markdownFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[^\\s:：,，;；()（）\\[\\]*\"“”'‘’`<>《》]+\\.md")
})

var wordStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^|[^\pL\pN./_-]|\p{Han}`) })

// namedFile is the report that a sentence names, in whatever language. Chinese puts no space before a name, so that only the end of what
// is found may be one.
func (k Kit) namedFile(sentence string) string {
	at := markdownFile().FindStringIndex(sentence)
	if at == nil {
		return workspace.ReportFile
	}
	end := sentence[max(0, at[0]-maxName):at[1]]
	for _, begins := range wordStart().FindAllStringIndex(end, -1) { // a name with spaces in it is longer than the word that ends it
		if name := end[begins[1]:]; len(name) > at[1]-at[0] && k.exists(name) {
			return name
		}
	}
	switch name := sentence[at[0]:at[1]]; {
	case strings.HasSuffix(name, workspace.ReportFile) && !k.exists(name):
		return workspace.ReportFile
	default:
		return strings.TrimPrefix(name, "./")
	}
}

// maxName is how many bytes a file's name may have.
const maxName = 255

func (k Kit) exists(name string) bool {
	f, err := k.Workspace.Open(name)
	return err == nil && f.Close() == nil
}

// reportOf is what the gates look at.
func (k Kit) reportOf(turn *agent.Turn, file string, sources citation.Lookup) gate.Report {
	r := gate.Report{File: file, Question: k.Workspace.Asked(), Tokens: turn.Spent().Tokens(), HasRead: k.Workspace.HasRead(), Nowhere: k.Search == nil || len(k.Search.Providers) == 0, Lookup: sources, Exists: k.exists}
	r.Sources, r.Wrote = citation.IDs(k.Workspace), citation.WroteIn(k.Workspace)
	r.Judgements = citation.Judged(k.Workspace)
	text, err := k.Workspace.Peek(file)
	r.Text, r.Missing = unboxed(citation.WithoutOwn(text)), err
	return r
}

// refuse puts on record what the gates said. When one of them has said the same of the same report too often, or too much of any, the
// research ends, and its report is not sound.
func (k Kit) refuse(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup, refused []gate.Refusal) (agent.Outcome, error) {
	if k.exists(report) && slices.ContainsFunc(refused, func(why gate.Refusal) bool { return why.Spent(r.Refusals) }) {
		r.Unsound = refused
		return k.conclude(ctx, turn, r, report, sources, NotSound)
	}
	for _, why := range refused {
		why.Call = turn.Path()
		r.Refusals = append(r.Refusals, why)
	}
	if err := k.Workspace.Keep(RoundsKey, r); err != nil {
		return agent.Outcome{}, err
	}
	return agent.Say("Not finished: " + gate.Told(refused)), nil
}

// tidy mends what needs no writer.
func (k Kit) tidy(report string) error {
	return k.Workspace.Amend(report, func(text string) (string, error) { return gate.Tidy(text, k.Profile.LineWidth), nil })
}

// worked is the gate of a round: the report has to be another than the one that was judged last.
type worked struct{ before string }

// Name implements gate.Gate.
func (worked) Name() string { return "round" }

// Refuse implements gate.Gate.
func (w worked) Refuse(_ context.Context, r gate.Report) string {
	if w.before == "" || w.before != bound(r.Text) {
		return ""
	}
	return r.File + " is the one that was judged already, to the letter. Work on what your current dashboard asks for, write what you found into the report, then propose to finish again; if a gap can not be closed, say so in the report and under decisions"
}

// written is the gate of a report that the program put together when a run before this one came to a limit.
type written struct{ bound bool }

// Name implements gate.Gate.
func (written) Name() string { return "written" }

// Refuse implements gate.Gate.
func (w written) Refuse(_ context.Context, r gate.Report) string {
	if !w.bound {
		return ""
	}
	return r.File + " is not yours: it is the chapters as they stood when the run before this one stopped. Write it anew, as the answer to the question, then propose to finish again"
}

// answers is the gate of a report that was attacked: each objection needs a word.
type answers struct{ silent []string }

// Name implements gate.Gate.
func (answers) Name() string { return "objections" }

// Refuse implements gate.Gate.
func (a answers) Refuse(context.Context, gate.Report) string {
	if len(a.silent) == 0 {
		return ""
	}
	return fmt.Sprintf("the objections %s are not answered. Mend the report, then add a line for each to the section decisions of the overall dashboard, such as \"- %s: mended, section Costs has the prices of 2025\" or \"- %s: does not hold, because …\"",
		strings.Join(a.silent, ", "), a.silent[0], a.silent[0])
}

// loaded looks sources up now, for a time when they can not be.
func loaded(lookup citation.Lookup, ids []string) citation.Lookup {
	type answer struct {
		source citation.Source
		err    error
	}
	answers := map[string]answer{}
	for _, id := range ids {
		source, err := lookup(id)
		answers[id] = answer{source, err}
	}
	return func(id string) (citation.Source, error) {
		a, ok := answers[id]
		if !ok {
			return citation.Source{}, citation.ErrNotRead
		}
		return a.source, a.err
	}
}
