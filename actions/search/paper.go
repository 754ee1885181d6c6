package search

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// paperHosts show arXiv's papers, each at an address that ends with its identifier.
var paperHosts = []string{"arxiv.org", "export.arxiv.org", "browse.arxiv.org", "cn.arxiv.org", "ar5iv.org",
	"ar5iv.labs.arxiv.org", "alphaxiv.org", "arxiv-vanity.com", "huggingface.co", "hf.co"}

// arxivKey is the identifier of a paper, without its version, if the address is one of arXiv or of those who
// show its papers.
func arxivKey(host, file string) string {
	isOthers := strings.HasPrefix(host, "h") && !strings.HasPrefix(file, "/papers/") // of Hugging Face
	if !slices.Contains(paperHosts, host) || isOthers {
		return ""
	}
	return arxivID(strings.TrimSuffix(file, ".md"))
}

// arxivPattern is an identifier in a text: the two digits for the month keep out most other numbers.
var arxivPattern = regexp.MustCompile(`(?i)(?:^|[^\w.]|arxiv[.:])` +
	`(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|` +
	`(?:astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nlin|nucl-(?:ex|th)|physics|quant-ph|math|cs|` +
	`q-(?:bio|fin|alg)|stat|` +
	`alg-geom|chao-dyn|cmp-lg|dg-ga|funct-an|patt-sol|solv-int|comp-gas|` +
	`adap-org)(?:\.[a-z-]{2,12})?/\d\d(?:0[1-9]|1[0-2])\d{3})` +
	`(v\d{1,3})?(?:\.pdf)?(?:$|[^\w.]|\.(?:$|\W))`)

// arxivIDs are the identifiers in a text, each once, with the version where one is named.
func arxivIDs(text string) []string {
	var ids []string
	for text != "" {
		at := arxivPattern.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		id, end := strings.ToLower(text[at[2]:at[3]]), at[3]
		if archive, number, ok := strings.Cut(id, "/"); ok { // before April 2007
			archive, _, _ = strings.Cut(archive, ".") // math.GT/0309136 is math/0309136
			id = archive + "/" + number
		}
		if at[4] >= 0 {
			id, end = id+strings.ToLower(text[at[4]:at[5]]), at[5]
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		text = text[end:] // the character after one identifier may be the one before the next
	}
	return ids
}

// arxivID is the first identifier in a text without its version, or "".
func arxivID(text string) string {
	for _, id := range arxivIDs(text) {
		id, _, _ = strings.Cut(id, "v")
		return id
	}
	return ""
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// A DOI in the path of an address, and what publishers put behind one: the kind of a file, or the version of
// a preprint.
var (
	doiPattern = regexp.MustCompile(`/(10\.[\d.]{4,}/.+)$`)
	afterDOI   = regexp.MustCompile(`(?:/(?:html|pdf|full|abstract|epub|references|meta)|` +
		`\.pdf|\.full|_reference|\.html)+$`)
	preprint = regexp.MustCompile(`^(10\.1101/.+)v\d+$`)
)

// doiKey is the DOI of a paper if the address holds it: at doi.org, after /doi/ at any publisher, and where
// known publishers keep it. DOIs do not tell case.
func doiKey(host, file string, query url.Values) string {
	file = strings.ToLower(file)
	_, afterDoi, isDoi := strings.Cut(file, "/doi/")
	id, isArticle := strings.CutPrefix(file, "/articles/")
	switch {
	case host == "doi.org" || host == "dx.doi.org":
		return doiIn(file)
	case host == "journals.plos.org":
		file = "/" + strings.ToLower(query.Get("id"))
	case host == "nature.com" && isArticle && !strings.Contains(id, "/"):
		file = "/10.1038/" + id
	case slices.Contains([]string{"link.springer.com", "frontiersin.org", "biorxiv.org",
		"medrxiv.org"}, host):
	case isDoi:
		file = "/" + afterDoi
	default:
		return ""
	}
	doi := afterDOI.ReplaceAllString(doiIn(file), "")
	return doiIn("/" + preprint.ReplaceAllString(doi, "$1"))
}

// doiIn is the part of a path from "10.", if a DOI stands there.
func doiIn(file string) string {
	if m := doiPattern.FindStringSubmatch(canonicalPath(file)); m != nil {
		return m[1]
	}
	return ""
}
