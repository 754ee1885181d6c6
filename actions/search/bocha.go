package search

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// bocha asks 博查 (bochaai.com), which knows the Chinese web best and can be reached from China, for results
// with summaries, which say more than the snippets.
func bocha(s service, key string) Provider {
	return api{
		service: s, mostChars: 400, mostWords: 80,
		address: "https://api.bochaai.com/v1/web-search", header: bearer(key), most: 50,
		sent: `{"query":{query},"count":{limit},"summary":true,"freshness":"noLimit"}`,
		list: "data.webPages.value",
		hit: fields{title: "name", url: "url", text: "summary|snippet", date: "datePublished",
			html: true}.hit,
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
	said := fmt.Sprintf("status %d, %s", status, answer.text("message|msg"))
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
