package search

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search/words"
)

const huggingFaceSite = "https://huggingface.co"

// huggingFace searches the papers that people discuss on Hugging Face, most of them on machine learning, by
// meaning. A query with an arXiv identifier is answered with that paper, if it is known there, and "daily
// papers" with those of a day, the latest unless the query names one.
type huggingFace struct {
	service
	token string
}

func huggingFacePapers(s service, token string) Provider { return huggingFace{s, token} }

// Search asks one of three addresses. A status of 404 is how Hugging Face says that it has no such paper.
func (h huggingFace) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const longest = 250 // characters of a query
	address := huggingFaceSite + "/api/"
	text, ids := words.Capped(oneLine(query), longest), arxivIDs(query)
	date, daily := dailyPapers(query)
	switch {
	case daily && date != "":
		address += "daily_papers?date=" + date
	case daily:
		address += "daily_papers"
	case len(ids) > 0:
		address += "papers/" + arxivID(ids[0])
	case text == "":
		return nil, nil
	default:
		address += fmt.Sprintf("papers/search?q=%s&limit=%d", url.QueryEscape(text), min(limit, 100))
	}
	answer, err := h.answer(ctx, address, bearer(h.token), "")
	if e := (*ServiceError)(nil); errors.As(err, &e) && e.status == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	papers, ok := answer.objects("")
	for i := range papers {
		papers[i] = papers[i].at("paper")
	}
	if answer.text("id") != "" { // a paper by itself
		papers, ok = []data{answer}, true
	}
	if !ok {
		return nil, errNoList()
	}
	if daily { // those first that most people liked
		slices.SortStableFunc(papers, func(a, b data) int {
			return b.number("upvotes") - a.number("upvotes")
		})
	}
	hits := make([]Hit, 0, len(papers))
	for _, p := range some(papers, limit) {
		if p.text("id") != "" && p.text("title") != "" {
			hits = append(hits, huggingFaceHit(query, p))
		}
	}
	return tidy(h.name, hits, limit), nil
}

// dailyPapers reports whether a query asks for the papers of a day and nothing else, and the day, if it names
// one.
func dailyPapers(query string) (date string, daily bool) {
	rest := besideDaily.ReplaceAllString(query, "")
	return fullDay(aDay.FindString(query)), strings.TrimSpace(rest) == "" && askedDaily.MatchString(query)
}

var (
	askedDaily  = regexp.MustCompile(`(?i)daily papers|每日论文|今日论文`)
	aDay        = regexp.MustCompile(`\d{4}[-/.年]\d\d?[-/.月]\d\d?日?`)
	besideDaily = regexp.MustCompile(
		`(?i)today(?:'s)?|hugging ?face|` + askedDaily.String() + `|` + aDay.String())
)

func huggingFaceHit(query string, paper data) Hit {
	facts := []string{year(paper.text("publishedAt")), many(paper.number("upvotes"), "upvote", "upvotes")}
	if code := webAddress(paper.text("githubRepo")); code != "" {
		facts = append(facts, "code: "+code)
	}
	return Hit{
		Title: paper.text("title"), URL: huggingFaceSite + "/papers/" + url.PathEscape(paper.text("id")),
		Published: paper.text("publishedAt"), Author: byline(paper.texts("authors", "name")),
		Snippet: snippetOf(query, facts, paper.text("ai_summary")+" "+paper.text("summary")),
	}
}

// huggingFaceBlog searches the titles of the articles in Hugging Face's blog, of which its feed has hundreds.
type huggingFaceBlog struct {
	service
	known articleList
}

func huggingFaceArticles(s service, _ string) Provider { return &huggingFaceBlog{service: s} }

// IsOneSite is true.
func (*huggingFaceBlog) IsOneSite() bool { return true }

// Search gives articles with more than half of the query's words. The feed is asked for again after a quarter
// of an hour.
func (h *huggingFaceBlog) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	return h.known.search(ctx, h.name, query, limit, h.load, func(terms int) int { return terms/2 + 1 })
}

func (h *huggingFaceBlog) load(ctx context.Context) ([]article, error) {
	const address = huggingFaceSite + "/blog/feed.xml"
	body, err := h.do(ctx, address, nil, "")
	if err != nil {
		return nil, err
	}
	feed, err := page.ReadFeed(page.Raw{URL: address, Body: body})
	if err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "its feed cannot be read", cause: err}
	}
	return articlesOf(feed), nil
}
