package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of the servers on this machine the first that can talk is taken.
func TestPick(t *testing.T) {
	at := func(name string, models ...string) openai.Found {
		return openai.Found{Provider: openai.Provider{Name: name, BaseURL: "http://me:hush@127.0.0.1:1/v1", Local: true}, Models: models}
	}
	for name, c := range map[string]struct {
		there       []openai.Found
		model, told string
	}{
		"none":              {nil, "", ""},
		"one":               {[]openai.Found{at("ollama", "bge-m3", "qwen3")}, "qwen3", "ollama was found on this machine, and --brain clip does without it"},
		"the second talks":  {[]openai.Found{at("ollama"), at("vllm", "qwen3")}, "qwen3", "vllm was found on this machine, and --brain clip does without it"},
		"none of two talks": {[]openai.Found{at("ollama"), at("vllm", "bge-m3")}, "", "ollama at http://127.0.0.1:1/v1 has no model to talk to"},
	} {
		t.Run(name, func(t *testing.T) {
			taken, told := pick(c.there)
			assert.Equal(t, c.told, told)
			if c.model == "" {
				assert.Nil(t, taken)
				return
			}
			require.NotNil(t, taken)
			assert.Equal(t, c.model, taken.Model)
			assert.True(t, taken.kept)
		})
	}
}

func TestCutProvider(t *testing.T) {
	for spelled, want := range map[string][2]string{
		"qwen3:8b@ollama":             {"qwen3:8b", "ollama"},
		"@ollama":                     {"", "ollama"},
		"mistral:7b":                  {"mistral:7b", ""},
		"mistral:7b@ollama":           {"mistral:7b", "ollama"},
		"anthropic/claude@openrouter": {"anthropic/claude", "openrouter"},
		"openai/gpt-oss-120b":         {"openai/gpt-oss-120b", ""},
		"gemma@q4_k_m":                {"gemma@q4_k_m", ""},
		"gemma@q4_k_m@lmstudio":       {"gemma@q4_k_m", "lmstudio"},
		"claude-sonnet@20260101@":     {"claude-sonnet@20260101@", ""},
		"":                            {"", ""},
	} {
		name, provider := cutProvider(spelled)
		assert.Equal(t, want, [2]string{name, provider}, spelled)
	}
}

// A key of another region is refused like a wrong one, so the hint names the others.
func TestKeyHint(t *testing.T) {
	assert.Equal(t, "set X to a key of that server, and --base-url to the server of that key", keyHint("http://127.0.0.1:1/v1", "X"))
	assert.Equal(t, "set MOONSHOT_API_KEY to a key of that server, and --base-url to the server of that key: it may be https://api.moonshot.cn/v1",
		keyHint("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"))
	assert.Equal(t, "set MOONSHOT_API_KEY to a key of that server, and --base-url to the server of that key: it may be https://api.moonshot.ai/v1",
		keyHint("https://api.moonshot.cn/v1", "MOONSHOT_API_KEY"))
}

// Where OPENAI_BASE_URL points, no other key than OpenAI's is sent.
func TestAKeyGoesToItsOwnServer(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, p := range openai.Providers() { // a clean environment
		for _, k := range p.Keys {
			t.Setenv(k.Variable, "")
		}
	}
	t.Setenv("OPENAI_BASE_URL", "https://proxy.example.org/v1")
	t.Setenv("OPENAI_API_KEY", "sk-openai")
	t.Setenv("GROQ_API_KEY", "sk-groq")
	t.Setenv("DEEPSEEK_API_KEY", "sk-deepseek")
	for name, c := range map[string]struct {
		given     settings
		base, key string
	}{
		"no provider":                     {settings{}, "https://proxy.example.org/v1", "sk-openai"},
		"openai":                          {settings{Provider: text("openai")}, "https://proxy.example.org/v1", "sk-openai"},
		"another":                         {settings{Provider: text("groq")}, "https://api.groq.com/openai/v1", "sk-groq"},
		"another, elsewhere":              {settings{Provider: text("groq"), BaseURL: text("https://groq.example.org")}, "https://groq.example.org", "sk-groq"},
		"the model's":                     {settings{Model: text("m@groq")}, "https://api.groq.com/openai/v1", "sk-groq"},
		"the model's, and a base URL":     {settings{Model: text("m@groq"), BaseURL: text("https://else.example.org")}, "https://api.groq.com/openai/v1", "sk-groq"},
		"openai, elsewhere":               {settings{Provider: text("openai"), BaseURL: text("https://else.example.org")}, "https://else.example.org", "sk-openai"},
		"an address that is known":        {settings{BaseURL: text("https://api.deepseek.com")}, "https://api.deepseek.com", "sk-deepseek"},
		"a known address without its key": {settings{BaseURL: text("https://api.mistral.ai/v1")}, "https://api.mistral.ai/v1", "sk-openai"},
		"an address that is not known":    {settings{BaseURL: text("https://else.example.org")}, "https://else.example.org", "sk-openai"},
	} {
		t.Run(name, func(t *testing.T) {
			c.given.BaseURL = addressFor(c.given.BaseURL, c.given.Provider)
			at, _, err := c.given.seat(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.base, at.BaseURL)
			assert.Equal(t, c.key, at.key)
			assert.Equal(t, strings.Contains(c.base, "groq") || at.Name == "mistral" || at.Name == "deepseek", at.Quirks != (openai.Quirks{}), "the quirks of one server are taken for those of another")
		})
	}
}

func TestJoined(t *testing.T) {
	for _, c := range [][2][]string{
		{{"run", "--max-steps", "-1", "r"}, {"run", "--max-steps=-1", "r"}},
		{{"run", "--max-cost", "-0.5"}, {"run", "--max-cost=-0.5"}},
		{{"run", "--max-steps=1", "-1"}, {"run", "--max-steps=1", "-1"}},
		{{"run", "-v", "--json", "-q", "-x"}, {"run", "-v", "--json", "-q", "-x"}},
		{{"run", "--", "--max-steps", "-1"}, {"run", "--", "--max-steps", "-1"}},
		{{"-1"}, {"-1"}},
	} {
		assert.Equal(t, c[1], joined(c[0]))
	}
}

// The settings that a new workspace starts with, in either language, name every provider.
func TestTheTemplateNamesTheProviders(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^# [a-z-]+: [^A-Z\p{Han}\n]*`)
	var settings [][]string
	for _, name := range []string{"daybook.yaml", "zh/daybook.yaml"} {
		template, err := os.ReadFile("../../workspace-template/" + name)
		require.NoError(t, err)
		for _, p := range openai.Providers() {
			assert.Regexp(t, `(?m)^# .*\b`+p.Name+`\b`, string(template))
		}
		settings = append(settings, lines.FindAllString(string(template), -1))
	}
	assert.Equal(t, settings[0], settings[1], "both languages have the same settings")
	assert.Greater(t, len(settings[0]), 30)
}
