package search

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/daybook-agent/daybook/agent/bounds"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// duckDuckGo reads the results page for browsers without scripts. It needs no key, but it is no API: it
// challenges whoever asks often, and its page may change. So it is a last resort, asked only if no other
// general web provider answers.
type duckDuckGo struct{ service }

// duckDuckGoPage makes the provider. It asks every two seconds at most, as often as a person would.
func duckDuckGoPage(a api) Provider { return duckDuckGo{a.service} }

// IsLastResort returns true.
func (duckDuckGo) IsLastResort() bool { return true }

const challenged = "it asks to prove that a person is searching"

// duckHost is the host of the page, through which its links lead.
const duckHost = "html.duckduckgo.com"

// Search reads the first page, which has about ten results.
func (d duckDuckGo) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	const mostChars, mostWords = 400, 80 // 500 characters and more are refused
	regions := map[string]string{"zh": "cn-zh", "ja": "jp-jp", "ko": "kr-kr"}
	region := cmp.Or(regions[languageFor(query)], "wt-wt")
	form := url.Values{"q": {shortened(query, mostChars, mostWords)}, "b": {""}, "kl": {region}}
	header := http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"},
		"Accept":       {"text/html"},
		"Referer":      {"https://" + duckHost + "/"},
		// the form in which robots name themselves to pages for browsers
		"User-Agent": {"Mozilla/5.0 (compatible; " + userAgent + ")"},
	}
	body, err := d.do(ctx, "https://"+duckHost+"/html/", header, form.Encode())
	if e, ok := errors.AsType[*ServiceError](err); ok &&
		(e.status == http.StatusAccepted || e.status == http.StatusForbidden) { // both come with a challenge
		e.Reason, e.Detail = Throttled, challenged
	}
	if err != nil {
		return nil, err
	}
	hits, err := readDuckDuckGo(body)
	return tidy(d.name, hits, limit), err
}

// readDuckDuckGo reads a results page. A page that neither has results nor says that there are none is an
// error: the page changed.
func readDuckDuckGo(body []byte) ([]Hit, error) {
	const most = 1 << 20 // bytes; a page has 40 KB
	root, err := bounds.HTML(string(body[:min(len(body), most)]))
	if err != nil {
		return nil, &ServiceError{Reason: Strange, Detail: "the page cannot be read", cause: err}
	}
	var hits []Hit
	empty, challenge := false, false
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case tree.Attr(n, "id") == "challenge-form", tree.HasClass(n, "anomaly-modal__title"):
			challenge = true
		case tree.HasClass(n, "no-results"), tree.HasClass(n, "result--no-result"):
			empty = true
		case len(hits) < mostHits && tree.HasClass(n, "web-result") && !tree.HasClass(n, "result--ad"):
			hits = append(hits, duckHit(n))
		}
	}
	switch {
	case len(hits) > 0:
		return hits, nil
	case challenge:
		return nil, &ServiceError{Reason: Throttled, Detail: challenged}
	case empty:
		return nil, nil
	}
	return nil, &ServiceError{Reason: Strange, Detail: "the page holds no results that we can find"}
}

func duckHit(result *html.Node) Hit {
	var hit Hit
	for n := range result.Descendants() {
		switch {
		case n.DataAtom != atom.A:
		case tree.HasClass(n, "result__snippet"):
			hit.Snippet = oneLine(tree.Text(n, maxText))
		case hit.URL == "" && n.Parent.DataAtom == atom.H2:
			hit.Title, hit.URL = oneLine(tree.Text(n, maxText)), duckTarget(tree.Attr(n, "href"))
		}
	}
	return hit
}

// duckTarget unwraps a link that leads through DuckDuckGo. Links through its /y.js are ads.
func duckTarget(href string) string {
	u, err := (&url.URL{Scheme: "https", Host: duckHost}).Parse(href)
	if err != nil {
		return ""
	}
	isOwn := strings.HasSuffix("."+u.Host, ".duckduckgo.com")
	switch {
	case isOwn && strings.HasPrefix(u.Path, "/l/"):
		return u.Query().Get("uddg")
	case isOwn && strings.HasPrefix(u.Path, "/y.js"):
		return ""
	}
	return u.String()
}
