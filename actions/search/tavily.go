package search

// tavily asks the search for agents of tavily.com. A question at the basic depth costs one credit.
func tavily(s service, key string) Provider {
	return api{
		service: s, header: bearer(key), mostChars: 400, mostWords: 80, // a longer question is an error there
		address: "https://api.tavily.com/search", most: 20,
		sent: `{"query":{query},"max_results":{limit},"search_depth":"basic"}`,
		list: "results",
		hit:  fields{title: "title", url: "url", text: "content", date: "published_date"}.hit,
	}
}
