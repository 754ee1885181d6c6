package search

// tavily asks the search for agents of tavily.com. A question at the basic depth costs one credit.
func tavily(s service, key string) Provider {
	const mostChars, mostWords, mostResults = 400, 80, 20 // a longer question is an error there
	return api{
		service: s,
		ask: func(query string, limit int) question {
			return question{address: "https://api.tavily.com/search", header: bearer(key),
				body: map[string]any{
					"query": shortened(query, mostChars, mostWords), "max_results": min(limit, mostResults),
					"search_depth": "basic",
				}}
		},
		list: "results",
		hit: func(query string, r data) Hit {
			return Hit{
				Title: r.text("title"), URL: r.text("url"), Snippet: excerpt(r.text("content"), query),
				Published: r.text("published_date"), // of news alone
			}
		},
	}
}
