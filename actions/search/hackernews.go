package search

// hackerNews searches the stories of Hacker News through Algolia, which ranks by words, points and comments.
// A hit leads to the story; its talk is in the snippet.
func hackerNews(s service, _ string) Provider {
	return api{
		service: s, keywords: 400,
		address: "https://hn.algolia.com/api/v1/search?query={query}&tags=story&hitsPerPage={limit}",
		list:    "hits",
		hit: func(story data) result {
			id, title := story.text("objectID"), story.text("title")
			if !isNumber(id) || title == "" { // it was taken down
				return result{}
			}
			talk := "https://news.ycombinator.com/item?id=" + id
			facts := []string{many(story.number("points"), "point", "points"),
				many(story.number("num_comments"), "comment", "comments")}
			address := webAddress(story.text("url")) // a question to the readers has none
			if address == "" {
				address = talk
			} else {
				facts = append(facts, "talk: "+talk)
			}
			return result{Hit{Title: title, URL: address, Published: story.text("created_at"),
				Author: story.text("author")}, facts, plainText(story.text("story_text"))}
		},
	}
}
