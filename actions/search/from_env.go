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
	open     func(s service, value string) Provider
}

// Offers lists all providers that FromEnv knows, in the order that settles ties between equal hits: the
// general ones first.
func Offers() []Offer {
	const freeKey, gitHubToken = "a free key, for more questions a day", "a token, for three " +
		"times as many questions"
	return []Offer{
		{"searxng", Web, "SEARXNG_URL", "the address of your instance", true, searxng},
		{"brave", Web, "BRAVE_API_KEY", "a key", true, brave},
		{"tavily", Web, "TAVILY_API_KEY", "a key", true, tavily},
		{"serper", Web, "SERPER_API_KEY", "a key", true, serper},
		{"exa", Web, "EXA_API_KEY", "a key", true, exa},
		{"bocha", Web, "BOCHA_API_KEY", "a key", true, bocha},
		{"jina", Web, "JINA_API_KEY", "a key", true, jina},
		{"duckduckgo", Web, "", "", false, duckDuckGoPage},
		{"wikipedia", Reference, "", "", false, wikipedia},
		{"arxiv", Scholarly, "", "", false, arXivFeed},
		{"openalex", Scholarly, "OPENALEX_API_KEY", freeKey, false, openAlex},
		{"semanticscholar", Scholarly, "S2_API_KEY", "a free key; without it, it is often throttled", false,
			semanticScholar},
		{"crossref", Scholarly, "", "", false, crossref},
		{"huggingface", Scholarly, "HF_TOKEN", "a token", false, huggingFacePapers},
		{"huggingface-blog", Web, "", "", false, huggingFaceArticles},
		{"github", Code, "GITHUB_TOKEN", gitHubToken, false, gitHub},
		{"github-issues", Code, "GITHUB_TOKEN", gitHubToken, false, gitHubIssues},
		{"confluence", Internal, "CONFLUENCE_URL",
			"the address of your wiki, with a token before the host: https://TOKEN@wiki.example.com", true,
			confluenceAt},
		{"gdelt", News, "", "", false, gdelt},
		{"hackernews", Talk, "", "", false, hackerNews},
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
			providers = append(providers, o.open(service{name: o.Name, kind: o.Kind, client: client}, value))
		}
	}
	return providers
}
