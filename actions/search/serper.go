package search

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Serper asks serper.dev, which passes on the results of Google. Its ads, boxes and related questions are
// left out.
type Serper struct {
	Key    string       // X-API-KEY
	Client *http.Client // nil is the package's own
}

// Name is "serper".
func (Serper) Name() string { return "serper" }

// Kind is Web.
func (Serper) Kind() Kind { return Web }

type serperAnswer struct {
	Parameters any `json:"searchParameters"`
	Organic    *[]struct {
		Title, Link, Snippet, Date string
	}
}

// Search asks for one page of at most 20 results; more than 10 cost twice.
func (s Serper) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const mostChars, mostWords, mostResults = 400, 32, 20 // Google looks at the first 32 words
	question := map[string]any{"q": shortened(query, mostChars, mostWords), "num": max(10, min(limit, mostResults))}
	if language := map[string]string{"zh": "zh-cn", "ja": "ja", "ko": "ko"}[script(query)]; language != "" {
		question["hl"] = language
	}
	var answer serperAnswer
	err := (service{s.Client}).postJSON(ctx, "https://google.serper.dev/search", http.Header{"X-Api-Key": {s.Key}}, question, &answer)
	var e *ServiceError
	switch {
	case errors.As(err, &e) && e.status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.Detail), "credit"):
		e.Reason = OutOfQuota // "Not enough credits" comes as 400
		return nil, err
	case err != nil:
		return nil, err
	case answer.Organic == nil && answer.Parameters != nil: // it repeats the question and found nothing
		return nil, nil
	case answer.Organic == nil:
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(*answer.Organic))
	for _, r := range *answer.Organic {
		hits = append(hits, Hit{Title: r.Title, URL: r.Link, Snippet: r.Snippet, Published: r.Date})
	}
	return tidy(s.Name(), hits, limit), nil
}
