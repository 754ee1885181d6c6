package export_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// harmlessAttributes are the elements that a page may have, each with its attributes. None of them loads or
// runs anything.
var harmlessAttributes = map[string][]string{
	"html": {"lang"}, "head": nil, "body": nil, "title": nil, "style": nil, "header": nil, "main": nil,
	"nav":  {"aria-labelledby"},
	"meta": {"charset", "name", "content", "http-equiv"}, "time": {"datetime"},
	"a": {"href", "rel", "title", "id", "class", "role"},
	"p": {"class"}, "span": {"class", "id", "popover"}, "div": {"class", "role"}, "pre": {"class"},
	"code": {"class"}, "ul": {"class"}, "ol": {"start"},
	"li": {"id", "class"}, "table": {"class"}, "thead": nil, "tbody": nil, "tr": nil, "th": {"align"},
	"td": {"align"}, "sup": {"id", "class"}, "sub": nil,
	"h1": {"id"}, "h2": {"id"}, "h3": {"id"}, "h4": {"id"}, "h5": {"id"}, "h6": {"id"}, "em": nil,
	"strong": nil, "b": nil, "del": nil,
	"kbd": nil, "br": nil, "wbr": nil, "hr": nil, "blockquote": {"class"}, "section": {"class"},
	"figure":     nil,
	"figcaption": nil,
	"img":        {"src", "alt"}, "button": {"type", "id", "popovertarget"},
}

// dangers lists what in a page could load or run something, as a browser reads it.
func dangers(t testing.TB, page string) (found []string) {
	t.Helper()
	styles := 0
	for n := range parsed(t, page).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		allowed, ok := harmlessAttributes[n.Data]
		if !ok || n.Namespace != "" {
			found = append(found, "<"+n.Data+">")
		}
		if n.Data == "style" {
			styles++
		}
		for _, a := range n.Attr {
			switch {
			case ok && !slices.Contains(allowed, a.Key):
				found = append(found, n.Data+" "+a.Key)
			case a.Key == "http-equiv" && a.Val != "Content-Security-Policy" &&
				a.Val != "x-dns-prefetch-control":
				found = append(found, "meta "+a.Val)
			case n.Data == "img" && a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/svg+xml;base64,"):
				found = append(found, "img "+a.Val)
			case n.Data == "button" && a.Key == "type" && a.Val != "button":
				found = append(found, "button "+a.Val)
			case a.Key == "href" && !strings.HasPrefix(a.Val, "#"):
				u, err := url.Parse(a.Val)
				if err != nil || u.Scheme != "http" && u.Scheme != "https" ||
					attribute(n, "rel") != "noreferrer noopener nofollow" {
					found = append(found, "link "+a.Val)
				}
			}
		}
	}
	if styles > 1 {
		found = append(found, "a second style")
	}
	return found
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func assertHarmless(t testing.TB, page string) {
	t.Helper()
	assert.Empty(t, dangers(t, page))
	assert.Contains(t, page,
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';`)
}

func unescaped(t testing.TB, text string) string {
	t.Helper()
	out, err := url.PathUnescape(text)
	require.NoError(t, err)
	return out
}
