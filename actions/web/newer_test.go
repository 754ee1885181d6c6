package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page that was fetched before is asked for by what its server called that version, and comes only when it
// is another.
func TestFetchNewer(t *testing.T) {
	const tag, day = `W/"one"`, "Mon, 02 Jan 2006 15:04:05 GMT"
	version, sent := tag, make(http.Header)
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
			return
		case "/careless": // without being asked
			w.WriteHeader(http.StatusNotModified)
			return
		case "/boastful":
			w.Header().Set("ETag", `"`+strings.Repeat("x", 300)+`"`)
		default:
			w.Header().Set("ETag", version)
			w.Header().Set("Last-Modified", day)
		}
		sent = r.Header.Clone()
		if r.Header.Get("If-None-Match") == version {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>words of "+version)
	})
	fetcher := web.Fetcher{AllowPrivate: true}
	raw, err := fetcher.Fetch(t.Context(), site)
	require.NoError(t, err)
	assert.Equal(t, page.Version{ETag: tag, Modified: day}, raw.Version)
	assert.Empty(t, sent.Get("If-None-Match")+sent.Get("If-Modified-Since"))
	read, err := page.Read(t.Context(), raw)
	require.NoError(t, err)
	assert.Equal(t, raw.Version, read.Version)

	_, err = fetcher.FetchNewer(t.Context(), site, raw.Version)
	require.ErrorIs(t, err, web.ErrUnchanged)
	assert.Equal(t, day, sent.Get("If-Modified-Since"))

	version = `"two"`
	raw, err = fetcher.FetchNewer(t.Context(), site, raw.Version)
	require.NoError(t, err)
	assert.Equal(t, `"two"`, raw.ETag)
	assert.Equal(t, `<p>words of "two"`, string(raw.Body))

	_, err = fetcher.Fetch(t.Context(), site+"/careless")
	assert.Equal(t, page.Status, asError(t, err).Kind)
	raw, err = fetcher.Fetch(t.Context(), site+"/boastful")
	require.NoError(t, err)
	assert.Zero(t, raw.Version, "a long name is not kept")
}
