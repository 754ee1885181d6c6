package openai

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Provider is a kind of model server: its address, its keys, and how it differs from OpenAI's own.
type Provider struct {
	Name    string
	BaseURL string // as [Brain.BaseURL]; "" if only Address gives it
	// Address is a variable that may hold the server's address; Path is what follows it.
	Address, Path string
	// variables that may hold the key: the first that is set counts; a local server seldom wants one
	Keys []Key
	// a sensible default; "" if the user must name one, or a local server is asked for it
	Model    string
	Regions  []string // base URLs of the same service elsewhere; their keys are not interchangeable
	Local    bool     // the user's own server, which is looked for on this machine
	Parallel int      // requests that it handles at once by default; 0 for many
	Quirks   Quirks
	Note     string // what the user should know about it; "" for nothing
}

// Key names an environment variable that holds a key. BaseURL, if set, is the server for such keys.
type Key struct{ Variable, BaseURL string }

// Quirks lists how a server differs from OpenAI's own. The zero value suits most.
type Quirks struct {
	KeyVariable     string // the key's variable, for messages; "" for OPENAI_API_KEY
	KeyHeader       string // a header that holds the key alone; "" for a bearer token
	NoStreamOptions bool   // stream_options is refused, or ignored: usage comes without it
	ReasoningBack   bool   // an assistant's reasoning_content must be sent back with its calls
	CacheKey        bool   // a prompt is cached only with a prompt_cache_key
	CallExtra       string // JSON sent as extra_content of each call that is sent back; "" for none
}

// Providers returns all that have a name, in the order in which a key that is set decides.
func Providers() []Provider { return slices.Clone(providers) }

// providers holds facts from the pages named above each, read in November 2026. The user's own servers are at
// the ports where they listen by default.
var providers = []Provider{
	// developers.openai.com/api/docs: chat completions
	{Name: "openai", BaseURL: DefaultBaseURL, Keys: keys("OPENAI_API_KEY"), Model: "gpt-5.4-mini"},
	// platform.claude.com/docs/en/api/openai-sdk
	{Name: "anthropic", BaseURL: "https://api.anthropic.com/v1", Keys: keys("ANTHROPIC_API_KEY"),
		Model: "claude-sonnet-5-5", Note: "its chat completions have no prompt cache"},
	// ai.google.dev/gemini-api/docs/thought-signatures: a call needs a signature, and this one stands for any
	{Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
		Keys: keys("GEMINI_API_KEY", "GOOGLE_API_KEY"), Model: "gemini-flash-latest",
		Quirks: Quirks{CallExtra: `{"google":{"thought_signature":"skip_thought_signature_validator"}}`}},
	// api-docs.deepseek.com/guides/thinking_mode
	{Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", Keys: keys("DEEPSEEK_API_KEY"),
		Model: "deepseek-v4-flash", Quirks: Quirks{ReasoningBack: true}},
	// www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope
	{Name: "qwen", BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1",
		Keys: keys("DASHSCOPE_API_KEY"), Model: "qwen-plus", Note: "a key opens one region",
		Regions: []string{"https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
			"https://dashscope-us.aliyuncs.com/compatible-mode/v1"}},
	// platform.moonshot.ai/docs: the thinking models want their thoughts back
	{Name: "moonshot", BaseURL: "https://api.moonshot.ai/v1", Keys: keys("MOONSHOT_API_KEY"),
		Model:   "kimi-k2.6",
		Regions: []string{"https://api.moonshot.cn/v1"}, Quirks: Quirks{ReasoningBack: true},
		Note: "a key opens one region"},
	// docs.bigmodel.cn and docs.z.ai: two consoles, two kinds of keys
	{Name: "zhipu", BaseURL: "https://open.bigmodel.cn/api/paas/v4", Model: "glm-5",
		Keys: []Key{{Variable: "ZHIPUAI_API_KEY"},
			{Variable: "ZAI_API_KEY", BaseURL: "https://api.z.ai/api/paas/v4"}},
		Regions: []string{"https://api.z.ai/api/paas/v4"}, Quirks: Quirks{NoStreamOptions: true},
		Note: "a ZAI_API_KEY opens api.z.ai"},
	// openrouter.ai/docs/api-reference: it says itself what a reply cost
	{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", Keys: keys("OPENROUTER_API_KEY"),
		Model: "openrouter/auto"},
	// console.groq.com/docs/openai and /models
	{Name: "groq", BaseURL: "https://api.groq.com/openai/v1", Keys: keys("GROQ_API_KEY"),
		Model: "openai/gpt-oss-120b"},
	// docs.mistral.ai: api, where unknown fields are refused, and
	// studio-api/conversations/advanced/prompt-caching
	{Name: "mistral", BaseURL: "https://api.mistral.ai/v1", Keys: keys("MISTRAL_API_KEY"),
		Model: "mistral-medium-latest", Quirks: Quirks{NoStreamOptions: true, CacheKey: true}},
	// learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle: the v1 API wants no api-version
	{Name: "azure", Address: "AZURE_OPENAI_ENDPOINT", Path: "/openai/v1",
		Keys:   keys("AZURE_OPENAI_API_KEY"),
		Quirks: Quirks{KeyHeader: "api-key"}, Note: "the model is the name of your deployment"},
	// docs.ollama.com: api/openai-compatibility, context-length, faq
	{Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1", Address: "OLLAMA_HOST", Path: "/v1",
		Keys: keys("OLLAMA_API_KEY"), Local: true, Parallel: 1,
		Note: "it cuts longer prompts in silence, on small machines at 4,096 tokens: start " +
			"it with OLLAMA_CONTEXT_LENGTH=32768 or more"},
	// lmstudio.ai/docs/app/api/endpoints/openai
	{Name: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", Keys: keys("LM_API_TOKEN"), Local: true,
		Parallel: 1, Note: "load the model with a context of 32,768 tokens or more"},
	// docs.vllm.ai/en/latest/serving/openai_compatible_server: calls have to be turned on
	{Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1", Keys: keys("VLLM_API_KEY"), Local: true,
		Note: "start it with --enable-auto-tool-choice and the --tool-call-parser of the model"},
	// github.com/ggml-org/llama.cpp, tools/server/README.md
	{Name: "llamacpp", BaseURL: "http://127.0.0.1:8080/v1", Keys: keys("LLAMA_API_KEY"), Local: true,
		Parallel: 1, Note: "start llama-server with --jinja, and with -c 32768 or more"},
}

func keys(variables ...string) (all []Key) {
	for _, v := range variables {
		all = append(all, Key{Variable: v})
	}
	return all
}

// FindProvider returns the provider of that name.
func FindProvider(name string) (Provider, bool) {
	i := slices.IndexFunc(providers, func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return Provider{}, false
	}
	return providers[i], true
}

// ProviderAt returns the provider whose server has a base URL's host and port, so that its quirks apply.
func ProviderAt(baseURL string) (Provider, bool) {
	at := host(baseURL)
	for _, p := range providers {
		if slices.ContainsFunc(append(p.Regions, p.BaseURL),
			func(known string) bool { return known != "" && host(known) == at }) {
			return p, true
		}
	}
	return Provider{}, false
}

// Set fills in what the environment says: the server's address, and which variable holds the key. It returns
// the key, or "" if there is none.
func (p Provider) Set(getenv func(string) string) (Provider, string) {
	if said := strings.TrimSpace(getenv(p.Address)); p.Address != "" && said != "" {
		p.BaseURL = p.addressed(said)
	}
	for _, k := range p.Keys {
		if key := strings.TrimSpace(getenv(k.Variable)); key != "" {
			p.Quirks.KeyVariable = k.Variable
			if k.BaseURL != "" {
				p.BaseURL = k.BaseURL
			}
			return p, key
		}
	}
	if len(p.Keys) > 0 {
		p.Quirks.KeyVariable = p.Keys[0].Variable
	}
	return p, ""
}

// addressed returns the base URL for an address as people write it, with or without scheme, port and path.
func (p Provider) addressed(said string) string {
	scheme := strings.Contains(said, "://")
	if !scheme {
		said = "http://" + said
	}
	at, err := url.Parse(said)
	if err != nil {
		return said
	}
	if known, err := url.Parse(p.BaseURL); err == nil && !scheme && at.Port() == "" && known.Port() != "" {
		at.Host = net.JoinHostPort(at.Hostname(), known.Port())
	}
	if ip := net.ParseIP(at.Hostname()); ip != nil && ip.IsUnspecified() {
		at.Host = net.JoinHostPort("127.0.0.1", at.Port())
	}
	at.Path = strings.TrimRight(at.Path, "/")
	if !strings.HasSuffix(at.Path, p.Path) {
		at.Path += p.Path
	}
	return at.String()
}

// host returns the host and port of a base URL, the same for each name of this machine.
func host(baseURL string) string {
	at, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil {
		return ""
	}
	if name := at.Hostname(); isLoopback(name) {
		return net.JoinHostPort("127.0.0.1", at.Port())
	}
	return strings.ToLower(at.Host)
}

func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || (ip != nil && ip.IsLoopback())
}

func (q Quirks) keyVariable() string { return cmp.Or(q.KeyVariable, "OPENAI_API_KEY") }

// addressSetting names the setting with which the user reaches another server.
func (q Quirks) addressSetting() string {
	if q.keyVariable() == "OPENAI_API_KEY" {
		return "OPENAI_BASE_URL"
	}
	return "--base-url"
}
