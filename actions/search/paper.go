package search

import (
	"net/url"
	"slices"
	"strings"
)

// arxivKey is the identifier of a paper, without its version, if the address is one of arXiv or of those who
// show its papers.
func arxivKey(host, file string) string {
	parts := strings.Split(strings.Trim(file, "/"), "/")
	switch host {
	case "arxiv.org", "export.arxiv.org", "browse.arxiv.org", "cn.arxiv.org", "ar5iv.org",
		"ar5iv.labs.arxiv.org",
		"alphaxiv.org", "arxiv-vanity.com":
		if slices.Contains([]string{"abs", "pdf", "html", "format", "src", "e-print", "ps", "papers",
			"overview"}, parts[0]) {
			parts = parts[1:]
		}
		return arxivID(strings.Join(parts, "/"))
	case "huggingface.co", "hf.co":
		if len(parts) == 2 && parts[0] == "papers" {
			return arxivID(strings.TrimSuffix(parts[1], ".md"))
		}
	}
	return ""
}

// arxivID is 2401.01234 or hep-th/9901001 for an identifier that may carry a version and the ending of a
// file; "" if it is none.
func arxivID(text string) string {
	id := strings.TrimSuffix(strings.ToLower(text), ".pdf")
	if i := strings.LastIndexByte(id, 'v'); i > 0 && i+1 < len(id) && isNumber(id[i+1:]) {
		id = id[:i]
	}
	if archive, number, ok := strings.Cut(id, "/"); ok { // before April 2007
		archive, _, _ = strings.Cut(archive, ".") // math.GT/0309136 is math/0309136
		if len(number) != 7 || !isNumber(number) || archive == "" ||
			strings.Trim(archive, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return ""
		}
		return archive + "/" + number
	}
	month, number, ok := strings.Cut(id, ".")
	if !ok || len(month) != 4 || !isNumber(month) || len(number) < 4 || len(number) > 5 || !isNumber(number) {
		return ""
	}
	return id
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// arxivDOI begins the DOIs that arXiv gives its papers.
const arxivDOI = "10.48550/arxiv."

// doiKey is the DOI of a paper if the address holds it: at doi.org, after /doi/ at any publisher, and where
// known publishers keep it. DOIs do not tell case.
func doiKey(host, file string, query url.Values) string {
	file = canonicalPath(strings.ToLower(file))
	switch host {
	case "doi.org", "dx.doi.org":
		return doiIn(file)
	case "journals.plos.org":
		return publisherDOI("/" + strings.ToLower(query.Get("id")))
	case "nature.com":
		if id, ok := strings.CutPrefix(file, "/articles/"); ok && !strings.Contains(id, "/") {
			return publisherDOI("/10.1038/" + id)
		}
	case "link.springer.com", "frontiersin.org", "biorxiv.org", "medrxiv.org":
		return publisherDOI(file)
	}
	if _, rest, ok := strings.Cut(file, "/doi/"); ok {
		return publisherDOI("/" + rest)
	}
	return ""
}

// doiIn is the part of a path from "10.", if a DOI stands there.
func doiIn(file string) string {
	at := strings.Index(file, "/10.")
	if at < 0 {
		return ""
	}
	doi := file[at+1:]
	registrant, suffix, ok := strings.Cut(strings.TrimPrefix(doi, "10."), "/")
	if !ok || suffix == "" || len(registrant) < 4 || strings.Trim(registrant, "0123456789.") != "" {
		return ""
	}
	return doi
}

// publisherDOI is a DOI without what publishers put behind it: the kind of a file, or the version of a
// preprint.
func publisherDOI(file string) string {
	doi := doiIn(file)
	for _, tail := range []string{"/html", "/pdf", "/full", "/abstract", "/epub", "/references",
		"/meta", ".pdf", ".full", "_reference", ".html"} {
		doi = strings.TrimSuffix(doi, tail)
	}
	if rest, version := strings.CutPrefix(doi, "10.1101/"); version {
		if i := strings.LastIndexByte(rest, 'v'); i > 0 && isNumber(rest[i+1:]) {
			doi = "10.1101/" + rest[:i]
		}
	}
	return doiIn(canonicalPath("/" + doi))
}
