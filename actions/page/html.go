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
	// shortText is the minimum length of an article, in characters; a shorter one is most likely a caption.
	shortText = 250
	// maxArticleNodes bounds the pages that are divided into regions, and so the memory for it: some 20 MB.
	maxArticleNodes = 100_000
	// maxBaseBytes bounds the address that every link of a page is resolved against.
	maxBaseBytes = 2 << 10
)

// readHTML parses a page once, finds its text, and writes that as Markdown. It returns an error if the page
// is something other than a text: a challenge, a login form, a notice that there is no such page.
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

// judged completes a document, or returns an error if it is not the page that was asked for.
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

// Seen turns what a browser shows of a page into Markdown: HTML without styles, all of whose text is visible.
// Nothing is left out. Like Read, it returns an error if the page is something other than a text.
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

// baseOf returns the base of a page's links; nil if unknown, or so long that links would fill gigabytes.
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

// textOfPage writes the element that a generator marks as the text; on other pages, the part that holds the
// prose. If that is next to nothing, it writes the whole page, or the text that the page gives to search
// engines. partial mentions anything significant that is left out.
func textOfPage(doc *html.Node, s *survey, base *url.URL) (text, partial string) {
	root, missing := threadOf(doc, s)
	if root != nil {
		return markup.Write(root, base, nil), missing
	}
	if manual := manualOn(s); manual != "" {
		return manual, ""
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

// top returns where to look for the text. News sites fill their <main> and <article> with teasers, so these
// mean little; around code they hold technical writing, where everything inside counts.
func (s *survey) top() *html.Node {
	switch {
	case s.blocks > 0 && s.main != nil:
		return s.main
	case s.blocks > 0 && s.articles == 1 && s.holdsText(s.article):
		return s.article
	}
	return s.body
}

// holdsText reports whether an element is the whole text of its page: a manual may mark the entry of one
// function as an article, with all others next to it.
func (s *survey) holdsText(n *html.Node) bool {
	const most = 4 // times as much prose may be outside it, such as comments
	return s.body == nil || regionsOf(s.body, true)[0].prose <= most*regionsOf(n, true)[0].prose
}

// isDocumentation reports whether a generator's pages are all text, except for the bars that skipped knows.
func isDocumentation(generator string) bool {
	name, _, _ := strings.Cut(generator, " ")
	name, _, _ = strings.Cut(strings.TrimRight(name, ","), "/")
	return called(name) == "documentation"
}

// writeText writes plain text, one paragraph per line.
func writeText(text string) string {
	w := markup.NewWriter()
	for line := range strings.Lines(text) {
		w.Text(line)
		w.Block(2)
	}
	return w.Finish()
}

// long counts a Chinese character as two, like mapper.
func long(markdown string) bool {
	if len(markdown) > 4*shortText {
		return true
	}
	wide, _ := plain.Width(markdown, true)
	return wide >= shortText
}

// withTitle puts the title above a text that does not begin with it.
func withTitle(markdown, title string) string {
	if title == "" || markdown == "" {
		return markdown
	}
	first, _, _ := strings.Cut(markdown, "\n")
	text := strings.TrimLeft(first, "#")
	if strings.HasPrefix(markdown, "# ") || strings.Contains(markdown, "\n# ") ||
		text != first && folded(text) == folded(title) {
		return markdown
	}
	w := markup.NewWriter()
	w.Put("# ")
	w.Text(title)
	return w.Finish() + "\n" + markdown
}

// folded returns text without marks, blanks and case, to compare titles.
func folded(s string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "`", "", "*", "").Replace(prose.Unescaped(s)))
}
