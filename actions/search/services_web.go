package search

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// webServices search the whole web.
var webServices = []Offer{
	// An instance of the free meta search engine may be in the user's own network, with a user and a password
	// in its address. It must have "json" in search.formats of its settings.yml. It returns the first page of
	// about ten results of each engine.
	{"searxng", Web, "SEARXNG_URL", "the address of your instance", true, api{
		address: "{base}/search?format=json&q={query}", list: "results", look: searxngEngines,
		hit: fields{title: "title", url: "url", text: "content", date: "publishedDate", author: "author",
			html: true}.hit,
		means: []meaning{{status: http.StatusForbidden,
			detail: "status 403; add json to search.formats in its settings.yml"}},
	}, nil},
	// Brave has an index of its own. The free plan allows one question a second, and at most 20 results. Only
	// its codes tell a wrong key from a wrong question (both 422), and a spent month from a busy second (both
	// 429). It omits the kinds of result that it has none of.
	{"brave", Web, "BRAVE_API_KEY", aKey, true, api{
		pace: time.Second, mostWords: 50, most: 20,
		address: "https://api.search.brave.com/res/v1/web/search?q={query}&count={limit}" +
			"&text_decorations=false&search_lang={language}",
		header:    map[string]string{"X-Subscription-Token": "{key}", "Accept": "application/json"},
		languages: map[string]string{"zh": "zh-hans", "ja": "jp", "ko": "ko"}, list: "web.results",
		hit:  fields{title: "title", url: "url", text: "description", date: "page_age|age", html: true}.hit,
		none: func(a data) bool { return a.at("web").value == nil && a.text("type") == "search" },
		means: []meaning{{says: "code SUBSCRIPTION_TOKEN", reason: Refused},
			{says: "code QUOTA", reason: OutOfQuota}},
	}, nil},
	// The search for agents. A question at the basic depth costs one credit; a longer one is an error.
	{"tavily", Web, "TAVILY_API_KEY", aKey, true, api{
		most: 20, address: "https://api.tavily.com/search", header: bearer, list: "results",
		sent: `{"query":{query},"max_results":{limit},"search_depth":"basic"}`,
		hit:  fields{title: "title", url: "url", text: "content", date: "published_date"}.hit,
	}, nil},
	// Serper passes on the results of Google, which looks at the first 32 words: one page of at most 20; more
	// than 10 cost twice as much. Its ads, boxes and related questions are left out. Without results it only
	// repeats the question. "Not enough credits" comes as 400.
	{"serper", Web, "SERPER_API_KEY", aKey, true, api{
		mostWords: 32, most: 20, list: "organic",
		address: "https://google.serper.dev/search", header: map[string]string{"X-Api-Key": "{key}"},
		sent:      `{"q":{query},"num":{limit},"hl":"{language}"}`,
		languages: map[string]string{"zh": "zh-cn", "ja": "ja", "ko": "ko"},
		hit:       fields{title: "title", url: "link", text: "snippet", date: "date"}.hit,
		none: func(a data) bool {
			return a.at("organic").value == nil && a.at("searchParameters").value != nil
		},
		means: []meaning{{status: http.StatusBadRequest, says: "credit", reason: OutOfQuota}},
	}, nil},
	// Exa finds by meaning rather than by words, and returns the passages that bear on the query. A page
	// without any is described by its text. More than 25 results cost more.
	{"exa", Web, "EXA_API_KEY", aKey, true, api{
		most: 25, list: "results",
		address: "https://api.exa.ai/search", header: map[string]string{"X-Api-Key": "{key}"},
		sent: `{"query":{query},"type":"auto","numResults":{limit},` +
			`"contents":{"highlights":{"query":{query},"maxCharacters":600}}}`,
		hit: func(r data) result {
			hit := fields{title: "title", url: "url", text: "summary|text", date: "publishedDate",
				author: "author"}.hit(r)
			if said := r.texts("highlights", ""); len(said) > 0 {
				hit.text = words.Plain(strings.Join(said, " … "))
			}
			return hit
		},
	}, nil},
	// 博查 knows the Chinese web best and can be reached from China. Its summaries say more than its
	// snippets. It answers 403 for an empty account, and any status may come inside an answer with status
	// 200.
	{"bocha", Web, "BOCHA_API_KEY", aKey, true, api{
		most: 50, address: "https://api.bochaai.com/v1/web-search", header: bearer,
		sent: `{"query":{query},"count":{limit},"summary":true,"freshness":"noLimit"}`,
		list: "data.webPages.value", look: bochaStatus,
		hit: fields{title: "name", url: "url", text: "summary|snippet", date: "datePublished",
			html: true}.hit,
		means: []meaning{{status: http.StatusForbidden, says: "money", reason: OutOfQuota},
			{status: http.StatusForbidden, says: "balance", reason: OutOfQuota},
			{status: http.StatusForbidden, says: "余额", reason: OutOfQuota}},
	}, nil},
	// Results without their contents come three times as fast; there are about ten. Even so, a question costs
	// at least 10,000 tokens of the account (seen in November 2026).
	{"jina", Web, "JINA_API_KEY", aKey, true, api{
		address: "https://s.jina.ai/?q={query}", list: "data",
		header: map[string]string{"Authorization": "Bearer {key}", "Accept": "application/json",
			"X-Respond-With": "no-content"},
		hit:   fields{title: "title", url: "url", text: "description", date: "date|publishedTime"}.hit,
		means: []meaning{{status: http.StatusUnprocessableEntity, says: "no search results", nothing: true}},
	}, nil},
	{"duckduckgo", Web, "", "", false, api{pace: 2 * time.Second}, duckDuckGoPage},
}

const aKey = "a key"

// bearer is the header of services that take a key as a token.
var bearer = map[string]string{"Authorization": "Bearer {key}"}

// searxngEngines returns an error if no engine of an instance answered.
func searxngEngines(answer data) error {
	silent := answer.items("unresponsive_engines") // pairs of a name and a reason
	if len(answer.items("results")) > 0 || len(silent) == 0 {
		return nil
	}
	var engines []string
	for _, engine := range silent {
		engines = append(engines, strings.Join(engine.texts("", ""), " "))
	}
	said := cmp.Or(words.Capped(oneLine(strings.Join(engines, ", ")), 160), "no reason given")
	return &ServiceError{Reason: Unavailable, Detail: "its engines did not answer: " + said}
}

// bochaStatus treats a status inside an answer, a number or a text, as if it had come over HTTP.
func bochaStatus(answer data) error {
	status, err := strconv.Atoi(fmt.Sprint(answer.at("code").value))
	switch {
	case err != nil:
		return errNoList()
	case status == http.StatusOK:
		return nil
	}
	said := fmt.Sprintf("status %d, %s", status, answer.text("message|msg"))
	return &ServiceError{Reason: reasonFor(status, nil), Detail: words.Capped(oneLine(said), 160),
		status: status}
}
