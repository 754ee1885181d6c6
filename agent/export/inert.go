package export

import (
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
	"github.com/yuin/goldmark/util"
)

// inert renders what could load or run something as text, and the citations. What it leaves out it leaves out
// in sight: a reader sees an image's address and the HTML that stood in the Markdown.
type inert struct{}

// RegisterFuncs takes the nodes over from goldmark.
func (inert) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, link)
	r.Register(ast.KindAutoLink, autoLink)
	r.Register(ast.KindImage, image)
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindHTMLBlock, htmlBlock)
	r.Register(east.KindTaskCheckBox, checkBox)
	r.Register(kindCitation(), cite)
}

// put writes text. A buffer of bytes takes all that is written to it.
func put(w util.BufWriter, format string, with ...any) error {
	_, err := fmt.Fprintf(w, format, with...)
	return err
}

// outward is the beginning of a link that leads out of the page and says nothing of where from.
const outward = `<a href="%s" rel="noreferrer noopener nofollow">`

// link opens and closes a link that leads to the web or to a place in the page. Of another kind, such as a
// file of the workspace, the text stays.
func link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	url := string(util.URLEscape(n.Destination, true))
	inside := strings.HasPrefix(url, "#") && len(url) > 1
	var err error
	switch {
	case !inside && !webAddress(url):
	case entering && inside:
		err = put(w, `<a href="%s">`, html.EscapeString(url))
	case entering:
		err = put(w, outward, html.EscapeString(url))
	default:
		err = put(w, "</a>")
		if _, ok := n.AttributeString(printed); ok && !inside && err == nil {
			err = put(w, ` <span class="printed">%s</span>`, html.EscapeString(address(url)))
		}
	}
	return ast.WalkContinue, err
}

func autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	url, label := string(util.URLEscape(n.URL(source), false)), html.EscapeString(string(n.Label(source)))
	if n.AutoLinkType != ast.AutoLinkURL || !webAddress(url) {
		return ast.WalkContinue, put(w, "%s", label)
	}
	return ast.WalkContinue, put(w, outward+"%s</a>", html.EscapeString(url), label)
}

// image shows an image's description and address as text.
func image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Image)
	alt := plain(n, source)
	if alt != "" {
		alt += " "
	}
	return ast.WalkSkipChildren, put(w, `<span class="image">%s(%s)</span>`, html.EscapeString(alt), html.EscapeString(string(n.Destination)))
}

// harmless are the tags that writers of Markdown have no other means for. None of them has an attribute.
var harmless = regexp.MustCompile(`^(?i:<br\s*/?>|</?(?:sub|sup|kbd)>)$`)

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)

func rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	tag := string(node.(*ast.RawHTML).Segments.Value(source))
	switch {
	case harmless.MatchString(tag):
		return ast.WalkSkipChildren, put(w, "%s", strings.ToLower(tag))
	case htmlComment.FindString(tag) == tag:
		return ast.WalkSkipChildren, nil
	}
	return ast.WalkSkipChildren, put(w, "%s", html.EscapeString(tag))
}

func htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.HTMLBlock)
	var block bytes.Buffer
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		block.Write(line.Value(source))
	}
	if n.HasClosure() {
		block.Write(n.ClosureLine.Value(source))
	}
	text := strings.TrimSpace(htmlComment.ReplaceAllString(block.String(), ""))
	if text == "" {
		return ast.WalkSkipChildren, nil
	}
	return ast.WalkSkipChildren, put(w, "<pre><code>%s</code></pre>\n", html.EscapeString(text))
}

func checkBox(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	box := "☐"
	if node.(*east.TaskCheckBox).IsChecked {
		box = "☑"
	}
	return ast.WalkContinue, put(w, `<span class="box">%s</span> `, box)
}

// cite writes a citation as the numbers of its passages or as links to the rows of its sources, and at the
// beginning of a row the link back.
func cite(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*citation)
	switch {
	case n.row != "":
		return ast.WalkContinue, put(w, "%s", rowName(n.row)+n.citing.back(n.row))
	case len(n.marks) == 0:
		return ast.WalkContinue, put(w, "[%s]", html.EscapeString(n.text))
	case n.bare:
		for i, m := range n.marks {
			if n.follows || i > 0 {
				if err := put(w, "<sup>,</sup>"); err != nil {
					return ast.WalkStop, err
				}
			}
			if err := put(w, "%s", n.citing.link(m)); err != nil {
				return ast.WalkStop, err
			}
		}
		return ast.WalkContinue, nil
	}
	out, next := "[", 0
	for i, at := range sourceID.FindAllStringIndex(n.text, -1) {
		out += html.EscapeString(n.text[next:at[0]]) + n.citing.link(n.marks[i])
		next = at[1]
	}
	return ast.WalkContinue, put(w, "%s%s]", out, html.EscapeString(n.text[next:]))
}

// link opens the passage of a citation, or leads to the row of its source. An id under which nothing was read
// is shown to be one.
func (c *citing) link(m mark) string {
	s, ok := c.sources[m.ref.ID]
	switch {
	case !ok:
		return fmt.Sprintf(`<span class="unread">%s</span>`, m.ref)
	case m.note.N > 0:
		return m.note.show(m, c.form)
	}
	return fmt.Sprintf(`<a class="cite" id="cite:%s:%d" href="#ref:%[1]s" title="%[3]s">%[4]s</a>`,
		m.ref.ID, m.nth, html.EscapeString(tooltip(s)), m.ref)
}

// tooltip is a source's title in one line of bearable length.
func tooltip(s workspace.Source) string {
	const longest = 200
	title := []rune(prose.OneLine(s.Title))
	if len(title) > longest {
		title = append(title[:longest-1], '…')
	}
	return string(title)
}

// rowName is the id of a source in its row.
func rowName(id string) string {
	return fmt.Sprintf(`<span class="row" id="ref:%[1]s">%[1]s</span>`, id)
}

// back is a link from the row of a source to where it is first cited.
func (c *citing) back(id string) string {
	if c.places[id] == 0 || c.form == word {
		return ""
	}
	return fmt.Sprintf("\u00a0"+`<a class="back" href="#cite:%s:1" title="%s">↩</a>`, id, c.words.Back)
}
