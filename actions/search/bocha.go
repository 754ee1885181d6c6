package search

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// bocha asks 博查 (bochaai.com), which knows the Chinese web best and can be reached from China, for results
// with summaries, which say more than the snippets.
func bocha(s service, key string) Provider {
	const mostChars, mostWords, mostResults = 400, 80, 50
	return api{
		service: s,
		ask: func(query string, limit int) question {
			return question{address: "https://api.bochaai.com/v1/web-search", header: bearer(key),
				body: map[string]any{
					"query": shortened(query, mostChars, mostWords), "count": min(limit, mostResults),
					"summary": true, "freshness": "noLimit",
				}}
		},
		list: "data.webPages.value",
		hit: func(query string, r data) Hit {
			return Hit{
				Title: plainText(r.text("name")), URL: r.text("url"),
				Snippet:   excerpt(cmp.Or(r.text("summary"), r.text("snippet")), query),
				Published: r.text("datePublished"),
			}
		},
		look:    bochaStatus,
		refused: bochaRefusal,
	}
}

// bochaStatus reads a status that came inside of an answer, as a number or a text, as if it had come over
// HTTP.
func bochaStatus(answer data) error {
	status, err := strconv.Atoi(fmt.Sprint(answer.at("code").value))
	if err != nil {
		return errNoList()
	}
	if status == http.StatusOK {
		return nil
	}
	said := fmt.Sprintf("status %d, %s", status, cmp.Or(answer.text("message"), answer.text("msg")))
	return bochaRefusal(&ServiceError{Reason: reasonFor(status, nil),
		Detail: words.Capped(oneLine(said), 160),
		status: status})
}

// bochaRefusal tells an empty account, for which Bocha answers 403, from a key that may not do this.
func bochaRefusal(e *ServiceError) error {
	for _, word := range []string{"money", "balance", "余额"} {
		if e.status == http.StatusForbidden && strings.Contains(e.Detail, word) {
			e.Reason = OutOfQuota
		}
	}
	return e
}
