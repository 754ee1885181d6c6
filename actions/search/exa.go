package search

import (
	"cmp"
	"net/http"
	"strings"
)

// exa asks exa.ai, which finds by meaning rather than by words, for the passages that bear on the query. A
// page without any is described by its text.
func exa(s service, key string) Provider {
	const mostChars, mostWords, mostResults = 400, 80, 25 // more than 25 are dearer
	return api{
		service: s,
		ask: func(query string, limit int) question {
			query = shortened(query, mostChars, mostWords)
			return question{address: "https://api.exa.ai/search", header: http.Header{"X-Api-Key": {key}},
				body: map[string]any{
					"query": query, "type": "auto", "numResults": min(limit, mostResults),
					"contents": map[string]any{"highlights": map[string]any{"query": query,
						"maxCharacters": 2 * maxSnippet}},
				}}
		},
		list: "results",
		hit: func(query string, r data) Hit {
			said := cmp.Or(strings.Join(r.texts("highlights", ""), " … "), r.text("summary"), r.text("text"))
			return Hit{
				Title: r.text("title"), URL: r.text("url"), Snippet: excerpt(said, query),
				Author: r.text("author"), Published: r.text("publishedDate"),
			}
		},
	}
}
