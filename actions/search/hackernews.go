package search

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// HackerNews searches the stories of Hacker News through Algolia. A hit leads to the story; its talk stands
// in the snippet.
type HackerNews struct {
	Client *http.Client
}

var _ Provider = HackerNews{}

// Name is "hackernews".
func (HackerNews) Name() string { return "hackernews" }

// Kind is Talk.
func (HackerNews) Kind() Kind { return Talk }

type hackerNewsStory struct {
	ID       string `json:"objectID"`
	Title    string `json:"title"`
	URL      string `json:"url"` // "" or null for a question to the readers
	Author   string `json:"author"`
	Points   int    `json:"points"`
	Comments int    `json:"num_comments"`
	Created  string `json:"created_at"`
	Text     string `json:"story_text"` // HTML
}

// Search ranks by words, points and comments.
func (h HackerNews) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := strings.Join(keywords(query, 400), " ")
	if wanted == "" {
		return nil, nil
	}
	parameters := url.Values{"query": {wanted}, "tags": {"story"}, "hitsPerPage": {strconv.Itoa(min(limit, 100))}}
	var answer struct {
		Hits []hackerNewsStory `json:"hits"`
	}
	if err := (service{client: h.Client}).getJSON(ctx, "https://hn.algolia.com/api/v1/search?"+parameters.Encode(), nil, &answer); err != nil {
		return nil, err
	}
	if answer.Hits == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Hits))
	for _, story := range some(answer.Hits, limit) {
		if hit, ok := story.hit(query); ok {
			hits = append(hits, hit)
		}
	}
	return tidy(h.Name(), hits, limit), nil
}

// hit is not ok for a story that was taken down, which has no title.
func (s hackerNewsStory) hit(query string) (Hit, bool) {
	number, err := strconv.Atoi(s.ID)
	if err != nil || number <= 0 || s.Title == "" {
		return Hit{}, false
	}
	talk := "https://news.ycombinator.com/item?id=" + s.ID
	facts := []string{many(s.Points, "point", "points"), many(s.Comments, "comment", "comments"), "talk: " + talk}
	hit := Hit{Title: s.Title, URL: webAddress(s.URL), Published: s.Created, Author: s.Author}
	if hit.URL == "" {
		hit.URL = talk
		facts = facts[:2]
	}
	hit.Snippet = snippetOf(query, facts, plainText(s.Text))
	return hit, true
}
