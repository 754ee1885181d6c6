package search_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

// duckPage is a results page in the shape that DuckDuckGo serves, with results inside.
func duckPage(results string) string {
	return `<!DOCTYPE html><html><body><div class="serp__results"><div id="links" class="results">` +
		results + `</div></div></body></html>`
}

func duckResult(class, href, title, snippet string) string {
	return fmt.Sprintf(
		`<div class="result results_links results_links_deep %s"><div class="links_main links_deep result__body">
		<h2 class="result__title"><a rel="nofollow" class="result__a" href="%s">%s</a></h2>
		<div class="result__extras"><a class="result__url" href="%[2]s">a.test</a></div>
		<a class="result__snippet" href="%[2]s">%[4]s</a></div></div>`, class, href, title, snippet)
}

func TestDuckDuckGo(t *testing.T) {
	var form url.Values
	var agent string
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "POST html.duckduckgo.com/html/", r.Method+" "+r.Host+r.URL.Path)
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		form, err = url.ParseQuery(string(body))
		assert.NoError(t, err)
		agent = r.UserAgent()
		fmt.Fprint(w, duckPage(
			duckResult("result--ad", "https://duckduckgo.com/y.js?ad_domain=ad.test", "An ad", "Buy")+
				duckResult("web-result result--ad", "https://ad.test/", "Another", "Buy more")+
				duckResult("web-result",
					"//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.test%2F1%3Fx%3D1%26y%3D2&amp;rut=abc",
					"The <b>first</b> &amp; best", "Some <b>disc</b>\n brakes")+
				duckResult("web-result", "https://duckduckgo.com/y.js?ad_provider=x", "Hidden ad", "x")+
				duckResult("web-result", "https://a.test/2", "Second", "")+
				duckResult("web-result", "/l/?uddg=javascript%3Aalert(1)", "Script", "x")))
	})
	duck := provider("duckduckgo", "", client)
	hits, err := duck.Search(t.Context(), "磁盘 disc", 10)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{
		{Title: "The first & best", URL: "https://a.test/1?x=1&y=2", Snippet: "Some disc brakes",
			Provider: "duckduckgo"},
		{Title: "Second", URL: "https://a.test/2", Provider: "duckduckgo"},
	}, hits)
	assert.Equal(t, "磁盘 disc", form.Get("q"))
	assert.Equal(t, "cn-zh", form.Get("kl"))
	assert.Contains(t, agent, "Daybook", "it says who asks")
}

func TestDuckDuckGoSaysWhyItDidNotAnswer(t *testing.T) {
	challenge := `<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js"><div ` +
		`class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>`
	for about, given := range map[string]struct {
		answer http.HandlerFunc
		reason search.Reason
	}{
		"a challenge":                {says(challenge), search.Throttled},
		"a challenge with status":    {status(202, challenge), search.Throttled},
		"no entry":                   {status(403, challenge), search.Throttled},
		"a page of another kind":     {says("<html><body>Welcome</body></html>"), search.Strange},
		"nothing at all":             {says(""), search.Strange},
		"a fault":                    {status(500, ""), search.Unavailable},
		"deeper than anybody writes": {says(strings.Repeat("<div>", 100_000)), search.Strange},
	} {
		t.Run(about, func(t *testing.T) {
			hits, err := provider("duckduckgo", "", playing(t, given.answer)).Search(t.Context(), "brakes", 5)
			require.Error(t, err)
			assert.Empty(t, hits)
			assert.Equal(t, given.reason, reasonOf(t, err))
		})
	}
	for _, none := range []string{`<div class="no-results">No results.</div>`,
		`<div class="result results_links result--no-result"><div>No results found</div></div>`} {
		hits, err := provider("duckduckgo", "", playing(t, says(duckPage(none)))).Search(t.Context(),
			"brakes", 5)
		require.NoError(t, err)
		assert.Empty(t, hits)
	}
}

// FuzzDuckDuckGo looks for a page that brings anything but plain addresses of the web, or stops the program.
func FuzzDuckDuckGo(f *testing.F) {
	f.Add(duckPage(duckResult("web-result", "//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.test",
		"<b>x</b>", "y")))
	f.Add(duckPage(duckResult("web-result", "javascript:alert(1)", "", "")))
	f.Add(`<a class="web-result"><h2><a href="//[::1"></h2>`)
	f.Add(`<svg><h2 class=web-result><a href="https://a.test">x`)
	f.Add(`<form id=challenge-form>`)
	f.Fuzz(func(t *testing.T, body string) {
		hits, err := provider("duckduckgo", "", &http.Client{Transport: canned(body)}).Search(t.Context(),
			"brakes", 5)
		if err != nil {
			assert.Empty(t, hits)
			return
		}
		for _, hit := range hits {
			assert.NotEmpty(t, search.Key(hit.URL), hit.URL)
			assert.NotContains(t, hit.Title+hit.Snippet, "\n")
			assert.NotContains(t, hit.URL, "duckduckgo.com/l/?uddg=http")
		}
	})
}

// canned answers everything with one body, without a network.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(c))),
		Request: r, Header: http.Header{}}, nil
}
