package search_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
)

func names(providers []search.Provider) []string {
	var list []string
	for _, p := range providers {
		list = append(list, p.Name())
	}
	return list
}

func TestFromEnv(t *testing.T) {
	client := &http.Client{}
	keyless := names(search.FromEnv(func(string) string { return " " }, client))
	assert.Equal(t, []string{"duckduckgo", "wikipedia", "arxiv", "openalex", "semanticscholar", "crossref",
		"huggingface", "huggingface-blog", "github", "github-issues", "gdelt", "hackernews"}, keyless)

	env := map[string]string{"SEARXNG_URL": "http://localhost:8888", "GITHUB_TOKEN": "t"}
	some := search.FromEnv(func(name string) string { return env[name] }, client)
	assert.Equal(t, append([]string{"searxng"}, keyless...), names(some))

	every := search.FromEnv(func(name string) string { return strings.ToLower(name) + "\n" }, client)
	offers := search.Offers()
	require.Len(t, every, len(offers))
	for i, o := range offers {
		assert.Equal(t, o.Name, every[i].Name())
		assert.Equal(t, o.Kind, every[i].Kind())
		assert.Equal(t, o.Variable == "", o.Value == "", o.Name)
	}

	key := ""
	_, err := provider("brave", "k\n", playing(t,
		func(_ http.ResponseWriter, r *http.Request) { key = r.Header.Get("X-Subscription-Token") })).
		Search(t.Context(), "disk", 1)
	require.Error(t, err, "an empty answer")
	assert.Equal(t, "k", key, "without the line's end that a file leaves")
}
