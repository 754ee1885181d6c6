package search

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Crossref searches the register of DOIs: journals, books and proceedings of nearly all publishers. It knows
// a work's data better than its text.
type Crossref struct {
	Client *http.Client
}

var _ Provider = Crossref{}

// Name is "crossref".
func (Crossref) Name() string { return "crossref" }

// Kind is Scholarly.
func (Crossref) Kind() Kind { return Scholarly }

// crossrefWork is a work as Crossref shows it.
type crossrefWork struct {
	DOI     string   `json:"DOI"`
	Type    string   `json:"type"`
	Title   []string `json:"title"`
	Venue   []string `json:"container-title"`
	Authors []struct {
		Given  string `json:"given"`
		Family string `json:"family"`
		Name   string `json:"name"` // of a group
	} `json:"author"`
	Published crossrefDate `json:"published"`
	Issued    crossrefDate `json:"issued"`
	Cited     int          `json:"is-referenced-by-count"`
	Abstract  string       `json:"abstract"` // JATS, a kind of XML
}

// crossrefDate is [[2017, 6, 12]], of which the last numbers may be missing, and [[null]] where nothing is
// known.
type crossrefDate struct {
	Parts [][]int `json:"date-parts"`
}

func (d crossrefDate) String() string {
	if len(d.Parts) == 0 {
		return ""
	}
	var b strings.Builder
	for i, n := range d.Parts[0][:min(len(d.Parts[0]), 3)] {
		if n <= 0 {
			break
		}
		if i > 0 {
			b.WriteByte('-')
		}
		fmt.Fprintf(&b, "%02d", n)
	}
	return b.String()
}

// Search ranks by relevance. Figures and tables, which have DOIs of their own, are left out.
func (c Crossref) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if query = capped(oneLine(query), 400); query == "" {
		return nil, nil
	}
	const spare = 5 // for what is left out
	parameters := url.Values{
		"query":  {query},
		"rows":   {strconv.Itoa(min(limit, 100) + spare)},
		"select": {"DOI,type,title,container-title,author,published,issued,is-referenced-by-count,abstract"},
	}
	var answer struct {
		Message struct {
			Items []crossrefWork `json:"items"`
		} `json:"message"`
	}
	if err := (service{client: c.Client}).getJSON(ctx, "https://api.crossref.org/works?"+parameters.Encode(), nil, &answer); err != nil {
		return nil, err
	}
	if answer.Message.Items == nil {
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Message.Items))
	for _, work := range some(answer.Message.Items, limit) {
		if hit := work.hit(query); work.Type != "component" && hit.Title != "" {
			hits = append(hits, hit)
		}
	}
	return tidy(c.Name(), hits, limit), nil
}

func (w crossrefWork) hit(query string) Hit {
	names := make([]string, 0, len(w.Authors))
	for _, a := range w.Authors {
		names = append(names, strings.TrimSpace(a.Given+" "+a.Family+a.Name))
	}
	published := w.Published.String()
	if published == "" {
		published = w.Issued.String()
	}
	facts := []string{year(published), plainText(firstOf(w.Venue))}
	if w.Type != "journal-article" {
		facts = append(facts, strings.ReplaceAll(w.Type, "-", " "))
	}
	facts = append(facts, "cited by "+grouped(w.Cited))
	abstract := plainText(w.Abstract)
	for _, heading := range []string{"Abstract", "ABSTRACT", "Summary"} { // JATS has it as a title of its own
		abstract = strings.TrimPrefix(abstract, heading+" ")
	}
	return Hit{
		Title: plainText(firstOf(w.Title)), URL: doiAddress(w.DOI), Published: published, Author: byline(names),
		Snippet: snippetOf(query, facts, abstract),
	}
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
