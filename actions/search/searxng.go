package search

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// searxng asks an instance of the free meta search engine, which needs no key and may be in the person's own
// network, for the first page of about ten results of each engine. The instance must have "json" in
// search.formats of its settings.yml; without it, it refuses every question. A user and a password may be in
// its address.
func searxng(s service, instance string) Provider {
	address := instance // what is no address is refused when it is asked
	if u, err := url.Parse(instance); err == nil {
		address = u.JoinPath("search").String() + "?format=json&q={query}"
	}
	return api{
		service: s, address: address,
		list: "results",
		hit: fields{title: "title", url: "url", text: "content", date: "publishedDate", author: "author",
			html: true}.hit,
		look: func(answer data) error {
			silent := answer.items("unresponsive_engines") // pairs of a name and a reason
			if len(answer.items("results")) > 0 || len(silent) == 0 {
				return nil
			}
			var engines []string
			for _, engine := range silent {
				engines = append(engines, strings.Join(engine.texts("", ""), " "))
			}
			said := cmp.Or(words.Capped(oneLine(strings.Join(engines, ", ")), 160), "no reason given")
			return &ServiceError{Reason: Unavailable, Detail: "its engines did not answer: " + said}
		},
		refused: func(e *ServiceError) error {
			if e.status == http.StatusForbidden {
				e.Detail = "status 403; add json to search.formats in its settings.yml"
			}
			return e
		},
	}
}
