package search

import (
	"cmp"
	"fmt"
	"strings"
)

// crossref searches the register of DOIs: journals, books and proceedings of nearly all publishers. It knows
// a work's data better than its text.
func crossref(s service, _ string) Provider {
	return api{
		service: s, mostChars: 400, mostWords: 400,
		address: "https://api.crossref.org/works?query={query}&rows={limit}&select=" +
			"DOI,type,title,container-title,author,published,issued,is-referenced-by-count,abstract",
		spare: 5, // for the figures and tables, which have DOIs of their own and are left out
		list:  "message.items",
		hit:   crossrefHit,
	}
}

func crossrefHit(work data) result {
	title, kind := plainText(work.text("title.0")), work.text("type")
	if kind == "component" || title == "" {
		return result{}
	}
	var names []string
	for _, a := range work.items("author") { // a group has a name alone
		names = append(names, strings.TrimSpace(a.text("given")+" "+a.text("family")+a.text("name")))
	}
	published := cmp.Or(crossrefDate(work.items("published.date-parts.0")),
		crossrefDate(work.items("issued.date-parts.0")))
	facts := []string{year(published), plainText(work.text("container-title.0"))}
	if kind != "journal-article" {
		facts = append(facts, strings.ReplaceAll(kind, "-", " "))
	}
	facts = append(facts, "cited by "+grouped(work.number("is-referenced-by-count")))
	abstract := plainText(work.text("abstract"))
	for _, heading := range []string{"Abstract", "ABSTRACT", "Summary"} { // JATS has it as a title of its own
		abstract = strings.TrimPrefix(abstract, heading+" ")
	}
	return result{Hit{Title: title, URL: doiAddress(work.text("DOI")), Published: published,
		Author: byline(names)}, facts, abstract}
}

// crossrefDate reads [2017, 6, 12], of which the last numbers may be missing, and [null] where nothing is
// known.
func crossrefDate(numbers []data) string {
	var parts []string
	for _, n := range some(numbers, 0) {
		if n.number("") > 0 && len(parts) < 3 {
			parts = append(parts, fmt.Sprintf("%02d", n.number("")))
		}
	}
	return strings.Join(parts, "-")
}
