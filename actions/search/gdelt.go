package search

import (
	"strings"
	"time"
)

// gdelt searches the news of the last three months, in all languages, for articles that hold all words of the
// query. They come without text. It wants five seconds between two questions.
func gdelt(s service, _ string) Provider {
	s.pace = 5 * time.Second
	return api{
		service: s, keywords: 200,
		address: "https://api.gdeltproject.org/api/v2/doc/doc?query={query}&mode=artlist&format=json" +
			"&sort=hybridrel&maxrecords={limit}", most: 75,
		list: "articles",
		hit: func(a data) result {
			seen, _, _ := strings.Cut(a.text("seendate"), "T") // 20260131T120000Z
			return result{Hit{Title: a.text("title"), URL: a.text("url"), Published: seen},
				[]string{a.text("domain"), a.text("language")}, ""}
		},
		look: func(answer data) error {
			if fields, ok := answer.value.(map[string]any); ok && len(fields) == 0 {
				return errNothing // that is how it says so
			}
			return nil
		},
	}
}
