package search

// tavily asks the search for agents of tavily.com. A question at the basic depth costs one credit.
func tavily(s service, key string) Provider {
	return api{
		service: s, mostChars: 400, mostWords: 80, // a longer question is an error there
		ask: func(query string, limit int) question {
			return question{address: "https://api.tavily.com/search", header: bearer(key),
				body: map[string]any{"query": query, "max_results": min(limit, 20), "search_depth": "basic"}}
		},
		list: "results",
		hit:  fields{title: "title", url: "url", text: "content", date: "published_date"}.hit,
	}
}
