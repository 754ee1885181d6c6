package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

const (
	maxHits       = 10
	mostOver      = 600             // letters that are shown of queries that were not asked
	searchTimeout = 3 * time.Minute // several queries to services that want seconds between two
)

func (k Kit) webSearch() agent.Action {
	type input struct {
		Query  string `json:"query" jsonschema:"a few keywords; several queries stand on a line each, five at most"`
		Source string `json:"source,omitempty" jsonschema:"where alone to search: the word of a kind named above, the name of a provider, or a site such as go.dev for its articles; everywhere unless set"`
	}
	a := agent.NewAction("web_search", k.searchDoc(), func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
		queries := strings.FieldsFunc(in.Query, func(r rune) bool { return r == '\n' || r == '\r' })
		source := strings.ToLower(strings.TrimSpace(in.Source))
		if !k.staysHere(source) {
			if err := k.mayLeave(in.Query); err != nil {
				return agent.Outcome{}, err
			}
		}
		places, err := k.places(source)
		if err != nil {
			return agent.Outcome{}, err
		}
		found, err := k.searchOnce(ctx, turn, places, search.Question{Queries: queries, Source: source, Limit: maxHits})
		if err != nil && len(found.Failed) > 0 {
			return agent.Outcome{}, fmt.Errorf("no provider answered, so what there is to find is unknown: %s", strings.Join(unsearched(found.Failed), "; "))
		}
		if err != nil {
			return agent.Outcome{}, err
		}
		if strings.Contains(source, ".") {
			k.Workspace.Release(siteCall(source))
		}
		if err := turn.InTurn(ctx); err != nil { // hits are numbered in the model's order
			return agent.Outcome{}, err
		}
		shown, err := k.hits(found, strings.Contains(source, "."))
		if err != nil {
			return agent.Outcome{}, err
		}
		k.outside.show(shown)
		return agent.Say(shown), nil
	})
	a.Parallel, a.Timeout = true, searchTimeout
	a.Explores = true
	return a
}

// LookUp searches for a term outside of a run, and gives what was found marked as from outside.
func (k Kit) LookUp(ctx context.Context, term string) (string, error) {
	if err := k.mayLeave(term); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	found, err := k.Search.Search(ctx, search.Question{Queries: []string{oneLine(term)}, Limit: maxHits, Once: onceFor(k.Workspace, "look-up "+term)})
	if err != nil {
		return "", err
	}
	return k.hits(found, false)
}

// places are the providers to ask. A source that looks like a host is that site.
func (k Kit) places(source string) (*search.All, error) {
	if strings.Contains(source, ".") {
		return k.site(source)
	}
	if k.Search == nil || len(k.Search.Providers) == 0 {
		return nil, errors.New("there is nowhere to search: no provider is set up and the person gave no documents. Visit addresses that the person named, or finish and say what is missing")
	}
	return k.Search, nil
}

// site searches the articles of one site, under the same rule as a visit: a host that came from nowhere is not even looked up.
func (k Kit) site(host string) (*search.All, error) {
	known, err := k.Workspace.KnownHost(host)
	if err != nil {
		return nil, agent.Fatal(fmt.Errorf("looking where the site comes from: %w", err))
	}
	if !known && !k.AnyURL {
		return nil, fmt.Errorf("the site %s is that of no search result, and in nothing that the person wrote before you did, so it is not asked. Search for its name first", host)
	}
	k.sites.mu.Lock()
	defer k.sites.mu.Unlock()
	if k.sites.byHost[host] == nil {
		if !k.AnyURL {
			if err := k.Workspace.Follow("https://" + host + "/"); err != nil {
				return nil, refusedOrFatal(err)
			}
		}
		site := &search.Site{Host: host, Most: workspace.MaxListed, Fetch: k.fetchOnce(host)}
		k.sites.byHost[host] = &search.All{Providers: []search.Provider{named{site, host}}}
	}
	return k.sites.byHost[host], nil
}

// sites are those that were searched in this run: a site's list of articles costs a dozen requests.
type sites struct {
	mu     sync.Mutex
	byHost map[string]*search.All
}

// named is a provider under the name that the model knows it by.
type named struct {
	search.Provider
	name string
}

func (n named) Name() string { return n.name }

// hits writes search results for the model, marked as what they are: words from outside. Each title and snippet stays on one line. Listed
// says that a site itself lists them.
func (k Kit) hits(found search.Found, listed bool) (string, error) {
	kept := make([]workspace.Hit, len(found.Hits))
	for i, h := range found.Hits {
		kept[i] = workspace.Hit{URL: h.URL, Excerpt: oneLine(h.Snippet), Listed: listed}
	}
	ids, err := k.Workspace.KeepHits(kept)
	if err != nil {
		return "", agent.Fatal(err)
	}
	var out, list strings.Builder
	asked := `"` + strings.Join(found.Queries, `", "`) + `"`
	if len(found.Hits) == 0 {
		fmt.Fprintf(&out, "No results for %s, from %s.\n", asked, strings.Join(found.Answered, ", "))
	} else {
		fmt.Fprintf(&out, "Results for %s:\n\n", asked)
		read := k.readBefore()
		for i, h := range found.Hits {
			showHit(&list, ids[i], read[search.Key(h.URL)], h)
		}
		out.WriteString(agent.Outside("results", strings.TrimSuffix(list.String(), "\n")) + "\n")
	}
	if len(found.Over) > 0 {
		fmt.Fprintf(&out, "\nNot asked, since a call takes five queries: %s. What they are for is not looked for yet.\n", shorten(`"`+strings.Join(found.Over, `", "`)+`"`, mostOver))
	}
	for _, line := range unsearched(found.Failed) {
		out.WriteString("\n" + line + "\n")
	}
	if found.Unweighed != nil {
		fmt.Fprintf(&out, "\nRanked without regard to meaning (%s)\n", agent.Disarm(oneLine(found.Unweighed.Error())))
	}
	return out.String(), nil
}

// unsearched says which providers did not answer, those with the same reason in one line.
func unsearched(failed []search.Failure) []string {
	var reasons []string
	names := map[string][]string{}
	for _, f := range failed {
		reason := oneLine(f.Err.Error())
		if f.Partly {
			reason += ", after answering some of the queries"
		}
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], f.Provider)
	}
	lines := make([]string, len(reasons))
	for i, reason := range reasons {
		lines[i] = fmt.Sprintf("Not searched: %s (%s)", strings.Join(names[reason], ", "), agent.Disarm(reason))
	}
	return lines
}

// readBefore are the ids of the sources by the addresses at which they were read, as far as addresses of one page can be known for such.
func (k Kit) readBefore() map[string]string {
	ids := map[string]string{}
	for _, s := range k.Workspace.Sources() {
		for _, url := range s.Addresses() {
			if key := search.Key(url); key != "" {
				ids[key] = s.ID
			}
		}
	}
	return ids
}

func showHit(out *strings.Builder, id, read string, h search.Hit) {
	fmt.Fprintf(out, "%s. %s\n   URL: %s\n", id, oneLine(h.Title), h.URL)
	facts := append([]string{h.Provider}, h.Also...)
	facts = []string{strings.Join(facts, ", ")}
	for _, fact := range []string{h.Published, oneLine(h.Author)} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if read != "" {
		facts = append(facts, "read as "+read)
	}
	fmt.Fprintf(out, "   %s\n", strings.Join(facts, " · "))
	texts := []string{h.Snippet}
	for _, more := range h.More {
		texts = append(texts, more.Text)
	}
	for _, text := range texts {
		if text = oneLine(text); text != "" {
			fmt.Fprintf(out, "   %s\n", text)
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
