package gate

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/yuin/goldmark/ast"
)

// anchors are where a link within a report can lead: headings by GitHub's id and their own, and HTML.
func (d document) anchors() map[string]bool {
	found, repeats := map[string]bool{}, map[string]int{}
	bounds.Inspect(d.root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Heading:
			found[strings.ToLower(explicitID(n, d.source))] = true
			slug := slugOf(plainTitle(shownText(n, d.source)))
			unique := slug
			for found[unique] {
				repeats[slug]++
				unique = fmt.Sprintf("%s-%d", slug, repeats[slug])
			}
			found[unique] = true
		case *ast.HTMLBlock:
			named(n.Lines().Value(d.source), found)
		case *ast.RawHTML:
			named(n.Segments.Value(d.source), found)
		}
		return true
	})
	return found
}

var ownID = regexp.MustCompile(`\{#([^\s{}]+)[^{}]*\}\s*$`)

// explicitID is the id behind a title; "" for none. The parser knows those of ASCII letters only.
func explicitID(h *ast.Heading, source []byte) string {
	if id, ok := h.AttributeString("id"); ok {
		if b, ok := id.([]byte); ok {
			return string(b)
		}
	}
	if m := ownID.FindSubmatch(h.Lines().Value(source)); m != nil {
		return string(m[1])
	}
	return ""
}

// shownText is what a reader sees of a heading.
func shownText(h *ast.Heading, source []byte) string {
	var out strings.Builder
	bounds.Inspect(h, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Image, *ast.RawHTML:
			return false
		case *ast.Text:
			out.Write(n.Value(source))
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(source))
		}
		return true
	})
	return html.UnescapeString(out.String())
}

// slugOf is the id that GitHub makes of a title, in any script.
func slugOf(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

var namedAnchor = regexp.MustCompile(`(?i)\s(?:id|name)\s*=\s*["']?([^\s"'>]+)`)

func named(markup []byte, found map[string]bool) {
	for _, m := range namedAnchor.FindAllSubmatch(markup, -1) {
		found[strings.ToLower(string(m[1]))] = true
	}
}
