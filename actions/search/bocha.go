package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Bocha asks 博查 (bochaai.com), which knows the Chinese web best and can be reached from China.
type Bocha struct {
	Key    string       // sk-…
	Client *http.Client // nil is the package's own
}

// Name is "bocha".
func (Bocha) Name() string { return "bocha" }

// Kind is Web.
func (Bocha) Kind() Kind { return Web }

type bochaAnswer struct {
	Code    any // a number, or the same as text
	Message string
	Msg     string
	Data    struct {
		WebPages *struct {
			Value []struct {
				Name, URL, Snippet, Summary, DatePublished string
			}
		}
	}
}

// Search asks for at most 50 results with summaries, which say more than the snippets.
func (b Bocha) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const mostChars, mostWords, mostResults = 400, 80, 50
	query = shortened(query, mostChars, mostWords)
	question := map[string]any{"query": query, "count": min(limit, mostResults), "summary": true, "freshness": "noLimit"}
	var answer bochaAnswer
	if err := (service{b.Client}).postJSON(ctx, "https://api.bochaai.com/v1/web-search", bearer(b.Key), question, &answer); err != nil {
		return nil, bochaError(err)
	}
	if code := fmt.Sprint(answer.Code); code != "200" {
		return nil, bochaError(answer.refused(code))
	}
	if answer.Data.WebPages == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Data.WebPages.Value))
	for _, r := range answer.Data.WebPages.Value {
		hits = append(hits, Hit{
			Title: plainText(r.Name), URL: r.URL, Snippet: excerpt(cmp.Or(r.Summary, r.Snippet), query), Published: r.DatePublished,
		})
	}
	return tidy(b.Name(), hits, limit), nil
}

// refused reads a status that came inside of an answer as if it had come over HTTP.
func (a bochaAnswer) refused(code string) error {
	status, err := strconv.Atoi(code)
	if err != nil {
		return errNoList()
	}
	said := cmp.Or(a.Message, a.Msg)
	return &ServiceError{
		Reason: reasonFor(status, nil), Detail: capped(oneLine(fmt.Sprintf("status %d, %s", status, said)), 160), status: status,
	}
}

// bochaError tells an empty account, for which Bocha answers 403, from a key that may not do this.
func bochaError(err error) error {
	var e *ServiceError
	if errors.As(err, &e) && e.status == http.StatusForbidden {
		for _, word := range []string{"money", "balance", "余额"} {
			if strings.Contains(e.Detail, word) {
				e.Reason = OutOfQuota
			}
		}
	}
	return err
}
