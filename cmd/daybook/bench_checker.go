package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/checker"
	"github.com/daybook-agent/daybook/agent/checker/trial"
	"github.com/daybook-agent/daybook/agent/prose"
)

type benchCheckerCommand struct {
	Set        string `placeholder:"FILE" help:"A labelled set of your own in JSON lines, in place of the built-in 208 pairs."`
	benchFlags `embed:""`
}

// Run has the claims checked.
func (c *benchCheckerCommand) Run(term terminal) error {
	pairs, err := c.pairs()
	if err != nil {
		return err
	}
	return c.run(term, func(ctx context.Context, brain agent.Brain, say func(string)) (benchResult, error) {
		watch := func(batch []trial.Judged, done, of int) {
			for _, j := range batch {
				if c.Verbose {
					say(describeJudged(j))
				}
			}
			say(fmt.Sprintf("judged %d of %d", done, of))
		}
		o, err := trial.Trial{
			Checker: checker.Checker{Brain: brain}, Pairs: pairs, Parallel: c.Parallel, Event: heard(say), Judged: watch,
		}.Run(ctx)
		m := benchResult{made: o.Made, figures: describeChecked(o), record: func(judge string) any {
			return struct {
				Judge   string `json:"judge"`
				Verdict string `json:"verdict"`
				trial.Outcome
			}{judge, o.Verdict(), o}
		}}
		if o.All.Judged() == 0 {
			m.empty = &fault{error: errors.New("no verdict could be read"), code: exitError, hint: "choose a model that can call tools"}
		}
		return m, err
	})
}

func (c *benchCheckerCommand) pairs() ([]trial.Pair, error) {
	if c.Set == "" {
		return trial.Pairs()
	}
	const hint = "the form of a pair is described in docs/judging-the-judge.md"
	file, err := os.Open(c.Set)
	if err != nil {
		return nil, wrongUse(hint, "opening the set: %w", err)
	}
	defer file.Close() // it was only read
	pairs, err := trial.Read(file)
	if err != nil {
		return nil, wrongUse(hint, "reading the set %s: %w", shown(c.Set), err)
	}
	return pairs, nil
}

// describeJudged writes what was said of a pair, and what should have been said where that is something else.
func describeJudged(j trial.Judged) string {
	const columns = 80 // of a claim
	said := j.Verdict
	switch {
	case said == "":
		said = "no verdict"
	case j.Verdict != j.Expected:
		said += ", not " + j.Expected
	}
	line := fmt.Sprintf("%s  %s (%s)  %s", said, clean(j.Kind), clean(j.Language), cut(clean(j.Claim), columns))
	if j.Why != "" {
		line += "  " + clean(j.Why)
	}
	return line
}

func describeChecked(o trial.Outcome) string {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	fmt.Fprint(table, "kind\tcaught\tfalse alarms\tas labelled\tunjudged\n")
	for _, f := range o.Kinds {
		checkedRow(table, clean(f.Name), f)
	}
	for _, f := range o.Languages {
		checkedRow(table, languageName(f.Name), f)
	}
	checkedRow(table, "all", o.All)
	_ = table.Flush() // a Builder takes everything
	fmt.Fprintf(&out, "\nthe better passage was named for %d of %s\n", o.All.Found, prose.English.Count(o.All.Elsewhere, "claim"))
	what := fmt.Sprintf("%d of %s judged", o.All.Judged(), prose.English.Count(o.Made, "pair"))
	fmt.Fprintf(&out, "%s\n%s\n", spending(what, o.Made, o.Of, o.Usage), o.Verdict())
	return out.String()
}

func checkedRow(table *tabwriter.Writer, name string, f trial.Figures) {
	part := func(n, of int) string {
		if of == 0 {
			return "–"
		}
		return fmt.Sprintf("%d of %d (%.0f %%)", n, of, 100*float64(n)/float64(of))
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%d of %d\t%d\n", name, part(f.Caught, f.Faulty), part(f.FalseAlarms, f.Faithful),
		f.AsLabelled, f.Judged(), f.Unjudged)
}

func languageName(code string) string {
	return "in " + cmp.Or(map[string]string{"en": "English", "zh": "Chinese"}[code], clean(code))
}
