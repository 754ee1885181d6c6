package block

import (
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxPasses bounds the passes over a text: cutting may turn the text around it into a link.
const maxPasses = 8

// viewers are the ways in which others read Markdown: as CommonMark alone, or with tables and footnotes. Code
// or a definition for one may be a picture for another.
var viewers = [][]goldmark.Extender{nil, {extension.Table, extension.Footnote}}

// Keep makes a Markdown text safe to open in other programs: it only leads to permitted addresses, and has no
// HTML that could load or run something. Of any other link only the words stay, of a picture its description,
// and HTML is shown as text. If that fails, the whole text becomes a code block.
func Keep(markdown string, may func(address string, isPicture bool) bool) string {
	kept := markdown
	for range maxPasses {
		before := kept
		for _, extensions := range viewers {
			var ok bool
			if kept, ok = keepOnce(kept, extensions, may); !ok {
				return asCode(markdown)
			}
		}
		if kept == before {
			return kept
		}
	}
	return asCode(markdown)
}

// asCode returns a text as a code block.
func asCode(markdown string) string {
	fence := "```"
	for strings.Contains(markdown, fence) {
		fence += fence
	}
	return fence + "\n" + strings.TrimSuffix(markdown, "\n") + "\n" + fence + "\n"
}

// edit replaces a range of a text.
type edit struct {
	start, end int
	text       string
}

// keepOnce is one pass of Keep for one viewer; ok is false if the text exceeds the budget of bounds.
func keepOnce(markdown string, extensions []goldmark.Extender,
	may func(string, bool) bool) (kept string, ok bool) {
	finder := &linkFinder{InlineParser: parser.NewLinkParser()}
	inline := slices.DeleteFunc(parser.DefaultInlineParsers(), func(p util.PrioritizedValue) bool {
		return p.Value == finder.InlineParser
	})
	viewer := goldmark.New(goldmark.WithExtensions(extensions...), goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(inline, util.Prioritized(finder, 200))...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...), bounds.Inline())))
	source := []byte(markdown)
	if strings.Count(markdown, "[^") > bounds.MaxFootnotes {
		return "", false
	}
	doc, err := bounds.Markdown(viewer.Parser(), source, nil)
	if err != nil {
		return "", false
	}
	edits := tags(doc, source, may)
	for _, a := range finder.all {
		if !may(a.address, a.isPicture) {
			opening := strings.Index(markdown[a.start:], "[") + 1
			edits = append(edits, edit{a.start, a.start + opening, ""}, edit{a.middle, a.end, ""})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.start >= at {
			out.WriteString(markdown[at:e.start] + e.text)
		}
		at = max(at, e.end)
	}
	return out.String() + markdown[at:], true
}

// plainTag matches HTML that loads and runs nothing: tags that Markdown has no equivalent for, and comments.
var plainTag = regexp.MustCompile(`^(?i:<br\s*/?>|</?(?:sub|sup|kbd)>|<!--[^<>\n]*-->)`)

var beginsTag = regexp.MustCompile(`^<[A-Za-z/!?]`)

// tags escapes tags, and autolinks that may not stay. Some programs accept more tags than CommonMark does, so
// whatever begins like one outside code counts, unless a backslash in text escapes it.
func tags(doc ast.Node, source []byte, may func(string, bool) bool) (edits []edit) {
	hide := func(s text.Segment, escapes bool) {
		escaped := false
		for i := s.Start; i < s.Stop-1; i++ {
			if !escaped && beginsTag.Match(source[i:i+2]) && !plainTag.Match(source[i:]) {
				edits = append(edits, edit{i, i + 1, "&lt;"})
			}
			escaped = escapes && !escaped && source[i] == '\\'
		}
	}
	bounds.Inspect(doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CodeSpan:
			return false
		case *ast.Text:
			hide(n.Segment, true)
		case *ast.RawHTML:
			for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
				hide(s, false)
			}
		case *ast.HTMLBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				hide(s, false)
			}
			if n.HasClosure() {
				hide(n.ClosureLine, false)
			}
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL && !may(string(n.URL(source)), false) {
				edits = append(edits, edit{n.Pos(), n.Pos() + 1, "&lt;"})
			}
		}
		return true
	})
	return edits
}
