package page

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"golang.org/x/net/html"
)

const (
	// shortText is how many characters make an article the page's text; a shorter one is most likely a
	// caption.
	shortText = 250
	// maxArticleNodes bounds the pages that are taken apart, and with them the memory it takes: some 20 MB.
	maxArticleNodes = 100_000
	// maxBaseBytes bounds the address that every link of a page is joined to.
	maxBaseBytes = 2 << 10
)

// readHTML parses a page once, finds where its text stands, and writes that as Markdown. Its errors say that
// the page is something else than a text: a challenge, a login form, a notice that there is no such page.
func readHTML(ctx context.Context, text string, raw Raw) (markup.Document, error) {
	root := markup.Parse(text)
	if root == nil {
		return markup.Document{Markdown: markup.Words(text)}, nil
	}
	s := surveyOf(ctx, root)
	if ctx.Err() != nil {
		return markup.Document{}, ctx.Err()
	}
	doc := markup.Document{Title: s.title, Author: s.author, Published: s.published, Language: s.language}
	doc.Markdown, doc.Partial = textOfPage(root, s, baseOf(raw.URL, s.facts["base"]))
	return judged(root, s, doc, raw.URL)
}

// judged is a document that was found to be what the page is about.
func judged(root *html.Node, s *survey, doc markup.Document, address string) (markup.Document, error) {
	partial, err := judge(root, s, doc.Markdown, address)
	if err != nil {
		return markup.Document{}, err
	}
	doc.Partial = cmp.Or(partial, doc.Partial)
	doc.Markdown = withTitle(doc.Markdown, doc.Title)
	doc.Language = languageWritten(doc.Language, doc.Markdown)
	return doc, nil
}

// Seen turns what a browser shows of a page into Markdown: HTML without a style, of which every text is one
// that a person sees. Nothing of it is left out. Its errors say, as those of Read, that the page is something
// else than a text.
func Seen(ctx context.Context, title, text, address string) (page Page, err error) {
	defer func() {
		if r := recover(); r != nil {
			page, err = Page{}, broken(address, r)
		}
	}()
	if int64(len(text)) > markup.MaxText {
		return Page{}, NewTooLarge("reading", address, int64(len(text)), markup.MaxText)
	}
	doc := markup.Document{Title: plain.Line(title)}
	root, err := bounds.HTML("<title>" + html.EscapeString(title) + "</title><body>" + text)
	if err != nil {
		doc.Markdown, err = markup.Words(text), nil
	} else {
		s := surveyOf(ctx, root)
		if ctx.Err() != nil || s.body == nil {
			return Page{}, stopped(ctx, address)
		}
		doc.Markdown = markup.Write(s.body, baseOf(address, ""), nil)
		doc, err = judged(root, s, doc, address)
	}
	if err != nil {
		return Page{}, err
	}
	return Page{Type: "html", Title: prose.Title(cmp.Or(doc.Title, nameOf(address))), Language: doc.Language,
		Partial: doc.Partial, Markdown: doc.Markdown}, nil
}

// baseOf is what a page's links are relative to; nil for unknown, or so long that links fill gigabytes.
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

// textOfPage takes the element that a generator marks as the text. On any other page it looks for where the
// prose is; where that is next to nothing, the whole page is the text, or what the page tells search engines
// that its text is. What of weight is left out is said in partial.
func textOfPage(doc *html.Node, s *survey, base *url.URL) (text, partial string) {
	root, missing := threadOf(doc, s)
	if root != nil {
		return markup.Write(root, base, nil), missing
	}
	root = s.marked
	if root == nil && isDocumentation(s.facts["generator"]) {
		root = s.body
	}
	if root != nil {
		if text := markup.Write(root, base, nil); long(text) || s.body == nil {
			return text, ""
		}
	}
	if s.body == nil || s.nodes > maxArticleNodes {
		return markup.Write(doc, base, nil), ""
	}
	if root == nil {
		a := articleOf(s.top(), s, base)
		text, partial = markup.Write(a.root, base, a.without), a.leftOut()
	}
	if told := s.facts["text"]; told != "" && len(told) > 2*len(text) {
		return writeText(told), ""
	}
	if !long(text) {
		return markup.Write(s.body, base, nil), ""
	}
	return text, partial
}

// top is where the text is looked for. News sites fill their <main> and <article> with teasers, so these say
// little; around code they hold technical writing, where all inside them counts.
func (s *survey) top() *html.Node {
	switch {
	case s.blocks > 0 && s.main != nil:
		return s.main
	case s.blocks > 0 && s.articles == 1 && s.holdsText(s.article):
		return s.article
	}
	return s.body
}

// holdsText reports whether an element is the text of its page and no part of it: a manual may mark the entry
// of one function in that way, and have all others beside it.
func (s *survey) holdsText(n *html.Node) bool {
	const most = 4 // times as much prose may be beside it, such as comments
	return s.body == nil || regionsOf(s.body, true)[0].prose <= most*regionsOf(n, true)[0].prose
}

// isDocumentation names the programs whose pages are all text but for the bars that skipped knows.
func isDocumentation(generator string) bool {
	name, _, _ := strings.Cut(generator, " ")
	name, _, _ = strings.Cut(strings.TrimRight(name, ","), "/")
	return called(name) == "documentation"
}

// writeText writes text without markup, a paragraph a line.
func writeText(text string) string {
	w := markup.NewWriter(nil)
	for line := range strings.Lines(text) {
		w.Text(line)
		w.Block(2)
	}
	return w.Finish()
}

// long counts a Chinese character as two, as a mapper does.
func long(markdown string) bool {
	if len(markdown) > 4*shortText {
		return true
	}
	wide, _ := plain.Width(markdown, true)
	return wide >= shortText
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
	w := markup.NewWriter(nil)
	w.Put("# ")
	w.Text(title)
	return w.Finish() + "\n" + markdown
}

// folded is text without marks, blanks and case, to tell whether two titles are the same.
func folded(s string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "`", "", "*", "").Replace(prose.Unescaped(s)))
}
