package page

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// survey is what one walk over a document finds: what it says of itself, and where its text may stand.
type survey struct {
	title, heading string // of <title>, and of the first <h1>
	pageTitle      string // of <title>, as it stands
	site           string // name of the site, which titles often carry along
	author         string
	published      string // RFC 3339 date
	language       string
	generator      string
	base           string // href of <base>
	articleBody    string // the text, as the page gives it to search engines
	locked         bool   // the page says that it must be paid for
	lockedPart     string // class of the elements that must
	thread         string // JSON with the posts of a thread

	body    *html.Node
	marked  *html.Node // the first element marked as the text by a documentation generator
	main    *html.Node // the first <main> or role=main
	article *html.Node // the first <article>

	articles int // not counting those inside another
	blocks   int // of code
	nodes    int
}

// surveyOf ends early with its context.
func surveyOf(ctx context.Context, doc *html.Node) *survey {
	s := new(survey)
	var meta metadata
	var by byline
	for n := doc; n != nil && ctx.Err() == nil; n = markup.After(n, doc, false) {
		s.nodes++
		switch n.Type {
		case html.ElementNode:
			s.see(n, &meta)
			by.element(n, s.heading != "")
		case html.TextNode:
			by.text(n, s.heading != "")
		}
	}
	s.settle(&meta, &by)
	return s
}

func (s *survey) see(n *html.Node, meta *metadata) {
	switch n.DataAtom {
	case atom.Html:
		s.language = languageOf(cmp.Or(markup.Attr(n, "lang"), markup.Attr(n, "xml:lang")))
	case atom.Body:
		s.body = n
	case atom.Base:
		s.base = cmp.Or(s.base, markup.Attr(n, "href"))
	case atom.Title:
		if s.title == "" && n.Namespace == "" {
			s.title = markup.CleanLine(markup.TextOf(n, 1000))
		}
	case atom.Meta:
		meta.element(n)
	case atom.Script:
		switch kind := markup.Attr(n, "type"); {
		case n.FirstChild == nil:
		case kind == "application/ld+json":
			meta.linked(n.FirstChild.Data)
		case kind == "application/json" && strings.Contains(n.FirstChild.Data, `TimelineItems"`):
			s.thread = cmp.Or(s.thread, n.FirstChild.Data)
		}
	case atom.Link:
		meta.link(n)
	case atom.H1:
		if s.heading == "" {
			s.heading = headingText(n)
		}
	case atom.Pre:
		s.blocks++
	case atom.Main:
		if s.main == nil {
			s.main = n
		}
	case atom.Article:
		if s.article == nil {
			s.article = n
		}
		if !markup.Inside(n, atom.Article) {
			s.articles++
		}
	}
	s.seeMarks(n)
}

// seeMarks finds the element that a generator marks as the text itself, which is narrower than <main>.
func (s *survey) seeMarks(n *html.Node) {
	isMain := markup.Attr(n, "role") == "main" && s.main == nil
	if isMain {
		s.main = n
	}
	bySphinx := isMain && markup.HasClass(n, "body")
	if s.marked == nil && (bySphinx ||
		slices.ContainsFunc(strings.Fields(markup.Attr(n, "class")), isTextMark)) {
		s.marked = n
	}
}

func isTextMark(class string) bool {
	switch class {
	case "mw-parser-output", "markdown-body", "theme-doc-markdown", "md-content__inner", "rst-content",
		"markdown-section",
		"devsite-article-body", "td-content", "DocumentationContent", "bd-article":
		return true
	}
	return false
}

// settle chooses between the sources of each fact.
func (s *survey) settle(meta *metadata, by *byline) {
	meta.resolve()
	s.pageTitle = s.title
	s.site = meta.site
	s.generator = meta.generator
	s.title = titleOf(cmp.Or(meta.title, s.title, meta.linkedTitle), s.heading, s.site)
	s.author = cmp.Or(meta.author, meta.linkedAuthor, by.author, meta.site, meta.publisher)
	s.published = cmp.Or(meta.date, meta.linkedDate, by.date(meta.changed))
	s.language = cmp.Or(s.language, meta.language, meta.linkedLanguage, meta.ownLanguage())
	s.articleBody, s.locked, s.lockedPart = meta.linkedText, meta.locked, meta.lockedPart
}

// titleOf takes the name of the site off a title: all that follows the page's own heading, or the site where
// it names itself.
func titleOf(title, heading, site string) string {
	if title == "" {
		return heading
	}
	if heading != "" && len(heading) < len(title) && strings.HasPrefix(title, heading) &&
		len(heading)*4 >= len(title) {
		return heading
	}
	if site != "" {
		if rest, found := strings.CutSuffix(title, site); found {
			if cut := strings.TrimRight(rest, " |-–—·:»_"); cut != "" && cut != strings.TrimSpace(rest) {
				return cut
			}
		}
	}
	return title
}

// headingText is the text of a heading without the sign that links it to itself.
func headingText(n *html.Node) string {
	return strings.TrimRight(markup.CleanLine(markup.TextOf(n, 1000)), "¶# §")
}
