package openai_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEmbed(t *testing.T) {
	answer, status := `{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/v1/embeddings", r.URL.Path)
		assert.Equal(t, "Bearer sk-secret", r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	e := &openai.Brain{Model: "m", BaseURL: server.URL + "/v1", Key: "sk-secret"}
	vectors, err := e.Embed(t.Context(), []string{"a", "b"})
	require.NoError(t, err)
	assert.Equal(t, [][]float32{{1, 0}, {0, 1}}, vectors, "in the order of the texts")

	for name, bad := range map[string]struct {
		status       int
		answer, says string
	}{
		"too few": {200, `{"data":[{"index":0,"embedding":[1]}]}`, "1 came for 2"},
		"twice": {200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
			"which text is which"},
		"an error":   {429, `{"error":{"message":"slow down"}}`, "429: slow down"},
		"the key":    {401, `{"error":{"message":"no such key: sk-secret"}}`, "401: no such key: [key]"},
		"a web page": {502, `<html>bad gateway key=secret</html>`, "(502: a web page)"},
		"no JSON":    {200, `<html>`, "asking for embeddings"},
		"out of range": {200, `{"data":[{"index":7,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
			"which text is which"},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer = bad.status, bad.answer
			_, err := e.Embed(t.Context(), []string{"a", "b"})
			require.ErrorContains(t, err, bad.says)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestEmbedTellsNoAddress(t *testing.T) {
	e := &openai.Brain{Model: "m", BaseURL: "http://sk-SECRET@127.0.0.1:1/v1"}
	_, err := e.Embed(t.Context(), []string{"a"})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "SECRET")
	assert.Contains(t, err.Error(), "nothing answers at http://127.0.0.1:1")
}
