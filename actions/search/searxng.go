package search

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// SearXNG asks an instance of the free meta search engine, which needs no key and may stand in the person's
// own network. The instance must have "json" in search.formats of its settings.yml; without it, it refuses
// every question.
type SearXNG struct {
	// of the instance, such as http://localhost:8888; a user and a password may stand in it
	URL    string
	Client *http.Client // nil is the package's own
}

// Name is "searxng".
func (SearXNG) Name() string { return "searxng" }

// Kind is Web.
func (SearXNG) Kind() Kind { return Web }

type searxngAnswer struct {
	Results *[]struct {
		Title, URL, Content, Author, PublishedDate string
	}
	Unresponsive [][]any `json:"unresponsive_engines"` // pairs of a name and a reason
}

// Search asks for the first page, which has about ten results of each engine behind it.
func (s SearXNG) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	address, err := url.Parse(s.URL)
	if err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "its address is no address; check SEARXNG_URL", cause: err}
	}
	address = address.JoinPath("search")
	address.RawQuery = url.Values{"q": {query}, "format": {"json"}}.Encode()
	var answer searxngAnswer
	if err := (service{s.Client}).getJSON(ctx, address.String(), nil, &answer); err != nil {
		var refused *ServiceError
		if errors.As(err, &refused) && refused.status == http.StatusForbidden {
			refused.Detail = "status 403; add json to search.formats in its settings.yml"
		}
		return nil, err
	}
	switch {
	case answer.Results == nil:
		return nil, errNoList()
	case len(*answer.Results) == 0 && len(answer.Unresponsive) > 0:
		return nil, &ServiceError{Reason: Unavailable, Detail: "its engines did not answer: " + silent(answer.Unresponsive)}
	}
	hits := make([]Hit, 0, len(*answer.Results))
	for _, r := range *answer.Results {
		hits = append(hits, Hit{
			Title: plainText(r.Title), URL: r.URL, Snippet: excerpt(plainText(r.Content), query), Author: r.Author, Published: r.PublishedDate,
		})
	}
	return tidy(s.Name(), hits, limit), nil
}

// silent lists the engines that did not answer, with the reasons.
func silent(engines [][]any) string {
	var list []string
	for _, engine := range engines {
		var words []string
		for _, part := range engine {
			if text, ok := part.(string); ok {
				words = append(words, text)
			}
		}
		list = append(list, strings.Join(words, " "))
	}
	return cmp.Or(capped(oneLine(strings.Join(list, ", ")), 160), "no reason given")
}
