package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

// detour leads every request to one server, which sees in r.Host whom it was for.
type detour struct{ to *url.URL }

func (d detour) RoundTrip(r *http.Request) (*http.Response, error) {
	led := r.Clone(r.Context())
	led.Host = r.URL.Host
	led.URL.Scheme, led.URL.Host = d.to.Scheme, d.to.Host
	return http.DefaultTransport.RoundTrip(led)
}

// playing is a client whose every service is the handler.
func playing(t testing.TB, handler http.HandlerFunc) *http.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	to, err := url.Parse(server.URL)
	require.NoError(t, err)
	return &http.Client{Transport: detour{to}}
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
}

// provider is the one of a name, as the environment sets it up with a key or an address.
func provider(name, value string, client *http.Client) search.Provider {
	variable := ""
	for _, o := range search.Offers() {
		if o.Name == name {
			variable = o.Variable
		}
	}
	for _, p := range search.FromEnv(func(asked string) string {
		return map[string]string{variable: value}[asked]
	}, client) {
		if p.Name() == name {
			return p
		}
	}
	return nil
}

// keyless are the providers of this file that ask one service, with what it answers when it found nothing,
// and how it shows the hits of which the test gives title, address and text.
var keyless = map[string]struct {
	with    func(client *http.Client) search.Provider
	nothing string
	many    func(n int, title, address, text string) string
}{
	"openalex": {
		func(c *http.Client) search.Provider { return provider("openalex", "", c) },
		`{"meta":{"count":0},"results":[],"group_by":[]}`,
		func(n int, title, address, text string) string {
			return `{"results":` + repeated(n,
				map[string]any{"title": title, "open_access": map[string]any{"oa_url": address},
					"abstract_inverted_index": map[string]any{text: []int{0, -4, 2_000_000_000}}}) + `}`
		},
	},
	"semanticscholar": {
		func(c *http.Client) search.Provider { return provider("semanticscholar", "", c) },
		`{"total": 0, "offset": 0}`,
		func(n int, title, address, text string) string {
			return `{"total":1,"data":` + repeated(n,
				map[string]any{"title": title, "url": address, "abstract": text}) + `}`
		},
	},
	"crossref": {
		func(c *http.Client) search.Provider { return provider("crossref", "", c) },
		`{"status":"ok","message-type":"work-list","message":{"facets":{},"total-results":0,"items":[]}}`,
		func(n int, title, address, text string) string {
			return `{"message":{"items":` + repeated(n,
				map[string]any{"title": []string{title}, "DOI": address, "abstract": text}) + `}}`
		},
	},
	"huggingface": {
		func(c *http.Client) search.Provider { return provider("huggingface", "", c) },
		`[]`,
		func(n int, title, address, text string) string {
			return repeated(n,
				map[string]any{"paper": map[string]any{"title": title, "id": address, "summary": text}})
		},
	},
	"github": {
		func(c *http.Client) search.Provider { return provider("github", "", c) },
		`{"total_count":0,"incomplete_results":false,"items":[]}`,
		func(n int, title, address, text string) string {
			return `{"items":` + repeated(n,
				map[string]any{"full_name": title, "html_url": address, "description": text}) + `}`
		},
	},
	"github-issues": {
		func(c *http.Client) search.Provider { return provider("github-issues", "", c) },
		`{"total_count":0,"incomplete_results":false,"items":[]}`,
		func(n int, title, address, text string) string {
			return `{"items":` + repeated(n,
				map[string]any{"title": title, "html_url": address, "body": text}) + `}`
		},
	},
	"hackernews": {
		func(c *http.Client) search.Provider { return provider("hackernews", "", c) },
		`{"hits":[],"nbHits":0,"page":0,"nbPages":0,"hitsPerPage":20}`,
		func(n int, title, address, text string) string {
			return `{"hits":` + repeated(n,
				map[string]any{"objectID": "7", "title": title, "url": address, "story_text": text}) + `}`
		},
	},
	"gdelt": {
		func(c *http.Client) search.Provider { return provider("gdelt", "", c) },
		`{}`,
		func(n int, title, address, text string) string {
			return `{"articles":` + repeated(n,
				map[string]any{"title": title, "url": address, "domain": text}) + `}`
		},
	},
	"wikipedia": {
		func(c *http.Client) search.Provider { return provider("wikipedia", "", c) },
		`{"pages":[]}`,
		func(n int, title, address, text string) string {
			return `{"pages":` + repeated(n,
				map[string]any{"title": title, "key": address, "excerpt": text}) + `}`
		},
	},
}

func repeated(n int, item any) string {
	list := make([]any, n)
	for i := range list {
		list[i] = item
	}
	body, err := json.Marshal(list)
	if err != nil {
		panic(err) // a mistake in the table above
	}
	return string(body)
}

// reasonOf is why a provider did not answer.
func reasonOf(t *testing.T, err error) search.Reason {
	t.Helper()
	var e *search.ServiceError
	require.ErrorAs(t, err, &e)
	return e.Reason
}

func TestServicesSayWhyTheyDidNotAnswer(t *testing.T) {
	for name, p := range keyless {
		for about, given := range map[string]struct {
			answer http.HandlerFunc
			reason search.Reason
		}{
			"too many questions": {status(429, `{"message":"Too Many Requests"}`), search.Throttled},
			"a limit of GitHub":  {limited, search.Throttled},
			"no key":             {status(401, `{"message":"Bad credentials"}`), search.Refused},
			"no entry":           {status(403, `{"message":"Forbidden"}`), search.Refused},
			"a fault": {status(503, "<html><body>Service Unavailable</body></html>"),
				search.Unavailable},
			"a page": {says("<!DOCTYPE html><html><title>Just a moment...</title></html>"),
				search.Strange},
			"nothing at all": {says(""), search.Strange},
			"no list":        {says("null"), search.Strange},
			"another shape": {
				says(`{"results":{"a":1},"message":"x","data":"y","items":7,"hits":true,"pages":"z"}`),
				search.Strange},
		} {
			t.Run(name+"/"+about, func(t *testing.T) {
				hits, err := p.with(playing(t, given.answer)).Search(t.Context(), "attention models", 5)
				require.Error(t, err)
				assert.Empty(t, hits)
				assert.Equal(t, given.reason, reasonOf(t, err))
				assert.NotContains(t, err.Error(), "attention")
			})
		}
	}
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func limited(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-RateLimit-Remaining", "0")
	status(403, `{"message":"API rate limit exceeded for 192.0.2.1."}`)(w, nil)
}

func TestServicesThatFoundNothing(t *testing.T) {
	for name, p := range keyless {
		t.Run(name, func(t *testing.T) {
			provider := p.with(playing(t, says(p.nothing)))
			assert.Equal(t, name, provider.Name())
			hits, err := provider.Search(t.Context(), "attention models", 5)
			require.NoError(t, err)
			assert.Empty(t, hits)
		})
	}
}

func TestServicesAreNotTrusted(t *testing.T) {
	title := "<b>Attention</b>\n is \u202eall " + strings.Repeat("long ", 200)
	text := strings.Repeat("Sentences of attention follow.\nMany of them! ", 200)
	for name, p := range keyless {
		t.Run(name, func(t *testing.T) {
			hits, err := p.with(playing(t, says(p.many(100, title, "https://example.org/a?b=c", text)))).
				Search(t.Context(), "attention models", 5)
			require.NoError(t, err)
			assert.LessOrEqual(t, len(hits), 5)
			for _, hit := range hits {
				assert.Equal(t, name, hit.Provider)
				assert.LessOrEqual(t, utf8.RuneCountInString(hit.Snippet), 300)
				assert.LessOrEqual(t, utf8.RuneCountInString(hit.Title), 200+20)
				assert.NotContains(t, hit.Title+hit.Snippet, "\n")
				assert.NotContains(t, hit.Title, "\u202e")
			}
			for _, address := range []string{"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
				"https://user@evil.test/"} {
				hits, err := p.with(playing(t, says(p.many(1, "Title", address, "text")))).Search(t.Context(),
					"attention models", 5)
				require.NoError(t, err)
				for _, hit := range hits {
					assert.True(t, strings.HasPrefix(hit.URL, "https://huggingface.co/papers/") ||
						strings.HasPrefix(hit.URL, "https://en.wikipedia.org/wiki/") ||
						strings.HasPrefix(hit.URL, "https://news.ycombinator.com/item?id="), hit.URL)
				}
			}
		})
	}
}

func TestServicesStopWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	for name, p := range keyless {
		_, err := p.with(playing(t, says(p.nothing))).Search(ctx, "attention models", 5)
		assert.ErrorIs(t, err, enough, name)
	}
}

func TestServicesKeepTheirPace(t *testing.T) {
	for want, p := range map[time.Duration]search.Provider{
		3 * time.Second: provider("arxiv", "", nil), time.Second: provider("semanticscholar", "", nil),
		6 * time.Second: provider("github", "", nil), 2 * time.Second: provider("github-issues", "t", nil),
	} {
		assert.Equal(t, want, p.(interface{ Pace() time.Duration }).Pace())
	}
}

func shownAt(hits []search.Hit) []string {
	list := make([]string, len(hits))
	for i, hit := range hits {
		list[i] = hit.URL
	}
	return list
}
