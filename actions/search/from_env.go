package search

import (
	"net/http"
	"strings"
)

// Offer is a provider that FromEnv can set up.
type Offer struct {
	Name     string
	Kind     Kind
	Variable string // the environment variable that it reads, or ""
	Value    string // what the variable holds, in a few words
	Needed   bool   // without the variable it is not set up
	open     func(value string, client *http.Client) Provider
}

// Offers lists all providers that FromEnv knows, in the order that settles ties between equal hits: the
// general ones first.
func Offers() []Offer {
	key := func(name, variable string, open func(string, *http.Client) Provider) Offer {
		return Offer{Name: name, Kind: Web, Variable: variable, Value: "a key", Needed: true, open: open}
	}
	return []Offer{
		{"searxng", Web, "SEARXNG_URL", "the address of your instance", true,
			func(v string, c *http.Client) Provider { return SearXNG{v, c} }},
		key("brave", "BRAVE_API_KEY", func(v string, c *http.Client) Provider { return Brave{v, c} }),
		key("tavily", "TAVILY_API_KEY", func(v string, c *http.Client) Provider { return Tavily{v, c} }),
		key("serper", "SERPER_API_KEY", func(v string, c *http.Client) Provider { return Serper{v, c} }),
		key("exa", "EXA_API_KEY", func(v string, c *http.Client) Provider { return Exa{v, c} }),
		key("bocha", "BOCHA_API_KEY", func(v string, c *http.Client) Provider { return Bocha{v, c} }),
		key("jina", "JINA_API_KEY", func(v string, c *http.Client) Provider { return Jina{v, c} }),
		{"duckduckgo", Web, "", "", false, func(_ string, c *http.Client) Provider { return DuckDuckGo{c} }},
		{"wikipedia", Reference, "", "", false, func(_ string, c *http.Client) Provider { return Wikipedia{Client: c} }},
		{"arxiv", Scholarly, "", "", false, func(_ string, c *http.Client) Provider { return ArXiv{Client: c} }},
		{"openalex", Scholarly, "OPENALEX_API_KEY", "a free key, for more questions a day", false,
			func(v string, c *http.Client) Provider { return OpenAlex{Key: v, Client: c} }},
		{"semanticscholar", Scholarly, "S2_API_KEY", "a free key; without it, it is often throttled", false,
			func(v string, c *http.Client) Provider { return SemanticScholar{Key: v, Client: c} }},
		{"crossref", Scholarly, "", "", false, func(_ string, c *http.Client) Provider { return Crossref{Client: c} }},
		{"huggingface", Scholarly, "HF_TOKEN", "a token", false,
			func(v string, c *http.Client) Provider { return HuggingFace{Token: v, Client: c} }},
		{"huggingface-blog", Web, "", "", false, func(_ string, c *http.Client) Provider { return &HuggingFaceBlog{Client: c} }},
		{"github", Code, "GITHUB_TOKEN", "a token, for three times as many questions", false,
			func(v string, c *http.Client) Provider { return GitHub{Token: v, Client: c} }},
		{"github-issues", Code, "GITHUB_TOKEN", "a token, for three times as many questions", false,
			func(v string, c *http.Client) Provider { return GitHubIssues{Token: v, Client: c} }},
		{"confluence", Internal, "CONFLUENCE_URL", "the address of your wiki, with a token before the host: https://TOKEN@wiki.example.com", true,
			func(v string, c *http.Client) Provider { return confluenceAt(v, c) }},
		{"gdelt", News, "", "", false, func(_ string, c *http.Client) Provider { return GDELT{c} }},
		{"hackernews", Talk, "", "", false, func(_ string, c *http.Client) Provider { return HackerNews{Client: c} }},
	}
}

// FromEnv sets up every provider whose environment variable holds something, and those that need none, in the
// order of Offers. A nil client is the package's own. It asks nobody: a wrong key shows with the first
// search.
func FromEnv(getenv func(string) string, client *http.Client) []Provider {
	var providers []Provider
	for _, o := range Offers() {
		value := ""
		if o.Variable != "" {
			value = strings.TrimSpace(getenv(o.Variable))
		}
		if value != "" || !o.Needed {
			providers = append(providers, o.open(value, client))
		}
	}
	return providers
}
