package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

const secret = "sk-canary-0123456789"

// general are the providers for the whole web that answer with JSON: how they are asked, and what they say.
var general = map[string]struct {
	with    func(client *http.Client) search.Provider
	asked   string // method, host and path
	query   string // where the query stands: a parameter of the address, or a name in the JSON
	key     [2]string
	answer  string
	nothing string
	want    []search.Hit
}{
	"searxng": {
		with: func(c *http.Client) search.Provider {
			return provider("searxng", "http://searx.test/root/", c)
		},
		asked: "GET searx.test/root/search", query: "q",
		answer: `{"query":"q","results":[
			{"url":"https://a.test/1","title":"One","content":"First &amp; <b>best</b>","engine":"bing","engines":["bing"],"score":4.5,"category":"general","publishedDate":"2024-03-04T00:00:00"},
			{"url":"magnet:?xt=urn:btih:1","title":"A torrent","content":"","publishedDate":null},
			{"url":"https://a.test/2","title":"","content":null}],
			"answers":[],"infoboxes":[],"suggestions":["two"],"corrections":[],"unresponsive_engines":[["google","CAPTCHA"]]}`,
		nothing: `{"query":"q","results":[],"answers":[],"unresponsive_engines":[]}`,
		want: []search.Hit{{Title: "One", URL: "https://a.test/1", Snippet: "First & best",
			Published: "2024-03-04"},
			{Title: "a.test/2", URL: "https://a.test/2"}},
	},
	"brave": {
		with:  func(c *http.Client) search.Provider { return provider("brave", secret, c) },
		asked: "GET api.search.brave.com/res/v1/web/search", query: "q",
		key: [2]string{"X-Subscription-Token", secret},
		answer: `{"type":"search","query":{"original":"q"},"web":{"type":"search","results":[
			{"title":"One","url":"https://a.test/1","description":"<strong>First</strong> isn&#x27;t last","page_age":"2023-04-12T08:00:00","age":"April 12, 2023"},
			{"title":"H<sub>2</sub>O","url":"https://a.test/2","description":"a &lt;b&gt; tag<script>x</script>","age":"Jan 5, 2022"},
			{"title":"Bad","url":"javascript:alert(1)","description":""}]}}`,
		nothing: `{"type":"search","query":{"original":"q"}}`,
		want: []search.Hit{{Title: "One", URL: "https://a.test/1", Snippet: "First isn't last",
			Published: "2023-04-12"},
			{Title: "H2O", URL: "https://a.test/2", Snippet: "a <b> tag", Published: "2022-01-05"}},
	},
	"tavily": {
		with:  func(c *http.Client) search.Provider { return provider("tavily", secret, c) },
		asked: "POST api.tavily.com/search", query: "query",
		key: [2]string{"Authorization", "Bearer " + secret},
		answer: `{"query":"q","follow_up_questions":null,"answer":null,"images":[],"results":[
			{"title":"One","url":"https://a.test/1","content":"First,\n  a vector<int>","score":0.98,"raw_content":null,"published_date":"Tue, 05 Nov 2024 10:00:00 GMT"}],
			"response_time":1.1,"request_id":"x"}`,
		nothing: `{"query":"q","results":[],"response_time":0.5}`,
		want: []search.Hit{{Title: "One", URL: "https://a.test/1", Snippet: "First, a vector<int>",
			Published: "2024-11-05"}},
	},
	"serper": {
		with:  func(c *http.Client) search.Provider { return provider("serper", secret, c) },
		asked: "POST google.serper.dev/search", query: "q", key: [2]string{"X-Api-Key", secret},
		answer: `{"searchParameters":{"q":"q","type":"search"},"answerBox":{"link":"https://box.test"},"ads":[{"link":"https://ad.test"}],"organic":[
			{"title":"One","link":"https://a.test/1","snippet":"First","date":"Mar 4, 2021","position":1},
			{"title":"二","link":"https://a.test/2","snippet":"第二","date":"2020年3月4日","position":2}],"credits":1}`,
		nothing: `{"searchParameters":{"q":"q","type":"search"},"organic":[],"credits":1}`,
		want: []search.Hit{{Title: "One", URL: "https://a.test/1", Snippet: "First", Published: "2021-03-04"},
			{Title: "二", URL: "https://a.test/2", Snippet: "第二", Published: "2020-03-04"}},
	},
	"exa": {
		with:  func(c *http.Client) search.Provider { return provider("exa", secret, c) },
		asked: "POST api.exa.ai/search", query: "query", key: [2]string{"X-Api-Key", secret},
		answer: `{"requestId":"r","results":[
			{"id":"https://a.test/1","title":"One","url":"https://a.test/1","publishedDate":"2022-11-03T00:00:00.000Z","author":"Ada","highlights":["First.","Last."],"highlightScores":[0.4,0.1]},
			{"id":"https://a.test/2","title":null,"url":"https://a.test/2","author":null,"text":"Whole text"}],"costDollars":{"total":0.005}}`,
		nothing: `{"requestId":"r","results":[]}`,
		want: []search.Hit{{Title: "One", URL: "https://a.test/1", Snippet: "First. … Last.",
			Published: "2022-11-03", Author: "Ada"},
			{Title: "a.test/2", URL: "https://a.test/2", Snippet: "Whole text"}},
	},
	"bocha": {
		with:  func(c *http.Client) search.Provider { return provider("bocha", secret, c) },
		asked: "POST api.bochaai.com/v1/web-search", query: "query",
		key: [2]string{"Authorization", "Bearer " + secret},
		answer: `{"code":200,"log_id":"x","msg":null,"data":{"_type":"SearchResponse","webPages":{"value":[
			{"name":"第一","url":"https://a.test/1","displayUrl":"a.test","snippet":"短","summary":"较长的摘要","siteName":"甲","datePublished":"2024-07-22T00:00:00+08:00","dateLastCrawled":"2024-08-01T00:00:00Z"},
			{"name":"第二","url":"https://a.test/2","snippet":"只有片段","dateLastCrawled":"2024-08-01T00:00:00Z"}]},"images":{"value":[]}}}`,
		nothing: `{"code":200,"log_id":"x","msg":null,"data":{"webPages":{"value":[]}}}`,
		want: []search.Hit{{Title: "第一", URL: "https://a.test/1", Snippet: "较长的摘要",
			Published: "2024-07-22"},
			{Title: "第二", URL: "https://a.test/2", Snippet: "只有片段"}},
	},
	"jina": {
		with:  func(c *http.Client) search.Provider { return provider("jina", secret, c) },
		asked: "GET s.jina.ai/", query: "q", key: [2]string{"Authorization", "Bearer " + secret},
		answer: `{"code":200,"status":20000,"data":[
			{"title":"One","url":"https://a.test/1","description":"First","date":"3 Feb 2025","content":"","usage":{"tokens":1000}}],"meta":{"usage":{"tokens":10000}}}`,
		nothing: `{"code":200,"status":20000,"data":[]}`,
		want: []search.Hit{{Title: "One", URL: "https://a.test/1", Snippet: "First",
			Published: "2025-02-03"}},
	},
}

func TestGeneralProviders(t *testing.T) {
	for name, p := range general {
		t.Run(name, func(t *testing.T) {
			var asked, query, key string
			provider := p.with(playing(t, func(w http.ResponseWriter, r *http.Request) {
				asked, query, key = r.Method+" "+r.Host+
					r.URL.Path, r.URL.Query().Get(p.query), r.Header.Get(p.key[0])
				if r.Method == http.MethodPost {
					var question map[string]any
					assert.NoError(t, json.NewDecoder(r.Body).Decode(&question))
					query, _ = question[p.query].(string)
				}
				assert.Equal(t, "Daybook/0.1 (+https://github.com/daybook-agent/daybook)", r.UserAgent())
				says(p.answer)(w, r)
			}))
			hits, err := provider.Search(t.Context(), "磁盘 disk & brakes?", 10)
			require.NoError(t, err)
			for i := range p.want {
				p.want[i].Provider = name
			}
			assert.Equal(t, p.want, hits)
			assert.Equal(t, p.asked, asked)
			assert.Equal(t, "磁盘 disk & brakes?", query)
			assert.Equal(t, p.key[1], key)
			assert.Equal(t, name, provider.Name())
			assert.Equal(t, search.Web, provider.Kind())

			hits, err = provider.Search(t.Context(), "disk", 1)
			require.NoError(t, err)
			assert.Len(t, hits, 1)

			hits, err = p.with(playing(t, says(p.nothing))).Search(t.Context(), "disk", 10)
			require.NoError(t, err, "nothing found is no error")
			assert.Empty(t, hits)
		})
	}
}

func TestGeneralProvidersSayWhyTheyDidNotAnswer(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		status(429, `{"error":{"detail":"too many"}}`)(w, r)
	}
	for name, p := range general {
		for about, given := range map[string]struct {
			answer http.HandlerFunc
			reason search.Reason
		}{
			"a wrong key": {status(401, `{"message":"wrong key `+secret+`"}`), search.Refused},
			"no money":    {status(402, `{"error":"pay first"}`), search.OutOfQuota},
			"a plan used up": {status(432,
				`{"detail":{"error":"This request exceeds your plan's set usage limit"}}`),
				search.OutOfQuota},
			"too many questions": {slow, search.Throttled},
			"a fault":            {status(502, "<html>Bad Gateway</html>"), search.Unavailable},
			"a page": {says("\n <!DOCTYPE html><title>Just a moment...</title>"),
				search.Strange},
			"nothing at all": {says(""), search.Strange},
			"half an answer": {says(p.answer[:len(p.answer)/2]), search.Strange},
			"a list of another kind": {says(`{"results":{"a":1},"web":[1],"organic":"x","data":7}`),
				search.Strange},
			"no list": {says(`{"code":200,"data":{},"message":"hello"}`), search.Strange},
			"null":    {says("null"), search.Strange},
			"an endless answer": {func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, strings.Repeat(" ", 5<<20))
			}, search.Strange},
		} {
			if testing.Short() && about == "an endless answer" {
				continue // one goroutine reads for long
			}
			t.Run(name+"/"+about, func(t *testing.T) {
				hits, err := p.with(playing(t, given.answer)).Search(t.Context(), "brakes", 5)
				require.Error(t, err)
				assert.Empty(t, hits)
				assert.Equal(t, given.reason, reasonOf(t, err))
				if p.key[0] != "" {
					assert.NotContains(t, err.Error(), secret)
				}
				assert.NotContains(t, err.Error(), "brakes")
			})
		}
		t.Run(name+"/how long to wait", func(t *testing.T) {
			_, err := p.with(playing(t, slow)).Search(t.Context(), "brakes", 5)
			var e *search.ServiceError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, 7*time.Second, e.Wait)
			assert.Equal(t, "throttled: status 429, too many (try again in 7s)", e.Error())
		})
	}
}

func TestWaysOfTheirOwnToSayNo(t *testing.T) {
	for about, given := range map[string]struct {
		provider string
		answer   http.HandlerFunc
		reason   search.Reason
		says     string
	}{
		"JSON is off": {"searxng", status(403, "<html>Forbidden</html>"), search.Refused,
			"add json to search.formats"},
		"no engine answered": {"searxng",
			says(`{"results":[],"unresponsive_engines":[["google","CAPTCHA"],["bing",null]]}`),
			search.Unavailable, "google CAPTCHA, bing"},
		"Brave's wrong key": {"brave",
			status(422,
				`{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID",`+
					`"detail":"The provided `+
					`subscription token is invalid.","status":422}}`), search.Refused, "token is invalid"},
		"a list of errors": {"brave",
			status(422,
				`{"type":"ErrorResponse","errors":[{"code":"SUBSCRIPTION_TOKEN_INVALID",`+
					`"detail":"Invalid."}]}`), search.Refused, "Invalid."},
		"Brave's month": {"brave",
			status(429, `{"type":"ErrorResponse","error":{"code":"QUOTA_LIMITED","detail":"Quota used up"}}`),
			search.OutOfQuota, "Quota used up"},
		"Brave's bad query": {"brave",
			status(422, `{"type":"ErrorResponse","error":{"code":"VALIDATION","detail":"q is too long"}}`),
			search.Strange, "q is too long"},
		"no credits": {"serper", status(400, `{"message":"Not enough credits","statusCode":400}`),
			search.OutOfQuota, "Not enough credits"},
		"no money at Bocha": {"bocha",
			status(403, `{"code":"403","message":"You do not have enough money","log_id":"x"}`),
			search.OutOfQuota, "enough money"},
		"no entry at Bocha": {"bocha", status(403, `{"code":"403","message":"Forbidden","log_id":"x"}`),
			search.Refused, "Forbidden"},
		"an error inside 200": {"bocha", says(`{"code":"429","message":"too fast","log_id":"x"}`),
			search.Throttled, "too fast"},
		"Jina without a key": {"jina",
			status(401,
				`{"data":null,"code":401,"name":"AuthenticationRequiredError","status":40103,`+
					`"message":"Authentication is required"}`), search.Refused, "Authentication is required"},
	} {
		t.Run(about, func(t *testing.T) {
			_, err := general[given.provider].with(playing(t, given.answer)).Search(t.Context(), "brakes", 5)
			require.Error(t, err)
			assert.Equal(t, given.reason, reasonOf(t, err))
			assert.ErrorContains(t, err, given.says)
		})
	}
	none := status(422,
		`{"data":null,"code":422,"name":"AssertionFailureError","status":42206,"message":"No search results `+
			`available for query brakes"}`)
	hits, err := provider("jina", secret, playing(t, none)).Search(t.Context(), "brakes", 5)
	require.NoError(t, err)
	assert.Empty(t, hits)
}

func TestKeysStayAtTheirHost(t *testing.T) {
	var told []string
	trap := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Get("X-Subscription-Token"))
	}))
	defer trap.Close()
	away := playing(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, trap.URL, http.StatusFound)
	})
	client := &http.Client{Transport: onlyFor{"api.search.brave.com", away.Transport}}

	_, err := provider("brave", secret, client).Search(t.Context(), "brakes", 5)
	assert.ErrorContains(t, err, "another host")
	assert.Empty(t, told)

	// What a client does by itself, which is why the package does not leave it to one.
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		"https://api.search.brave.com/", nil)
	require.NoError(t, err)
	request.Header.Set("X-Subscription-Token", secret)
	response, err := client.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, []string{secret}, told)
}

// onlyFor plays one host; the others are real.
type onlyFor struct {
	host string
	play http.RoundTripper
}

func (o onlyFor) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == o.host {
		return o.play.RoundTrip(r)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestSearXNGWithAPassword(t *testing.T) {
	var user string
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		user, _, _ = r.BasicAuth()
		says(`{"results":[]}`)(w, r)
	})
	_, err := provider("searxng", "https://ann:pass@searx.test", client).Search(t.Context(), "brakes", 5)
	require.NoError(t, err)
	assert.Equal(t, "ann", user)
	for _, address := range []string{"searx.test", "http://ann:pa ss@%zz/"} {
		_, err = provider("searxng", address, nil).Search(t.Context(), "brakes", 5)
		assert.Error(t, err, address)
		assert.NotContains(t, err.Error(), "pa ss")
	}
}

func TestQueriesFitTheService(t *testing.T) {
	var asked string
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query().Get("q")
		says(`{"type":"search"}`)(w, r)
	})
	brave := provider("brave", secret, client)
	_, err := brave.Search(t.Context(), strings.Repeat("word ", 200), 5)
	require.NoError(t, err)
	assert.Len(t, strings.Fields(asked), 50)
	_, err = brave.Search(t.Context(), strings.Repeat("磁盘映像", 200), 5)
	require.NoError(t, err)
	assert.Equal(t, 400, utf8.RuneCountInString(asked))
}

func TestTextOfHits(t *testing.T) {
	long := strings.Repeat("Nothing to see here. ", 60) + "Disc brakes stop a bicycle in the rain. " +
		strings.Repeat("More of nothing. ", 60)
	body, err := json.Marshal(map[string]any{"results": []any{
		map[string]any{"title": strings.Repeat("Title ", 60), "url": "https://a.test/1", "content": long},
		map[string]any{"title": "in\u202evisible\U000E0041\u200b\nlines", "url": "https://a.test/2",
			"content": "a\x00b\tc"},
		map[string]any{"title": "padded", "url": "  https://a.test/3\n", "content": ""},
		map[string]any{"title": "long", "url": "https://a.test/" + strings.Repeat("x", 100_000)},
		map[string]any{"title": "a user", "url": "https://bank.test@evil.test/"},
		map[string]any{"title": "a space", "url": "https://a.test/a b\nc"},
		map[string]any{"title": "no host", "url": "https:///x"},
	}})
	require.NoError(t, err)
	hits, err := provider("tavily", secret, playing(t, says(string(body)))).Search(t.Context(),
		"disc brakes rain", 10)
	require.NoError(t, err)
	assert.Equal(t, []string{"https://a.test/1", "https://a.test/2", "https://a.test/3"}, addresses(hits))
	assert.Contains(t, hits[0].Snippet, "Disc brakes stop a bicycle in the rain",
		"the words of the query are in view")
	assert.LessOrEqual(t, utf8.RuneCountInString(hits[0].Snippet), 300)
	assert.LessOrEqual(t, utf8.RuneCountInString(hits[0].Title), 200)
	assert.True(t, strings.HasSuffix(hits[0].Title, "Title…"), hits[0].Title)
	assert.Equal(t, "invisible lines", hits[1].Title)
	assert.Equal(t, "a b c", hits[1].Snippet)
}

func TestDates(t *testing.T) {
	now := time.Now()
	for written, want := range map[string]string{
		"2024-03-04": "2024-03-04", "2024-03-04T23:30:00+08:00": "2024-03-04",
		"2024-03-04 10:00:00": "2024-03-04", "2024/3/4": "2024-03-04",
		"20240304": "2024-03-04", "2024年3月4日": "2024-03-04", "2024年3月": "2024-03", "2024-03": "2024-03",
		"2024": "2024", "1709510400": "2024-03-04",
		"Mon, 04 Mar 2024 08:00:00 GMT": "2024-03-04", "Mon, 4 Mar 2024 08:00:00 +0100": "2024-03-04",
		"Mar 4, 2024":   "2024-03-04",
		"March 4, 2024": "2024-03-04", "4 March 2024": "2024-03-04", "04.03.2024": "2024-03-04",
		"Mar 2024":   "2024-03",
		"2024-02-30": "2024-02", "2024-13-01": "2024", "1724": "1724",
		"": "", "soon": "", "0001-01-01T00:00:00Z": "", "9999-12-31": "", "2024 words": "", "12345678901": "",
		"03/04/2024": "", "-1 days ago": "",
		"3 days ago":  now.AddDate(0, 0, -3).Format(time.DateOnly),
		"an hour ago": now.Add(-time.Hour).Format(time.DateOnly),
		"yesterday":   now.AddDate(0, 0, -1).Format(time.DateOnly),
		"2天前":         now.AddDate(0, 0, -2).Format(time.DateOnly),
		"2 weeks ago": now.AddDate(0, 0, -14).Format(time.DateOnly),
		"5 years ago": now.AddDate(-5, 0, 0).Format("2006"),
		"昨天":          now.AddDate(0, 0, -1).Format(time.DateOnly),
		"3个月前":        now.AddDate(0, -3, 0).Format("2006-01"),
	} {
		body := `{"organic":[{"title":"x","link":"https://a.test","date":` +
			string(must(json.Marshal(written))) + `}]}`
		hits, err := provider("serper", secret, playing(t, says(body))).Search(t.Context(), "x", 1)
		require.NoError(t, err)
		assert.Equal(t, want, hits[0].Published, written)
	}
}

func must(body []byte, err error) []byte {
	if err != nil {
		panic(err) // a string can always be written
	}
	return body
}

func TestNoProviderWaitsBeyondItsContext(t *testing.T) {
	for name, p := range general {
		ctx, cancel := context.WithCancelCause(t.Context())
		hang := &http.Client{Transport: hanging(func() { cancel(errors.New("enough")) })}
		_, err := p.with(hang).Search(ctx, "brakes", 5)
		assert.Equal(t, search.Unavailable, reasonOf(t, err), name)
		assert.ErrorContains(t, errors.Unwrap(err), "enough", name)
	}
	_, err := provider("searxng", "http://127.0.0.1:1", nil).Search(t.Context(), "brakes", 5)
	assert.Equal(t, search.Unavailable, reasonOf(t, err))
}

// hanging never answers; it says when it was asked.
type hanging func()

func (h hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	h()
	<-r.Context().Done()
	return nil, r.Context().Err()
}
