package export

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// sanitised is a page of which nothing is left but the elements that [layOut] writes, and of their attributes
// those that it writes, with values as it writes them. It is the second of three walls: the first is that
// HTML in Markdown never becomes HTML, the third is the page's content security policy.
//
// It is written here because the usual library for it compiles its expressions at every start of the program,
// used or not.
func sanitised(page string) string {
	var out strings.Builder
	out.Grow(len(page))
	z := html.NewTokenizer(strings.NewReader(page))
	dropped := "" // the element whose content is left out with it
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.String()
		}
		t := z.Token()
		switch {
		case dropped != "":
			if kind == html.EndTagToken && t.Data == dropped {
				dropped = ""
			}
		case kind == html.TextToken:
			out.WriteString(html.EscapeString(t.Data))
		case kind == html.StartTagToken && slices.Contains(wholly, t.Data):
			dropped = t.Data
		case kind == html.StartTagToken || kind == html.SelfClosingTagToken:
			writeTag(&out, t)
		case kind == html.EndTagToken && isAllowed(t.Data) && t.Data != "br" && t.Data != "hr":
			out.WriteString("</" + t.Data + ">")
		}
	}
}

// wholly are the elements that go with all that is in them: no one reads it as text.
var wholly = []string{"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "noscript", "xmp", "plaintext", "svg", "math", "template", "object", "select"}

func writeTag(out *strings.Builder, t html.Token) {
	if !isAllowed(t.Data) {
		return
	}
	out.WriteString("<" + t.Data)
	abroad := false
	for _, a := range t.Attr {
		if a.Namespace != "" || !mayHave(t.Data, a.Key, a.Val) {
			continue
		}
		abroad = abroad || a.Key == "href" && !strings.HasPrefix(a.Val, "#")
		out.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
	}
	if abroad {
		out.WriteString(` rel="noreferrer noopener nofollow"`)
	}
	out.WriteString(">")
}

func isAllowed(element string) bool {
	switch element {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "em", "strong", "del", "sub", "sup", "kbd", "br", "hr",
		"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "span", "div", "a", "button":
		return true
	}
	return false
}

// mayHave says whether an element may have an attribute with this value.
func mayHave(element, name, value string) bool {
	if len(value) > maxAttribute {
		return false
	}
	switch element + " " + name {
	case "h1 id", "h2 id", "h3 id", "h4 id", "h5 id", "h6 id":
		return value != "" && !strings.ContainsFunc(value, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_' && r != '-'
		})
	case "ol start":
		return isNumber(value)
	case "th align", "td align":
		return value == "left" || value == "center" || value == "right"
	case "code class":
		rest, ok := strings.CutPrefix(value, "language-")
		return ok && rest != "" && strings.Trim(strings.ToLower(rest), "abcdefghijklmnopqrstuvwxyz0123456789_+#.-") == ""
	case "table class":
		return value == "references" || value == "wide"
	case "div class":
		return value == "footnotes"
	case "div role":
		return value == "doc-endnotes"
	case "sup id":
		return isAnchor(value, "fnref")
	case "li id":
		return isAnchor(value, "fn")
	case "span id":
		return isAnchor(value, "ref:s") || isAnchor(value, "card:")
	case "a id", "button id":
		return isAnchor(value, "cite:s")
	case "button popovertarget":
		return isAnchor(value, "card:")
	case "button type":
		return value == "button"
	case "span popover":
		return value == "auto"
	case "sup class":
		return value == "cite"
	case "a epub:type":
		return value == "noteref"
	case "span class":
		return slices.Contains([]string{"box", "card", "from", "image", "printed", "row", "unread"}, value)
	case "a class":
		return slices.Contains([]string{"cite", "back", "footnote-ref", "footnote-backref"}, value)
	case "a role":
		return value == "doc-noteref" || value == "doc-backlink"
	case "a title":
		return true
	case "a href":
		return isAddress(value)
	}
	return false
}

// maxAttribute is in bytes: the longest that is written is an address with a quote in it.
const maxAttribute = 8 << 10

// isAddress says whether a link leads to a place in the page or to the web.
func isAddress(value string) bool {
	if strings.HasPrefix(value, "#") {
		return true
	}
	u, err := url.Parse(value)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// isAnchor says whether an id is a beginning followed by numbers and colons, as those of notes and citations
// are.
func isAnchor(value, beginning string) bool {
	rest, ok := strings.CutPrefix(value, beginning)
	return ok && rest != "" && strings.Trim(rest, "0123456789:") == ""
}

func isNumber(value string) bool {
	return value != "" && len(value) < 10 && strings.Trim(value, "0123456789") == ""
}
