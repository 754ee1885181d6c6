package search

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// GitHub searches for repositories by name, description and topics. GitHub's qualifiers, such as language:go
// and user:golang, work.
type GitHub struct {
	Client *http.Client
	Token  string // may be ""; with one, GitHub answers 30 searches a minute, without 10
}

// GitHubIssues searches the titles, bodies and comments of issues. With is:pull-request in the query it
// searches those; repo:golang/go and other qualifiers work too.
type GitHubIssues struct {
	Client *http.Client
	Token  string // as in GitHub
}

var (
	_ Provider = GitHub{}
	_ Provider = GitHubIssues{}
)

// Name is "github".
func (GitHub) Name() string { return "github" }

// Name is "github-issues".
func (GitHubIssues) Name() string { return "github-issues" }

// Kind is Code.
func (GitHub) Kind() Kind { return Code }

// Kind is Code.
func (GitHubIssues) Kind() Kind { return Code }

// Pace keeps within what GitHub allows to one searcher.
func (g GitHub) Pace() time.Duration { return gitHubPace(g.Token) }

// Pace keeps within what GitHub allows to one searcher.
func (g GitHubIssues) Pace() time.Duration { return gitHubPace(g.Token) }

func gitHubPace(token string) time.Duration {
	if token == "" {
		return 6 * time.Second
	}
	return 2 * time.Second
}

// gitHubQuery is how many characters GitHub takes, apart from qualifiers.
const gitHubQuery = 256

type gitHubRepository struct {
	Name        string `json:"full_name"`
	URL         string `json:"html_url"`
	Description string `json:"description"`
	Stars       int    `json:"stargazers_count"`
	Pushed      string `json:"pushed_at"`
	Language    string `json:"language"`
	Archived    bool   `json:"archived"`
	License     struct {
		ID string `json:"spdx_id"`
	} `json:"license"`
	Topics []string `json:"topics"`
	Owner  struct {
		Login string `json:"login"`
	} `json:"owner"`
}

// Search gives GitHub's best matches. Published is the day of the last push.
func (g GitHub) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := strings.Join(keywords(query, gitHubQuery), " ")
	found, err := askGitHub[gitHubRepository](ctx, g.Client, g.Token, "repositories", wanted, limit)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(found))
	for _, repository := range some(found, limit) {
		hits = append(hits, repository.hit(query))
	}
	return tidy(g.Name(), hits, limit), nil
}

func (r gitHubRepository) hit(query string) Hit {
	facts := []string{many(r.Stars, "star", "stars"), r.Language}
	if r.License.ID != "NOASSERTION" {
		facts = append(facts, r.License.ID)
	}
	if pushed := day(r.Pushed); pushed != "" {
		facts = append(facts, "last push "+pushed)
	}
	if r.Archived {
		facts = append(facts, "archived")
	}
	if len(r.Topics) > 0 {
		facts = append(facts, "topics: "+strings.Join(r.Topics[:min(len(r.Topics), 6)], ", "))
	}
	return Hit{Title: r.Name, URL: r.URL, Published: r.Pushed, Author: r.Owner.Login, Snippet: snippetOf(query, facts, r.Description)}
}

type gitHubIssue struct {
	Number     int    `json:"number"`
	Title      string `json:"title"`
	URL        string `json:"html_url"`
	Repository string `json:"repository_url"`
	State      string `json:"state"`
	Reason     string `json:"state_reason"`
	Created    string `json:"created_at"`
	Comments   int    `json:"comments"`
	Body       string `json:"body"` // Markdown
	User       struct {
		Login string `json:"login"`
	} `json:"user"`
	Labels []struct {
		Name string `json:"name"`
	} `json:"labels"`
	Pull *struct {
		Merged string `json:"merged_at"`
	} `json:"pull_request"`
}

// Search gives GitHub's best matches. GitHub refuses a search that does not say whether it means issues or
// pull requests.
func (g GitHubIssues) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := strings.Join(keywords(query, gitHubQuery), " ")
	if wanted != "" && !strings.Contains(wanted, "is:issue") && !strings.Contains(wanted, "is:p") && !strings.Contains(wanted, "type:") {
		wanted += " is:issue"
	}
	found, err := askGitHub[gitHubIssue](ctx, g.Client, g.Token, "issues", wanted, limit)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(found))
	for _, issue := range some(found, limit) {
		hits = append(hits, issue.hit(query))
	}
	return tidy(g.Name(), hits, limit), nil
}

func (i gitHubIssue) hit(query string) Hit {
	_, repository, _ := strings.Cut(i.Repository, "/repos/")
	name := fmt.Sprintf("%s#%d", repository, i.Number)
	facts := []string{i.state(), many(i.Comments, "comment", "comments")}
	var labels []string
	for _, l := range i.Labels[:min(len(i.Labels), 5)] {
		labels = append(labels, l.Name)
	}
	if len(labels) > 0 {
		facts = append(facts, "labels: "+strings.Join(labels, ", "))
	}
	return Hit{
		Title: name + ": " + i.Title, URL: i.URL, Published: i.Created, Author: i.User.Login,
		Snippet: snippetOf(query, facts, plain(i.Body)),
	}
}

// state is the issue's in GitHub's words, such as "closed as not planned".
func (i gitHubIssue) state() string {
	switch {
	case i.Pull != nil && i.Pull.Merged != "":
		return "merged"
	case i.State == "closed" && i.Reason != "":
		return "closed as " + strings.ReplaceAll(i.Reason, "_", " ")
	}
	return i.State
}

// askGitHub searches one of GitHub's indexes.
func askGitHub[T any](ctx context.Context, client *http.Client, token, index, query string, limit int) ([]T, error) {
	if query == "" {
		return nil, nil
	}
	header := http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	parameters := url.Values{"q": {query}, "per_page": {strconv.Itoa(min(limit, 100))}}
	var answer struct {
		Items      []T  `json:"items"`
		Incomplete bool `json:"incomplete_results"`
	}
	err := service{client: client}.getJSON(ctx, "https://api.github.com/search/"+index+"?"+parameters.Encode(), header, &answer)
	switch {
	case err != nil:
		return nil, secondaryLimit(err)
	case answer.Items == nil:
		return nil, errNoList()
	case answer.Incomplete && len(answer.Items) == 0:
		return nil, &ServiceError{Reason: Unavailable, Detail: "its search ran out of time before it found anything"}
	}
	return answer.Items, nil
}

// secondaryLimit tells GitHub's limit on bursts, which comes as "forbidden", from a token that is not let in.
func secondaryLimit(err error) error {
	var e *ServiceError
	if !errors.As(err, &e) || e.status != http.StatusForbidden || e.Wait == 0 && !strings.Contains(e.Detail, "rate limit") {
		return err
	}
	limited := *e
	limited.Reason = Throttled
	return &limited
}
