package search

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// wikipedia searches the edition in the language of the question for articles with all of its words. It wants
// requests one after the other.
func wikipedia(s service, _ string) Provider {
	s.pace = time.Second
	return api{
		service: s,
		ask: func(query string, limit int) question {
			wanted := strings.Join(keywords(query, 300), " ")
			if wanted == "" {
				return question{}
			}
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
				Title: p.text("title"), URL: wikipediaFor(query) + (&url.URL{Path: "/wiki/" + p.text("key")}).EscapedPath(),
				Snippet: snippetOf(query, []string{p.text("description")}, plainText(p.text("excerpt"))),
			}
		},
	}
}

func wikipediaFor(query string) string { return "https://" + editionFor(query) + ".wikipedia.org" }

// editionFor tells the language of a question by its letters. A Latin word counts as much as two Chinese
// characters, of which a word mostly has two: "Rust 语言的所有权" is Chinese and "Who is 李白" English.
func editionFor(query string) string {
	latin, kana, others := 0, 0, map[string]int{}
	inside := false // a Latin word
	for _, r := range query {
		if isLatin := unicode.Is(unicode.Latin, r); isLatin || inside && (unicode.IsDigit(r) || unicode.IsMark(r)) {
			if !inside {
				latin += 2
			}
			inside = true
			continue
		}
		inside = false
		switch {
		case unicode.Is(unicode.Han, r):
			others["zh"]++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			others["ko"]++
		case unicode.Is(unicode.Cyrillic, r):
			others["ru"]++
		case unicode.Is(unicode.Arabic, r):
			others["ar"]++
		}
	}
	if kana > 0 { // Japanese is written with Chinese characters too
		others["ja"], others["zh"] = kana+others["zh"], 0
	}
	best := "en"
	most := latin
	for _, edition := range []string{"zh", "ja", "ko", "ru", "ar"} {
		if n := others[edition]; n > 0 && n >= most {
			best, most = edition, n
		}
	}
	return best
}
