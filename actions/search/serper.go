package search

import (
	"net/http"
	"strings"
)

// serper asks serper.dev, which passes on the results of Google: one page of at most 20, of which more than
// 10 cost twice. Its ads, boxes and related questions are left out.
func serper(s service, key string) Provider {
	return api{
		service: s, mostChars: 400, mostWords: 32, // Google looks at the first 32 words
		address: "https://google.serper.dev/search", header: http.Header{"X-Api-Key": {key}}, most: 20,
		sent:      `{"q":{query},"num":{limit},"hl":"{language}"}`,
		languages: map[string]string{"zh": "zh-cn", "ja": "ja", "ko": "ko"},
		list:      "organic",
		hit:       fields{title: "title", url: "link", text: "snippet", date: "date"}.hit,
		look: func(answer data) error {
			if answer.at("organic").value == nil && answer.at("searchParameters").value != nil {
				return errNothing // it repeats the question alone
			}
			return nil
		},
		refused: func(e *ServiceError) error {
			if e.status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.Detail), "credit") {
				e.Reason = OutOfQuota // "Not enough credits" comes as 400
			}
			return e
		},
	}
}
