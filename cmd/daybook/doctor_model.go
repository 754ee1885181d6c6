package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"

	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/prose"
)

// models tries each model that a run would ask, and reports whether it would do without one.
func (c *doctorCommand) models(ctx context.Context, s settings, say func(string)) (found *checks, alone bool) {
	here := &checks{area: "model"}
	_, mind, err := (&runCommand{Dir: c.Dir}).config(ctx, s, slog.New(slog.DiscardHandler))
	if err != nil {
		here.fail("brain", err)
		return here, false
	}
	tried := map[string]bool{}
	for _, brain := range mind.brains {
		if tried[serverAndModel(brain)] { // one that judges is the same model with a temperature of its own
			continue
		}
		tried[serverAndModel(brain)] = true
		if c.Offline {
			here.add("server", noted, fmt.Sprintf("%s at %s was not asked", brain.Model, server(brain.BaseURL)), "")
			continue
		}
		say(c.speaks().Say("trying %s with up to eight tiny requests, about 4,000 tokens in all …", clean(brain.Model)))
		here.model(ctx, brain)
	}
	if mind.alone() {
		here.add("brain", healthy, "the built-in one, which quotes and adds nothing, and needs no model", fmt.Sprintf(
			"for a model set %s, or --base-url to a server of your own, such as http://localhost:11434/v1 for Ollama", keyVariable))
	}
	return here, mind.alone()
}

// model tries one model, and keeps what is found out.
func (c *checks) model(ctx context.Context, b *openai.Brain) {
	p, err := b.Probe(ctx)
	if err != nil {
		c.add("server", failing, err.Error(), serverHint(err))
		return
	}
	knownServers(nil).keep(serverAndModel(b), p.Capabilities)
	c.add("server", healthy, fmt.Sprintf("%s at %s answered after %s", b.Model, server(cmp.Or(b.BaseURL, openai.DefaultBaseURL)), seconds(p.First)), "")
	c.abilities(p)
	for _, note := range p.Notes {
		c.add("trouble", noted, note, "")
	}
	cost := fmt.Sprintf("%d requests, %s", p.Spent.Calls, tokens(prose.English, p.Spent))
	if p.Spent.Cost > 0 {
		cost += fmt.Sprintf(", $%.4f", p.Spent.Cost)
	}
	c.add("cost of this", healthy, cost, "")
}

// abilities tells what a server and model can do.
func (c *checks) abilities(p openai.Probed) {
	switch {
	case p.Calls == openai.Yes:
		c.add("calls of actions", healthy, "native", "")
	case p.Follows == openai.Yes:
		c.add("calls of actions", healthy, "none native; written in the text, which the model does as it is told", "")
	default:
		c.add("calls of actions", failing, "neither native, nor does the model write them in the text as it is told", "choose a larger model, or one that is made for tools")
	}
	ability := func(name string, can openai.Finding, yes, no string) {
		switch can {
		case openai.Yes:
			c.add(name, healthy, yes, "")
		case openai.No:
			c.add(name, noted, no, "")
		}
	}
	ability("roles", p.Roles, "", "no system message, or user and assistant in turn: messages are joined")
	ability("parallel calls", p.Parallel, "several in one reply", "refused: they are told one by one")
	if p.Calls == openai.Yes && p.Parallel == openai.Unknown {
		c.add("parallel calls", noted, "none seen: two were asked for, and did not come in one reply", "")
	}
	ability("tool_choice", p.Choice, "taken", "not taken: what must be called is said in words")
	ability("streaming", p.Stream, "whole", "none: replies come in one piece, and a long one is silent")
	ability("usage", p.Usage, "reported", "not reported: tokens are estimated")
	ability("prompt cache", p.Cache, "used", "none seen: the same beginning, sent twice, was not cached")
	c.either(p.Window > 0, "window", fmt.Sprintf("%s tokens", amount(p.Window)),
		"the server does not say how many tokens a request may have", "")
	if p.Refused != "" {
		c.add("fields", noted, fmt.Sprintf("not taken: %s", p.Refused), "")
	}
}
