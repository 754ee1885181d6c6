package search

import (
	"cmp"
	"context"
	"net/http"
	"strings"
)

// Exa asks exa.ai, which finds by meaning rather than by words.
type Exa struct {
	Key    string       // x-api-key
	Client *http.Client // nil is the package's own
}

// Name is "exa".
func (Exa) Name() string { return "exa" }

// Kind is Web.
func (Exa) Kind() Kind { return Web }

type exaAnswer struct {
	Results *[]struct {
		Title, URL, PublishedDate, Author, Text, Summary string
		Highlights                                       []string
	}
}

// Search asks for at most 25 results with the passages that bear on the query; a page without any is
// described by its text.
func (e Exa) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const mostChars, mostWords, mostResults = 400, 80, 25 // more than 25 are dearer
	query = shortened(query, mostChars, mostWords)
	question := map[string]any{
		"query": query, "type": "auto", "numResults": min(limit, mostResults),
		"contents": map[string]any{"highlights": map[string]any{"query": query, "maxCharacters": 2 * maxSnippet}},
	}
	var answer exaAnswer
	if err := (service{e.Client}).postJSON(ctx, "https://api.exa.ai/search", http.Header{"X-Api-Key": {e.Key}}, question, &answer); err != nil {
		return nil, err
	}
	if answer.Results == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(*answer.Results))
	for _, r := range *answer.Results {
		said := cmp.Or(strings.Join(r.Highlights, " … "), r.Summary, r.Text)
		hits = append(hits, Hit{Title: r.Title, URL: r.URL, Snippet: excerpt(said, query), Author: r.Author, Published: r.PublishedDate})
	}
	return tidy(e.Name(), hits, limit), nil
}
