package documents

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
)

// A document is lent an address with a host while it is read, because links can be made absolute only to such
// a one. It lies a few folders deep, so that a link which leads out of the roots ends in one of these and is
// known by that.
const (
	lentHost  = "//documents/"
	lentAbove = "~above/"
	lentDeep  = 8
)

// readPage reads a document. A link from one document to another then is its doc: URL, ready for visit_url;
// of one that leads out of the person's folders nothing is left but its text.
func readPage(ctx context.Context, reader *page.Reader, f found, body []byte) (page.Page, error) {
	above := "/" + strings.Repeat(lentAbove, lentDeep)
	lent := url.URL{Scheme: "doc", Host: "documents",
		Path: above + strings.TrimPrefix(f.url, search.DocScheme)}
	raw := page.Raw{URL: lent.String(), Body: body}
	if inMaildir(f.path) {
		raw.ContentType = mailType
	}
	p, err := reader.Read(ctx, raw)
	target := "](" + search.DocScheme + lentHost
	if strings.Contains(p.Markdown, target) {
		p.Markdown = strings.ReplaceAll(p.Markdown, target+above[1:], "]("+search.DocScheme)
		p.Markdown = leadsOut.ReplaceAllString(p.Markdown, "$1")
		p.Markdown = strings.ReplaceAll(p.Markdown, target, "]("+search.DocScheme)
	}
	return p, err
}

// leadsOut is a link, or a picture, out of the person's folders. Its text may have a pair of brackets in it.
var leadsOut = regexp.MustCompile(`!?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(doc:` + lentHost + lentAbove +
	`(?:[^()\n]|\([^()\n]*\))*\)`)
