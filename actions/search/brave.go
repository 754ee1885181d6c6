package search

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Brave asks the web search of the Brave Search API, which has an index of its own.
type Brave struct {
	Key    string       // X-Subscription-Token
	Client *http.Client // nil is the package's own
}

// Name is "brave".
func (Brave) Name() string { return "brave" }

// Kind is Web.
func (Brave) Kind() Kind { return Web }

// Pace is one question a second, which the plan without costs allows.
func (Brave) Pace() time.Duration { return time.Second }

type braveAnswer struct {
	Type string
	Web  *struct {
		Results []struct {
			Title, URL, Description, Age string
			PageAge                      string `json:"page_age"`
		}
	}
}

// Search asks for at most 20 results, the most that Brave gives at once.
func (b Brave) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const mostChars, mostWords, mostResults = 400, 50, 20
	parameters := url.Values{
		"q": {shortened(query, mostChars, mostWords)}, "count": {strconv.Itoa(min(limit, mostResults))}, "text_decorations": {"false"},
	}
	if language := map[string]string{"zh": "zh-hans", "ja": "jp", "ko": "ko"}[script(query)]; language != "" {
		parameters.Set("search_lang", language) // else Brave takes every question for an English one
	}
	header := http.Header{"X-Subscription-Token": {b.Key}, "Accept": {"application/json"}}
	var answer braveAnswer
	err := (service{b.Client}).getJSON(ctx, "https://api.search.brave.com/res/v1/web/search?"+parameters.Encode(), header, &answer)
	if err != nil {
		return nil, braveError(err)
	}
	if answer.Web == nil {
		if answer.Type == "search" { // Brave leaves out the kinds of result that it has none of
			return nil, nil
		}
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Web.Results))
	for _, r := range answer.Web.Results {
		hits = append(hits, Hit{
			Title: plainText(r.Title), URL: r.URL, Snippet: plainText(r.Description), Published: cmp.Or(r.PageAge, r.Age),
		})
	}
	return tidy(b.Name(), hits, limit), nil
}

// braveError reads Brave's codes, because its status tells neither a wrong key (422) from a wrong question
// nor a spent month (429) from a busy second.
func braveError(err error) error {
	var e *ServiceError
	if errors.As(err, &e) {
		switch {
		case strings.HasPrefix(e.code, "SUBSCRIPTION_TOKEN"):
			e.Reason = Refused
		case strings.HasPrefix(e.code, "QUOTA"):
			e.Reason = OutOfQuota
		}
	}
	return err
}
