package search

import (
	"net/http"
	"strings"
	"time"
)

// brave asks the web search of the Brave Search API, which has an index of its own. The plan without costs
// allows one question a second, and at most 20 results.
func brave(s service, key string) Provider {
	s.pace = time.Second
	return api{
		service: s, mostChars: 400, mostWords: 50,
		address: "https://api.search.brave.com/res/v1/web/search?q={query}&count={limit}" +
			"&text_decorations=false&search_lang={language}",
		header: http.Header{"X-Subscription-Token": {key}, "Accept": {"application/json"}}, most: 20,
		languages: map[string]string{"zh": "zh-hans", "ja": "jp", "ko": "ko"},
		list:      "web.results",
		hit: fields{title: "title", url: "url", text: "description", date: "page_age|age",
			html: true}.hit,
		look: func(answer data) error {
			if answer.at("web").value == nil && answer.text("type") == "search" {
				return errNothing // Brave leaves out the kinds of result that it has none of
			}
			return nil
		},
		// Its status tells neither a wrong key (422) from a wrong question nor a spent month (429) from a
		// busy second; its codes do.
		refused: func(e *ServiceError) error {
			switch {
			case strings.HasPrefix(e.code, "SUBSCRIPTION_TOKEN"):
				e.Reason = Refused
			case strings.HasPrefix(e.code, "QUOTA"):
				e.Reason = OutOfQuota
			}
			return e
		},
	}
}
