package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

type benchCommand struct {
	Judge   benchJudgeCommand   `cmd:"" help:"Have reports with planted faults judged, and tell how well and how steadily the evaluator sees them."`
	Checker benchCheckerCommand `cmd:"" help:"Have claims checked against passages, half of them with a planted fault, and tell how many faults are caught."`
}

type benchFlags struct {
	Parallel   int `default:"4" placeholder:"N" help:"How many requests are made at once (default 4)."`
	modelFlags `embed:""`
	Stream     *bool `env:"DAYBOOK_STREAM" hidden:""`
	Verbose    bool  `short:"v" help:"Show each judgement."`
	JSON       bool  `name:"json" help:"Print the figures as JSON."`
}

// modelFlags say for one command which model is asked.
type modelFlags struct {
	Brain    *string `env:"DAYBOOK_BRAIN" placeholder:"NAME" help:"As for run."`
	Provider *string `env:"DAYBOOK_PROVIDER" placeholder:"NAME" help:"As for run."`
	Model    *string `env:"DAYBOOK_MODEL" placeholder:"NAME" help:"As for run."`
	BaseURL  *string `placeholder:"URL" help:"As for run."`
	Local    *bool   `env:"DAYBOOK_LOCAL" hidden:""`
}

// settings are those of a run with these flags.
func (f modelFlags) settings() settings {
	return settings{Brain: f.Brain, Provider: f.Provider, Model: f.Model, BaseURL: f.BaseURL, Local: f.Local}
}

// most bounds repeats and parallel requests: a number with a digit too many would spend real money.
const most = 1000

type benchResult struct {
	made    int                    // judgements; where there are none, nothing is printed
	figures string                 // for a person
	record  func(judge string) any // for a program
	empty   *fault                 // why nothing could be measured; nil when something was
}

// measurement is begun with a brain. Say shows a line to whoever waits.
type measurement func(ctx context.Context, brain agent.Brain, say func(string)) (benchResult, error)

// run measures. The figures go to stdout, also those of a trial that was broken off, and all else to stderr.
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
	m, err := measure(ctx, brain, say)
	if m.made > 0 {
		judge := strings.TrimPrefix(mind, "thinking with ")
		if err := term.result(f.JSON, m.record(judge), m.figures); err != nil {
			return err
		}
	}
	switch {
	case err != nil:
		return brokenOff(ctx, err)
	case m.empty != nil:
		return m.empty
	}
	return nil
}

// brain is chosen as that of a research which searches nowhere.
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
	return config.Brain, mind.line, err
}

// heard shows the events of a judge that somebody who waits should know of.
func heard(say func(string)) func(agent.Event) {
	return func(e agent.Event) {
		if w, ok := e.(agent.Waiting); ok {
			say((&narrator{lang: prose.English}).waiting(w))
		}
	}
}

// brokenOff is the fault for a trial that did not come to its end.
func brokenOff(ctx context.Context, err error) error {
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

// spending tells what so many judgements cost, and whether there should have been more.
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
