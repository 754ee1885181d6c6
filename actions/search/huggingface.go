package search

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
)

const huggingFaceSite = "https://huggingface.co"

// huggingFaceAddress returns the address of a paper that a query names by its identifier on arXiv, or of the
// papers of a day, the latest unless the query names one. It is "" for other queries.
func huggingFaceAddress(query string) string {
	date, daily := dailyPapers(query)
	switch ids := arxivIDs(query); {
	case daily:
		return huggingFaceSite + "/api/daily_papers" + when(date != "", "?date="+date)
	case len(ids) > 0:
		return huggingFaceSite + "/api/papers/" + arxivID(ids[0])
	}
	return ""
}

// huggingFacePapers reads a list, or a paper by itself. It sorts the papers of a day by upvotes.
func huggingFacePapers(query string, answer data) (papers []data, ok bool) {
	if answer.text("id") != "" {
		return []data{answer}, true
	}
	papers, ok = answer.objects("")
	for i := range papers {
		papers[i] = papers[i].at("paper")
	}
	if _, daily := dailyPapers(query); daily {
		slices.SortStableFunc(papers, func(a, b data) int {
			return b.number("upvotes") - a.number("upvotes")
		})
	}
	return papers, ok
}

// dailyPapers reports whether a query asks only for the papers of a day, and returns the day if it names one.
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

func huggingFaceHit(paper data) result {
	id, title := paper.text("id"), paper.text("title")
	if id == "" || title == "" {
		return result{}
	}
	code := webAddress(paper.text("githubRepo"))
	facts := []string{year(paper.text("publishedAt")), many(paper.number("upvotes"), "upvote", "upvotes"),
		when(code != "", "code: "+code)}
	return result{Hit{Title: title, URL: huggingFaceSite + "/papers/" + url.PathEscape(id),
		Published: paper.text("publishedAt"), Author: byline(paper.texts("authors", "name"))}, facts,
		paper.text("ai_summary") + " " + paper.text("summary")}
}

// huggingFaceBlog searches the titles of the articles in Hugging Face's blog, of which its feed has hundreds.
type huggingFaceBlog struct {
	service
	known articleList
}

func huggingFaceArticles(a api) Provider { return &huggingFaceBlog{service: a.service} }

// IsOneSite returns true.
func (*huggingFaceBlog) IsOneSite() bool { return true }

// Search returns articles with more than half of the query's words. It fetches the feed again after a quarter
// of an hour.
func (h *huggingFaceBlog) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	return h.known.search(ctx, h.name, query, limit, h.load, func(terms int) int { return terms/2 + 1 })
}

func (h *huggingFaceBlog) load(ctx context.Context) ([]page.FeedItem, error) {
	const address = huggingFaceSite + "/blog/feed.xml"
	body, err := h.do(ctx, address, nil, "")
	if err != nil {
		return nil, err
	}
	feed, err := page.ReadFeed(page.Raw{URL: address, Body: body})
	if err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "its feed cannot be read", cause: err}
	}
	return feed.Items, nil
}
