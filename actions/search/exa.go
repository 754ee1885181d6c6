package search

import (
	"net/http"
	"strings"
)

// exa asks exa.ai, which finds by meaning rather than by words, for the passages that bear on the query. A
// page without any is described by its text.
func exa(s service, key string) Provider {
	return api{
		service: s, mostChars: 400, mostWords: 80,
		ask: func(query string, limit int) question {
			passages := map[string]any{"query": query, "maxCharacters": 2 * maxSnippet}
			return question{address: "https://api.exa.ai/search", header: http.Header{"X-Api-Key": {key}},
				body: map[string]any{
					"query": query, "type": "auto", "numResults": min(limit, 25), // more are dearer
					"contents": map[string]any{"highlights": passages},
				}}
		},
		list: "results",
		hit: func(query string, r data) Hit {
			hit := fields{title: "title", url: "url", text: "summary|text", date: "publishedDate",
				author: "author"}.hit(query, r)
			if said := r.texts("highlights", ""); len(said) > 0 {
				hit.Snippet = excerpt(strings.Join(said, " … "), query)
			}
			return hit
		},
	}
}
