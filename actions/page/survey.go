package page

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/page/tree"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// survey is the result of one walk over a document: what it says about itself, and where its text may be.
type survey struct {
	facts
	title, author, published, language string // derived from the facts

	body    *html.Node
	marked  *html.Node // the first element marked as the text by a documentation generator
	main    *html.Node // the first <main> or role=main
	article *html.Node // the first <article>

	articles int // not counting those inside another
	blocks   int // of code
	nodes    int
}

// surveyOf stops early if its context ends.
func surveyOf(ctx context.Context, doc *html.Node) *survey {
	s := &survey{facts: facts{}}
	by := byline{facts: s.facts}
	for n := range doc.Descendants() {
		if s.nodes++; ctx.Err() != nil {
			break
		}
		switch n.Type {
		case html.ElementNode:
			s.see(n)
			by.element(n)
		case html.TextNode:
			by.text(n)
		}
	}
	s.title = titleOf(s.first("title", "page title", "linked title"), s.facts["heading"], s.facts["site"])
	s.author = s.first("author", "linked author", "name of "+s.facts["id of author"], "author in text",
		"site", "publisher")
	s.published = cmp.Or(s.first("date", "linked date"), by.date())
	s.language = s.first("html language", "language", "linked language",
		"language of "+cmp.Or(s.facts["address"], "none"))
	return s
}

func (s *survey) see(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		s.note("html language", languageOf(cmp.Or(tree.Attr(n, "lang"), tree.Attr(n, "xml:lang"))))
	case atom.Body:
		s.body = cmp.Or(s.body, n)
	case atom.Base:
		s.note("base", tree.Attr(n, "href"))
	case atom.Title:
		if n.Namespace == "" {
			s.note("page title", plain.Line(tree.Text(n, 1000)))
		}
	case atom.Meta:
		s.meta(n)
	case atom.Script:
		switch kind := tree.Attr(n, "type"); {
		case strings.Contains(tree.Attr(n, "src"), "_static/doctools.js"):
			s.note("sphinx", "yes")
		case n.FirstChild == nil:
		case kind == "application/ld+json":
			s.linked(n.FirstChild.Data)
		case kind == "application/json" && strings.Contains(n.FirstChild.Data, `TimelineItems"`):
			s.note("thread", n.FirstChild.Data)
		}
	case atom.Link:
		s.link(n)
	case atom.H1:
		if !linksHome(n) {
			s.note("heading", headingText(n))
		}
	case atom.Pre:
		s.blocks++
	case atom.Article:
		s.article = cmp.Or(s.article, n)
		if !tree.Inside(n, atom.Article) {
			s.articles++
		}
	}
	isMain := s.main == nil && (n.DataAtom == atom.Main || tree.Attr(n, "role") == "main")
	if isMain {
		s.main = n
	}
	// what a generator marks is narrower than <main>
	bySphinx := isMain && tree.HasClass(n, "body")
	isMark := func(class string) bool { return called(class) == "text" }
	if s.marked == nil && (bySphinx || slices.ContainsFunc(strings.Fields(tree.Attr(n, "class")), isMark)) {
		s.marked = n
	}
}

// titleOf removes the site's name from a title: what precedes or follows the page's own heading, or the site.
func titleOf(title, heading, site string) string {
	const marks = " |-–—·:»_" // between page and site
	bare := strings.TrimSpace(title)
	if bare == "" {
		return heading
	}
	before, ends := strings.CutSuffix(bare, heading)
	switch behind, starts := strings.CutPrefix(bare, heading); {
	case heading == "":
	case starts && behind != "" && len(heading)*4 >= len(bare):
		return heading
	case ends && strings.TrimRight(before, marks) != strings.TrimSpace(before):
		return heading
	case strings.TrimRight(bare, marks) != bare: // nothing but the site's name
		return heading
	}
	if rest, found := strings.CutSuffix(bare, site); found && site != "" {
		if cut := strings.TrimRight(rest, marks); cut != "" && cut != strings.TrimSpace(rest) {
			return cut
		}
	}
	return title
}

// linksHome reports whether a heading is only a link to the site's home page, and so its banner.
func linksHome(heading *html.Node) bool {
	link := tree.OnlyChild(heading)
	if link == nil || link.DataAtom != atom.A {
		return false
	}
	isHome := slices.Contains([]string{"", "index.html"}, strings.TrimLeft(tree.Attr(link, "href"), "./"))
	return isHome && tree.Attr(link, "href") != "" || tree.Attr(link, "rel") == "home"
}

// headingText returns the text of a heading without the sign that links to it.
func headingText(n *html.Node) string {
	return strings.TrimRight(plain.Line(tree.Text(n, 1000)), "¶# §")
}
