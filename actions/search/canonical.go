package search

import (
	"net"
	"net/url"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/idna"
)

// Key is the same for two addresses of one page: whatever the scheme, the port that goes with it, www. and
// m., a slash at the end, the fragment and what only tells where a visitor came from. A paper on arXiv, its
// PDF and its mirrors have one key, and so have all addresses with one DOI. It is "" for what visit_url
// cannot take, such as javascript: and data:.
//
// A key looks like an address, and Key of it is the key again, but it is only to be compared: it may lead
// nowhere.
func Key(address string) string {
	if strings.HasPrefix(address, DocScheme) {
		return address
	}
	u, err := url.Parse(webAddress(address))
	if err != nil || u.Host == "" {
		return ""
	}
	host, file := canonicalHost(u), canonicalPath(u.Path)
	if host == "" {
		return ""
	}
	if id := arxivKey(host, file); id != "" {
		return "https://arxiv.org/abs/" + id
	}
	if doi := doiKey(host, file, u.Query()); doi != "" {
		if id := arxivID(strings.TrimPrefix(doi, "10.48550/")); id != "" {
			return "https://arxiv.org/abs/" + id
		}
		return webKey("doi.org", "/"+doi, nil, "")
	}
	query := u.Query()
	if isWikipedia(host) {
		file = wikipediaPath(file, query)
	}
	for name := range query {
		if tracking.MatchString(name) {
			query.Del(name)
		}
	}
	fragment := u.Fragment
	// these are pages of an application
	if !strings.HasPrefix(fragment, "/") && !strings.HasPrefix(fragment, "!/") {
		fragment = ""
	}
	return webKey(host, file, query, fragment)
}

func webKey(host, file string, query url.Values, fragment string) string {
	key := url.URL{Scheme: "https", Host: host, Path: file, RawQuery: query.Encode(), Fragment: fragment}
	if text := key.String(); webAddress(text) != "" {
		return text
	}
	return ""
}

// canonicalHost is the host without what the same site goes by as well, in ASCII.
func canonicalHost(u *url.URL) string {
	host := strings.ToLower(strings.TrimRight(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = strings.TrimRight(ascii, ".")
	}
	host = otherNames.ReplaceAllString(host, "$1")
	if first, rest, ok := strings.Cut(host, ".m."); ok && isWikipedia(first+"."+rest) {
		host = first + "." + rest
	}
	if strings.Contains(host, ":") { // an address of IPv6
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host = net.JoinHostPort(strings.Trim(host, "[]"), port)
	}
	return host
}

var (
	otherNames = regexp.MustCompile(`^(?:(?:www|m|mobile)\.)+([^.]+\.)`)
	indexPage  = regexp.MustCompile(`(?:/+index\.(?:html?|php))+$`)
	// tracking is a parameter of an address that says only how a visitor got there. What GitHub and others
	// mean by ref and source is content, so these stay.
	tracking = regexp.MustCompile(
		`(?i)^(?:(?:utm_|mc_|_hs).*|fbclid|[gdy]clid|[gw]braid|msclkid|twclid|ttclid|` +
			`li_fat_id|igshid|igsh|srsltid|_ga|_gl|mkt_tok|ref_src|ref_url|cmpid|spm|spm_id_from|vd_source|` +
			`share_source|share_token)$`)
)

// canonicalPath has no dots, no doubled slashes, no slash at its end and no index page.
func canonicalPath(file string) string {
	file = path.Clean("/" + indexPage.ReplaceAllString(path.Clean("/"+file), ""))
	return strings.TrimSuffix(file, "/")
}

// variant begins the path of a page in one of the ways to write Chinese.
var variant = regexp.MustCompile(`^/zh(?:-(?:cn|han[st]|hk|mo|my|sg|tw))?/`)

func isWikipedia(host string) bool {
	return host == "wikipedia.org" || strings.HasSuffix(host, ".wikipedia.org")
}

// wikipediaPath is /wiki/Title for /w/index.php?title=Title, whose title it takes out of query, and for the
// Chinese variants.
func wikipediaPath(file string, query url.Values) string {
	if title := query.Get("title"); title != "" && (file == "/w" || file == "/w/index.php") {
		query.Del("title")
		return canonicalPath("/wiki/" + strings.ReplaceAll(title, " ", "_"))
	}
	file = variant.ReplaceAllString(file, "/wiki/")
	return canonicalPath(strings.ReplaceAll(file, " ", "_"))
}
