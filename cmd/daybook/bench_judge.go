package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/evaluator/trial"
	"github.com/daybook-agent/daybook/agent/prose"
)

type benchJudgeCommand struct {
	Repeats    int    `default:"3" placeholder:"N" help:"How often each report is judged (default 3)."`
	Set        string `placeholder:"DIR" help:"A folder with cases of your own, in place of the built-in 24 reports."`
	benchFlags `embed:""`
}

// Run has the reports judged.
func (c *benchJudgeCommand) Run(term terminal) error {
	if c.Repeats < 1 || c.Repeats > most {
		return wrongUse("say for instance --repeats 5", "the reports are judged 1 to %d times", most)
	}
	cases, err := c.cases()
	if err != nil {
		return err
	}
	return c.run(term, func(ctx context.Context, brain agent.Brain, say func(string)) (benchResult, error) {
		o, err := trial.Trial{
			Judge: evaluator.Evaluator{Brain: brain}, Cases: cases, Repeats: c.Repeats, Parallel: c.Parallel, Watch: c.watch(say),
		}.Run(ctx)
		m := benchResult{made: o.Made, figures: describeTrial(o), record: func(judge string) any {
			return struct {
				Judge   string `json:"judge"`
				Verdict string `json:"verdict"`
				trial.Outcome
			}{judge, o.Verdict(), o}
		}}
		if o.All.Comparisons == 0 {
			m.empty = &fault{error: errors.New("no two judgements could be compared"), code: exitError, hint: "choose a model that can call tools; -v shows each judgement"}
		}
		return m, err
	})
}

func (c *benchJudgeCommand) cases() ([]trial.Case, error) {
	if c.Set == "" {
		return trial.Cases()
	}
	cases, err := trial.Load(os.DirFS(c.Set))
	if err == nil && len(cases) == 0 {
		err = errors.New("it contains no case")
	}
	if err != nil {
		return nil, wrongUse("the form of a case is described in docs/judging-the-judge.md", "reading the set %s: %w", shown(c.Set), err)
	}
	return cases, nil
}

func (c *benchJudgeCommand) watch(say func(string)) trial.Watch {
	return trial.Watch{
		Event: heard(say),
		Judged: func(j trial.Judged) {
			const lines = 10 // enough to see that it goes on
			line, score := fmt.Sprintf("judged %d of %d", j.Done, j.Of), fmt.Sprintf("%4.1f", j.Score)
			if j.Unreadable {
				score = "not readable"
			}
			if c.Verbose {
				say(line + "  " + score + "  " + reportName(j.Case, j.Fault))
			} else if j.Done*lines/j.Of > (j.Done-1)*lines/j.Of {
				say(line)
			}
		},
	}
}

func reportName(name string, fault trial.Fault) string {
	return strings.TrimSuffix(name+", "+string(fault), ", "+string(trial.Honest))
}

func describeTrial(o trial.Outcome) string {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(table, "fault\tpairs told\thonest higher\tfault seen\thonest → faulty\tdrop\tspread\treached %g\tunreadable\n", o.Threshold)
	for _, f := range o.Faults {
		figureRow(table, string(f.Fault), f)
	}
	figureRow(table, "all", o.All)
	_ = table.Flush() // a Builder takes everything
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
		o.Honest.Passed, prose.English.Count(o.Honest.Judgements, "judgement"), o.All.Passed, o.All.Judgements)
	what := prose.English.Count(o.Made, "judgement") + " of " + prose.English.Count(len(o.Reports), "report")
	fmt.Fprintf(&out, "%s\n%s\n", spending(what, o.Made, o.Of, o.Usage), o.Verdict())
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
