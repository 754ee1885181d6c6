package actions

import (
	"context"
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// searchOnce searches for a call, so that a kill costs no answer of a provider that had come: those of others
// are held until the result of the call is on record, and all that was found while the calls before it are
// under way. What another chapter's researcher asked a provider is not asked again.
func (k Kit) searchOnce(
	ctx context.Context,
	turn *agent.Turn,
	places *search.All,
	q search.Question,
) (search.Found, error) {
	const holding = "found"
	var before foundBefore
	if k.Workspace.Held(turn.Path(), holding, &before) {
		return before.found(), nil
	}
	held := onceFor(k.Workspace, turn.Path())
	q.Once = func(provider, query string, ask func() ([]search.Hit, error)) ([]search.Hit, error) {
		name := fmt.Sprintf("search %q of %s in %q", query, provider, q.Source)
		return once(ctx, k.shelf, name, func() ([]search.Hit, error) { return held(provider, query, ask) })
	}
	found, err := places.Search(ctx, q)
	if err == nil && !turn.IsFirst() {
		k.Workspace.Hold(turn.Path(), holding, beforeOf(found))
	}
	return found, err
}

// onceFor holds the answers of providers for a call.
func onceFor(
	w *workspace.Workspace,
	call string,
) func(string, string, func() ([]search.Hit, error)) ([]search.Hit, error) {
	return func(provider, query string, ask func() ([]search.Hit, error)) ([]search.Hit, error) {
		name := provider + " for " + query
		var hits []search.Hit
		if w.Held(call, name, &hits) {
			return hits, nil
		}
		hits, err := ask()
		if err == nil {
			w.Hold(call, name, hits)
		}
		return hits, err
	}
}

// fetchOnce gets the lists of a site's articles. They are held until the site was searched.
func (k Kit) fetchOnce(host string) func(ctx context.Context, url string) (page.Raw, error) {
	return func(ctx context.Context, url string) (page.Raw, error) {
		var raw page.Raw
		if k.Workspace.Held(siteCall(host), url, &raw) {
			return raw, nil
		}
		raw, err := k.Pages.Fetch(ctx, url)
		if err == nil {
			k.Workspace.Hold(siteCall(host), url, raw)
		}
		return raw, err
	}
}

// siteCall is what the lists of a site are held for.
func siteCall(host string) string { return "site " + host }

// foundBefore is what a search found, as it is held.
type foundBefore struct {
	search.Found
	Failed []failedBefore
	Why    string // Unweighed
}

type failedBefore struct {
	Provider string
	Queries  []string
	Why      string
}

func beforeOf(f search.Found) foundBefore {
	b := foundBefore{Found: f}
	for _, x := range f.Failed {
		b.Failed = append(b.Failed, failedBefore{x.Provider, x.Queries, x.Err.Error()})
	}
	if f.Unweighed != nil {
		b.Why = f.Unweighed.Error()
	}
	b.Found.Failed, b.Found.Unweighed = nil, nil
	return b
}

func (b foundBefore) found() search.Found {
	f := b.Found
	for _, x := range b.Failed {
		f.Failed = append(f.Failed, search.Failure{Provider: x.Provider, Queries: x.Queries,
			Err: errors.New(x.Why)})
	}
	if b.Why != "" {
		f.Unweighed = errors.New(b.Why)
	}
	return f
}
