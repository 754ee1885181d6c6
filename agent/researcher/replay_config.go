package researcher

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/rounds"
)

// config is what the run is given: what is on record of the one before, and nobody to ask.
func (p *replay) config() Config {
	t := p.terms
	c := Config{
		Dir: p.into, Brain: p.rerun, Profile: t.Profile, Plan: t.Plan, NoIntake: t.Taken, Shell: t.Shell, Log: slog.New(slog.DiscardHandler), rerun: p.rerun,
		MaxSteps: t.Limits.Steps, MaxTokens: t.Limits.Tokens, MaxCost: t.Limits.Cost, MaxTime: t.Limits.Time, MaxIdle: t.Limits.Idle, Stretch: cmp.Or(t.Limits.Stretch, -1),
		Judging: rounds.Judging{Fixed: t.Fixed, Harsh: t.Harsh, Without: t.Without},
	}
	c.Judging.Rule.Threshold, c.Judging.Rule.Min, c.Judging.Rule.Max, c.Judging.Rule.Improvement = t.Rule.Threshold, t.Rule.Min, t.Rule.Max, t.Rule.Improvement
	if t.Person {
		c.Person = silent{}
	}
	if !t.Nowhere {
		c.Search = []search.Provider{nowhere{}}
	}
	return c
}

// silent is a person of whom no more is on record.
type silent struct{}

// Answer implements intake.Person.
func (silent) Answer(context.Context, intake.Question) (string, error) { return "", errRecordEnds }

// Confirm implements intake.Person.
func (silent) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	return intake.Verdict{}, errRecordEnds
}

// nowhere stands for the places that were searched.
type nowhere struct{}

// Name implements search.Provider.
func (nowhere) Name() string { return "record" }

// Kind implements search.Provider.
func (nowhere) Kind() search.Kind { return search.Own }

// Search implements search.Provider.
func (nowhere) Search(context.Context, string, int) ([]search.Hit, error) { return nil, errRecordEnds }
