package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/prose"
)

// models tries each model that a run would ask, and reports whether a run would do without one.
func (c *doctorCommand) models(ctx context.Context, here *checks, s settings, term terminal) (alone bool) {
	_, mind, err := (&runCommand{Dir: c.Dir}).config(ctx, s, slog.New(slog.DiscardHandler))
	if err != nil {
		here.fail("brain", err)
		return false
	}
	tried := map[string]bool{}
	for _, brain := range mind.brains {
		id := serverAndModel(brain)
		switch {
		case tried[id]: // the judges' brain is the same model with another temperature
		case c.Offline:
			here.add("server", noted, fmt.Sprintf("%s at %s was not asked", brain.Model, server(brain.BaseURL)), "")
		default:
			if isLive(term.stderr) {
				term.note(c.speaks().Say(
					"trying %s with up to eight tiny requests, about 4,000 tokens in all …",
					clean(brain.Model)))
			}
			here.model(ctx, brain)
		}
		tried[id] = true
	}
	if mind.alone() {
		here.add("brain", healthy, "the built-in one, which quotes and adds nothing, and needs no model", fmt.Sprintf(
			"for a model set %s, or --base-url to a server of your own, such as http://localhost:11434/v1 for Ollama", keyVariable))
	}
	return mind.alone()
}

// model tries one model, and keeps what it finds out.
func (c *checks) model(ctx context.Context, b *openai.Brain) {
	p, err := b.Probe(ctx)
	if err != nil {
		c.add("server", failing, err.Error(), serverHint(err))
		return
	}
	knownServers().keep(serverAndModel(b), p.Capabilities)
	c.add("server", healthy, fmt.Sprintf("%s at %s answered after %s", b.Model, server(cmp.Or(b.BaseURL, openai.DefaultBaseURL)), seconds(p.First)), "")
	c.abilities(p)
	for _, note := range p.Notes {
		c.add("trouble", noted, note, "")
	}
	cost := fmt.Sprintf("%d requests, %s", p.Spent.Calls, tokens(prose.English, p.Spent))
	if p.Spent.Cost > 0 {
		cost += ", " + dollars(p.Spent.Cost)
	}
	c.add("cost of this", healthy, cost, "")
}

// abilities adds what a server and model can do.
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

// search asks each provider that a run would use one small question, all at once. Without a model, a run that
// has documents uses none.
func (c *doctorCommand) search(ctx context.Context, here *checks, s settings, alone bool) {
	chosen, err := s.providers()
	if err != nil {
		here.fail("search", err)
		return
	}
	for _, path := range s.Docs {
		if _, err := os.Stat(path); err != nil {
			here.add("documents", failing, err.Error(), "name a folder or file that can be read as docs")
		} else {
			here.add("documents", healthy, path, "")
		}
	}
	switch {
	case len(chosen) == 0:
		here.add("search", healthy, "turned off by the setting search", "")
		return
	case alone && len(s.Docs) > 0 && len(s.Search) == 0:
		here.add("search", healthy, "not used: without a model only your documents are read", "")
		return
	case c.Offline:
		here.add("search", noted, fmt.Sprintf("%s set up; none was asked", prose.English.Count(len(chosen), "provider")), "")
		return
	}
	offers, answered := search.Offers(), 0
	for i, a := range askAll(ctx, chosen) {
		if a.err == nil {
			answered++
		}
		offer := search.Offer{}
		isIts := func(o search.Offer) bool { return o.Name == chosen[i].Name() }
		if n := slices.IndexFunc(offers, isIts); n >= 0 {
			offer, offers = offers[n], slices.Delete(offers, n, n+1)
		}
		here.provider(chosen[i].Name(), offer, a)
	}
	var missing []string
	for _, o := range offers {
		if o.Needed {
			missing = append(missing, o.Name+" ("+o.Variable+")")
		}
	}
	if len(missing) > 0 {
		here.add("more services", healthy, strings.Join(missing, ", "), "none is needed; each is set up by its variable")
	}
	if answered == 0 && len(s.Docs) == 0 {
		health := failing
		if c.Dir == "" && len(s.Search) == 0 { // a run may have documents
			health = noted
		}
		here.add("search", health, "no provider answers, so nothing can be found but in your documents",
			"check the network, or give documents with --docs")
	}
}

type answered struct {
	hits int
	took time.Duration
	err  error
}

func askAll(ctx context.Context, providers []search.Provider) []answered {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	answers := make([]answered, len(providers))
	var all sync.WaitGroup
	for i, p := range providers {
		all.Go(func() {
			began := time.Now()
			hits, err := p.Search(ctx, "tide", 1)
			answers[i] = answered{len(hits), time.Since(began), err}
		})
	}
	all.Wait()
	return answers
}

// provider adds how one provider answered. Only a refused key is a failure, since there are other providers.
func (c *checks) provider(name string, offer search.Offer, a answered) {
	variable := offer.Variable
	keyed := variable != "" && os.Getenv(variable) != ""
	var refused *search.ServiceError
	held := errors.As(a.err, &refused) && refused.Reason != search.Unavailable && refused.Reason != search.Strange
	switch {
	case a.err == nil && a.hits == 0:
		c.add(name, noted, fmt.Sprintf("answered after %s and found nothing", seconds(a.took)), "")
	case a.err == nil:
		c.add(name, healthy, fmt.Sprintf("answered after %s", seconds(a.took)), "")
	case keyed && held && refused.Reason != search.Throttled:
		c.add(name, failing, a.err.Error(), fmt.Sprintf("check %s, or leave it unset", variable))
	case keyed:
		c.add(name, noted, a.err.Error(), fmt.Sprintf("look at it again later, or check %s", variable))
	case variable != "" && held:
		c.add(name, noted, a.err.Error(), fmt.Sprintf("%s may help: %s", variable, offer.Value))
	default:
		c.add(name, noted, a.err.Error(), "")
	}
}
