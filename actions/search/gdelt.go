package search

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/bounds"
)

// GDELT searches the news of the last three months, in all languages, by the words of whole articles.
type GDELT struct {
	Client *http.Client
}

var _ Provider = GDELT{}

// Name is "gdelt".
func (GDELT) Name() string { return "gdelt" }

// Kind is News.
func (GDELT) Kind() Kind { return News }

// Pace is one question in five seconds, as the service asks.
func (GDELT) Pace() time.Duration { return 5 * time.Second }

// Search gives articles that hold all words of the query. They come without text.
func (g GDELT) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := strings.Join(keywords(query, 200), " ")
	if wanted == "" {
		return nil, nil
	}
	parameters := url.Values{
		"query": {wanted}, "mode": {"artlist"}, "format": {"json"}, "sort": {"hybridrel"}, "maxrecords": {strconv.Itoa(min(limit, 75))},
	}
	var answer map[string]json.RawMessage
	err := (service{client: g.Client}).getJSON(ctx, "https://api.gdeltproject.org/api/v2/doc/doc?"+parameters.Encode(), nil, &answer)
	if err != nil || answer != nil && len(answer) == 0 {
		return nil, err // an empty object is how it says that it found nothing
	}
	var articles []struct {
		Title, URL, Domain, Language string
		Seen                         string `json:"seendate"` // 20260131T120000Z
	}
	if bounds.JSON(answer["articles"], &articles) != nil || articles == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(articles))
	for _, a := range some(articles, limit) {
		seen, _, _ := strings.Cut(a.Seen, "T")
		hits = append(hits, Hit{Title: a.Title, URL: a.URL, Published: seen, Snippet: snippetOf(query, []string{a.Domain, a.Language}, "")})
	}
	return tidy(g.Name(), hits, limit), nil
}
