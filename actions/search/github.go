package search

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/search/words"
)

// gitHub searches for repositories by name, description and topics. GitHub's qualifiers, such as language:go
// and user:golang, work. Published is the day of the last push.
func gitHub(s service, token string) Provider {
	return askGitHub(s, token, "repositories", nil, repositoryHit)
}

// gitHubIssues searches the titles, bodies and comments of issues. With is:pull-request in the query it
// searches those; repo:golang/go and other qualifiers work too. GitHub refuses a search that does not say
// whether it means issues or pull requests.
func gitHubIssues(s service, token string) Provider {
	return askGitHub(s, token, "issues", func(wanted string) string {
		if strings.Contains(wanted, "is:issue") || strings.Contains(wanted, "is:p") ||
			strings.Contains(wanted, "type:") {
			return wanted
		}
		return wanted + " is:issue"
	}, issueHit)
}

// askGitHub searches one of GitHub's indexes, 30 times a minute with a token and 10 times without one.
func askGitHub(s service, token, index string, reword func(string) string, hit func(data) result) Provider {
	s.pace = 6 * time.Second
	if token != "" {
		s.pace = 2 * time.Second
	}
	header := bearer(token)
	header.Set("Accept", "application/vnd.github+json")
	header.Set("X-Github-Api-Version", "2022-11-28")
	return api{
		service: s, keywords: 256, reword: reword, // so many characters apart from qualifiers
		address: "https://api.github.com/search/" + index + "?q={query}&per_page={limit}", header: header,
		list: "items",
		hit:  hit,
		look: func(answer data) error {
			if answer.isTrue("incomplete_results") && len(answer.items("items")) == 0 {
				return &ServiceError{Reason: Unavailable,
					Detail: "its search ran out of time before it found anything"}
			}
			return nil
		},
		// A limit on bursts comes as "forbidden", as a token that is not let in does.
		refused: func(e *ServiceError) error {
			if e.status == http.StatusForbidden && (e.Wait > 0 || strings.Contains(e.Detail, "rate limit")) {
				e.Reason = Throttled
			}
			return e
		},
	}
}

func repositoryHit(r data) result {
	facts := []string{many(r.number("stargazers_count"), "star", "stars"), r.text("language")}
	if license := r.text("license.spdx_id"); license != "NOASSERTION" {
		facts = append(facts, license)
	}
	if pushed := day(r.text("pushed_at")); pushed != "" {
		facts = append(facts, "last push "+pushed)
	}
	if r.isTrue("archived") {
		facts = append(facts, "archived")
	}
	if topics := r.texts("topics", ""); len(topics) > 0 {
		facts = append(facts, "topics: "+strings.Join(topics[:min(len(topics), 6)], ", "))
	}
	return result{Hit{Title: r.text("full_name"), URL: r.text("html_url"), Published: r.text("pushed_at"),
		Author: r.text("owner.login")}, facts, r.text("description")}
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
	facts := []string{state, many(issue.number("comments"), "comment", "comments")}
	if labels := issue.texts("labels", "name"); len(labels) > 0 {
		facts = append(facts, "labels: "+strings.Join(labels[:min(len(labels), 5)], ", "))
	}
	title := fmt.Sprintf("%s#%d: %s", repository, issue.number("number"), issue.text("title"))
	return result{Hit{Title: title,
		URL: issue.text("html_url"), Published: issue.text("created_at"), Author: issue.text("user.login")},
		facts, words.Plain(issue.text("body"))}
}
