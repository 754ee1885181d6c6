package search

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// scholarlyServices search articles and papers.
var scholarlyServices = []Offer{
	// The edition in the language of the question: articles with all of its words. It wants requests one
	// after the other.
	{"wikipedia", Reference, "", "", false, api{
		pace: time.Second, keywords: 300, list: "pages",
		address:   "https://{language}.wikipedia.org/w/rest.php/v1/search/page?q={query}&limit={limit}",
		languages: map[string]string{"zh": "zh", "ja": "ja", "ko": "ko", "ru": "ru", "ar": "ar"},
		hit: func(p data) result {
			if p.text("key") == "" {
				return result{}
			}
			path := url.URL{Path: "/wiki/" + p.text("key")}
			return result{
				Hit{Title: p.text("title"), URL: "https://{language}.wikipedia.org" + path.EscapedPath()},
				[]string{p.text("description")}, plainText(p.text("excerpt"))}
		},
	}, nil},
	// The pace is the time that arXiv's terms of use want between two requests.
	{"arxiv", Scholarly, "", "", false, api{pace: 3 * time.Second}, arXivFeed},
	// An index of nearly all scholarly works: those with all words of the query in title, abstract or full
	// text. Without a key it answers some hundred searches a day for all programs on one address together. A
	// day's used-up budget has the same status as too many questions in a second; the hours that it asks to
	// wait tell them apart.
	{"openalex", Scholarly, "OPENALEX_API_KEY", "a free key, for more questions a day", false, api{
		keywords: 400,
		address: "https://api.openalex.org/works?search={query}&per_page={limit}&select=id,doi,title," +
			"publication_date,type,is_retracted,cited_by_count,authorships,primary_location," +
			"best_oa_location,open_access,abstract_inverted_index",
		keyed: "&api_key={key}", list: "results", hit: openAlexHit,
		means: []meaning{{status: http.StatusTooManyRequests, wait: 10 * time.Minute, reason: OutOfQuota,
			advice: "; a free key gives a budget of one's own"}},
	}, nil},
	// The index of the Allen Institute, which sums up many papers in one sentence. Without a key everybody
	// shares one allowance, which is often used up; a key allows one question a second. A word with a hyphen
	// finds nothing there, as its manual says, and quotation marks make no phrase. It omits an empty list.
	{"semanticscholar", Scholarly, "S2_API_KEY", "a free key; without it, it is often throttled", false, api{
		pace: time.Second, keywords: 300, reword: strings.NewReplacer("-", " ", `"`, " ").Replace,
		address: "https://api.semanticscholar.org/graph/v1/paper/search?query={query}&limit={limit}&fields=" +
			"title,abstract,year,publicationDate,venue,authors,url,citationCount,externalIds," +
			"openAccessPdf,tldr",
		header: map[string]string{"X-Api-Key": "{key}"}, list: "data", hit: semanticHit,
		none: func(a data) bool {
			return a.at("total").value == float64(0) && a.at("data").value == nil
		},
	}, nil},
	// The register of DOIs: journals, books and proceedings of nearly all publishers. It knows a work's data
	// better than its text. Figures and tables have DOIs of their own and are left out.
	{"crossref", Scholarly, "", "", false, api{
		spare: 5, list: "message.items", hit: crossrefHit,
		address: "https://api.crossref.org/works?query={query}&rows={limit}&select=" +
			"DOI,type,title,container-title,author,published,issued,is-referenced-by-count,abstract",
	}, nil},
	// Papers that people discuss on Hugging Face, most of them on machine learning, found by meaning. Status
	// 404 means that it has no such paper.
	{"huggingface", Scholarly, "HF_TOKEN", "a token", false, api{
		mostChars: 250, other: huggingFaceAddress, read: huggingFacePapers, hit: huggingFaceHit,
		address: huggingFaceSite + "/api/papers/search?q={query}&limit={limit}", header: bearer,
		means: []meaning{{status: http.StatusNotFound, nothing: true}},
	}, nil},
	{"huggingface-blog", Web, "", "", false, api{}, huggingFaceArticles},
}

func openAlexHit(work data) result {
	published, doi, kind := work.text("publication_date"), work.text("doi"), work.text("type")
	address := cmp.Or( // the best to read first: free of charge, otherwise where it appeared
		webAddress(work.text("open_access.oa_url")), webAddress(work.text("best_oa_location.pdf_url")),
		webAddress(work.text("best_oa_location.landing_page_url")),
		webAddress(work.text("primary_location.landing_page_url")), webAddress(doi), work.text("id"))
	name, isDOI := strings.CutPrefix(doi, "https://doi.org/")
	facts := []string{when(work.isTrue("is_retracted"), "RETRACTED"), year(published),
		plainText(work.text("primary_location.source.display_name")), when(kind != "article", kind),
		citedBy(work.number("cited_by_count")), when(isDOI && address != doi, "doi:"+name)}
	return result{Hit{Title: plainText(work.text("title")), URL: address, Published: published,
		Author: byline(work.texts("authorships", "author.display_name"))},
		facts, plainText(openAlexAbstract(work))}
}

func citedBy(n int) string { return "cited by " + grouped(n) }

// openAlexAbstract orders the words of an abstract, which OpenAlex may give only as an index of places.
func openAlexAbstract(work data) string {
	var text [5000]string // words; the longest abstracts have a tenth of it
	index, _ := work.at("abstract_inverted_index").value.(map[string]any)
	for word, places := range index {
		for _, place := range (data{places}).items("") {
			if at := place.number(""); at >= 0 && at < len(text) {
				text[at] = word
			}
		}
	}
	return oneLine(strings.Join(text[:], " "))
}

func semanticHit(paper data) result {
	published := paper.text("publicationDate")
	if n := paper.number("year"); published == "" && n > 0 {
		published = strconv.Itoa(n)
	}
	// arXiv and open PDFs can always be read, what a DOI leads to often not
	arxiv, doi := "", oneLine(paper.text("externalIds.DOI"))
	if ids := arxivIDs(paper.text("externalIds.ArXiv")); len(ids) == 1 {
		arxiv = "https://arxiv.org/abs/" + ids[0]
	}
	address := cmp.Or(arxiv, webAddress(paper.text("openAccessPdf.url")), doiAddress(doi), paper.text("url"))
	facts := []string{year(published), paper.text("venue"), citedBy(paper.number("citationCount")),
		when(doi != "" && address != doiAddress(doi), "doi:"+doi)}
	return result{Hit{Title: paper.text("title"), URL: address, Published: published,
		Author: byline(paper.texts("authors", "name"))}, facts,
		paper.text("tldr.text") + " " + paper.text("abstract")}
}

// doiAddress returns the address of a DOI, or "".
func doiAddress(doi string) string {
	doi = strings.TrimSpace(doi)
	if !strings.HasPrefix(doi, "10.") || !strings.Contains(doi, "/") {
		return ""
	}
	return "https://doi.org" + (&url.URL{Path: "/" + doi}).EscapedPath()
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
	facts := []string{year(published), plainText(work.text("container-title.0")),
		when(kind != "journal-article", strings.ReplaceAll(kind, "-", " ")),
		citedBy(work.number("is-referenced-by-count"))}
	abstract := plainText(work.text("abstract"))
	for _, heading := range []string{"Abstract", "ABSTRACT", "Summary"} { // JATS has it as a title of its own
		abstract = strings.TrimPrefix(abstract, heading+" ")
	}
	return result{Hit{Title: title, URL: doiAddress(work.text("DOI")), Published: published,
		Author: byline(names)}, facts, abstract}
}

// crossrefDate reads [2017, 6, 12], whose last numbers may be missing, and [null] for an unknown date.
func crossrefDate(numbers []data) string {
	var parts []string
	for _, n := range numbers[:min(len(numbers), 3)] {
		if n.number("") > 0 {
			parts = append(parts, fmt.Sprintf("%02d", n.number("")))
		}
	}
	return strings.Join(parts, "-")
}
