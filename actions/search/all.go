package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// patience is how long one provider may take: a slow one must not hold back what the others found.
	patience = 20 * time.Second
	// flatness is the constant of reciprocal rank fusion (Cormack, Clarke, Büttcher, 2009): the higher it is, the less
	// the first rank of one provider counts against two providers agreeing.
	flatness = 60
	// defaultLimit is how many hits a caller gets who names no number.
	defaultLimit = 10
)

// All searches several providers side by side. The order of the providers settles ties.
type All []Provider

// Found is what All found.
type Found struct {
	Hits   []Hit     // merged, the best first, each page once
	Failed []Failure // the providers that did not answer; in the order of All
}

// Failure is one provider that could not search.
type Failure struct {
	Provider string
	Err      error
}

// Search asks every provider at once, for limit hits each, and merges the answers; a limit of 0 or less means 10. The
// error is not nil when nobody answered: no provider is set up, or all of them failed. When only some failed, Found says
// so, and a caller must pass that on: what a provider that is down would have found is unknown, not absent.
func (a All) Search(ctx context.Context, query string, limit int) (Found, error) {
	if len(a) == 0 {
		return Found{}, errors.New("searching: no search provider is set up")
	}
	if limit <= 0 {
		limit = defaultLimit
	}
	answers := make([][]Hit, len(a))
	errs := make([]error, len(a))
	var asked sync.WaitGroup
	for i, provider := range a {
		asked.Go(func() {
			ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s", patience))
			defer cancel()
			answers[i], errs[i] = provider.Search(ctx, query, limit)
			if cause := context.Cause(ctx); errors.Is(errs[i], context.DeadlineExceeded) && cause != nil {
				errs[i] = cause
			}
		})
	}
	asked.Wait()
	var found Found
	for i, err := range errs {
		if err != nil {
			found.Failed = append(found.Failed, Failure{a[i].Name(), err})
			answers[i] = nil
		}
	}
	if len(found.Failed) == len(a) {
		return found, fmt.Errorf("searching: no provider answered: %w", joinFailures(found.Failed))
	}
	found.Hits = merge(answers, limit)
	return found, nil
}

func joinFailures(failed []Failure) error {
	errs := make([]error, len(failed))
	for i, f := range failed {
		errs[i] = fmt.Errorf("%s: %w", f.Provider, f.Err)
	}
	return errors.Join(errs...)
}

// merge fuses ranked lists by reciprocal rank, so that providers need no common scale of scores. A page that several
// providers found is one hit, as the first of them described it, and ranks higher for it.
func merge(answers [][]Hit, limit int) []Hit {
	type entry struct {
		hit   Hit
		score float64
	}
	var entries []*entry
	byPage := map[string]*entry{}
	for _, hits := range answers {
		hits = hits[:min(len(hits), limit)]
		seen := map[string]bool{}
		for rank, hit := range hits {
			key, ok := pageKey(hit.URL)
			if !ok || seen[key] {
				continue
			}
			seen[key] = true
			e := byPage[key]
			if e == nil {
				e = &entry{hit: hit}
				byPage[key] = e
				entries = append(entries, e)
			}
			e.score += 1 / float64(flatness+rank+1)
		}
	}
	slices.SortStableFunc(entries, func(a, b *entry) int { return cmp.Compare(b.score, a.score) })
	merged := make([]Hit, 0, min(len(entries), limit))
	for _, e := range entries[:min(len(entries), limit)] {
		merged = append(merged, e.hit)
	}
	return merged
}

// pageKey is the same for two addresses of one page. It is only compared, never fetched. It is not ok for what visit_url
// cannot take, such as javascript: and data:.
func pageKey(address string) (key string, ok bool) {
	if strings.HasPrefix(address, docScheme) {
		return address, true
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", false
	}
	query := u.Query()
	for name := range query {
		if strings.HasPrefix(name, "utm_") || name == "fbclid" || name == "gclid" {
			query.Del(name)
		}
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	return host + strings.TrimSuffix(u.EscapedPath(), "/") + "?" + query.Encode(), true
}
