package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/traces"
)

// The brains to choose from.
const (
	brainAuto   = "auto"
	brainOpenAI = "openai" // also the provider of that name
	brainClip   = "clip"
)

// defaultModel is OpenAI's newest small model that can call actions over plain chat completions.
const defaultModel = "gpt-5.4-mini"

// With a fallback, a model is given up sooner: another one waits.
const (
	triesBesideFallback = 3
	waitBesideFallback  = 20 * time.Second
)

// mind holds what thinks in a run: one brain for each model, and one limit for each server.
type mind struct {
	line   string                   // for the user
	brains []*openai.Brain          // each that may be asked, once; none for the built-in one
	of     map[string]*openai.Brain // by the kind of agent; "" for all others

	settings settings
	home     seat // of the models that name no provider
	log      *slog.Logger
	known    *known
	second   *openai.Brain // the fallback, nil for none
	// each with the fallback behind it, so that an outage is discovered only once
	behind map[*openai.Brain]agent.Brain
	limits map[string]*openai.Limit
}

// alone reports whether the built-in brain thinks.
func (m *mind) alone() bool { return len(m.brains) == 0 }

// brain returns the brain of a kind of agent, or nil for the built-in one.
func (m *mind) brain(kind string) *openai.Brain {
	kind, _, _ = strings.Cut(kind, "-") // evaluator-compare is the evaluator
	return cmp.Or(m.of[kind], m.of[""])
}

func (c *runCommand) think(ctx context.Context, s settings, config *researcher.Config, log *slog.Logger) (*mind, error) {
	at, why, err := s.seat(ctx)
	if err != nil {
		return nil, err
	}
	if at == nil {
		return c.thinkAlone(s, config, why)
	}
	if !c.Verbose {
		log = nil // without -v the waits, which are events, are enough
	}
	m := &mind{settings: s, home: *at, log: log, known: knownServers(), of: map[string]*openai.Brain{},
		behind: map[*openai.Brain]agent.Brain{}, limits: map[string]*openai.Limit{}}
	if err := m.fill(ctx, config); err != nil {
		return nil, err
	}
	first := m.of[""]
	maps.Copy(config.Settings, s.ofTheModel(*at, first))
	m.line = fmt.Sprintf("thinking with %s at %s", first.Model, server(first.BaseURL))
	if why != "" {
		m.line += "; " + why
	}
	return m, nil
}

// alone describes a run without a model.
const alone = "thinking with the built-in brain, which quotes and adds nothing"

func (c *runCommand) thinkAlone(s settings, config *researcher.Config, why string) (*mind, error) {
	if len(s.Docs) > 0 && len(s.Search) == 0 {
		config.Search = nil // it cannot judge what strangers say
	}
	if !isThere(c.Dir) && len(s.Docs) == 0 && len(config.Search) == 0 && c.Question != "" {
		return nil, wrongUse("give documents with --docs, or say --search all", "there is nothing to read: no documents are given, and the search is turned off")
	}
	if value(s.Brain, brainAuto) == brainAuto && s.Model != nil {
		return nil, wrongUse(fmt.Sprintf("set %s, or --base-url for a server that wants no key; --brain clip works without a model", keyVariable), "the model %s is named and no server for it", clean(*s.Model))
	}
	config.Brain = clip.Brain{}
	return &mind{line: alone + "; " + cmp.Or(why, fmt.Sprintf("%s or --base-url give it a model", keyVariable))}, nil
}

// fill sets the brain of each role. A role without a model of its own uses another role's brain.
func (m *mind) fill(ctx context.Context, config *researcher.Config) (err error) {
	s := m.settings
	if s.FallbackModel != nil {
		if m.second, err = m.make(ctx, *s.FallbackModel, false); err != nil {
			return err
		}
	}
	model := value(s.Model, "")
	evaluator := value(s.EvaluatorModel, model)
	for _, role := range []struct {
		kinds  []string // of agents, including those that a later line may give a brain of their own
		model  *string
		brain  *agent.Brain
		judges bool
	}{
		{[]string{""}, &model, &config.Brain, false},
		{[]string{"file", "reader"}, s.FileModel, &config.FileBrain, false},
		{[]string{"reader"}, s.ReaderModel, &config.ReaderBrain, false},
		{[]string{"evaluator", "opponent", "checker"}, &evaluator, &config.Judging.Evaluator.Brain, true},
		{[]string{"intake"}, s.IntakeModel, &config.IntakeBrain, false},
		{[]string{"checker"}, s.CheckerModel, &config.Judging.Checker, true},
	} {
		if role.model == nil {
			continue
		}
		brain, err := m.make(ctx, *role.model, role.judges)
		if err != nil {
			return err
		}
		*role.brain = m.backed(brain)
		for _, kind := range role.kinds {
			m.of[kind] = brain
		}
	}
	if name := value(s.EmbedModel, searchNone); name != searchNone {
		at, name, err := m.served(ctx, name)
		if err != nil {
			return err
		}
		config.Embed = (&openai.Brain{Model: name, BaseURL: at.BaseURL, Key: at.key, Quirks: at.Quirks, Limit: m.limit(at)}).Embed
	}
	return nil
}

// make returns the brain of a model named in the settings, and makes it on first use.
func (m *mind) make(ctx context.Context, spelled string, judges bool) (*openai.Brain, error) {
	var extra map[string]any
	if judges { // at a low temperature, so that the same report gets the same marks
		extra = map[string]any{"temperature": value(m.settings.JudgeTemperature, 0.3)}
		if effort := value(m.settings.JudgeEffort, ""); effort != "" {
			extra["reasoning_effort"] = effort
		}
	}
	at, name, err := m.served(ctx, spelled)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(m.brains, func(made *openai.Brain) bool {
		return made.BaseURL == at.BaseURL && made.Model == name && (made.Extra == nil) == (extra == nil)
	})
	if i >= 0 {
		return m.brains[i], nil
	}
	made := &openai.Brain{
		Model: name, BaseURL: at.BaseURL, Key: at.key, Quirks: at.Quirks, Extra: extra, Limit: m.limit(at), Log: m.log,
		NoStream: !value(m.settings.Stream, true), Price: m.settings.price(spelled, name), Window: value(m.settings.Window, 0),
	}
	if m.second != nil {
		made.MaxTries, made.MaxWait = triesBesideFallback, waitBesideFallback
	}
	id := serverAndModel(made)
	made.Known = m.known.read()[id].Capabilities
	made.Learned = func(c openai.Capabilities) { m.known.keep(id, c) }
	m.brains = append(m.brains, made)
	return made, nil
}

// served returns the server of a model, and its name there.
func (m *mind) served(ctx context.Context, spelled string) (seat, string, error) {
	at := m.home
	name, provider := cutProvider(spelled)
	if provider != "" && provider != at.Name {
		var err error
		if at, err = seatOf(provider, ""); err != nil {
			return at, "", err
		}
	}
	name, err := at.model(ctx, name)
	return at, name, err
}

// backed returns a brain with the fallback, if any, behind it.
func (m *mind) backed(first *openai.Brain) agent.Brain {
	if m.second == nil || first == m.second {
		return first
	}
	if m.behind[first] == nil {
		m.behind[first] = &openai.Fallback{First: first, Second: m.second}
	}
	return m.behind[first]
}

func (m *mind) limit(at seat) *openai.Limit {
	if m.limits[at.BaseURL] == nil {
		s := m.settings
		m.limits[at.BaseURL] = &openai.Limit{
			Parallel: value(s.MaxParallel, at.Parallel), Requests: value(s.RequestsPerMin, 0), Tokens: value(s.TokensPerMin, 0),
		}
	}
	return m.limits[at.BaseURL]
}

// server returns a base URL without the parts that may be secret.
func server(base string) string {
	at, err := url.Parse(base)
	if err != nil {
		return "a base URL that is none"
	}
	return at.Scheme + "://" + at.Host + at.Path
}

// ofTheModel returns the settings that a new research keeps to go on with the same model; never the key.
func (s settings) ofTheModel(at seat, first *openai.Brain) map[string]any {
	kept := s.kept("model")
	kept["brain"] = brainOpenAI
	if at.kept {
		kept["provider"] = at.Name
	}
	if at.Local && s.Model == nil {
		kept["model"] = first.Model // next time the server may list another one first
	}
	if base := value(s.BaseURL, ""); base != "" && base == at.BaseURL {
		kept["base-url"] = server(base)
		// the api-version in Azure's older addresses is no secret
		if at, err := url.Parse(base); err == nil && at.Query().Has("api-version") {
			kept["base-url"] = server(base) + "?api-version=" + url.QueryEscape(at.Query().Get("api-version"))
		}
	}
	return kept
}

// trace traces a run if OpenTelemetry's own variables name a collector. The caller must call end; a collector
// that does not answer causes a remark and no failure.
func trace(folder string, config *researcher.Config, mind *mind, say func(string)) (end func(), err error) {
	c, set, err := traces.FromEnv(os.Getenv)
	if err != nil {
		return nil, wrongUse("put it right, or unset it to send no traces", "%w", err)
	}
	if !set {
		return func() {}, nil
	}
	c.Provider = func(kind string) string { return providerOf(mind.brain(kind)) }
	c.Model = func(kind string) string {
		if b := mind.brain(kind); b != nil {
			return b.Model
		}
		return builtIn
	}
	dir, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("finding the folder: %w", err)
	}
	c.Conversation = digest(dir)[:16] // the same for every run of a research, and reveals no path
	t, observe := traces.New(c), config.Observe
	config.Observe = func(e agent.Event) {
		t.Observe(e)
		observe(e)
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := t.Close(ctx); err != nil {
			say(err.Error())
		}
	}, nil
}

// builtIn names the built-in brain where a model and its provider are given.
const builtIn = "daybook"

// providerOf returns a provider's name in OpenTelemetry, or its host if it has none there.
func providerOf(b *openai.Brain) string {
	if b == nil {
		return builtIn
	}
	if p, ok := openai.ProviderAt(b.BaseURL); ok {
		named := map[string]string{"azure": "azure.ai.openai", "gemini": "gcp.gemini", "mistral": "mistral_ai", "moonshot": "moonshot_ai"}
		return cmp.Or(named[p.Name], p.Name)
	}
	at, err := url.Parse(b.BaseURL)
	if err != nil || at.Hostname() == "" {
		return brainOpenAI
	}
	return at.Hostname()
}
