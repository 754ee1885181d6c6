package search

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// semanticScholar searches the index of the Allen Institute, which sums up many papers in one sentence.
// Without a key all the world shares one allowance, which is often used up; a key allows one question a
// second.
func semanticScholar(s service, key string) Provider {
	s.pace = time.Second
	header := http.Header{}
	if key != "" {
		header.Set("X-Api-Key", key)
	}
	return api{
		service: s, keywords: 300,
		// a word with a hyphen finds nothing there, as its manual says, and a phrase is not one
		reword: strings.NewReplacer("-", " ", `"`, " ").Replace,
		address: "https://api.semanticscholar.org/graph/v1/paper/search?query={query}&limit={limit}&fields=" +
			"title,abstract,year,publicationDate,venue,authors,url,citationCount,externalIds," +
			"openAccessPdf,tldr",
		header: header,
		list:   "data",
		hit:    semanticHit,
		look: func(answer data) error {
			if total, known := answer.at("total").value.(float64); known && total == 0 &&
				answer.at("data").value == nil {
				return errNothing // it leaves the list out
			}
			return nil
		},
	}
}

func semanticHit(paper data) result {
	published := paper.text("publicationDate")
	if n := paper.number("year"); published == "" && n > 0 {
		published = strconv.Itoa(n)
	}
	// where it can be read: arXiv and open PDFs always, what a DOI leads to often not
	arxiv, doi := "", oneLine(paper.text("externalIds.DOI"))
	if ids := arxivIDs(paper.text("externalIds.ArXiv")); len(ids) == 1 {
		arxiv = "https://arxiv.org/abs/" + ids[0]
	}
	address := cmp.Or(arxiv, webAddress(paper.text("openAccessPdf.url")), doiAddress(doi), paper.text("url"))
	facts := []string{year(published), paper.text("venue"), "cited by " +
		grouped(paper.number("citationCount"))}
	if doi != "" && address != doiAddress(doi) {
		facts = append(facts, "doi:"+doi)
	}
	return result{Hit{Title: paper.text("title"), URL: address, Published: published,
		Author: byline(paper.texts("authors", "name"))}, facts,
		paper.text("tldr.text") + " " + paper.text("abstract")}
}

// doiAddress is the address that a DOI stands for, or "".
func doiAddress(doi string) string {
	doi = strings.TrimSpace(doi)
	if !strings.HasPrefix(doi, "10.") || !strings.Contains(doi, "/") {
		return ""
	}
	return "https://doi.org" + (&url.URL{Path: "/" + doi}).EscapedPath()
}
