package researcher

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/rounds"
)

// terms are the settings that code decides by in a run. They are recorded so that a replay decides the same.
type terms struct {
	Limits  agent.Limits   `json:"limits"`
	Profile gate.Profile   `json:"profile"`
	Fixed   int            `json:"fixed,omitempty"` // as in rounds.Judging
	Rule    evaluator.Rule `json:"rule,omitzero"`
	Harsh   bool           `json:"harsh,omitempty"`
	Without rounds.Spared  `json:"without,omitempty"`
	// what judging may cost; older runs, without this bound, have none
	Share float64 `json:"share,omitempty"`
	// the run checks claims, unless Without excludes it
	Claims   bool           `json:"claims,omitempty"`
	Language prose.Language `json:"language,omitempty"`
	Shell    bool           `json:"shell,omitempty"`
	Browser  bool           `json:"browser,omitempty"`
	Plan     bool           `json:"plan,omitempty"`
	Taken    bool           `json:"taken,omitempty"`   // the question is used as it is, without an intake
	Person   bool           `json:"person,omitempty"`  // somebody can be asked
	Nowhere  bool           `json:"nowhere,omitempty"` // there is no place to search
	Others   bool           `json:"others,omitempty"`  // more than the person's own documents can be searched
	Parallel int            `json:"parallel,omitempty"`
	Tools    []actions.Tool `json:"tools,omitempty"` // without their descriptions, which are for the Brain alone
}

func (c Config) terms(kit actions.Kit) terms {
	t := terms{
		Limits: c.limits(), Profile: c.Profile, Fixed: c.Judging.Fixed, Rule: c.Judging.Rule,
		Harsh: c.Judging.Harsh, Without: c.Judging.Without, Claims: true,
		Share:    cmp.Or(c.Judging.Share, rounds.DefaultShare),
		Language: c.Language, Shell: c.Shell, Browser: kit.Browser != "", Plan: c.Plan, Taken: c.NoIntake, Person: c.Person != nil,
		Parallel: c.Parallel,
		Nowhere:  len(kit.Search.Providers) == 0,
		Others:   len(kit.Search.Providers) > 0 && !kit.SearchesOwnAlone(),
	}
	t.Profile.Guide = "" // it is only for the Brain
	for _, tool := range c.Tools {
		t.Tools = append(t.Tools, actions.Tool{Name: tool.Name, From: tool.From, ReadOnly: tool.ReadOnly,
			ForFiles: tool.ForFiles})
	}
	return t
}

func (c Config) limits() agent.Limits {
	return agent.Limits{Steps: cmp.Or(c.MaxSteps, DefaultSteps), Tokens: c.MaxTokens, Cost: c.MaxCost,
		Time: c.MaxTime, Idle: cmp.Or(c.MaxIdle, DefaultIdle),
		Stretch: max(0, cmp.Or(c.Stretch, defaultStretch))}
}

// config returns the run's configuration: the recorded terms of the original, and nobody to ask.
func (p *replay) config() Config {
	t := p.terms
	c := Config{
		dir: p.into, Brain: p.rerun, Profile: t.Profile, Plan: t.Plan, NoIntake: t.Taken, Shell: t.Shell, Language: t.Language,
		Log: slog.New(slog.DiscardHandler), Observe: func(agent.Event) {}, rerun: p.rerun, Tools: t.Tools, Parallel: t.Parallel,
		MaxSteps: t.Limits.Steps, MaxTokens: t.Limits.Tokens, MaxCost: t.Limits.Cost, MaxTime: t.Limits.Time,
		MaxIdle: t.Limits.Idle, Stretch: cmp.Or(t.Limits.Stretch, -1),
		Judging: rounds.Judging{Fixed: t.Fixed, Rule: t.Rule, Harsh: t.Harsh, Without: t.Without,
			Share: cmp.Or(t.Share, -1)},
	}
	if t.Person {
		c.Person = nobody{errRecordEnds}
	}
	if t.Browser {
		c.Browser = "record"
	}
	switch {
	case t.Others:
		c.Search = []search.Provider{nowhere{search.Web}}
	case !t.Nowhere:
		c.Search = []search.Provider{nowhere{search.Own}}
	}
	return c
}

type nowhere struct{ kind search.Kind }

// Name implements search.Provider.
func (nowhere) Name() string { return "record" }

// Kind implements search.Provider.
func (n nowhere) Kind() search.Kind { return n.kind }

// Search implements search.Provider.
func (nowhere) Search(context.Context, string, int) ([]search.Hit, error) { return nil, errRecordEnds }
