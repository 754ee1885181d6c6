package export

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	layout "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// inert renders citations, and shows as text what could load or run something, so that the reader sees it.
type inert struct{}

// RegisterFuncs takes these nodes over from goldmark.
func (inert) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, link)
	for kind, text := range map[ast.NodeKind]func(source []byte, node ast.Node) string{
		ast.KindCodeSpan: codeSpan, ast.KindAutoLink: autoLink, ast.KindImage: image,
		ast.KindRawHTML: rawHTML, ast.KindHTMLBlock: htmlBlock,
		east.KindTaskCheckBox: checkBox, kindCitation: cite,
	} {
		r.Register(kind,
			func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
				if !entering {
					return ast.WalkContinue, nil
				}
				_, err := w.WriteString(text(source, node))
				return ast.WalkSkipChildren, err
			})
	}
}

// outward begins a link that leads out of the page without telling where it comes from.
const outward = `<a href="%s" rel="noreferrer noopener nofollow">`

// link opens and closes a link to the web or to a place in the page. Of any other link only the text stays.
func link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	url := string(util.URLEscape(n.Destination, true))
	inside := strings.HasPrefix(url, "#") && len(url) > 1
	text := ""
	switch {
	case !inside && !webAddress(url):
	case !entering:
		text = "</a>"
	case inside:
		text = `<a href="` + html.EscapeString(url) + `">`
	default:
		text = fmt.Sprintf(strings.Replace(outward, "<a", `<a class="words"`, 1), html.EscapeString(url))
	}
	_, err := w.WriteString(text)
	return ast.WalkContinue, err
}

func autoLink(source []byte, node ast.Node) string {
	n := node.(*ast.AutoLink)
	url, label := string(util.URLEscape(n.URL(source), false)), html.EscapeString(string(n.Label(source)))
	if n.AutoLinkType != ast.AutoLinkURL || !webAddress(url) {
		return label
	}
	return fmt.Sprintf(outward+"%s</a>", html.EscapeString(url), label)
}

// partOfName matches where a long name in code may be broken.
var partOfName = regexp.MustCompile(`([_./])([A-Za-z0-9])`)

func codeSpan(source []byte, node ast.Node) string {
	var code strings.Builder
	for n := node.FirstChild(); n != nil; n = n.NextSibling() {
		code.Write(n.(*ast.Text).Segment.Value(source)) // the parser makes no others
	}
	text := html.EscapeString(strings.ReplaceAll(code.String(), "\n", " "))
	return "<code>" + partOfName.ReplaceAllString(text, "$1<wbr>$2") + "</code>"
}

// image shows an image's description and address as text.
func image(source []byte, node ast.Node) string {
	text := strings.TrimSpace(plain(node, source) + " (" + string(node.(*ast.Image).Destination) + ")")
	return `<span class="image">` + html.EscapeString(text) + `</span>`
}

// harmless matches the tags for which Markdown has no other means. None of them has an attribute.
var harmless = regexp.MustCompile(`^(?i:<br\s*/?>|</?(?:sub|sup|kbd)>)$`)

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)

func rawHTML(source []byte, node ast.Node) string {
	tag := string(node.(*ast.RawHTML).Segments.Value(source))
	switch {
	case harmless.MatchString(tag):
		return strings.ToLower(tag)
	case htmlComment.FindString(tag) == tag:
		return ""
	}
	return html.EscapeString(tag)
}

func htmlBlock(source []byte, node ast.Node) string {
	n := node.(*ast.HTMLBlock)
	block := n.Lines().Value(source)
	if n.HasClosure() {
		block = append(block, n.ClosureLine.Value(source)...)
	}
	text := strings.TrimSpace(htmlComment.ReplaceAllString(string(block), ""))
	if text == "" {
		return ""
	}
	return "<pre><code>" + html.EscapeString(text) + "</code></pre>\n"
}

func checkBox(_ []byte, node ast.Node) string {
	box := map[bool]string{true: "☑", false: "☐"}[node.(*east.TaskCheckBox).IsChecked]
	return `<span class="box">` + box + `</span> `
}

// cite writes a citation as the numbers of its passages or as links to the rows of its sources; at the
// beginning of a row it writes the link back.
func cite(source []byte, node ast.Node) string {
	n := node.(*citation)
	var links []string
	for _, m := range n.marks {
		links = append(links, n.citing.link(m))
	}
	switch {
	case n.row != "":
		return rowName(n.row) + n.citing.back(n.row)
	case n.bare && n.word == nil:
		return strings.Join(links, "<sup>,</sup>")
	case n.bare:
		var word bytes.Buffer
		out := bufio.NewWriter(&word)
		layout.DefaultWriter.Write(out, n.word.Value(source))
		_ = out.Flush() // a Buffer takes everything
		return `<span class="glue">` + word.String() + strings.Join(links, "<sup>,</sup>") + "</span>"
	}
	out, next := "[", 0
	for i, at := range sourceID.FindAllStringIndex(n.text, len(links)) {
		out += html.EscapeString(n.text[next:at[0]]) + links[i]
		next = at[1]
	}
	return out + html.EscapeString(n.text[next:]) + "]"
}

// link opens the passage of a citation or leads to its source's row; it only shows an id never read.
func (c *citing) link(m mark) string {
	s, ok := c.sources[m.ref.ID]
	switch {
	case !ok:
		return fmt.Sprintf(`<span class="unread">%s</span>`, m.ref)
	case m.note.N > 0 && c.form == word:
		return c.footnote(m.note.N)
	case m.note.N > 0:
		return c.show(m)
	}
	return fmt.Sprintf(`<a class="cite" id="cite:%s:%d" href="#ref:%[1]s" title="%[3]s">%[4]s</a>`,
		m.ref.ID, m.nth, html.EscapeString(tooltip(s)), m.ref)
}

// footnote writes a citation of a note for Word, which numbers footnotes in the order of their marks. If a
// note is cited again, its number leads to the first mark, instead of repeating the footnote.
func (c *citing) footnote(n int) string {
	if number := c.inWord[n]; number > 0 {
		return fmt.Sprintf(`<sup><a href="#noted:%d">%d</a></sup>`, n, number)
	}
	c.inWord[n] = len(c.inWord) + 1
	return fmt.Sprintf(`<span id="noted:%d"><a epub:type="noteref" href="#note:%[1]d">%[1]d</a></span>`, n)
}

// tooltip returns a source's title in one line of bearable length.
func tooltip(s workspace.Source) string {
	const longest = 200
	return prose.Shorten(prose.OneLine(s.Title), longest)
}

// rowName returns the id of a source for its row.
func rowName(id string) string {
	return fmt.Sprintf(`<span class="row" id="ref:%[1]s">%[1]s</span>`, id)
}

// back returns a link from the row of a source to its first citation.
func (c *citing) back(id string) string {
	if c.places[id] == 0 || c.form == word {
		return ""
	}
	return fmt.Sprintf("\u00a0"+`<a class="back" href="#cite:%s:1" title="%s">↩</a>`,
		id, c.lang.Say("Back to the text", "回到正文"))
}
