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

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search/words"
	"golang.org/x/sync/semaphore"
)

const (
	// defaultLimit is the number of hits for a caller who names none, mostHits the largest number.
	defaultLimit, mostHits = 10, 50
	// DefaultBreadth bounds the queries of one call, defaultSideBySide the questions under way at a time: a
	// dozen connections opened at once are slow on weak lines.
	DefaultBreadth, defaultSideBySide = 5, 8
)

// All searches several providers side by side. It remembers who failed and who was asked when, so a run has
// only one. Do not copy it after its first use; several goroutines may use it at once.
type All struct {
	Providers []Provider // their order settles ties; each has a name of its own
	Embed     Embed      // ranks by meaning too; may be nil
	Breadth   int        // the most queries of one call; 0 is DefaultBreadth
	// the most questions under way at one time, over all calls; 0 is 8
	SideBySide int

	mu     sync.Mutex
	places map[string]*place   // by the provider's name
	slots  *semaphore.Weighted // one for each question under way
}

// Question holds the queries of a search, and where to look.
type Question struct {
	Queries []string // short ones, of a few words each. Near-duplicates are dropped
	// Source is the name of a provider, a Kind, "internal" for what never leaves the user's own machines, or
	// a host such as go.dev; "" is everywhere.
	Source string
	Site   Provider // searches the articles of the host in Source; may be nil
	Limit  int      // the most hits of one query alone; 0 or less means 10, and more than 50 is 50
	// Read, if set, reports whether the page of an address was read already; it takes no other's place.
	Read func(url string) bool
	// Once, if set, returns the hits of a provider other than the user's documents for a query: from the
	// record of a run that was cut off, or by calling ask.
	Once func(provider, query string, ask func() ([]Hit, error)) ([]Hit, error)
}

// Found is the result of a search by All.
type Found struct {
	Queries  []string // those that were asked, as they were asked
	Over     []string // those that were left out because there were too many
	Answered []string // the names of the providers that answered, whether they found something or not
	Hits     []Hit    // query by query, the best of each first; each page once
	Read     []Hit    // pages found again that were read already, the best first
	// what the user's documents say to each query, if they were asked
	Own       []Finding
	Failed    []Failure // the providers that did not answer everything
	Unweighed error     // why meaning was left out of the ranking, or nil
}

// Failure is one provider that could not search.
type Failure struct {
	Provider string
	Queries  []string // those that it did not answer, if it answered others
	Err      error
}

// Search asks the providers of q.Source each query, side by side, and merges and ranks the answers. Each
// query has places of its own among the hits. The error is not nil if nobody answered: no such source is set
// up, or all of them failed. If only some failed, Found lists them, and the caller must pass that on: what a
// failed provider would have found is unknown, not absent.
func (a *All) Search(ctx context.Context, q Question) (Found, error) {
	queries, over := differing(q.Queries, cmp.Or(a.Breadth, DefaultBreadth))
	if len(queries) == 0 {
		return Found{}, errors.New("searching: no query holds a word to look for")
	}
	chosen, err := a.choose(q)
	if err != nil {
		return Found{}, fmt.Errorf("searching: %w", err)
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	q.Limit = min(q.Limit, mostHits)
	isLast := func(c choice) bool { // a last resort that is the source is like any other
		l, ok := c.Provider.(lastResort)
		return ok && l.IsLastResort() && !strings.EqualFold(c.Name(), q.Source)
	}
	answers := a.ask(ctx, slices.DeleteFunc(slices.Clone(chosen), isLast), queries, q)
	if !slices.ContainsFunc(answers, func(x answer) bool { return x.err == nil && isGeneral(x.provider) }) {
		last := slices.DeleteFunc(chosen, func(c choice) bool { return !isLast(c) })
		answers = append(answers, a.ask(ctx, last, queries, q)...)
	}

	found := Found{Queries: queries, Over: over, Failed: failures(answers, queries)}
	for _, x := range answers {
		if x.err == nil && !slices.Contains(found.Answered, x.provider.Name()) {
			found.Answered = append(found.Answered, x.provider.Name())
		}
		if _, isOwn := x.provider.(finder); isOwn && x.err == nil {
			x.found.Query, x.found.Hits = x.query, nil
			found.Own = append(found.Own, x.found)
		}
	}
	if len(found.Answered) == 0 {
		var failed []error
		for _, f := range found.Failed {
			failed = append(failed, fmt.Errorf("%s: %w", f.Provider, f.Err))
		}
		return found, fmt.Errorf("searching: no provider answered: %w", errors.Join(failed...))
	}
	pages := make([][]*finding, len(queries))
	for i, query := range queries {
		pages[i] = ranked(merged(answers, i), query)
	}
	found.Unweighed = weighMeaning(ctx, pages, queries, a.Embed)
	for i := range pages {
		pages[i] = spread(pages[i])
	}
	found.Hits, found.Read = seated(pages, q)
	return found, nil
}

// choice is a provider to ask, about one site only if there is a host.
type choice struct {
	Provider
	host string
}

// choose returns the providers that q.Source means.
func (a *All) choose(q Question) (chosen []choice, err error) {
	source := strings.ToLower(q.Source)
	if strings.Contains(source, ".") {
		return a.forSite(source, q.Site)
	}
	if len(a.Providers) == 0 {
		return nil, errors.New("no search provider is set up")
	}
	var names []string
	for _, p := range a.Providers {
		names = append(names, fmt.Sprintf("%s (%s)", p.Name(), p.Kind()))
		isMeant := false
		switch source {
		case "": // news only on request: the service wants seconds between two questions
			isMeant = p.Kind() != News || len(a.Providers) == 1
		case strings.ToLower(p.Name()), string(p.Kind()):
			isMeant = true
		case string(Internal):
			isMeant = p.Kind() == Own
		}
		if isMeant {
			chosen = append(chosen, choice{Provider: p})
		}
	}
	if len(chosen) > 0 {
		return chosen, nil
	}
	if host := hostOf[Kind(source)]; host != "" && slices.ContainsFunc(a.Providers, isGeneral) {
		return a.forSite(host, q.Site)
	}
	source = words.Capped(oneLine(q.Source), 60)
	if only := a.Providers[0]; len(a.Providers) == 1 {
		name := only.Name()
		if only.Kind() == Own {
			name = "the person's own documents"
		}
		return nil, fmt.Errorf(
			"%q is no source; nothing but %s can be searched in this run: leave source out", source, name)
	}
	return nil, fmt.Errorf("%q is no source that is set up; give one of these, or a kind in brackets: %s",
		source, strings.Join(names, ", "))
}

// hostOf is the site to search for a kind without a provider.
var hostOf = map[Kind]string{Patents: "patents.google.com"}

// specials lists, by site, the providers that know it better than a general one does.
var specials = map[string][]string{
	"github.com": {"github", "github-issues"}, "arxiv.org": {"arxiv"},
	"huggingface.co":       {"huggingface", "huggingface-blog"},
	"news.ycombinator.com": {"hackernews"}, "wikipedia.org": {"wikipedia"},
	"semanticscholar.org": {"semanticscholar"},
}

// forSite returns who can search one site: the providers made for it, its own lists, and the general ones.
func (a *All) forSite(host string, site Provider) (chosen []choice, err error) {
	host = strings.TrimPrefix(host, "www.")
	var general []choice
	for _, p := range a.Providers {
		if slices.Contains(specials[host], p.Name()) {
			chosen = append(chosen, choice{Provider: p})
		}
		if isGeneral(p) {
			general = append(general, choice{p, host})
		}
	}
	if site != nil {
		chosen = append(chosen, choice{Provider: site})
	}
	if chosen = append(chosen, general...); len(chosen) == 0 {
		return nil, fmt.Errorf("no provider for the web is set up that could search %s",
			words.Capped(oneLine(host), 60))
	}
	return chosen, nil
}

// search asks the provider a query. For one site it puts site: before the query, which every general service
// understands, and drops hits from elsewhere all the same.
func (c choice) search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if c.host != "" && !strings.Contains(query, "site:") {
		query = "site:" + c.host + " " + query
	}
	hits, err := c.Provider.Search(ctx, query, limit)
	return slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool {
		u, err := url.Parse(h.URL)
		return c.host != "" && (err != nil ||
			!strings.HasSuffix("."+strings.ToLower(u.Hostname()), "."+c.host))
	}), err
}

// Page reads a page that only one of the providers can read; ok is false for any other.
func (a *All) Page(ctx context.Context, address string) (raw page.Raw, ok bool, err error) {
	for _, p := range a.Providers {
		if reads, is := p.(pager); is {
			if raw, ok, err = reads.Page(ctx, address); ok {
				return raw, ok, err
			}
		}
	}
	return page.Raw{}, false, nil
}

// OutOfReach reports whether only the user's own services could be reached so far, for want of a network.
// News are asked only by name, and do not count.
func (a *All) OutOfReach() bool {
	asked := false
	for _, p := range a.Providers {
		if p.Kind() == Own || p.Kind() == Internal {
			continue
		}
		out := a.place(p).isOut()
		if !out && p.Kind() != News {
			return false
		}
		asked = asked || out
	}
	return asked
}

// SearchesWeb reports whether some provider knows the whole web.
func (a *All) SearchesWeb() bool { return slices.ContainsFunc(a.Providers, isGeneral) }

// isGeneral reports whether a provider knows the whole web.
func isGeneral(p Provider) bool {
	narrow, ok := p.(oneSite)
	return p.Kind() == Web && !(ok && narrow.IsOneSite())
}

// ask asks every provider every query, side by side. The answers are ordered by provider, then by query.
func (a *All) ask(ctx context.Context, chosen []choice, queries []string, q Question) []answer {
	answers := make([]answer, len(chosen)*len(queries))
	var asked sync.WaitGroup
	for i, c := range chosen {
		for j, query := range queries {
			asked.Go(func() { answers[i*len(queries)+j] = a.place(c.Provider).ask(ctx, c, j, query, q) })
		}
	}
	asked.Wait()
	return answers
}

// failures returns the providers that did not answer, with the queries if they answered others.
func failures(answers []answer, queries []string) (list []Failure) {
	for of := range slices.Chunk(answers, len(queries)) {
		first := len(list)
		answered := slices.ContainsFunc(of, func(x answer) bool { return x.err == nil })
		for _, x := range of {
			if x.err == nil {
				continue
			}
			at := first + slices.IndexFunc(list[first:], func(f Failure) bool {
				return !answered || f.Err.Error() == x.err.Error()
			})
			switch {
			case at < first:
				list, at = append(list, Failure{Provider: x.provider.Name(), Err: x.err}), len(list)
			case errors.Is(list[at].Err, errResting): // the cause says more than that the provider rests
				list[at].Err = x.err
			}
			if answered {
				list[at].Queries = append(list[at].Queries, queries[x.query])
			}
		}
	}
	return list
}
