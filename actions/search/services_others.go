package search

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
)

const gitHubToken = "a token, for three times as many questions"

// otherServices search code, talk, news, and the user's own services.
var otherServices = []Offer{
	// Repositories by name, description and topics. GitHub's qualifiers, such as language:go and user:golang,
	// work. Published is the day of the last push.
	{"github", Code, "GITHUB_TOKEN", gitHubToken, false, gitHub("repositories", nil, repositoryHit), nil},
	// The titles, bodies and comments of issues. With is:pull-request in the query it searches those;
	// repo:golang/go and other qualifiers work too. GitHub refuses a search that does not say whether it
	// means issues or pull requests.
	{"github-issues", Code, "GITHUB_TOKEN", gitHubToken, false, gitHub("issues", func(wanted string) string {
		if strings.Contains(wanted, "is:issue") || strings.Contains(wanted, "is:p") ||
			strings.Contains(wanted, "type:") {
			return wanted
		}
		return wanted + " is:issue"
	}, issueHit), nil},
	{"confluence", Internal, "CONFLUENCE_URL",
		"the address of your wiki, with a token before the host: https://TOKEN@wiki.example.com", true, api{},
		confluenceAt},
	// News of the last three months, in all languages: articles that hold all words of the query. They come
	// without text. The service wants five seconds between two questions, and answers {} if it found nothing.
	{"gdelt", News, "", "", false, api{
		pace: 5 * time.Second, keywords: 200, most: 75, list: "articles",
		address: "https://api.gdeltproject.org/api/v2/doc/doc?query={query}&mode=artlist&format=json" +
			"&sort=hybridrel&maxrecords={limit}",
		hit: func(a data) result {
			seen, _, _ := strings.Cut(a.text("seendate"), "T") // 20260131T120000Z
			return result{Hit{Title: a.text("title"), URL: a.text("url"), Published: seen},
				[]string{a.text("domain"), a.text("language")}, ""}
		},
		none: func(a data) bool {
			fields, ok := a.value.(map[string]any)
			return ok && len(fields) == 0
		},
	}, nil},
	// The stories of Hacker News through Algolia, which ranks by words, points and comments. A hit leads to
	// the story; the address of its discussion is in the snippet.
	{"hackernews", Talk, "", "", false, api{
		keywords: 400, list: "hits", hit: storyHit,
		address: "https://hn.algolia.com/api/v1/search?query={query}&tags=story&hitsPerPage={limit}",
	}, nil},
}

// gitHub searches one of GitHub's indexes, 30 times a minute with a token and 10 times without one. A query
// has at most 256 characters, not counting qualifiers. A limit on bursts comes as "forbidden", just as a
// rejected token does.
func gitHub(index string, reword func(string) string, hit func(data) result) api {
	return api{
		pace: 6 * time.Second, keyedPace: 2 * time.Second, keywords: 256, reword: reword,
		list: "items", hit: hit,
		address: "https://api.github.com/search/" + index + "?q={query}&per_page={limit}",
		header: map[string]string{"Authorization": "Bearer {key}", "Accept": "application/vnd.github+json",
			"X-Github-Api-Version": "2022-11-28"},
		look: func(answer data) error {
			if answer.isTrue("incomplete_results") && len(answer.items("items")) == 0 {
				return &ServiceError{Reason: Unavailable,
					Detail: "its search ran out of time before it found anything"}
			}
			return nil
		},
		means: []meaning{{status: http.StatusForbidden, says: "rate limit", reason: Throttled},
			{status: http.StatusForbidden, wait: 1, reason: Throttled}},
	}
}

func repositoryHit(r data) result {
	license, pushed := r.text("license.spdx_id"), day(r.text("pushed_at"))
	return result{
		Hit{Title: r.text("full_name"), URL: r.text("html_url"), Published: r.text("pushed_at"),
			Author: r.text("owner.login")},
		[]string{many(r.number("stargazers_count"), "star", "stars"), r.text("language"),
			when(license != "NOASSERTION", license), when(pushed != "", "last push "+pushed),
			when(r.isTrue("archived"), "archived"), listed("topics: ", r.texts("topics", ""), 6)},
		r.text("description"),
	}
}

func issueHit(issue data) result {
	_, repository, _ := strings.Cut(issue.text("repository_url"), "/repos/")
	state := issue.text("state")
	if reason := issue.text("state_reason"); state == "closed" && reason != "" {
		state = "closed as " + strings.ReplaceAll(reason, "_", " ")
	}
	if issue.text("pull_request.merged_at") != "" {
		state = "merged"
	}
	return result{
		Hit{Title: fmt.Sprintf("%s#%d: %s", repository, issue.number("number"), issue.text("title")),
			URL: issue.text("html_url"), Published: issue.text("created_at"),
			Author: issue.text("user.login")},
		[]string{state, many(issue.number("comments"), "comment", "comments"),
			listed("labels: ", issue.texts("labels", "name"), 5)},
		words.Plain(issue.text("body")),
	}
}

func storyHit(story data) result {
	id, title := story.text("objectID"), story.text("title")
	if !isNumber(id) || title == "" { // it was taken down
		return result{}
	}
	talk := "https://news.ycombinator.com/item?id=" + id
	address := webAddress(story.text("url")) // a question to the readers has none
	facts := []string{many(story.number("points"), "point", "points"),
		many(story.number("num_comments"), "comment", "comments"), when(address != "", "talk: "+talk)}
	return result{Hit{Title: title, URL: cmp.Or(address, talk), Published: story.text("created_at"),
		Author: story.text("author")}, facts, plainText(story.text("story_text"))}
}
