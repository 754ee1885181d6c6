package search

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// SemanticScholar searches the index of the Allen Institute, which sums up many papers in one sentence.
// Without a Key all the world shares one allowance, which is often used up.
type SemanticScholar struct {
	Client *http.Client
	Key    string // may be ""
}

var _ Provider = SemanticScholar{}

// Name is "semanticscholar".
func (SemanticScholar) Name() string { return "semanticscholar" }

// Kind is Scholarly.
func (SemanticScholar) Kind() Kind { return Scholarly }

// Pace is the time between two requests that a key allows.
func (SemanticScholar) Pace() time.Duration { return time.Second }

// semanticPaper is a paper as Semantic Scholar shows it. Every field may be null.
type semanticPaper struct {
	Title     string `json:"title"`
	Abstract  string `json:"abstract"`
	Year      int    `json:"year"`
	Published string `json:"publicationDate"`
	Venue     string `json:"venue"`
	URL       string `json:"url"`
	Cited     int    `json:"citationCount"`
	Authors   []struct {
		Name string `json:"name"`
	} `json:"authors"`
	IDs struct {
		ArXiv string `json:"ArXiv"`
		DOI   string `json:"DOI"`
	} `json:"externalIds"`
	PDF struct {
		URL string `json:"url"`
	} `json:"openAccessPdf"`
	Summary struct {
		Text string `json:"text"`
	} `json:"tldr"`
}

// Search ranks by relevance.
func (s SemanticScholar) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	// A word with a hyphen finds nothing there, as its manual says, and a phrase is not one.
	wanted := strings.NewReplacer("-", " ", `"`, " ").Replace(strings.Join(keywords(query, 300), " "))
	if strings.TrimSpace(wanted) == "" {
		return nil, nil
	}
	parameters := url.Values{
		"query":  {wanted},
		"limit":  {strconv.Itoa(min(limit, 100))},
		"fields": {"title,abstract,year,publicationDate,venue,authors,url,citationCount,externalIds,openAccessPdf,tldr"},
	}
	var header http.Header
	if s.Key != "" {
		header = http.Header{"X-Api-Key": {s.Key}}
	}
	var answer struct {
		Total *int            `json:"total"`
		Data  []semanticPaper `json:"data"`
	}
	address := "https://api.semanticscholar.org/graph/v1/paper/search?" + parameters.Encode()
	if err := (service{client: s.Client}).getJSON(ctx, address, header, &answer); err != nil {
		return nil, err
	}
	// with a total of 0 it leaves the list out
	if answer.Data == nil && (answer.Total == nil || *answer.Total != 0) {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Data))
	for _, paper := range some(answer.Data, limit) {
		hits = append(hits, paper.hit(query))
	}
	return tidy(s.Name(), hits, limit), nil
}

func (p semanticPaper) hit(query string) Hit {
	names := make([]string, 0, len(p.Authors))
	for _, a := range p.Authors {
		names = append(names, a.Name)
	}
	published := p.Published
	if published == "" && p.Year > 0 {
		published = strconv.Itoa(p.Year)
	}
	address := p.address()
	facts := []string{year(published), p.Venue, "cited by " + grouped(p.Cited)}
	if doi := oneLine(p.IDs.DOI); doi != "" && address != doiAddress(doi) {
		facts = append(facts, "doi:"+doi)
	}
	return Hit{
		Title: p.Title, URL: address, Published: published, Author: byline(names),
		Snippet: snippetOf(query, facts, strings.TrimSpace(p.Summary.Text+" "+p.Abstract)),
	}
}

// address is where the paper can be read: arXiv and open PDFs always, what a DOI leads to often not.
func (p semanticPaper) address() string {
	arxiv := ""
	if ids := arxivIDs(p.IDs.ArXiv); len(ids) == 1 {
		arxiv = "https://arxiv.org/abs/" + ids[0]
	}
	return cmp.Or(arxiv, webAddress(p.PDF.URL), doiAddress(p.IDs.DOI), p.URL)
}

// doiAddress is the address that a DOI stands for, or "".
func doiAddress(doi string) string {
	doi = strings.TrimSpace(doi)
	if !strings.HasPrefix(doi, "10.") || !strings.Contains(doi, "/") {
		return ""
	}
	return "https://doi.org" + (&url.URL{Path: "/" + doi}).EscapedPath()
}
