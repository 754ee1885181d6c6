package search

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// OpenAlex searches an index of about all scholarly works. Without a Key it answers some hundred searches a
// day for all programs on one address together; a free key gives a budget of one's own.
type OpenAlex struct {
	Client *http.Client
	Key    string // may be ""
}

var _ Provider = OpenAlex{}

// Name is "openalex".
func (OpenAlex) Name() string { return "openalex" }

// Kind is Scholarly.
func (OpenAlex) Kind() Kind { return Scholarly }

// openAlexWork is a work as OpenAlex shows it.
type openAlexWork struct {
	ID          string `json:"id"`
	DOI         string `json:"doi"` // an address
	Title       string `json:"title"`
	Published   string `json:"publication_date"`
	Type        string `json:"type"`
	Retracted   bool   `json:"is_retracted"`
	Cited       int    `json:"cited_by_count"`
	Authorships []struct {
		Author struct {
			Name string `json:"display_name"`
		} `json:"author"`
	} `json:"authorships"`
	Primary openAlexPlace `json:"primary_location"`
	Best    openAlexPlace `json:"best_oa_location"`
	Access  struct {
		URL string `json:"oa_url"`
	} `json:"open_access"`
	Abstract map[string][]int `json:"abstract_inverted_index"` // the places of each word
}

// openAlexPlace is a place where a work can be had; null where there is none.
type openAlexPlace struct {
	Page   string `json:"landing_page_url"`
	PDF    string `json:"pdf_url"`
	Source struct {
		Name string `json:"display_name"`
	} `json:"source"`
}

// Search looks for works with all words of the query in title, abstract or full text.
func (o OpenAlex) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	wanted := keywords(query, 400)
	if len(wanted) == 0 {
		return nil, nil
	}
	parameters := url.Values{
		"search":   {strings.Join(wanted, " ")},
		"per_page": {strconv.Itoa(min(limit, 100))},
		"select": {"id,doi,title,publication_date,type,is_retracted,cited_by_count,authorships,primary_location,best_oa_location," +
			"open_access,abstract_inverted_index"},
	}
	if o.Key != "" {
		parameters.Set("api_key", o.Key)
	}
	var answer struct {
		Results []openAlexWork `json:"results"`
	}
	err := service{client: o.Client}.getJSON(ctx, "https://api.openalex.org/works?"+parameters.Encode(), nil, &answer)
	switch {
	case err != nil:
		return nil, o.budget(err)
	case answer.Results == nil:
		return nil, errNoList()
	}
	hits := make([]Hit, 0, len(answer.Results))
	for _, work := range some(answer.Results, limit) {
		hits = append(hits, work.hit(query))
	}
	return tidy(o.Name(), hits, limit), nil
}

// budget tells a day's used-up budget, which OpenAlex answers with the same status as too many questions in a
// second, by the hours that it asks to wait.
func (o OpenAlex) budget(err error) error {
	var e *ServiceError
	if !errors.As(err, &e) || e.Reason != Throttled || e.Wait < 10*time.Minute {
		return err
	}
	spent := *e
	spent.Reason = OutOfQuota
	if o.Key == "" {
		spent.Detail += "; a free key gives a budget of one's own"
	}
	return &spent
}

func (w openAlexWork) hit(query string) Hit {
	names := make([]string, 0, len(w.Authorships))
	for _, a := range w.Authorships {
		names = append(names, a.Author.Name)
	}
	facts := []string{year(w.Published), plainText(w.Primary.Source.Name)}
	if w.Retracted {
		facts = append([]string{"RETRACTED"}, facts...)
	}
	if w.Type != "article" {
		facts = append(facts, w.Type)
	}
	address := w.address()
	facts = append(facts, "cited by "+grouped(w.Cited))
	if doi, found := strings.CutPrefix(w.DOI, "https://doi.org/"); found && address != w.DOI {
		facts = append(facts, "doi:"+doi)
	}
	return Hit{
		Title: plainText(w.Title), URL: address, Published: w.Published, Author: byline(names),
		Snippet: snippetOf(query, facts, plainText(w.abstract())),
	}
}

// address is where a work can be read best: free of charge, else where it appeared.
func (w openAlexWork) address() string {
	return webAddress(cmp.Or(webAddress(w.Access.URL), webAddress(w.Best.PDF), webAddress(w.Best.Page), webAddress(w.Primary.Page), webAddress(w.DOI), w.ID))
}

// abstract puts the words back in order. OpenAlex may show them only as an index of places.
func (w openAlexWork) abstract() string {
	const most = 5000 // words; the longest abstracts have a tenth of it
	type placed struct {
		at   int
		word string
	}
	var list []placed
	for word, places := range w.Abstract {
		for _, at := range places {
			if at >= 0 && at < most {
				list = append(list, placed{at, word})
			}
		}
	}
	slices.SortFunc(list, func(a, b placed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.word, b.word)) })
	var words []string
	for _, p := range list[:min(len(list), most)] {
		words = append(words, p.word)
	}
	return strings.Join(words, " ")
}
