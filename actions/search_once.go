package actions

import (
	"context"
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// searchOnce searches for a call, so that a kill loses no answer already received: answers of providers are
// held until the call's result is recorded, and the whole result while earlier calls are still running. A
// query that another chapter's researcher sent to a provider is not sent again.
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
	q.Once = func(provider, query string, ask func() ([]search.Hit, error)) ([]search.Hit, error) {
		name := fmt.Sprintf("search %q of %s in %q", query, provider, q.Source)
		return once(ctx, k.shelf, name, func() ([]search.Hit, error) {
			return heldOr(k.Workspace, turn.Path(), provider+" for "+query, ask)
		})
	}
	found, err := places.Search(ctx, q)
	if err == nil && !turn.IsFirst() {
		k.Workspace.Hold(turn.Path(), holding, beforeOf(found))
	}
	return found, err
}

// heldOr returns what is held under a name for a call, or brings it and holds it.
func heldOr[T any](w *workspace.Workspace, call, name string, bring func() (T, error)) (what T, err error) {
	if w.Held(call, name, &what) {
		return what, nil
	}
	if what, err = bring(); err == nil {
		w.Hold(call, name, what)
	}
	return what, err
}

// foundBefore is the result of a search in the form in which it is held.
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
