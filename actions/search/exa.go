package search

import (
	"net/http"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// exa asks exa.ai, which finds by meaning rather than by words, for the passages that bear on the query. A
// page without any is described by its text.
func exa(s service, key string) Provider {
	return api{
		service: s, mostChars: 400, mostWords: 80,
		address: "https://api.exa.ai/search", header: http.Header{"X-Api-Key": {key}},
		most: 25, // more are dearer
		sent: `{"query":{query},"type":"auto","numResults":{limit},` +
			`"contents":{"highlights":{"query":{query},"maxCharacters":600}}}`,
		list: "results",
		hit: func(r data) result {
			hit := fields{title: "title", url: "url", text: "summary|text", date: "publishedDate",
				author: "author"}.hit(r)
			if said := r.texts("highlights", ""); len(said) > 0 {
				hit.text = words.Plain(strings.Join(said, " … "))
			}
			return hit
		},
	}
}
