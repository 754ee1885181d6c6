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

// propose takes a report through the gates, then through its round's judgement, then through the harsh evaluator's objections. What does
// not pass a gate goes on in this stretch; what is not good enough yet opens a fresh one with its gaps as the task. A gate that asks for
// another report than this one is heard alone, and before those that say what is wrong with this one, all at once.
func (k Kit) propose(ctx context.Context, turn *agent.Turn, report string) (agent.Outcome, error) {
	r := k.rounds(turn)
	sources := citation.Of(k.Workspace)
	if r.Call == turn.Path() {
		return k.again(ctx, turn, r, report, sources)
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
	first, passed, err := gate.Sequence{unheard{k.Workspace.Notes(), r.Refusals}, written{r.isBound(proposed.Text)}, worked{r.lastReport()}}.Pass(ctx, proposed, r.Refusals)
	if err != nil {
		return agent.Outcome{}, err
	}
	if len(first) > 0 {
		return k.refuse(turn, r, first[:1])
	}
	deeds := k.done
	if k.Judging.Fixed == 0 && len(r.Objections) == 0 { // it is going to be judged, if the gates let it pass
		deeds = meanwhile(k.done)
		defer deeds()
	}
	refused, marked, err := append(k.Profile.Gates(), answers{silent}).Pass(ctx, proposed, r.Refusals)
	if err != nil {
		return agent.Outcome{}, err
	}
	if len(refused) > 0 {
		return k.refuse(turn, r, refused)
	}
	r.Marked = slices.DeleteFunc(append(passed, marked...), func(m gate.Refusal) bool { return m.Gate == worked{}.Name() || m.Gate == unheard{}.Name() }) // no faults of the report
	if err := k.tidy(report); err != nil {
		return agent.Outcome{}, err
	}
	if len(r.Objections) > 0 {
		if err := k.attack(ctx, turn, &r, report, answered); err != nil {
			return agent.Outcome{}, err
		}
		return k.decide(ctx, turn, r, report, sources)
	}
	if err := k.judge(ctx, turn, &r, report, deeds); err != nil {
		return agent.Outcome{}, err
	}
	return k.decide(ctx, turn, r, report, sources)
}

// again carries on with a proposal that was judged already when a kill came, before its outcome was on record. It passed the gates, and
// what it paid for is only charged.
func (k Kit) again(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup) (agent.Outcome, error) {
	turn.Charge(r.Paid)
	return k.decide(ctx, turn, r, report, sources)
}

// decide says what comes of the judgement that a research has come to.
func (k Kit) decide(ctx context.Context, turn *agent.Turn, r Rounds, report string, sources citation.Lookup) (agent.Outcome, error) {
	last, _ := r.Last()
	if last.Stop == evaluator.GoOn {
		return k.goOn(r, k.words().task(r, k.Judging.wanted()))
	}
	if k.Judging.Harsh && r.Attacks == 0 {
		if err := k.attack(ctx, turn, &r, report, nil); err != nil {
			return agent.Outcome{}, err
		}
	}
	if len(r.Objections) > 0 {
		return k.goOn(r, k.words().defence(r))
	}
	return k.conclude(ctx, turn, r, report, sources, last.Stop)
}

// goOn opens a fresh stretch, with a task that the program wrote.
func (k Kit) goOn(r Rounds, t task) (agent.Outcome, error) {
	r.Marked = nil // of this report; the next one passes by itself
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
	r.Ended = k.words().ended(r, stop, k.Judging.wanted())
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
	r.Text, r.Missing = citation.WithoutOwn(text), err
	return r
}

// refuse puts on record what the gates said, for each to know that it said it.
func (k Kit) refuse(turn *agent.Turn, r Rounds, refused []gate.Refusal) (agent.Outcome, error) {
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
