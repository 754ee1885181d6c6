package page

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability"
	"golang.org/x/net/html"
)

const (
	// shortText is how many characters an article must have to be taken for the page's text; below, readability has
	// most likely found a caption, and the whole page says more.
	shortText = 250
	// maxArticleNodes, maxArticleDepth and maxArticleText (bytes) bound what readability is asked about. It walks a tree
	// many times over and needs half a minute for 60,000 paragraphs; at these bounds, two seconds. Articles have some
	// thousands of nodes and are thirty deep.
	maxArticleNodes = 20_000
	maxArticleDepth = 100
	maxArticleText  = 1 << 20
	// maxBaseBytes bounds the address that every link of a page is joined to.
	maxBaseBytes = 2 << 10
)

// readHTML parses a page once, finds where its text stands, and writes that as Markdown.
func readHTML(text, address string) Page {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil { // nested more deeply than the parser follows
		return Page{Markdown: readTokens(text)}
	}
	s := surveyOf(doc)
	base := baseOf(address, s.base)
	page := Page{Title: s.title, Author: s.author, Published: s.published, Language: s.language}
	page.Markdown = withTitle(textOfPage(doc, s, base, text), s.title)
	return page
}

// baseOf is what the links of a page are relative to, nil where that is unknown or so long that a page of links would
// become gigabytes.
func baseOf(address, href string) *url.URL {
	base, err := url.Parse(address)
	if err != nil || len(address) > maxBaseBytes {
		return nil
	}
	if moved, err := base.Parse(href); err == nil && href != "" && len(href) <= maxBaseBytes {
		return moved
	}
	return base
}

// textOfPage takes the element that says it is the text; where none does, readability finds the article; and where that
// finds next to nothing, the whole page is the text.
func textOfPage(doc *html.Node, s *survey, base *url.URL, source string) string {
	if root := s.obvious(); root != nil {
		if text := writeNode(root, base); long(text) || s.body == nil {
			return text
		}
		return writeNode(s.body, base)
	}
	if s.nodes > maxArticleNodes || s.depth > maxArticleDepth || s.text > maxArticleText {
		return writeNode(doc, base)
	}
	if text := writeArticle(doc, base); long(text) {
		return text
	}
	// Readability has taken the tree apart. Only a short or a strange page comes here, so parsing again costs little.
	again, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return ""
	}
	return writeNode(again, base)
}

// obvious is the element that holds the text of the page and little else, or nil. News sites too have a <main> and an
// <article>, but fill them with teasers; one that holds code belongs to technical writing, where everything counts and
// readability drops tables and blocks of code.
func (s *survey) obvious() *html.Node {
	switch {
	case s.marked != nil:
		return s.marked
	case s.blocks > 0 && s.main != nil:
		return s.main
	case s.blocks > 0 && s.articles == 1:
		return s.article
	case isDocumentation(s.generator):
		return s.body
	}
	return nil
}

// isDocumentation names the programs whose pages are all text but for the bars that skipped knows.
func isDocumentation(generator string) bool {
	name, _, _ := strings.Cut(generator, " ")
	switch strings.TrimRight(name, ",") {
	case "DocBook", "Doxygen", "makeinfo", "GNU", "texi2any", "Asciidoctor", "pandoc", "LaTeX2HTML", "groff", "rustdoc", "javadoc":
		return true
	}
	return strings.HasPrefix(generator, "javadoc/")
}

func writeNode(root *html.Node, base *url.URL) string {
	w := newWriter(base)
	w.children(root)
	return w.finish()
}

func writeArticle(doc *html.Node, base *url.URL) string {
	parser := readability.NewParser()
	parser.KeepClasses = true // the languages of code blocks stand there
	parser.DisableJSONLD = true
	article, err := parser.ParseAndMutate(doc, base)
	if err != nil || article.Node == nil {
		return ""
	}
	return writeNode(article.Node, base)
}

func long(markdown string) bool {
	return utf8.RuneCountInString(markdown) >= shortText
}

// withTitle puts the title over a text that does not begin with it.
func withTitle(markdown, title string) string {
	if title == "" || markdown == "" {
		return markdown
	}
	first, _, _ := strings.Cut(markdown, "\n")
	text := strings.TrimLeft(first, "#")
	if strings.HasPrefix(markdown, "# ") || text != first && folded(text) == folded(title) {
		return markdown
	}
	if strings.Contains(markdown, "\n# ") {
		return markdown
	}
	return "# " + title + "\n\n" + markdown
}

// folded is text without marks, blanks and case, to tell whether two titles are the same.
func folded(s string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "`", "", "*", "").Replace(s))
}
