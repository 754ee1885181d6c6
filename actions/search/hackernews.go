package search

import (
	"net/url"
	"strconv"
)

// hackerNews searches the stories of Hacker News through Algolia, which ranks by words, points and comments.
// A hit leads to the story; its talk is in the snippet.
func hackerNews(s service, _ string) Provider {
	return api{
		service:  s,
		keywords: 400,
		ask: func(wanted string, limit int) question {
			return question{address: "https://hn.algolia.com/api/v1/search", parameters: url.Values{
				"query": {wanted}, "tags": {"story"}, "hitsPerPage": {strconv.Itoa(min(limit, 100))},
			}}
		},
		list: "hits",
		hit: func(query string, story data) Hit {
			id, title := story.text("objectID"), story.text("title")
			if !isNumber(id) || title == "" { // it was taken down
				return Hit{}
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
			return Hit{
				Title: title, URL: address, Published: story.text("created_at"), Author: story.text("author"),
				Snippet: snippetOf(query, facts, plainText(story.text("story_text"))),
			}
		},
	}
}
