package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
)

type benchCommand struct {
	Judge benchJudgeCommand `cmd:"" help:"Have reports with planted faults judged, and tell how well and how steadily the evaluator sees them."`
}

type benchJudgeCommand struct {
	Repeats  int     `default:"3" placeholder:"N" help:"How often each of the 24 reports is judged (default 3)."`
	Parallel int     `default:"4" placeholder:"N" help:"How many are judged at once (default 4)."`
	Brain    *string `env:"DAYBOOK_BRAIN" placeholder:"NAME" help:"auto or openai, as for run."`
	Provider *string `env:"DAYBOOK_PROVIDER" placeholder:"NAME" help:"Whose models, as for run."`
	Model    *string `env:"DAYBOOK_MODEL" placeholder:"NAME" help:"The model, as for run."`
	BaseURL  *string `placeholder:"URL" help:"A server that speaks OpenAI's protocol ($$OPENAI_BASE_URL), as for run."`
	Local    *bool   `env:"DAYBOOK_LOCAL" hidden:""`
	Stream   *bool   `env:"DAYBOOK_STREAM" hidden:""`
	Verbose  bool    `short:"v" help:"Show each judgement."`
	JSON     bool    `name:"json" help:"Print the figures as JSON."`
}

// judged is what --json prints.
type judged struct {
	Judge   string `json:"judge"`
	Verdict string `json:"verdict"`
	trial.Outcome
}

// Run has the reports judged. The figures go to stdout, also those of a trial that was broken off, and all else to stderr.
func (c *benchJudgeCommand) Run(term terminal) error {
	const most = 1000 // a number with a digit too many would spend real money
	if c.Repeats < 1 || c.Repeats > most || c.Parallel < 1 || c.Parallel > most {
		return wrongUse("say for instance --repeats 5 --parallel 4", "the reports are judged 1 to %d times, and as many at once", most)
	}
	say := func(line string) { fmt.Fprintln(term.stderr, line) }
	ctx, stop := interruptible(func() { say("stopping; Ctrl-C again to stop at once") }, func() {})
	defer stop()
	brain, mind, err := c.brain(ctx, slog.New(lineHandler{say: say, verbose: c.Verbose}))
	if err != nil {
		return err
	}
	cases, err := trial.Cases()
	if err != nil {
		return err
	}
	say(mind)
	outcome, err := trial.Trial{
		Judge: evaluator.Evaluator{Brain: brain}, Cases: cases, Repeats: c.Repeats, Parallel: c.Parallel, Watch: c.watch(say),
	}.Run(ctx)
	if told := c.print(term, mind, outcome); told != nil {
		return fmt.Errorf("writing the figures: %w", told)
	}
	if err != nil {
		return brokenOff(ctx, err)
	}
	if outcome.All.Comparisons == 0 {
		return &fault{error: errors.New("no two judgements could be compared"), code: exitError, hint: "choose a model that can call tools; -v shows each judgement"}
	}
	return nil
}

// brain is chosen as that of a research which searches nowhere.
func (c *benchJudgeCommand) brain(ctx context.Context, log *slog.Logger) (agent.Brain, string, error) {
	s := settings{Brain: c.Brain, Provider: c.Provider, Model: c.Model, BaseURL: addressFor(c.BaseURL, c.Provider), Local: c.Local,
		Stream: c.Stream, Search: []string{searchNone}}
	if err := s.check(); err != nil {
		return nil, "", err
	}
	config, mind, err := (&runCommand{Verbose: c.Verbose}).config(ctx, s, log)
	if err == nil && len(mind.brains) == 0 {
		err = wrongUse("set "+keyVariable+", or --base-url for a server that wants no key", "the built-in brain judges nothing, so there is nothing to measure")
	}
	return config.Brain, mind.line, err
}

func (c *benchJudgeCommand) watch(say func(string)) trial.Watch {
	return trial.Watch{
		Event: func(e agent.Event) {
			if w, ok := e.(agent.Waiting); ok {
				say(waiting(w))
			}
		},
		Judged: func(j trial.Judged) {
			const lines = 10 // enough to see that it goes on
			switch {
			case c.Verbose && j.Unreadable:
				say(fmt.Sprintf("judged %d of %d  not readable  %s", j.Done, j.Of, reportName(j.Case, j.Fault)))
			case c.Verbose:
				say(fmt.Sprintf("judged %d of %d  %4.1f  %s", j.Done, j.Of, j.Score, reportName(j.Case, j.Fault)))
			case j.Done*lines/j.Of > (j.Done-1)*lines/j.Of:
				say(fmt.Sprintf("judged %d of %d", j.Done, j.Of))
			}
		},
	}
}

func reportName(name string, fault trial.Fault) string {
	if fault == trial.Honest {
		return name
	}
	return name + ", " + string(fault)
}

// brokenOff is the fault for a trial that did not come to its end.
func brokenOff(ctx context.Context, err error) *fault {
	const partly = "the figures are of what was judged until then"
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return &fault{error: errors.New("interrupted; " + partly), code: exitInterrupted}
	}
	f := &fault{error: err, code: exitError, hint: partly}
	if hint := serverHint(err); hint != "" {
		f.hint = hint
	}
	return f
}

func (c *benchJudgeCommand) print(term terminal, mind string, o trial.Outcome) error {
	if o.Made == 0 {
		return nil
	}
	if c.JSON {
		enc := json.NewEncoder(term.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(judged{Judge: strings.TrimPrefix(mind, "thinking with "), Verdict: o.Verdict(), Outcome: o})
	}
	_, err := fmt.Fprint(term.stdout, describeTrial(o))
	return err
}

// describeTrial writes the figures for a person.
func describeTrial(o trial.Outcome) string {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(table, "fault\tpairs told\thonest higher\tfault seen\thonest → faulty\tdrop\tspread\treached %g\tunreadable\n", o.Threshold)
	for _, f := range o.Faults {
		figureRow(table, string(f.Fault), f)
	}
	figureRow(table, "all", o.All)
	if err := table.Flush(); err != nil {
		return err.Error() // can not be: a Builder takes everything
	}
	var missed []string
	for _, r := range o.Reports {
		if r.Fault != trial.Honest && !r.Told {
			missed = append(missed, reportName(r.Case, r.Fault))
		}
	}
	if len(missed) > 0 {
		fmt.Fprintf(&out, "\nnot told from the honest one:\n  %s\n", strings.Join(missed, "\n  "))
	}
	fmt.Fprintf(&out, "\nreached %g: %d of %s of honest reports, %d of %d of faulty ones\n", o.Threshold,
		o.Honest.Passed, counted(o.Honest.Judgements, "judgement"), o.All.Passed, o.All.Judgements)
	fmt.Fprintf(&out, "%s of %s, %s of the brain · %s", counted(o.Made, "judgement"), counted(len(o.Reports), "report"), counted(o.Usage.Calls, "call"), tokens(o.Usage))
	if o.Usage.Cost > 0 {
		fmt.Fprintf(&out, " · $%.2f", o.Usage.Cost)
	}
	if o.Made < o.Of {
		fmt.Fprintf(&out, " · broken off, %d were to be made", o.Of)
	}
	fmt.Fprintf(&out, "\n%s\n", o.Verdict())
	return out.String()
}

func figureRow(table *tabwriter.Writer, name string, f trial.Figures) {
	spread := "?"
	if f.Spread != nil {
		spread = fmt.Sprintf("%.2f", *f.Spread)
	}
	agreement, scores, drop := "–", "–", "–"
	if f.Comparisons > 0 {
		agreement = fmt.Sprintf("%.0f %% (%g of %d)", 100*f.Agreement, f.Wins, f.Comparisons)
		scores = fmt.Sprintf("%.2f → %.2f", f.Honest, f.Faulty)
		drop = fmt.Sprintf("%.2f", f.Drop)
	}
	fmt.Fprintf(table, "%s\t%d of %d\t%s\t%d of %d\t%s\t%s\t%s\t%d of %d\t%d\n", name, f.Told, f.Pairs, agreement, f.Seen, f.Comparisons, scores, drop, spread, f.Passed, f.Judgements, f.Unreadable)
}
