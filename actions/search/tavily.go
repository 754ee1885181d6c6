package search

import (
	"context"
	"net/http"
)

// Tavily asks the search for agents of tavily.com. A question costs one credit.
type Tavily struct {
	Key    string       // tvly-…
	Client *http.Client // nil is the package's own
}

// Name is "tavily".
func (Tavily) Name() string { return "tavily" }

// Kind is Web.
func (Tavily) Kind() Kind { return Web }

type tavilyAnswer struct {
	Results *[]struct {
		Title, URL, Content string
		PublishedDate       string `json:"published_date"` // of news alone
	}
}

// Search asks for at most 20 results at the basic depth.
func (t Tavily) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const mostChars, mostWords, mostResults = 400, 80, 20 // a longer question is an error there
	question := map[string]any{
		"query": shortened(query, mostChars, mostWords), "max_results": min(limit, mostResults), "search_depth": "basic",
	}
	var answer tavilyAnswer
	if err := (service{t.Client}).postJSON(ctx, "https://api.tavily.com/search", bearer(t.Key), question, &answer); err != nil {
		return nil, err
	}
	if answer.Results == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(*answer.Results))
	for _, r := range *answer.Results {
		hits = append(hits, Hit{Title: r.Title, URL: r.URL, Snippet: excerpt(r.Content, query), Published: r.PublishedDate})
	}
	return tidy(t.Name(), hits, limit), nil
}
