package gate

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// shownTags are the tags whose text GitHub shows; all others hide their text or themselves.
func shownTags() []string {
	return strings.Fields(
		`a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd
		del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd
		li main mark nav ol p picture pre q rp rt ruby s samp section small source span strike strong sub
		summary sup table tbody td tfoot th thead time tr tt u ul var wbr`)
}

var (
	remark  = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	openTag = regexp.MustCompile(`<(?:/?([A-Za-z][A-Za-z0-9-]*)|[?!])`)
)

// leads finds what a link or a picture in HTML leads to.
var leads = regexp.MustCompile(
	`(?i)<(a|img)\s(?:[^>]*\s)?(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

// markup wants only HTML that is shown, and outside quotes links and pictures that lead somewhere.
func (f *former) markup(source []byte, line int, quoted bool) {
	text := remark.ReplaceAllString(string(source), "")
	shownTags := shownTags()
	for _, m := range leads.FindAllStringSubmatch(text, -1) {
		what := "a link"
		if strings.EqualFold(m[1], "img") {
			what = "a picture"
		}
		if !quoted {
			f.target(what, html.UnescapeString(m[2]+m[3]+m[4]), line)
		}
	}
	for _, at := range openTag.FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 && slices.Contains(shownTags, strings.ToLower(text[at[2]:at[3]])) {
			continue
		}
		shown, _, _ := strings.Cut(strings.TrimSpace(text[at[0]:]), "\n")
		f.fault(line, "%q is HTML, which is not shown: write Markdown, or put it between backticks",
			prose.Shorten(shown, 40))
		return
	}
}

// isRemark reports whether a piece of HTML is nothing but comments, which nobody is meant to see.
func isRemark(html []byte) bool {
	return strings.TrimSpace(remark.ReplaceAllString(string(html), "")) == ""
}
