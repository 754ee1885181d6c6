package search

import (
	"cmp"
	"net/url"
	"strings"
	"time"
)

// openAlex searches an index of about all scholarly works for those with all words of the query in title,
// abstract or full text. Without a key it answers some hundred searches a day for all programs on one address
// together; a free key gives a budget of one's own.
func openAlex(s service, key string) Provider {
	address := "https://api.openalex.org/works?search={query}&per_page={limit}&select=id,doi,title," +
		"publication_date,type,is_retracted,cited_by_count,authorships,primary_location,best_oa_location," +
		"open_access,abstract_inverted_index"
	if key != "" {
		address += "&api_key=" + url.QueryEscape(key)
	}
	return api{
		service: s, keywords: 400, address: address,
		list: "results",
		hit:  openAlexHit,
		// A day's used-up budget comes with the same status as too many questions in a second; the hours that
		// it asks to wait tell them apart.
		refused: func(e *ServiceError) error {
			if e.Reason == Throttled && e.Wait >= 10*time.Minute {
				e.Reason = OutOfQuota
				if key == "" {
					e.Detail += "; a free key gives a budget of one's own"
				}
			}
			return e
		},
	}
}

func openAlexHit(work data) result {
	published, doi := work.text("publication_date"), work.text("doi")
	facts := []string{year(published), plainText(work.text("primary_location.source.display_name"))}
	if work.isTrue("is_retracted") {
		facts = append([]string{"RETRACTED"}, facts...)
	}
	if kind := work.text("type"); kind != "article" {
		facts = append(facts, kind)
	}
	facts = append(facts, "cited by "+grouped(work.number("cited_by_count")))
	address := cmp.Or( // the best to read first: free of charge, otherwise where it appeared
		webAddress(work.text("open_access.oa_url")), webAddress(work.text("best_oa_location.pdf_url")),
		webAddress(work.text("best_oa_location.landing_page_url")),
		webAddress(work.text("primary_location.landing_page_url")), webAddress(doi), work.text("id"))
	if name, found := strings.CutPrefix(doi, "https://doi.org/"); found && address != doi {
		facts = append(facts, "doi:"+name)
	}
	return result{Hit{Title: plainText(work.text("title")), URL: address, Published: published,
		Author: byline(work.texts("authorships", "author.display_name"))},
		facts, plainText(openAlexAbstract(work))}
}

// openAlexAbstract puts the words back in order. OpenAlex may show them only as an index of places.
func openAlexAbstract(work data) string {
	var text [5000]string // words; the longest abstracts have a tenth of it
	index := work.at("abstract_inverted_index")
	words, _ := index.value.(map[string]any)
	for word, places := range words {
		for _, place := range (data{places}).items("") {
			if at := place.number(""); at >= 0 && at < len(text) {
				text[at] = word
			}
		}
	}
	return oneLine(strings.Join(text[:], " "))
}
