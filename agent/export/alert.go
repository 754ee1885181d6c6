package export

import (
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// alerts makes boxes of the block quotes that begin with a mark of GitHub's, such as [!WARNING].
type alerts struct{}

var alertMark = regexp.MustCompile(`^\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$`)

func (alerts) Transform(doc *ast.Document, source text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		first := n.FirstChild()
		if n.Kind() != ast.KindBlockquote || first == nil || first.Kind() != ast.KindParagraph {
			continue
		}
		if line := first.Lines().At(0); !alertMark.Match(line.Value(source.Source())) {
			continue
		}
		n.SetAttributeString("class", []byte("alert"))
		// the mark's own line
		for c, ends := first.FirstChild(), false; c != nil && !ends; c = first.FirstChild() {
			part, isText := c.(*ast.Text)
			ends = isText && part.SoftLineBreak()
			first.RemoveChild(first, c)
		}
		if !first.HasChildren() {
			n.RemoveChild(n, first)
		}
	}
}
