package search

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// wikipedia searches the edition in the language of the question for articles with all of its words. It wants
// requests one after the other.
func wikipedia(s service, _ string) Provider {
	s.pace = time.Second
	return api{
		service: s,
		ask: func(query string, limit int) question {
			wanted := strings.Join(words.Keywords(query, 300), " ")
			return question{
				address:    wikipediaFor(query) + "/w/rest.php/v1/search/page",
				parameters: url.Values{"q": {wanted}, "limit": {strconv.Itoa(min(limit, 100))}},
			}
		},
		list: "pages",
		hit: func(query string, p data) Hit {
			if p.text("key") == "" {
				return Hit{}
			}
			return Hit{
				Title: p.text("title"), URL: wikipediaFor(query) +
					(&url.URL{Path: "/wiki/" + p.text("key")}).EscapedPath(),
				Snippet: snippetOf(query, []string{p.text("description")}, plainText(p.text("excerpt"))),
			}
		},
	}
}

func wikipediaFor(query string) string { return "https://" + languageFor(query) + ".wikipedia.org" }
