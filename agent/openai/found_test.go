package openai_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// listing serves a list of models, and gives the base URL.
func listing(t *testing.T, status int, body string) string {
	t.Helper()
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	return site.URL + "/v1"
}

// nowhere is a base URL at which nothing listens.
func nowhere(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return "http://" + listener.Addr().String() + "/v1"
}

func TestModels(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		names  []string
		says   string
	}{
		"as OpenAI": {200, `{"object":"list","data":[{"id":"a","object":"model"},{"id":"b"}]}`,
			[]string{"a", "b"}, ""},
		"Ollama without":    {200, `{"object":"list","data":null}`, nil, ""},
		"without an object": {200, `{"data":[{"id":"a"}]}`, []string{"a"}, ""},
		"a web page":        {200, `<html>`, nil, "has no list of models"},
		"something else":    {200, `{"version":3}`, nil, "has no list of models"},
		"no such path":      {404, `404 page not found`, nil, "there is no chat at"},
		"a wrong key":       {401, `{"error":{"message":"no ` + key + `"}}`, nil, "refused the key"},
	} {
		t.Run(name, func(t *testing.T) {
			names, err := brain(t, listing(t, c.status, c.body), false).Models(t.Context())
			if c.says != "" {
				assert.ErrorContains(t, err, c.says)
				assert.NotContains(t, err.Error(), key)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.names, names)
		})
	}
	_, err := brain(t, nowhere(t), false).Models(t.Context())
	assert.ErrorContains(t, err, "nothing answers at")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = brain(t, listing(t, 200, `{"data":[]}`), false).Models(ctx)
	assert.Error(t, err)
}

func TestChatModel(t *testing.T) {
	for want, names := range map[string][]string{
		"qwen3:8b": {"nomic-embed-text:latest", "bge-m3", "gpt-oss:120b-cloud", "qwen3:8b",
			"llama3.2"},
		"openai/gpt-oss-20b":       {"text-embedding-nomic-embed-text-v1.5", "openai/gpt-oss-20b"},
		"Qwen/Qwen3-8B":            {"Qwen/Qwen3-Reranker-4B", "Qwen/Qwen3-8B"},
		"qwen2.5-7b-instruct.gguf": {"qwen2.5-7b-instruct.gguf"},
		"":                         {"mxbai-embed-large", "", "whisper-1"},
	} {
		assert.Equal(t, want, openai.ChatModel(names))
	}
	assert.Empty(t, openai.ChatModel(nil))
}

// Servers on this machine are found in the order of the providers, whichever answers first. What is no model
// server is not found.
func TestLook(t *testing.T) {
	at := func(name, base string) openai.Provider {
		return openai.Provider{Name: name, BaseURL: base, Local: true}
	}
	found := openai.Look(t.Context(), []openai.Provider{
		at("absent", nowhere(t)),
		at("a web site", listing(t, 200, "<html>hello</html>")),
		at("locked", listing(t, 401, `{"error":"Unauthorized"}`)),
		at("starting", listing(t, 503, `{"error":{"code":503,"message":"Loading model"}}`)),
		at("empty", listing(t, 200, `{"object":"list","data":null}`)),
		at("ready", listing(t, 200, `{"object":"list","data":[{"id":"qwen3:8b"}]}`)),
		at("ready too", listing(t, 200, `{"object":"list","data":[{"id":"other"}]}`)),
	})
	require.Len(t, found, 3)
	assert.Equal(t, "empty", found[0].Provider.Name)
	assert.Empty(t, found[0].Models)
	assert.Equal(t, "ready", found[1].Provider.Name)
	assert.Equal(t, []string{"qwen3:8b"}, found[1].Models)
	assert.Equal(t, "ready too", found[2].Provider.Name)
	assert.Empty(t, openai.Look(t.Context(), nil))
}

// BenchmarkLookInVain is what looking for a server costs a start on a machine that has none.
func BenchmarkLookInVain(b *testing.B) {
	var four []openai.Provider
	for range 4 {
		four = append(four, openai.Provider{BaseURL: nowhere(b)})
	}
	for b.Loop() {
		if found := openai.Look(b.Context(), four); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
