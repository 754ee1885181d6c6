package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
)

const (
	maxHits       = 8
	searchTimeout = time.Minute
)

func (k Kit) webSearch() agent.Action {
	type input struct {
		Query string `json:"query" jsonschema:"a few keywords"`
	}
	a := agent.NewAction("web_search", doc("web_search"), func(ctx context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		if strings.TrimSpace(in.Query) == "" {
			return agent.Outcome{}, errors.New("the query is empty; give a few keywords")
		}
		if len(k.Search) == 0 {
			return agent.Outcome{}, errors.New("there is nowhere to search: the person gave no documents. Visit addresses you know with visit_url, or finish and say what is missing")
		}
		found, err := k.Search.Search(ctx, in.Query, maxHits)
		if err != nil {
			return agent.Outcome{}, err
		}
		return agent.Say(k.hits(in.Query, found)), nil
	})
	a.Parallel, a.Timeout = true, searchTimeout
	return a
}

// hits writes search results for the model. Titles and snippets come from outside: each stays on one line of its own.
func (k Kit) hits(query string, found search.Found) string {
	var out strings.Builder
	if len(found.Hits) == 0 {
		fmt.Fprintf(&out, "No results for %q.\n", query)
	} else {
		fmt.Fprintf(&out, "Results for %q:\n", query)
	}
	for i, h := range found.Hits {
		fmt.Fprintf(&out, "\n%d. %s\n   URL: %s\n", i+1, oneLine(h.Title), h.URL)
		if s, ok := k.Workspace.Source(h.URL); ok {
			fmt.Fprintf(&out, "   Already read as %s.\n", s.ID)
		}
		if h.Snippet != "" {
			fmt.Fprintf(&out, "   %s\n", oneLine(h.Snippet))
		}
	}
	for _, f := range found.Failed {
		fmt.Fprintf(&out, "\nNot searched: %s (%s)\n", f.Provider, oneLine(f.Err.Error()))
	}
	return out.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
