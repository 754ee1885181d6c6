package search

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// Key returns the same text for all addresses of a page. It ignores the scheme and its port, www. and m., a
// slash at the end, the fragment, and parameters that only tell where a visitor came from. A paper on arXiv,
// its PDF and its mirrors have one key, and so have all addresses with one DOI. The key is "" for what
// visit_url cannot take, such as javascript: and data:.
//
// A key looks like an address, and Key of it is the key again, but it is only to be compared: it may lead
// nowhere.
func Key(address string) string {
	if strings.HasPrefix(address, DocScheme) {
		return address
	}
	u, err := url.Parse(webAddress(address))
	if err != nil {
		return ""
	}
	host, file, query := canonicalHost(u), canonicalPath(u.Path), u.Query()
	if host == "" {
		return ""
	}
	doi := doiKey(host, file, query)
	if id := cmp.Or(arxivKey(host, file), arxivID(strings.TrimPrefix(doi, "10.48550/"))); id != "" {
		return "https://arxiv.org/abs/" + id
	}
	if doi != "" {
		return webAddress((&url.URL{Scheme: "https", Host: "doi.org", Path: "/" + doi}).String())
	}
	if strings.HasSuffix("."+host, ".wikipedia.org") {
		file = wikipediaPath(file, query)
	}
	maps.DeleteFunc(query, func(name string, _ []string) bool { return tracking.MatchString(name) })
	key := url.URL{Scheme: "https", Host: host, Path: file, RawQuery: query.Encode()}
	if strings.HasPrefix(u.Fragment, "/") || strings.HasPrefix(u.Fragment, "!/") { // pages of an application
		key.Fragment = u.Fragment
	}
	return webAddress(key.String())
}

// canonicalHost returns the host in ASCII, without variations that lead to the same site.
func canonicalHost(u *url.URL) string {
	host := strings.ToLower(strings.TrimRight(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = strings.TrimRight(ascii, ".")
	}
	host = otherNames.ReplaceAllString(host, "$1")
	host = mobileWikipedia.ReplaceAllString(host, ".$1")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") { // an address of IPv6
		return "[" + host + "]"
	}
	return host
}

var (
	otherNames      = regexp.MustCompile(`^(?:(?:www|m|mobile)\.)+([^.]+\.)`)
	mobileWikipedia = regexp.MustCompile(`\.m\.(wikipedia\.org)$`)
	indexPage       = regexp.MustCompile(`(?:/+index\.(?:html?|php))+$`)
	// tracking matches parameters that only tell how a visitor got there. ref and source stay, since GitHub
	// and others select content by them.
	tracking = regexp.MustCompile(
		`(?i)^(?:(?:utm_|mc_|_hs).*|fbclid|[gdy]clid|[gw]braid|msclkid|twclid|ttclid|` +
			`li_fat_id|igshid|igsh|srsltid|_ga|_gl|mkt_tok|ref_src|ref_url|cmpid|spm|spm_id_from|vd_source|` +
			`share_source|share_token)$`)
)

// canonicalPath returns a path without dots, doubled slashes, a slash at its end or an index page.
func canonicalPath(file string) string {
	file = path.Clean("/" + indexPage.ReplaceAllString(path.Clean("/"+file), ""))
	return strings.TrimSuffix(file, "/")
}

// variant matches the beginning of a path that selects a way to write Chinese.
var variant = regexp.MustCompile(`^/zh(?:-(?:cn|han[st]|hk|mo|my|sg|tw))?/`)

// wikipediaPath returns /wiki/Title for /w/index.php?title=Title, removing the title from query, and for the
// Chinese variants.
func wikipediaPath(file string, query url.Values) string {
	if title := query.Get("title"); title != "" && (file == "/w" || file == "/w/index.php") {
		query.Del("title")
		return canonicalPath("/wiki/" + strings.ReplaceAll(title, " ", "_"))
	}
	file = variant.ReplaceAllString(file, "/wiki/")
	return canonicalPath(strings.ReplaceAll(file, " ", "_"))
}

// paperHosts are the hosts that show arXiv's papers at addresses that end with the identifier.
var paperHosts = []string{"arxiv.org", "export.arxiv.org", "browse.arxiv.org", "cn.arxiv.org", "ar5iv.org",
	"ar5iv.labs.arxiv.org", "alphaxiv.org", "arxiv-vanity.com", "huggingface.co", "hf.co"}

// arxivKey returns the identifier of a paper, without its version, if the address is one of arXiv or of a
// site that shows its papers.
func arxivKey(host, file string) string {
	isOther := strings.HasPrefix(host, "h") && !strings.HasPrefix(file, "/papers/") // of Hugging Face
	if !slices.Contains(paperHosts, host) || isOther {
		return ""
	}
	return arxivID(strings.TrimSuffix(file, ".md"))
}

// arxivPattern matches an identifier in a text; the two digits for the month keep out most other numbers.
var arxivPattern = regexp.MustCompile(`(?i)(?:^|[^\w.]|arxiv[.:])` +
	`(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|` +
	`(?:astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nlin|nucl-(?:ex|th)|physics|quant-ph|math|cs|` +
	`q-(?:bio|fin|alg)|stat|` +
	`alg-geom|chao-dyn|cmp-lg|dg-ga|funct-an|patt-sol|solv-int|comp-gas|` +
	`adap-org)(?:\.[a-z-]{2,12})?/\d\d(?:0[1-9]|1[0-2])\d{3})` +
	`(v\d{1,3})?(?:\.pdf)?(?:$|[^\w.]|\.(?:$|\W))`)

// arxivIDs returns the identifiers in a text, each once, with the version if one is named.
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

// arxivID returns the first identifier in a text without its version, or "".
func arxivID(text string) string {
	for _, id := range arxivIDs(text) {
		id, _, _ = strings.Cut(id, "v")
		return id
	}
	return ""
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// A DOI in the path of an address, and what publishers append to one: the kind of a file, or the version of a
// preprint.
var (
	doiPattern = regexp.MustCompile(`/(10\.[\d.]{4,}/.+)$`)
	afterDOI   = regexp.MustCompile(`(?:/(?:html|pdf|full|abstract|epub|references|meta)|` +
		`\.pdf|\.full|_reference|\.html)+$`)
	preprint = regexp.MustCompile(`^(10\.1101/.+)v\d+$`)
)

// doiKey returns the DOI of a paper if the address holds it: at doi.org, after /doi/ at any publisher, and
// where known publishers keep it. Case does not matter in a DOI.
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

// doiIn returns the part of a path from "10." on, if it is a DOI.
func doiIn(file string) string {
	if m := doiPattern.FindStringSubmatch(canonicalPath(file)); m != nil {
		return m[1]
	}
	return ""
}
