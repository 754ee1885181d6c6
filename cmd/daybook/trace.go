package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/traces"
)

// trace has a run traced when OpenTelemetry's own variables name a collector. What it returns has to be
// called at the end; a collector that does not answer is a remark and spoils no research.
func trace(folder string, config *researcher.Config, mind mind, say func(string)) (end func(), err error) {
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
	c.Conversation = digest(dir)[:16] // the same for every run of a research, and tells no path
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

// builtIn is what the built-in brain is called where a model and its provider are named.
const builtIn = "daybook"

// providerOf is a provider as OpenTelemetry names it: by a name it knows, or else by the host.
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
