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

// maxPasses bounds how often a text is gone over: what is cut may make a link of what is around it.
const maxPasses = 8

// viewers are how others read Markdown: by CommonMark alone, and with tables and footnotes besides. What is
// code or a definition to one may be a picture to another.
var viewers = [][]goldmark.Extender{nil, {extension.Table, extension.Footnote}}

// Keep returns a Markdown text for other programs to open: it leads only to what may be reached, by the
// address, and has no HTML that could load or run something. Of another link the words stay, of a picture its
// description, and HTML is shown as text. What cannot be made so becomes a block of code.
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

// asCode shows a text as it is.
func asCode(markdown string) string {
	fence := "```"
	for strings.Contains(markdown, fence) {
		fence += fence
	}
	return fence + "\n" + strings.TrimSuffix(markdown, "\n") + "\n" + fence + "\n"
}

// edit puts a text into the place of a stretch.
type edit struct {
	start, end int
	text       string
}

// keepOnce is Keep for one viewer, once; not ok is a text that is over the budget of bounds.
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

// plainTag is HTML that loads and runs nothing: what Markdown has no other means for, and a remark.
var plainTag = regexp.MustCompile(`^(?i:<br\s*/?>|</?(?:sub|sup|kbd)>|<!--[^<>\n]*-->)`)

var beginsTag = regexp.MustCompile(`^<[A-Za-z/!?]`)

// tags makes text of the tags and of those autolinks that may not stay. Some programs take more for a tag
// than CommonMark does, so whatever begins like one outside code counts, unless a backslash in text escapes
// it.
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
