package export

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// sanitised keeps only the elements and attributes of a page that [layOut] writes, well formed for pandoc. It
// is the second of three walls: HTML in Markdown never becomes HTML, and the page has a content security
// policy.
func sanitised(page string) string {
	var out nested
	out.Grow(len(page))
	z := html.NewTokenizer(strings.NewReader(page))
	dropped := "" // the element that is left out with its content
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
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
			out.start(t)
		case kind == html.EndTagToken && slices.Contains(out.stack, t.Data):
			at := len(out.stack) - 1
			for out.stack[at] != t.Data {
				at--
			}
			out.closeTo(at)
		}
	}
	out.closeTo(0)
	return out.String()
}

// nested is HTML in which each element ends within the one around it.
type nested struct {
	strings.Builder
	stack []string
}

// start begins an element that is allowed. One that is too deep is left out, but its text stays.
func (n *nested) start(t html.Token) {
	const deepest = 250 // what HTML readers handle without trouble
	void := t.Data == "br" || t.Data == "wbr" || t.Data == "hr"
	if !slices.Contains(elements, t.Data) || !void && len(n.stack) == deepest {
		return
	}
	writeTag(&n.Builder, t)
	if !void {
		n.stack = append(n.stack, t.Data)
	}
}

// closeTo ends the elements from a position of the stack on, the innermost first.
func (n *nested) closeTo(at int) {
	for _, name := range slices.Backward(n.stack[at:]) {
		n.WriteString("</" + name + ">")
	}
	n.stack = n.stack[:at]
}

// wholly lists the elements that are left out with their content: nobody reads it as text.
var wholly = []string{"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "noscript",
	"xmp", "plaintext", "svg", "math", "template", "object", "select"}

func writeTag(out *strings.Builder, t html.Token) {
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

// elements lists those that the page is made of.
var elements = strings.Fields("p h1 h2 h3 h4 h5 h6 blockquote pre code em strong del sub sup kbd br wbr hr " +
	"ul ol li table thead tbody tr th td span div a button")

// attributes lists the allowed elements, each with an attribute and the form of its value.
var attributes = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`h[1-6] id [\pL\pN\pM_-]+`, `ol start [0-9]{1,9}`, `t[hd] align (?:left|center|right)`,
	`code class language-[A-Za-z0-9_+#.-]+`, `table class references`, `blockquote class alert`,
	`div class footnotes`, `div role doc-endnotes`, `sup id fnref[0-9:]+`, `li id fn[0-9:]+`,
	`sup class cite`, `button type button`, `button id cite:s[0-9:]+`, `button popovertarget card:[0-9:]+`,
	`span id (?:ref:s|card:|noted:)[0-9:]+`, `span class (?:box|card|from|glue|image|row|unread)`, `span popover auto`,
	`a id cite:s[0-9:]+`, `a class (?:cite|back|words|footnote-(?:back)?ref)`,
	`a role (?:doc-noteref|doc-backlink)`, `a epub:type noteref`, `a title (?s:.*)`, `a href #(?s:.*)`,
}, "|") + `)$`)

// mayHave reports whether an element may have an attribute with this value.
func mayHave(element, name, value string) bool {
	const longest = 8 << 10 // bytes, of an address with a quote in it
	if len(value) > longest {
		return false
	}
	u, err := url.Parse(value)
	isWeb := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	return element == "a" && name == "href" && isWeb || attributes.MatchString(element+" "+name+" "+value)
}
