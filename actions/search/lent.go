package search

import (
	"context"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
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
func readPage(ctx context.Context, reader *page.Reader, address string, body []byte) (page.Page, error) {
	above := "/" + strings.Repeat(lentAbove, lentDeep)
	lent := url.URL{Scheme: "doc", Host: "documents", Path: above + strings.TrimPrefix(address, docScheme)}
	p, err := reader.Read(ctx, page.Raw{URL: lent.String(), Body: body})
	target := "](" + docScheme + lentHost
	if strings.Contains(p.Markdown, target) {
		p.Markdown = strings.ReplaceAll(p.Markdown, target+above[1:], "]("+docScheme)
		p.Markdown = withoutLinks(p.Markdown, target+lentAbove)
		p.Markdown = strings.ReplaceAll(p.Markdown, target, "]("+docScheme)
	}
	return p, err
}

// withoutLinks leaves of links their text, where the end of it and the address begin so.
func withoutLinks(markdown, begins string) string {
	var out []byte
	for {
		i := strings.Index(markdown, begins)
		if i < 0 {
			return string(append(out, markdown...))
		}
		out = append(out, markdown[:i]...)
		rest := markdown[i+1:]
		n := target(rest)
		at := labelStart(out)
		if n == 0 || at < 0 { // no link after all
			out, markdown = append(out, ']'), rest
			continue
		}
		label := out[at+1:]
		if at > 0 && out[at-1] == '!' {
			at--
		}
		out, markdown = append(out[:at], label...), rest[n:]
	}
}

// labelStart is where the bracket stands that opens the label at the end of a text, or -1.
func labelStart(text []byte) int {
	const longest = 2000
	depth := 1
	for i := len(text) - 1; i >= max(0, len(text)-longest); i-- {
		if i > 0 && text[i-1] == '\\' {
			continue
		}
		switch text[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
