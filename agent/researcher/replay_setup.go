package researcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
)

func emptyFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("creating the folder: %w", err)
		}
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("replaying into %s: it is not empty: %w", dir, fs.ErrExist)
	}
	return err
}

// copyOwn copies what is not on record: the person's settings and rules as they are now, and sources from
// before the journal began.
func copyOwn(past *workspace.Workspace, record *history.Record, into string) (err error) {
	w, err := workspace.Open(into)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := past.LoadSources(); err != nil {
		return err
	}
	names := []string{workspace.SettingsFile}
	for _, name := range append(slices.Clone(rules), sourcesRule, fieldsRule, "intake.md", "evaluation.md") {
		names = append(names, workspace.RulesDir+"/"+name)
	}
	for _, s := range past.Sources() {
		if _, known := record.Last(s.File); !known {
			names = append(names, s.File)
		}
	}
	for _, name := range names {
		text, err := past.Peek(name)
		if err != nil {
			continue // there is none, or a run could not read it either
		}
		if err := w.LeaveAs(name, text, true); err != nil {
			return fmt.Errorf("copying %s: %w", name, err)
		}
	}
	return nil
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
