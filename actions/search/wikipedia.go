package search

import (
	"net/url"
	"time"
)

// wikipedia searches the edition in the language of the question for articles with all of its words. It wants
// requests one after the other.
func wikipedia(s service, _ string) Provider {
	s.pace = time.Second
	return api{
		service: s, keywords: 300,
		address:   "https://{language}.wikipedia.org/w/rest.php/v1/search/page?q={query}&limit={limit}",
		languages: map[string]string{"zh": "zh", "ja": "ja", "ko": "ko", "ru": "ru", "ar": "ar"},
		list:      "pages",
		hit: func(p data) result {
			if p.text("key") == "" {
				return result{}
			}
			path := url.URL{Path: "/wiki/" + p.text("key")}
			return result{
				Hit{Title: p.text("title"), URL: "https://{language}.wikipedia.org" + path.EscapedPath()},
				[]string{p.text("description")}, plainText(p.text("excerpt"))}
		},
	}
}
