package search

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Wikipedia searches the edition in the language of the question.
type Wikipedia struct {
	Client *http.Client
	// of the edition, such as de; "" goes by the script of the question: Chinese zh, Latin en, and so on
	Language string
}

var _ Provider = Wikipedia{}

// Name is "wikipedia".
func (Wikipedia) Name() string { return "wikipedia" }

// Kind is Reference.
func (Wikipedia) Kind() Kind { return Reference }

// Pace keeps requests apart, which Wikipedia wants one after the other.
func (Wikipedia) Pace() time.Duration { return time.Second }

// wikipediaQuery is how many characters its search takes.
const wikipediaQuery = 300

// Search looks for articles with all words of the query.
func (w Wikipedia) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := strings.Join(keywords(query, wikipediaQuery), " ")
	if wanted == "" {
		return nil, nil
	}
	edition := w.Language
	if edition == "" {
		edition = editionFor(query)
	}
	if strings.Trim(edition, "abcdefghijklmnopqrstuvwxyz-") != "" { // it becomes part of a host
		return nil, &ServiceError{Reason: Strange, Detail: "its edition is no language such as en or zh; check the settings"}
	}
	site := "https://" + edition + ".wikipedia.org"
	parameters := url.Values{"q": {wanted}, "limit": {strconv.Itoa(min(limit, 100))}}
	var answer struct {
		Pages []struct {
			Key         string `json:"key"`
			Title       string `json:"title"`
			Excerpt     string `json:"excerpt"` // HTML
			Description string `json:"description"`
		} `json:"pages"`
	}
	if err := (service{client: w.Client}).getJSON(ctx, site+"/w/rest.php/v1/search/page?"+parameters.Encode(), nil, &answer); err != nil {
		return nil, err
	}
	if answer.Pages == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Pages))
	for _, p := range some(answer.Pages, limit) {
		if p.Key == "" {
			continue
		}
		hits = append(hits, Hit{
			Title: p.Title, URL: site + (&url.URL{Path: "/wiki/" + p.Key}).EscapedPath(),
			Snippet: snippetOf(query, []string{p.Description}, plainText(p.Excerpt)),
		})
	}
	return tidy(w.Name(), hits, limit), nil
}

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
