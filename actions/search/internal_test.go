package search_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

func TestConfluence(t *testing.T) {
	var asked *http.Request
	client := playing(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		if r.URL.Path == "/wiki/rest/api/content/7" {
			says(`{"title":"Leave & <holidays>","body":{"view":{"value":"<p>Thirty days a year.</p>"}}}`)(w,
				r)
			return
		}
		says(
			`{"results":[{"title":"@@@hl@@@Leave@@@endhl@@@","excerpt":"Thirty @@@hl@@@days@@@endhl@@@ &amp; more","lastModified":"2026-03-04T05:06:07Z",
			"content":{"id":"7"}},{"title":"a space","content":{"id":""}}]}`)(w, r)
	})
	for address, authorization := range map[string]string{
		"https://s3cret@wiki.test/wiki/":             "Bearer s3cret",
		"https://ada%40x.test:s3cret@wiki.test/wiki": "Basic YWRhQHgudGVzdDpzM2NyZXQ=",
		"https://wiki.test/wiki":                     "",
	} {
		wiki := provider("confluence", address, client)
		hits, err := wiki.Search(t.Context(), `days of "leave`, 5)
		require.NoError(t, err)
		assert.Equal(t, authorization, asked.Header.Get("Authorization"))
		assert.Equal(t, `type = page AND siteSearch ~ "days leave"`, asked.URL.Query().Get("cql"))
		assert.Equal(t, []search.Hit{{
			Title: "Leave", URL: "https://wiki.test/wiki/pages/viewpage.action?pageId=7",
			Snippet: "Thirty days & more", Published: "2026-03-04", Provider: "confluence",
		}}, hits)

		a := all(wiki, finds("brave"))
		raw, ok, err := a.Page(t.Context(), hits[0].URL)
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Contains(t, string(raw.Body), "<h1>Leave &amp; &lt;holidays></h1><p>Thirty days a year.</p>")
		for _, elsewhere := range []string{"https://other.test/wiki/pages/viewpage.action?pageId=7",
			hits[0].URL + "&x=/../secret"} {
			_, ok, err = a.Page(t.Context(), elsewhere)
			require.NoError(t, err)
			assert.False(t, ok)
		}
	}
}

func TestNewsAreAskedForByName(t *testing.T) {
	news := finds("gdelt", "https://news.test")
	news.kind = search.News
	a := all(news, finds("brave", "https://a.test"))
	found, err := a.Search(t.Context(), asks("flood"))
	require.NoError(t, err)
	assert.Equal(t, []string{"brave"}, found.Answered)
	found, err = a.Search(t.Context(), search.Question{Queries: []string{"flood"}, Source: "news"})
	require.NoError(t, err)
	assert.Equal(t, []string{"gdelt"}, found.Answered)
}
