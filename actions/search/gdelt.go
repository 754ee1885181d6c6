package search

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// gdelt searches the news of the last three months, in all languages, for articles that hold all words of the
// query. They come without text. It wants five seconds between two questions.
func gdelt(s service, _ string) Provider {
	s.pace = 5 * time.Second
	return api{
		service:  s,
		keywords: 200,
		ask: func(wanted string, limit int) question {
			return question{address: "https://api.gdeltproject.org/api/v2/doc/doc", parameters: url.Values{
				"query": {wanted}, "mode": {"artlist"}, "format": {"json"}, "sort": {"hybridrel"},
				"maxrecords": {strconv.Itoa(min(limit, 75))},
			}}
		},
		list: "articles",
		hit: func(query string, a data) Hit {
			seen, _, _ := strings.Cut(a.text("seendate"), "T") // 20260131T120000Z
			return Hit{
				Title: a.text("title"), URL: a.text("url"), Published: seen,
				Snippet: snippetOf(query, []string{a.text("domain"), a.text("language")}, ""),
			}
		},
		look: func(answer data) error {
			if fields, ok := answer.value.(map[string]any); ok && len(fields) == 0 {
				return errNothing // that is how it says so
			}
			return nil
		},
	}
}
