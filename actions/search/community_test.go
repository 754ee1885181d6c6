package search_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

func TestGitHub(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(`{"total_count":1,"incomplete_results":false,"items":[
 {"id":1,"name":"weigh","full_name":"ada/weigh","owner":{"login":"ada"},"html_url":"https://github.com/ada/weigh","description":"Weighs <sentences>.",
  "pushed_at":"2026-11-20T10:00:00Z","stargazers_count":12345,"language":"Go","archived":true,"topics":["nlp","quotes"],"license":{"key":"mit","spdx_id":"MIT"}},
 {"full_name":"bo/plain","html_url":"https://github.com/bo/plain","description":null,"stargazers_count":1,"language":null,"license":null,"topics":[]}]}`)(w, r)
	})
	hits, err := provider("github", "ghp_s3cret", client).Search(t.Context(),
		"what is the best library for weighing sentences language:go", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{
			Title: "ada/weigh", URL: "https://github.com/ada/weigh", Published: "2026-11-20", Author: "ada",
			Provider: "github",
			Snippet: "12,345 stars · Go · MIT · last push 2026-11-20 · archived · topics: nlp, quotes — " +
				"Weighs <sentences>.",
		},
		{Title: "bo/plain", URL: "https://github.com/bo/plain", Provider: "github", Snippet: "1 star"},
	}, hits)
	assert.Equal(t, "/search/repositories", asked.URL.Path)
	assert.Equal(t, "best library weighing sentences language:go", asked.URL.Query().Get("q"))
	assert.Equal(t, "Bearer ghp_s3cret", asked.Header.Get("Authorization"))
	assert.Equal(t, "2022-11-28", asked.Header.Get("X-GitHub-Api-Version"))

	_, err = provider("github", "", client).Search(t.Context(),
		strings.Repeat("sentences about weights ", 50)+strings.Repeat("x", 300), 5)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(asked.URL.Query().Get("q")), 256)
	assert.Empty(t, asked.Header.Get("Authorization"))
}

func TestGitHubIssues(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(`{"total_count":2,"incomplete_results":false,"items":[
 {"number":42,"title":"Sentences weigh nothing","html_url":"https://github.com/ada/weigh/issues/42","repository_url":"https://api.github.com/repos/ada/weigh",
  "state":"closed","state_reason":"not_planned","created_at":"2025-01-02T03:04:05Z","comments":1,"user":{"login":"bo"},"labels":[{"name":"bug"}],
  "body":"### What happens\r\n\r\nIt prints **0** for [sentences](https://a.test).\r\n"},
 {"number":43,"title":"Fix it","html_url":"https://github.com/ada/weigh/pull/43","repository_url":"https://api.github.com/repos/ada/weigh",
  "state":"closed","created_at":"2025-01-03T03:04:05Z","comments":0,"user":null,"labels":[],"body":null,"pull_request":{"merged_at":"2025-01-04T00:00:00Z"}}]}`)(w, r)
	})
	issues := provider("github-issues", "", client)
	hits, err := issues.Search(t.Context(), "sentences weigh nothing repo:ada/weigh", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{
			Title: "ada/weigh#42: Sentences weigh nothing", URL: "https://github.com/ada/weigh/issues/42",
			Published: "2025-01-02", Author: "bo", Provider: "github-issues",
			Snippet: "closed as not planned · 1 comment · labels: bug — What happens It prints " +
				"0 for sentences.",
		},
		{
			Title: "ada/weigh#43: Fix it", URL: "https://github.com/ada/weigh/pull/43",
			Published: "2025-01-03", Provider: "github-issues",
			Snippet: "merged · 0 comments",
		},
	}, hits)
	assert.Equal(t, "/search/issues", asked.URL.Path)
	assert.Equal(t, "sentences weigh nothing repo:ada/weigh is:issue", asked.URL.Query().Get("q"))
	for query, want := range map[string]string{
		"crash is:pull-request":    "crash is:pull-request",
		"crash is:pr":              "crash is:pr",
		`label:"good first" crash`: `label:"good first" crash is:issue`,
	} {
		_, err := issues.Search(t.Context(), query, 5)
		require.NoError(t, err)
		assert.Equal(t, want, asked.URL.Query().Get("q"))
	}
}

func TestGitHubRefusals(t *testing.T) {
	for about, given := range map[string]struct {
		answer http.HandlerFunc
		reason search.Reason
	}{
		"a burst": {status(403,
			`{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try `+
				`again."}`), search.Throttled},
		"a burst, with a time": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "60")
			status(403, `{"message":"Abuse detected"}`)(w, r)
		}, search.Throttled},
		"a wrong token": {status(401, `{"message":"Bad credentials"}`), search.Refused},
		"a query it does not take": {status(422,
			`{"message":"Validation Failed","errors":[{"code":"invalid"}]}`), search.Strange},
		"a search that ran too long": {says(`{"total_count":0,"incomplete_results":true,"items":[]}`),
			search.Unavailable},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := provider("github", "ghp_s3cret", playing(t, given.answer)).Search(t.Context(),
				"sentences", 5)
			require.Error(t, err)
			assert.Equal(t, given.reason, reasonOf(t, err))
			assert.NotContains(t, err.Error(), "s3cret")
		})
	}
}

func TestHackerNews(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(`{"hits":[
 {"objectID":"101","title":"Weighing Sentences","url":"https://ada.test/weigh","author":"ada","points":342,"num_comments":1,"created_at":"2024-05-06T07:08:09Z","created_at_i":1714979289,"story_text":null},
 {"objectID":"102","title":"Ask HN: How do you weigh sentences?","url":null,"author":"bo","points":3,"num_comments":2,"created_at":"2024-05-07T07:08:09Z","story_text":"I have &quot;many&quot;.<p>Which one?"},
 {"objectID":"103","title":null,"url":null,"author":"x","points":null,"num_comments":null,"created_at":"2024-05-07T07:08:09Z"},
 {"objectID":"104","title":"A trap","url":"javascript:alert(1)","author":"x","points":1,"num_comments":0,"created_at":"2024-05-07T07:08:09Z"}],
 "nbHits":4,"page":0,"nbPages":1,"hitsPerPage":5,"exhaustiveNbHits":true}`)(w, r)
	})
	hits, err := provider("hackernews", "", client).Search(t.Context(), "How to weigh sentences?", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{
			Title: "Weighing Sentences", URL: "https://ada.test/weigh", Published: "2024-05-06",
			Author: "ada", Provider: "hackernews",
			Snippet: "342 points · 1 comment · talk: https://news.ycombinator.com/item?id=101",
		},
		{
			Title: "Ask HN: How do you weigh sentences?", URL: "https://news.ycombinator.com/item?id=102",
			Published: "2024-05-07", Author: "bo", Provider: "hackernews",
			Snippet: `3 points · 2 comments — I have "many". Which one?`,
		},
		{Title: "A trap", URL: "https://news.ycombinator.com/item?id=104", Published: "2024-05-07",
			Author: "x", Provider: "hackernews", Snippet: "1 point · 0 comments"},
	}, hits)
	assert.Equal(t, "weigh sentences", asked.URL.Query().Get("query"))
	assert.Equal(t, "story", asked.URL.Query().Get("tags"))
}

func TestWikipedia(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		says(`{"pages":[
 {"id":1,"key":"AC/DC_(band)?","title":"AC/DC (band)?","excerpt":"<span class=\"searchmatch\">AC/DC</span> &amp; friends weigh","matched_title":null,"description":"Australian rock band","thumbnail":null},
 {"id":2,"key":"天平","title":"天平","excerpt":"","description":null}]}`)(w, r)
	})
	hits, err := provider("wikipedia", "", client).Search(t.Context(), "What is AC/DC?", 5)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{Title: "AC/DC (band)?", URL: "https://en.wikipedia.org/wiki/AC/DC_%28band%29%3F",
			Provider: "wikipedia", Snippet: "Australian rock band — AC/DC & friends weigh"},
		{Title: "天平", URL: "https://en.wikipedia.org/wiki/%E5%A4%A9%E5%B9%B3", Provider: "wikipedia"},
	}, hits)
	assert.Equal(t, "/w/rest.php/v1/search/page", asked.URL.Path)
	assert.Equal(t, "AC/DC", asked.URL.Query().Get("q"))
	assert.Contains(t, asked.UserAgent(), "Daybook")

	for query, want := range map[string]string{
		"vector database":                 "en",
		"什么是向量数据库":                        "zh",
		"Rust 语言的所有权是什么":                  "zh",
		"PostgreSQL 的 WAL 是怎么工作的":         "zh",
		"Who is 李白":                       "en",
		"GPT-4 by OpenAI and DeepSeek 深度": "en",
		"東京タワーの高さ":                        "ja",
		"서울의 인구":                          "ko",
		"столица России":                  "ru",
		"café Zürich":                     "en",
		"42":                              "en",
	} {
		_, err := provider("wikipedia", "", client).Search(t.Context(), query, 5)
		require.NoError(t, err)
		assert.Equal(t, want+".wikipedia.org", asked.Host, query)
	}
}

func TestQuestionsBecomeKeywords(t *testing.T) {
	var asked string
	service := provider("hackernews", "", playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query().Get("query")
		says(`{"hits":[]}`)(w, r)
	}))
	for query, want := range map[string]string{
		"What is the best way to weigh sentences?": "best way weigh sentences",
		`“exact phrase” and "another  one"`:        `"exact phrase" "another one"`,
		`an open "quote`:                           "open quote",
		"C++ vs. C# (.NET)":                        "C++ vs. C# .NET",
		"为什么PostgreSQL的WAL会变大？":                    "PostgreSQL WAL会变大",
		"什么是向量数据库":                                 "向量数据库",
		"what is it":                               "what is it",
		"什么":                                       "什么",
		"weigh weigh Weigh":                        "weigh Weigh",
		"\x00\xff":                                 "",
		`""`:                                       "",
		"":                                         "",
	} {
		asked = ""
		_, err := service.Search(t.Context(), query, 5)
		require.NoError(t, err)
		assert.Equal(t, want, asked, query)
	}
}
