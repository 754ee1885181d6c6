package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

const (
	// defaultLimit is how many hits a caller gets who names no number; mostHits is the most that one can get.
	defaultLimit, mostHits = 10, 50
	// atOnce is how many providers are asked side by side: a dozen connections opened in one moment are slow on weak lines.
	atOnce = 8
)

// All searches several providers side by side. It remembers who failed, and when whom was asked; so there is one All for a run, it
// is not copied after its first use, and it may be used by several goroutines at once.
type All struct {
	Providers []Provider // their order settles ties; each has a name of its own
	Embed     Embed      // ranks by meaning too; nil does without

	mu     sync.Mutex
	places map[string]*place // by the provider's name
}

// Question is what to search for, and where.
type Question struct {
	Queries []string // short ones, of a few words each. Near-duplicates are dropped, and at most five are asked
	Source  string   // the name of a provider or a Kind; "" is everywhere
	Limit   int      // the most hits; 0 or less means 10, and more than 50 is 50
	// Once, when set, gets the hits of a provider of another's for a query: from what a run before that was cut off was given, or by ask.
	Once func(provider, query string, ask func() ([]Hit, error)) ([]Hit, error)
}

// Found is what All found.
type Found struct {
	Queries   []string  // those that were asked, as they were asked
	Over      []string  // those that were not, since so many are not asked at once
	Answered  []string  // the names of the providers that answered, whether they found something or not
	Hits      []Hit     // merged, the best first, each page once
	Failed    []Failure // the providers that were to be asked and did not answer
	Unweighed error     // why meaning was left out of the ranking, or nil
}

// Failure is one provider that could not search.
type Failure struct {
	Provider string
	Partly   bool // it answered some of the queries, and what it found is among the hits
	Err      error
}

// Search asks the providers of q.Source, each one query after the other, and merges and ranks the answers. The error is not nil when
// nobody answered: the question names no source that is set up, or all of them failed. When only some failed, Found says so, and
// a caller must pass that on: what a provider that is down would have found is unknown, not absent.
func (a *All) Search(ctx context.Context, q Question) (Found, error) {
	queries, over := differing(q.Queries)
	if len(queries) == 0 {
		return Found{}, errors.New("searching: no query holds a word to look for")
	}
	chosen, err := a.choose(q.Source)
	if err != nil {
		return Found{}, fmt.Errorf("searching: %w", err)
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	q.Limit = min(q.Limit, mostHits)
	first, last := apartFromLast(chosen, q.Source)
	answers := a.ask(ctx, first, queries, q)
	answers = append(answers, a.ask(ctx, needed(last, first, answers), queries, q)...)

	found := Found{Queries: queries, Over: over}
	var lists []results
	for _, x := range answers {
		if x.answered() {
			found.Answered = append(found.Answered, x.provider)
		}
		if x.err != nil {
			found.Failed = append(found.Failed, Failure{x.provider, x.answered(), x.err})
		}
		lists = append(lists, x.lists...)
	}
	if len(found.Answered) == 0 {
		return found, fmt.Errorf("searching: no provider answered: %w", joinFailures(found.Failed))
	}
	found.Hits, found.Unweighed = ranked(ctx, merged(lists), queries, q.Limit, a.Embed)
	return found, nil
}

// choose lists the providers that a source means.
func (a *All) choose(source string) ([]Provider, error) {
	if len(a.Providers) == 0 {
		return nil, errors.New("no search provider is set up")
	}
	if source == "" {
		return a.Providers, nil
	}
	var chosen []Provider
	var names []string
	for _, p := range a.Providers {
		if strings.EqualFold(p.Name(), source) || strings.EqualFold(string(p.Kind()), source) {
			chosen = append(chosen, p)
		}
		names = append(names, fmt.Sprintf("%s (%s)", p.Name(), p.Kind()))
	}
	if only := a.Providers[0]; len(chosen) == 0 && len(a.Providers) == 1 {
		name := only.Name()
		if only.Kind() == Own {
			name = "the person's own documents"
		}
		return nil, fmt.Errorf("%q is no source; nothing but %s can be searched in this run: leave source out", capped(oneLine(source), 60), name)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%q is no source that is set up; give one of these, or a kind in brackets: %s",
			capped(oneLine(source), 60), strings.Join(names, ", "))
	}
	return chosen, nil
}

// ask asks providers side by side; the answers are in their order.
func (a *All) ask(ctx context.Context, providers []Provider, queries []string, q Question) []answer {
	answers := make([]answer, len(providers))
	var asked errgroup.Group
	asked.SetLimit(atOnce)
	for i, p := range providers {
		asked.Go(func() error {
			answers[i] = a.place(p).ask(ctx, p, queries, q)
			return nil // the answer holds it: one that fails must not stop the others
		})
	}
	if err := asked.Wait(); err != nil {
		return nil // no member gives an error
	}
	return answers
}

func joinFailures(failed []Failure) error {
	errs := make([]error, len(failed))
	for i, f := range failed {
		errs[i] = fmt.Errorf("%s: %w", f.Provider, f.Err)
	}
	return errors.Join(errs...)
}
