package search

import (
	"net/http"
	"strings"
)

// jina asks s.jina.ai, for results without their contents, which come three times as fast; there are about
// ten. A question takes at least 10,000 tokens of the account (seen in November 2026), even so.
func jina(s service, key string) Provider {
	header := bearer(key)
	header.Set("Accept", "application/json")
	header.Set("X-Respond-With", "no-content")
	return api{
		service: s, mostChars: 400, mostWords: 80,
		address: "https://s.jina.ai/?q={query}", header: header,
		list: "data",
		hit:  fields{title: "title", url: "url", text: "description", date: "date|publishedTime"}.hit,
		refused: func(e *ServiceError) error {
			if e.status == http.StatusUnprocessableEntity && strings.Contains(e.Detail, "No search results") {
				return errNothing
			}
			return e
		},
	}
}
