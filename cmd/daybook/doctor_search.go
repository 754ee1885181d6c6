package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent/prose"
)

// search asks each provider that a run would ask one small question, all side by side. Without a model a run asks
// none if it has documents.
func (c *doctorCommand) search(ctx context.Context, s settings, alone bool) *checks {
	here := &checks{area: "search"}
	chosen, err := s.providers()
	if err != nil {
		here.fail("search", err)
		return here
	}
	for _, path := range s.Docs {
		if _, err := os.Stat(path); err != nil {
			here.add("documents", failing, err.Error(), "name a folder or file that can be read as docs")
		} else {
			here.add("documents", healthy, path, "")
		}
	}
	switch isSet := len(s.Search) > 0; {
	case len(chosen) == 0:
		here.add("search", healthy, "turned off by the setting search", "")
		return here
	case alone && len(s.Docs) > 0 && !isSet:
		here.add("search", healthy, "not used: without a model only your documents are read", "")
		return here
	}
	if c.Offline {
		here.add("search", noted, fmt.Sprintf("%s set up; none was asked", prose.English.Count(len(chosen), "provider")), "")
		return here
	}
	answers := askAll(ctx, chosen)
	answered := 0
	for i, p := range chosen {
		if answers[i].err == nil {
			answered++
		}
		here.provider(p.Name(), answers[i])
	}
	var missing []string
	for _, o := range search.Offers() {
		if o.Needed && !slices.ContainsFunc(chosen, func(p search.Provider) bool { return p.Name() == o.Name }) {
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
	return here
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

// provider tells how one answered. Only a key that is not taken is a failure, since there are others.
func (c *checks) provider(name string, a answered) {
	var offer search.Offer
	for _, o := range search.Offers() {
		if o.Name == name {
			offer = o
		}
	}
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
