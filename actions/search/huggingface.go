package search

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
)

// HuggingFace searches the papers that people discuss on Hugging Face, most of them on machine learning. A
// query with an arXiv identifier is answered with that paper, if it is known there, and "daily papers" with
// those of a day, the latest unless the query names one.
type HuggingFace struct {
	Client *http.Client
	Token  string // may be ""
}

var _ Provider = HuggingFace{}

// Name is "huggingface".
func (HuggingFace) Name() string { return "huggingface" }

// Kind is Scholarly.
func (HuggingFace) Kind() Kind { return Scholarly }

const huggingFace = "https://huggingface.co"

type huggingFacePaper struct {
	ID        string `json:"id"` // arXiv's
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	InShort   string `json:"ai_summary"`
	Published string `json:"publishedAt"`
	Upvotes   int    `json:"upvotes"`
	Code      string `json:"githubRepo"`
	Authors   []struct {
		Name string `json:"name"`
	} `json:"authors"`
}

// Search ranks by meaning. A status of 404 is how Hugging Face says that it has no such paper.
func (h HuggingFace) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	var papers []huggingFacePaper
	var err error
	if date, daily := dailyPapers(query); daily {
		papers, err = h.ofDay(ctx, date)
	} else if ids := arxivIDs(query); len(ids) > 0 {
		papers, err = h.paper(ctx, ids[0])
	} else {
		papers, err = h.papers(ctx, query, limit)
	}
	var e *ServiceError
	if errors.As(err, &e) && e.status == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(papers))
	for _, p := range some(papers, limit) {
		if p.ID != "" && p.Title != "" {
			hits = append(hits, p.hit(query))
		}
	}
	return tidy(h.Name(), hits, limit), nil
}

// dailyPapers reports whether a query asks for the papers of a day and nothing else, and the day, if it names
// one.
func dailyPapers(query string) (date string, daily bool) {
	words := strings.Fields(strings.ToLower(query))
	words = slices.DeleteFunc(words, func(word string) bool {
		if day := fullDay(word); day != "" {
			date = day
			return true
		}
		return word == "today" || word == "today's" || word == "hugging" || word == "face" || word == "huggingface"
	})
	rest := strings.Join(words, " ")
	return date, rest == "daily papers" || rest == "每日论文" || rest == "今日论文"
}

// ofDay gives the papers that were picked on a day, "" for the latest, those first that most people liked.
func (h HuggingFace) ofDay(ctx context.Context, date string) ([]huggingFacePaper, error) {
	path := "/api/daily_papers"
	if date != "" {
		path += "?" + url.Values{"date": {date}}.Encode()
	}
	papers, err := h.list(ctx, path)
	slices.SortStableFunc(papers, func(a, b huggingFacePaper) int { return b.Upvotes - a.Upvotes })
	return papers, err
}

func (h HuggingFace) papers(ctx context.Context, query string, limit int) ([]huggingFacePaper, error) {
	const longest = 250 // characters of a query
	if query = capped(oneLine(query), longest); query == "" {
		return nil, nil
	}
	parameters := url.Values{"q": {query}, "limit": {strconv.Itoa(min(limit, 100))}}
	return h.list(ctx, "/api/papers/search?"+parameters.Encode())
}

func (h HuggingFace) list(ctx context.Context, path string) ([]huggingFacePaper, error) {
	var answer []struct {
		Paper huggingFacePaper `json:"paper"`
	}
	if err := h.ask(ctx, path, &answer); err != nil {
		return nil, err
	}
	if answer == nil {
		return nil, errNoList()
	}
	papers := make([]huggingFacePaper, 0, len(answer))
	for _, a := range answer {
		papers = append(papers, a.Paper)
	}
	return papers, nil
}

func (h HuggingFace) paper(ctx context.Context, id string) ([]huggingFacePaper, error) {
	var paper huggingFacePaper
	if err := h.ask(ctx, "/api/papers/"+arxivID(id), &paper); err != nil {
		return nil, err
	}
	if paper.ID == "" {
		return nil, errNoList()
	}
	return []huggingFacePaper{paper}, nil
}

func (h HuggingFace) ask(ctx context.Context, path string, into any) error {
	var header http.Header
	if h.Token != "" {
		header = bearer(h.Token)
	}
	return service{client: h.Client}.getJSON(ctx, huggingFace+path, header, into)
}

func (p huggingFacePaper) hit(query string) Hit {
	names := make([]string, 0, len(p.Authors))
	for _, a := range p.Authors {
		names = append(names, a.Name)
	}
	facts := []string{year(p.Published), many(p.Upvotes, "upvote", "upvotes")}
	if code := webAddress(p.Code); code != "" {
		facts = append(facts, "code: "+code)
	}
	return Hit{
		Title: p.Title, URL: huggingFace + "/papers/" + url.PathEscape(p.ID), Published: p.Published, Author: byline(names),
		Snippet: snippetOf(query, facts, p.InShort+" "+p.Summary),
	}
}

// HuggingFaceBlog searches the titles of the articles in Hugging Face's blog, of which its feed has hundreds.
// Do not copy one after its first Search.
type HuggingFaceBlog struct {
	Client *http.Client

	known articleList
}

var _ Provider = (*HuggingFaceBlog)(nil)

// Name is "huggingface-blog".
func (*HuggingFaceBlog) Name() string { return "huggingface-blog" }

// Kind is Web.
func (*HuggingFaceBlog) Kind() Kind { return Web }

// Search gives articles with more than half of the query's words. The feed is asked for again after a quarter
// of an hour.
func (h *HuggingFaceBlog) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	list, err := h.known.get(ctx, h.load)
	if err != nil {
		return nil, err
	}
	return hitsOf(h.Name(), query, matching(query, list, func(terms int) int { return terms/2 + 1 }), limit), nil
}

func (h *HuggingFaceBlog) load(ctx context.Context) ([]article, error) {
	const address = huggingFace + "/blog/feed.xml"
	body, err := service{client: h.Client}.do(ctx, http.MethodGet, address, nil, nil)
	if err != nil {
		return nil, err
	}
	feed, err := page.ReadFeed(page.Raw{URL: address, Body: body})
	if err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "its feed can not be read", cause: err}
	}
	return articlesOf(feed), nil
}
