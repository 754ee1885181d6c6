package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
	claims "github.com/daybook-agent/daybook/agent/checker/trial"
	"github.com/daybook-agent/daybook/agent/evaluator"
	reports "github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/daybook-agent/daybook/agent/prose"
)

type benchCommand struct {
	Judge   benchJudgeCommand   `cmd:"" help:"Have reports with planted faults judged, and tell how well and how steadily the evaluator sees them."`
	Checker benchCheckerCommand `cmd:"" help:"Have claims checked against passages, half of them with a planted fault, and tell how many faults are caught."`
}

type benchJudgeCommand struct {
	Repeats    int    `default:"3" placeholder:"N" help:"How often each report is judged (default 3)."`
	Set        string `placeholder:"DIR" help:"A folder with cases of your own, in place of the built-in 24 reports."`
	benchFlags `embed:""`
}

type benchCheckerCommand struct {
	Set        string `placeholder:"FILE" help:"A labelled set of your own in JSON lines, in place of the built-in 208 pairs."`
	benchFlags `embed:""`
}

type benchFlags struct {
	Parallel   int `default:"4" placeholder:"N" help:"How many requests are made at once (default 4)."`
	modelFlags `embed:""`
	Stream     *bool `env:"DAYBOOK_STREAM" hidden:""`
	Verbose    bool  `short:"v" help:"Show each judgement."`
	JSON       bool  `name:"json" help:"Print the figures as JSON."`
}

// modelFlags choose the model for one command.
type modelFlags struct {
	Brain    *string `env:"DAYBOOK_BRAIN" placeholder:"NAME" help:"As for run."`
	Provider *string `env:"DAYBOOK_PROVIDER" placeholder:"NAME" help:"As for run."`
	Model    *string `env:"DAYBOOK_MODEL" placeholder:"NAME" help:"As for run."`
	BaseURL  *string `placeholder:"URL" help:"As for run."`
	Local    *bool   `env:"DAYBOOK_LOCAL" hidden:""`
}

// settings returns the settings of a run with these flags.
func (f modelFlags) settings() settings {
	return settings{Brain: f.Brain, Provider: f.Provider, Model: f.Model, BaseURL: f.BaseURL, Local: f.Local}
}

// most bounds repeats and parallel requests: one digit too many would spend real money.
const most = 1000

type benchResult struct {
	made    int    // judgements; nothing is printed if there are none
	figures string // for the user
	record  any    // for a program
	empty   string // why nothing could be measured; "" when something was
}

// measurement measures a brain, named judge. Say shows a line to whoever waits.
type measurement func(ctx context.Context, brain agent.Brain, judge string, say func(string)) (benchResult, error)

// run measures. The figures, even of an interrupted trial, go to stdout and everything else to stderr.
func (f *benchFlags) run(term terminal, measure measurement) error {
	if f.Parallel < 1 || f.Parallel > most {
		return wrongUse("say for instance --parallel 4", "1 to %d requests are made at once", most)
	}
	say := func(line string) { fmt.Fprintln(term.stderr, line) }
	ctx, stop := interruptible(func() { say("stopping; Ctrl-C again to stop at once") }, func() {})
	defer stop()
	brain, mind, err := f.brain(ctx, slog.New(lineHandler{say: say, verbose: f.Verbose}))
	if err != nil {
		return err
	}
	say(mind)
	m, err := measure(ctx, brain, strings.TrimPrefix(mind, "thinking with "), say)
	if m.made > 0 {
		if err := term.result(f.JSON, m.record, m.figures); err != nil {
			return err
		}
	}
	const partly = "the figures are of what was judged until then"
	switch {
	case err != nil && errors.Is(context.Cause(ctx), errInterrupted):
		return faultOf(exitInterrupted, "", "interrupted; "+partly)
	case err != nil:
		return faultOf(exitError, cmp.Or(serverHint(err), partly), "%w", err)
	case m.empty != "":
		return faultOf(exitError, "choose a model that can call tools", "%s", m.empty)
	}
	return nil
}

// brain returns the brain of a research that searches nowhere.
func (f *benchFlags) brain(ctx context.Context, log *slog.Logger) (agent.Brain, string, error) {
	s := f.settings()
	s.BaseURL, s.Stream, s.Search = addressFor(f.BaseURL, f.Provider), f.Stream, []string{searchNone}
	if err := s.check(); err != nil {
		return nil, "", err
	}
	config, mind, err := (&runCommand{Verbose: f.Verbose}).config(ctx, s, log)
	if err == nil && mind.alone() {
		err = wrongUse(fmt.Sprintf("set %s, or --base-url for a server that wants no key", keyVariable),
			"the built-in brain judges nothing, so there is nothing to measure")
	}
	if err != nil {
		return nil, "", err
	}
	return config.Brain, mind.line, nil
}

// Run has the reports judged.
func (c *benchJudgeCommand) Run(term terminal) error {
	if c.Repeats < 1 || c.Repeats > most {
		return wrongUse("say for instance --repeats 5", "the reports are judged 1 to %d times", most)
	}
	cases, err := reports.Cases()
	if c.Set != "" {
		if cases, err = reports.Load(os.DirFS(c.Set)); err == nil && len(cases) == 0 {
			err = errors.New("it contains no case")
		}
	}
	if err != nil {
		return wrongUse("the form of a case is described in docs/judging-the-judge.md",
			"reading the set %s: %w", shown(c.Set), err)
	}
	return c.run(term, func(ctx context.Context, brain agent.Brain, judge string, say func(string)) (benchResult, error) {
		o, err := reports.Trial{
			Judge: evaluator.Evaluator{Brain: brain}, Cases: cases, Repeats: c.Repeats, Parallel: c.Parallel,
			Watch: reports.Watch{Event: heard(say), Judged: func(j reports.Judged) { c.watch(j, say) }},
		}.Run(ctx)
		m := benchResult{made: o.Made, figures: describeTrial(o), record: struct {
			Judge   string `json:"judge"`
			Verdict string `json:"verdict"`
			reports.Outcome
		}{judge, o.Verdict(), o}}
		if o.All.Comparisons == 0 {
			m.empty = "no two judgements could be compared"
		}
		return m, err
	})
}

// Run has the claims checked.
func (c *benchCheckerCommand) Run(term terminal) error {
	pairs, err := c.pairs()
	if err != nil {
		return wrongUse("the form of a pair is described in docs/judging-the-judge.md", "%w", err)
	}
	return c.run(term, func(ctx context.Context, brain agent.Brain, judge string, say func(string)) (benchResult, error) {
		watch := func(batch []claims.Judged, done, of int) {
			for _, j := range batch {
				if c.Verbose {
					say(describeJudged(j))
				}
			}
			say(fmt.Sprintf("judged %d of %d", done, of))
		}
		o, err := claims.Trial{
			Checker: checker.Checker{Brain: brain}, Pairs: pairs, Parallel: c.Parallel, Event: heard(say), Judged: watch,
		}.Run(ctx)
		m := benchResult{made: o.Made, figures: describeChecked(o), record: struct {
			Judge   string `json:"judge"`
			Verdict string `json:"verdict"`
			claims.Outcome
		}{judge, o.Verdict(), o}}
		if o.All.Judged() == 0 {
			m.empty = "no verdict could be read"
		}
		return m, err
	})
}

func (c *benchCheckerCommand) pairs() ([]claims.Pair, error) {
	if c.Set == "" {
		return claims.Pairs()
	}
	file, err := os.Open(c.Set)
	if err != nil {
		return nil, fmt.Errorf("opening the set: %w", err)
	}
	defer file.Close() // it was only read
	pairs, err := claims.Read(file)
	if err != nil {
		err = fmt.Errorf("reading the set %s: %w", shown(c.Set), err)
	}
	return pairs, err
}

// heard shows those events of a judge that matter to somebody who waits.
func heard(say func(string)) func(agent.Event) {
	return func(e agent.Event) {
		if w, ok := e.(agent.Waiting); ok {
			say((&narrator{lang: prose.English}).waiting(w))
		}
	}
}

// watch shows each judgement if asked to, otherwise about ten lines of progress.
func (c *benchJudgeCommand) watch(j reports.Judged, say func(string)) {
	const lines = 10
	line, score := fmt.Sprintf("judged %d of %d", j.Done, j.Of), fmt.Sprintf("%4.1f", j.Score)
	if j.Unreadable {
		score = "not readable"
	}
	if c.Verbose {
		say(line + "  " + score + "  " + reportName(j.Case, j.Fault))
	} else if j.Done*lines/j.Of > (j.Done-1)*lines/j.Of {
		say(line)
	}
}

func reportName(name string, fault reports.Fault) string {
	return strings.TrimSuffix(name+", "+string(fault), ", "+string(reports.Honest))
}

// describeJudged describes the verdict on a pair, and the expected one if it differs.
func describeJudged(j claims.Judged) string {
	const columns = 80 // of a claim
	said := cmp.Or(j.Verdict, "no verdict")
	if j.Verdict != "" && j.Verdict != j.Expected {
		said += ", not " + j.Expected
	}
	return strings.TrimRight(fmt.Sprintf("%s  %s (%s)  %s  %s", said, clean(j.Kind), clean(j.Language),
		cut(clean(j.Claim), columns), clean(j.Why)), " ")
}

// table lays out rows of cells in columns, below their headings.
func table(head string, rows ...string) string {
	var out strings.Builder
	to := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(to, head+"\n"+strings.Join(rows, "\n"))
	_ = to.Flush() // a Builder takes everything
	return out.String()
}

func describeTrial(o reports.Outcome) string {
	rows := texts(o.Faults, func(f reports.Figures) string { return figureRow(string(f.Fault), f) })
	var missed []string
	for _, r := range o.Reports {
		if r.Fault != reports.Honest && !r.Told {
			missed = append(missed, reportName(r.Case, r.Fault))
		}
	}
	out := table(fmt.Sprintf("fault\tpairs told\thonest higher\tfault seen\thonest → faulty\tdrop\tspread\treached %g\tunreadable",
		o.Threshold), append(rows, figureRow("all", o.All))...)
	if len(missed) > 0 {
		out += fmt.Sprintf("\nnot told from the honest one:\n  %s\n", strings.Join(missed, "\n  "))
	}
	out += fmt.Sprintf("\nreached %g: %d of %s of honest reports, %d of %d of faulty ones\n", o.Threshold,
		o.Honest.Passed, prose.English.Count(o.Honest.Judgements, "judgement"), o.All.Passed, o.All.Judgements)
	what := prose.English.Count(o.Made, "judgement") + " of " + prose.English.Count(len(o.Reports), "report")
	return out + fmt.Sprintf("%s\n%s\n", spending(what, o.Made, o.Of, o.Usage), o.Verdict())
}

func figureRow(name string, f reports.Figures) string {
	agreement, scores, drop, spread := "–", "–", "–", "?"
	if f.Spread != nil {
		spread = fmt.Sprintf("%.2f", *f.Spread)
	}
	if f.Comparisons > 0 {
		agreement = fmt.Sprintf("%.0f %% (%g of %d)", 100*f.Agreement, f.Wins, f.Comparisons)
		scores = fmt.Sprintf("%.2f → %.2f", f.Honest, f.Faulty)
		drop = fmt.Sprintf("%.2f", f.Drop)
	}
	return fmt.Sprintf("%s\t%d of %d\t%s\t%d of %d\t%s\t%s\t%s\t%d of %d\t%d", name, f.Told, f.Pairs, agreement,
		f.Seen, f.Comparisons, scores, drop, spread, f.Passed, f.Judgements, f.Unreadable)
}

func describeChecked(o claims.Outcome) string {
	rows := texts(o.Kinds, func(f claims.Figures) string { return checkedRow(clean(f.Name), f) })
	for _, f := range o.Languages {
		name := cmp.Or(map[string]string{"en": "English", "zh": "Chinese"}[f.Name], clean(f.Name))
		rows = append(rows, checkedRow("in "+name, f))
	}
	what := fmt.Sprintf("%d of %s judged", o.All.Judged(), prose.English.Count(o.Made, "pair"))
	return table("kind\tcaught\tfalse alarms\tas labelled\tunjudged", append(rows, checkedRow("all", o.All))...) +
		fmt.Sprintf("\nthe better passage was named for %d of %s\n%s\n%s\n", o.All.Found,
			prose.English.Count(o.All.Elsewhere, "claim"), spending(what, o.Made, o.Of, o.Usage), o.Verdict())
}

func checkedRow(name string, f claims.Figures) string {
	part := func(n, of int) string {
		if of == 0 {
			return "–"
		}
		return fmt.Sprintf("%d of %d (%.0f %%)", n, of, 100*float64(n)/float64(of))
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d of %d\t%d", name, part(f.Caught, f.Faulty),
		part(f.FalseAlarms, f.Faithful), f.AsLabelled, f.Judged(), f.Unjudged)
}

// spending describes what the judgements cost, and whether there should have been more.
func spending(what string, made, of int, u agent.Usage) string {
	line := fmt.Sprintf("%s, %s of the brain · %s", what, prose.English.Count(u.Calls, "call"), tokens(prose.English, u))
	if u.Cost > 0 {
		line += fmt.Sprintf(" · $%.2f", u.Cost)
	}
	if made < of {
		line += fmt.Sprintf(" · broken off, %d were to be made", of)
	}
	return line
}
