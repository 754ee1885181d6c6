package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

func TestProviders(t *testing.T) {
	var names []string
	variables := map[string]string{}
	for _, p := range openai.Providers() {
		names = append(names, p.Name)
		for _, k := range p.Keys {
			assert.Empty(t, variables[k.Variable], "%s and %s have one key", p.Name, variables[k.Variable])
			variables[k.Variable] = p.Name
		}
		for _, base := range append(p.Regions, p.BaseURL) {
			if base == "" {
				assert.NotEmpty(t, p.Address, p.Name)
				continue
			}
			at, err := url.Parse(base)
			require.NoError(t, err)
			assert.Equal(t, p.Local, openai.IsLocal(base), base)
			assert.Equal(t, !p.Local, at.Scheme == "https",
				"a key goes over the network in the open: %s", base)
			assert.False(t, strings.HasSuffix(base, "/"), base)
			known, ok := openai.ProviderAt(base)
			assert.True(t, ok)
			assert.Equal(t, p.Name, known.Name, base)
		}
		if p.Quirks.CallExtra != "" {
			assert.True(t, json.Valid([]byte(p.Quirks.CallExtra)), p.Name)
		}
		found, ok := openai.FindProvider(p.Name)
		assert.True(t, ok)
		assert.Equal(t, p, found)
	}
	assert.Equal(t, "openai anthropic gemini deepseek qwen moonshot zhipu openrouter groq mistral "+
		"azure ollama lmstudio vllm llamacpp", strings.Join(names, " "))
	_, ok := openai.FindProvider("skynet")
	assert.False(t, ok)
	for base, want := range map[string]string{
		"http://localhost:11434/v1": "ollama", "http://[::1]:1234/v1/": "lmstudio",
		"https://API.deepseek.com":        "deepseek",
		"https://deepseek.example.org/v1": "", "http://localhost:9999/v1": "", "": "", "::": "",
	} {
		p, ok := openai.ProviderAt(base)
		assert.Equal(t, want != "", ok, base)
		assert.Equal(t, want, p.Name, base)
	}
}

// What the environment says decides where a server is and which key opens it.
func TestAProviderInAnEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		provider, base, key, variable string
		env                           map[string]string
	}{
		"a key": {"groq", "https://api.groq.com/openai/v1", "k", "GROQ_API_KEY",
			map[string]string{"GROQ_API_KEY": " k\n"}},
		"no key": {"groq", "https://api.groq.com/openai/v1",
			"", "GROQ_API_KEY", nil},
		"the second variable": {"gemini",
			"https://generativelanguage.googleapis.com/v1beta/openai", "k", "GOOGLE_API_KEY",
			map[string]string{"GOOGLE_API_KEY": "k"}},
		"the first of two": {"gemini",
			"https://generativelanguage.googleapis.com/v1beta/openai", "a", "GEMINI_API_KEY",
			map[string]string{"GOOGLE_API_KEY": "k", "GEMINI_API_KEY": "a"}},
		"a key that says where": {"zhipu", "https://api.z.ai/api/paas/v4", "k", "ZAI_API_KEY",
			map[string]string{"ZAI_API_KEY": "k"}},
		"an endpoint": {"azure", "https://mine.openai.azure.com/openai/v1", "k",
			"AZURE_OPENAI_API_KEY", map[string]string{"AZURE_OPENAI_API_KEY": "k",
				"AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/"}},
		"an endpoint with the path": {"azure", "https://mine.openai.azure.com/openai/v1", "k",
			"AZURE_OPENAI_API_KEY", map[string]string{"AZURE_OPENAI_API_KEY": "k",
				"AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/openai/v1/"}},
		"no endpoint": {"azure", "", "k", "AZURE_OPENAI_API_KEY",
			map[string]string{"AZURE_OPENAI_API_KEY": "k"}},
		"as it is installed": {"ollama", "http://127.0.0.1:11434/v1", "", "OLLAMA_API_KEY", nil},
		"another port": {"ollama", "http://127.0.0.1:11500/v1", "", "OLLAMA_API_KEY",
			map[string]string{"OLLAMA_HOST": "127.0.0.1:11500"}},
		"a name alone": {"ollama", "http://box:11434/v1", "", "OLLAMA_API_KEY",
			map[string]string{"OLLAMA_HOST": "box"}},
		"where it listens for everybody": {"ollama", "http://127.0.0.1:11434/v1", "", "OLLAMA_API_KEY",
			map[string]string{"OLLAMA_HOST": "0.0.0.0"}},
		"where it listens, on both wires": {"ollama", "http://127.0.0.1:11434/v1", "", "OLLAMA_API_KEY",
			map[string]string{"OLLAMA_HOST": "[::]:11434"}},
		"a whole address": {"ollama", "https://models.example.org/v1", "", "OLLAMA_API_KEY",
			map[string]string{"OLLAMA_HOST": "https://models.example.org"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, ok := openai.FindProvider(c.provider)
			require.True(t, ok)
			p, key := p.Set(func(name string) string { return c.env[name] })
			assert.Equal(t, c.base, p.BaseURL)
			assert.Equal(t, c.key, key)
			assert.Equal(t, c.variable, p.Quirks.KeyVariable)
		})
	}
}

// Each provider is asked as it wants to be, with the second request of a conversation as with the first.
func TestQuirks(t *testing.T) {
	for _, p := range openai.Providers() {
		for mode, noStream := range modes {
			t.Run(p.Name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(agenttest.Answer{
					Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "tides"}))},
					agenttest.Answer{Reply: agenttest.Words("done")}))
				b := brain(t, server.URL, noStream)
				b.Quirks = p.Quirks
				talk := ask("Why?")
				reply, err := b.Think(t.Context(), talk)
				require.NoError(t, err)
				reply.Calls[0].ID = "c00000100"
				talk.Messages = append(talk.Messages, agent.Message{Role: agent.RoleAssistant,
					Calls: reply.Calls}, agent.Message{Role: agent.RoleResult, CallID: "c00000100",
					Text: "seen"})
				_, err = b.Think(t.Context(), talk)
				require.NoError(t, err)
				for _, r := range server.Requests() {
					assert.Equal(t, !noStream && !p.Quirks.NoStreamOptions,
						strings.Contains(string(r.Raw), "stream_options"))
					if p.Quirks.KeyHeader != "" {
						assert.Equal(t, key, r.Header.Get(p.Quirks.KeyHeader))
						assert.Empty(t, r.Header.Get("Authorization"))
					} else {
						assert.Equal(t, "Bearer "+key, r.Header.Get("Authorization"))
					}
				}
				var keys [2]struct {
					Key string `json:"prompt_cache_key"`
				}
				for i, r := range server.Requests() {
					require.NoError(t, json.Unmarshal(r.Raw, &keys[i]))
					assert.Equal(t, p.Name == "mistral", keys[i].Key != "")
				}
				assert.Equal(t, keys[0], keys[1])
				second := string(server.Requests()[1].Raw)
				assert.Equal(t, p.Quirks.CallExtra != "", strings.Contains(second, "extra_content"))
				if p.Quirks.CallExtra != "" {
					assert.Contains(t, second, `},"extra_content":`+p.Quirks.CallExtra+`}]`)
				}
			})
		}
	}
}

// A refusal names the variable that the key really came from.
func TestTheVariableOfTheKey(t *testing.T) {
	for variable, says := range map[string][]string{"": {"OPENAI_API_KEY", "OPENAI_BASE_URL"},
		"GROQ_API_KEY": {"GROQ_API_KEY", "--base-url"}} {
		server := serve(t, agenttest.Answers(agenttest.Answer{Status: 401,
			Body: `{"error":{"message":"no"}}`}, agenttest.Answer{Status: 404, Body: "404 page not found"}))
		b := brain(t, server.URL, false)
		b.Quirks.KeyVariable = variable
		for _, want := range says {
			_, err := b.Think(t.Context(), ask("Why?"))
			require.ErrorContains(t, err, "check "+want)
			var e *openai.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, server.URL, e.Server)
		}
	}
}

// The query of a base URL goes with every request, as Azure's older addresses want it.
func TestTheQueryOfABaseURL(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.URL.String())
		if strings.HasSuffix(r.URL.Path, "/models") {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"a"}]}`)
			return
		}
		fmt.Fprint(w,
			`{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}],"data":[{"index":0,`+
				`"embedding":[1]}]}`)
	}))
	require.NoError(t, err)
	defer func() { assert.NoError(t, site.Close()) }()
	base := site.URL + "/openai/deployments/mine?api-version=2024-10-21"
	b := brain(t, base, true)
	_, err = b.Think(t.Context(), ask("Why?"))
	require.NoError(t, err)
	names, err := b.Models(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, names)
	_, err = (&openai.Brain{Model: "m", BaseURL: base}).Embed(t.Context(), []string{"tides"})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"POST /openai/deployments/mine/chat/completions?api-version=2024-10-21",
		"GET /openai/deployments/mine/models?api-version=2024-10-21",
		"POST /openai/deployments/mine/embeddings?api-version=2024-10-21",
	}, asked)
}

// The table of the documentation is that of the program.
func TestTheTableOfProviders(t *testing.T) {
	written, err := os.ReadFile("../../docs/brains.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(written),
		"| Provider | Key | Address | Model unless named | To know |\n| --- | --- | --- | --- | --- |\n")
	require.True(t, ok, "the table is not there")
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []string
	for _, p := range openai.Providers() {
		rows = append(rows, lineOf(p))
	}
	assert.Equal(t, strings.Join(rows, "\n"), table)
}

func lineOf(p openai.Provider) string {
	code := func(words ...string) string {
		for i, w := range words {
			words[i] = "`" + w + "`"
		}
		return strings.Join(words, ", ")
	}
	var keys []string
	for _, k := range p.Keys {
		keys = append(keys, k.Variable)
	}
	key, address, model := code(keys...), code(p.BaseURL), code(p.Model)
	if p.Local {
		key += ", if any"
	}
	switch {
	case p.BaseURL == "":
		address = "as `" + p.Address + "` says"
	case p.Address != "":
		address += ", or as `" + p.Address + "` says"
	case len(p.Regions) > 0:
		address += "; elsewhere " + code(p.Regions...)
	}
	switch {
	case p.Model == "" && p.Local:
		model = "its first that talks"
	case p.Model == "":
		model = "must be named"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |", p.Name, key, address, model, p.Note)
}
