package actions

import (
	"cmp"
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
	maxHits       = 10              // of one query alone
	mostOver      = 600             // letters that are shown of queries that were not asked
	searchTimeout = 3 * time.Minute // several queries to services that want seconds between two
)

func (k Kit) webSearch() agent.Action {
	type input struct {
		Query  string `json:"query" jsonschema:"a few keywords, a \"phrase\" or an identifier as it is written; several queries, one a line"`
		Source string `json:"source,omitempty" jsonschema:"where alone to search: the word of a kind named above, the name of a provider, or a site such as go.dev; everywhere unless set"`
	}
	a := agent.NewAction("web_search", k.searchDoc(), func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
		queries := strings.FieldsFunc(in.Query, func(r rune) bool { return r == '\n' || r == '\r' })
		source := cmp.Or(strings.ToLower(strings.TrimSpace(in.Source)), siteNamed(queries))
		if !k.staysHere(source) {
			if err := k.mayLeave(in.Query); err != nil {
				return agent.Outcome{}, err
			}
		}
		question := search.Question{Queries: queries, Source: source, Limit: maxHits}
		places, err := k.places(source, &question)
		if err != nil {
			return agent.Outcome{}, err
		}
		read := k.readBefore()
		question.Read = func(url string) bool { return read[search.Key(url)] != "" }
		found, err := k.searchOnce(ctx, turn, places, question)
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
		shown, err := k.hits(found)
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

// siteNamed is the host that all queries name by site:, as search engines want it, or "".
func siteNamed(queries []string) string {
	host := ""
	for _, query := range queries {
		_, rest, found := strings.Cut(" "+query, " site:")
		fields := strings.Fields(rest)
		if !found || len(fields) == 0 || !strings.Contains(fields[0], ".") || host != "" && host != strings.ToLower(fields[0]) {
			return ""
		}
		host = strings.ToLower(fields[0])
	}
	return host
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
	return k.hits(found)
}

// places are the providers to ask. A source that looks like a host is that site, whose own lists are read if it is known.
func (k Kit) places(source string, q *search.Question) (*search.All, error) {
	all := k.Search
	if all == nil {
		all = &search.All{}
	}
	if strings.Contains(source, ".") {
		known, err := k.Workspace.KnownHost(source)
		if err != nil {
			return nil, agent.Fatal(fmt.Errorf("looking where the site comes from: %w", err))
		}
		switch {
		case known || k.AnyURL:
			q.Site = k.site(source)
		case !all.SearchesWeb():
			return nil, fmt.Errorf("the site %s is in no search result, on no page that you read, and in nothing that the person wrote, so it is not asked. Search for its name first", source)
		}
		return all, nil
	}
	if len(all.Providers) == 0 {
		return nil, errors.New("there is nowhere to search: no provider is set up and the person gave no documents. Visit addresses that the person named, or finish and say what is missing")
	}
	return all, nil
}

// site searches the articles of one site by its own lists. It is asked under the same rule as a visit: a host that came from nowhere is
// not even looked up.
func (k Kit) site(host string) search.Provider {
	k.sites.mu.Lock()
	defer k.sites.mu.Unlock()
	if k.sites.byHost[host] == nil {
		k.sites.byHost[host] = named{&search.Site{Host: host, Fetch: k.fetchOnce(host)}, host}
	}
	return k.sites.byHost[host]
}

// sites are those that were searched in this run: a site's list of articles costs a dozen requests.
type sites struct {
	mu     sync.Mutex
	byHost map[string]search.Provider
}

// named is a site under the name that the model knows it by.
type named struct {
	*search.Site
	name string
}

func (n named) Name() string { return n.name }

// hits writes search results for the model, marked as what they are: words from outside. Each title and snippet is on one line.
func (k Kit) hits(found search.Found) (string, error) {
	kept := make([]workspace.Hit, len(found.Hits))
	for i, h := range found.Hits {
		kept[i] = workspace.Hit{URL: h.URL, Excerpt: oneLine(h.Snippet)}
	}
	ids, err := k.Workspace.KeepHits(kept)
	if err != nil {
		return "", agent.Fatal(err)
	}
	var out, list strings.Builder
	for i, query := range found.Queries {
		if len(found.Queries) > 1 {
			showQuery(&list, i, query, ids, found.Hits)
		}
		for _, own := range found.Own {
			if own.Query == i {
				showOwn(&list, own)
			}
		}
		for j, h := range found.Hits {
			if h.Query == i {
				showHit(&list, ids[j], h)
			}
		}
	}
	k.showRead(&list, found.Read)
	if len(found.Hits)+len(found.Read) == 0 {
		fmt.Fprintf(&out, "No results for %s, from %s.\n", quotedList(found.Queries), strings.Join(found.Answered, ", "))
	} else {
		fmt.Fprintf(&out, "Results for %s:\n", quotedList(found.Queries))
	}
	if list.Len() > 0 {
		out.WriteString("\n" + agent.Outside("results", strings.TrimSuffix(list.String(), "\n")) + "\n")
	}
	k.showGaps(&out, found, ids)
	return out.String(), nil
}

// showGaps tells what was not searched, and why.
func (k Kit) showGaps(out *strings.Builder, found search.Found, ids []string) {
	if len(found.Over) > 0 {
		fmt.Fprintf(out, "\nNot asked, since a call takes %s queries: %s. What they are for is not looked for yet.\n", inWords(len(found.Queries)), shorten(quotedList(found.Over), mostOver))
	}
	for _, line := range unsearched(found.Failed) {
		out.WriteString("\n" + line + "\n")
	}
	if found.Unweighed != nil {
		fmt.Fprintf(out, "\nRanked without regard to meaning (%s)\n", agent.Disarm(oneLine(found.Unweighed.Error())))
	}
	first := len(ids) == 0 || ids[0] == "h1" // said once in a research, and where nothing was found
	if first && len(found.Own) > 0 && k.LeftOut != "" {
		fmt.Fprintf(out, "\nOf the person's folders not searched: %s\n", agent.Disarm(oneLine(k.LeftOut)))
	}
}

func inWords(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}

func quotedList(queries []string) string { return `"` + strings.Join(queries, `", "`) + `"` }

// showQuery heads the hits of one query of several.
func showQuery(out *strings.Builder, at int, query string, ids []string, hits []search.Hit) {
	var fits []string
	own := false
	for i, h := range hits {
		own = own || h.Query == at
		for _, other := range h.Fits {
			if other == at {
				fits = append(fits, ids[i])
			}
		}
	}
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	fmt.Fprintf(out, "For %q", query)
	switch {
	case len(fits) > 0:
		fmt.Fprintf(out, " (%s too)", strings.Join(fits, ", "))
	case !own:
		out.WriteString(" nothing new")
	}
	out.WriteString(":\n")
}

// showOwn tells of the person's documents what a list of pages cannot: where a phrase or name is to the letter, and what none holds.
func showOwn(out *strings.Builder, own search.Finding) {
	for _, e := range own.Exact {
		if e.Documents == 0 {
			fmt.Fprintf(out, "None of the %d documents holds %q to the letter.\n", own.Documents, e.Text)
			continue
		}
		as := ""
		switch {
		case e.InWords:
			as = " only inside of longer names,"
		case e.AnyCase:
			as = " only with other capitals,"
		}
		fmt.Fprintf(out, "%q is,%s in %d of %d documents: ", e.Text, as, e.Documents, own.Documents)
		var places []string
		for _, p := range e.Places {
			lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Lines), " ", ", "), "[]")
			if p.Another > 0 {
				lines += fmt.Sprintf(" and %d more", p.Another)
			}
			places = append(places, fmt.Sprintf("%s (%s) line %s", p.URL, oneLine(p.Title), lines))
		}
		if n := e.Documents - len(e.Places); n > 0 {
			places = append(places, fmt.Sprintf("%d more", n))
		}
		out.WriteString(strings.Join(places, "; ") + "\n")
	}
	if len(own.Missing) > 0 {
		fmt.Fprintf(out, "None of the %d documents holds: %s.", own.Documents, strings.Join(own.Missing, ", "))
		if own.Far {
			out.WriteString(" Nothing closer there than these:")
		}
		out.WriteByte('\n')
	}
}

// showRead names in one line the pages that were found again.
func (k Kit) showRead(out *strings.Builder, hits []search.Hit) {
	read := k.readBefore()
	var again []string
	for _, h := range hits {
		entry := fmt.Sprintf("%s %s <%s>", read[search.Key(h.URL)], oneLine(h.Title), h.URL)
		if h.Line > 1 {
			entry += fmt.Sprintf(" line %d", h.Line)
		}
		again = append(again, entry)
	}
	if len(again) == 0 {
		return
	}
	if out.Len() > 0 {
		out.WriteByte('\n')
	}
	fmt.Fprintf(out, "Read already: %s\n", strings.Join(again, "; "))
}

// unsearched says which providers did not answer, those with the same reason in one line.
func unsearched(failed []search.Failure) []string {
	var reasons []string
	names := map[string][]string{}
	for _, f := range failed {
		reason, name := oneLine(f.Err.Error()), f.Provider
		if len(f.Queries) > 0 {
			name += " for " + quotedList(f.Queries)
		}
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], name)
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

func showHit(out *strings.Builder, id string, h search.Hit) {
	fmt.Fprintf(out, "%s. %s\n   URL: %s\n", id, oneLine(h.Title), h.URL)
	facts := append([]string{h.Provider}, h.Also...)
	facts = []string{strings.Join(facts, ", ")}
	for _, fact := range []string{h.Published, oneLine(h.Author)} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if h.Line > 1 {
		facts = append(facts, fmt.Sprintf("line %d", h.Line))
	}
	if len(h.Copies) > 0 {
		facts = append(facts, "the same as "+strings.Join(h.Copies, ", "))
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
