package page_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	syntax "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// BenchmarkTechnical measures how much of the structure of two manuals arrives in the Markdown: blocks of
// code, tables and headings of their main part. One counts as kept when the Markdown has one of the same kind
// with the same letters and digits in it, so that a block that is torn in two, or a table whose cells change
// places, is lost. A table counts when it has two rows and columns at least or a header; others only place
// things, and may well be written as a list. A block of code in a table's cell counts with its table. Run it
// with -benchtime 1x.
//
//	%code %tables %headings  kept of those in the originals
//	plain-%…                 the same without all by which a page says where its text is: what a site gets
//	                         that nobody here knew
//	ms/page                  to read a page
//	refused                  pages that Read gives back as an error
func BenchmarkTechnical(b *testing.B) {
	for name, manual := range map[string]struct{ folder, generator string }{
		"postgresql": {"/usr/share/doc/postgresql-doc-15/html", "apt-get install postgresql-doc-15"},
		"python":     {"/usr/share/doc/python3.11/html", "apt-get install python3.11-doc"},
	} {
		b.Run(name, func(b *testing.B) {
			bodies := manualPages(b, manual.folder, manual.generator)
			for b.Loop() {
				var marked, plain kept
				for name, body := range bodies {
					b.StopTimer()
					want := structureOf(b, body)
					b.StartTimer()
					marked.add(b, name, want, body)
					b.StopTimer()
					plain.add(b, name, want, unmarked(body))
					b.StartTimer()
				}
				for i, kind := range []string{"code", "tables", "headings"} {
					b.ReportMetric(marked.share(i), "%"+kind)
					b.ReportMetric(plain.share(i), "plain-%"+kind)
				}
				b.Logf("of %v blocks of code, tables and headings, %v are kept, without marks %v", marked.all,
					marked.found, plain.found)
				b.ReportMetric(float64(marked.refused+plain.refused), "refused")
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N*len(bodies)), "ms/page")
		})
	}
}

func manualPages(b *testing.B, folder, install string) map[string][]byte {
	b.Helper()
	bodies := map[string][]byte{}
	require.NoError(b, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		body, err := os.ReadFile(path)
		bodies[path] = body
		return err
	}), "the manual is missing: %s (Debian 12)", install)
	require.NotEmpty(b, bodies, install)
	return bodies
}

// unmarked is a page without its generator's name and without a word on where its text is.
func unmarked(body []byte) []byte {
	for _, mark := range []string{`name="generator"`, ` role="main"`, `class="body"`, `class="document"`,
		`class="documentwrapper"`} {
		body = bytes.ReplaceAll(body, []byte(mark), nil)
	}
	return body
}

// structure holds the letters of what a page is built of: of its blocks of code, tables and headings.
type structure [3]map[string]int

func (s *structure) add(kind int, text string) {
	if text = onlyLetters(text); text == "" {
		return
	}
	if s[kind] == nil {
		s[kind] = map[string]int{}
	}
	s[kind][text]++
}

// kept counts what of the originals' structure is in the Markdown.
type kept struct {
	all, found [3]int
	refused    int
}

func (k *kept) share(kind int) float64 { return 100 * float64(k.found[kind]) / float64(k.all[kind]) }

func (k *kept) add(b *testing.B, name string, want structure, body []byte) {
	doc, err := page.Read(b.Context(), page.Raw{URL: name, ContentType: "text/html", Body: body})
	if err != nil || doc.Partial != "" {
		b.Logf("%s: %v %s", name, err, doc.Partial)
		k.refused++
	}
	b.StopTimer()
	defer b.StartTimer()
	have := structureOfMarkdown(b, []byte(doc.Markdown))
	for kind := range want {
		for text, n := range want[kind] {
			k.all[kind] += n
			k.found[kind] += min(n, have[kind][text])
		}
	}
}

// structureOf is about the original: what stands outside every bar of navigation.
func structureOf(b *testing.B, body []byte) structure {
	doc, err := html.Parse(bytes.NewReader(body))
	require.NoError(b, err)
	var s structure
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for _, bar := range []string{"navheader", "navfooter", "sphinxsidebar", "related", "footer",
			"inline-search", "mobile-nav", "menu-wrapper"} {
			if isCalled(n, bar) {
				return
			}
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Head, atom.Noscript:
			return
		case atom.Pre:
			s.add(0, lettersIn(n))
			return
		case atom.Table:
			if isData(n) {
				s.add(1, lettersIn(n))
				return
			}
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			s.add(2, lettersIn(n))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	return s
}

func isCalled(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == "class" {
			for class := range strings.FieldsSeq(a.Val) {
				if class == name {
					return true
				}
			}
		}
	}
	return false
}

func isData(table *html.Node) bool {
	rows, columns, header, nested := 0, 0, false, false
	for n := range table.Descendants() {
		switch n.DataAtom {
		case atom.Tr:
			cells := 0
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
					cells++
				}
			}
			rows++
			columns = max(columns, cells)
		case atom.Th:
			header = true
		case atom.Table:
			nested = true
		}
	}
	return !nested && (header || rows > 1 && columns > 1)
}

// lettersIn leaves out the signs that link a heading to itself, captions, which stand before the table, and
// notes below it.
func lettersIn(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case isCalled(n, "headerlink"), n.DataAtom == atom.Caption:
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

func onlyLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func structureOfMarkdown(b *testing.B, source []byte) structure {
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var s structure
	require.NoError(b, syntax.Walk(tree, func(n syntax.Node, entering bool) (syntax.WalkStatus, error) {
		if !entering {
			return syntax.WalkContinue, nil
		}
		switch n := n.(type) {
		case *syntax.FencedCodeBlock:
			s.add(0, string(n.Lines().Value(source)))
		case *tables.Table:
			s.add(1, inside(n, source))
			return syntax.WalkSkipChildren, nil
		case *syntax.Heading:
			s.add(2, inside(n, source))
		}
		return syntax.WalkContinue, nil
	}))
	return s
}

func inside(n syntax.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if leaf, ok := c.(*syntax.Text); ok {
			b.Write(leaf.Segment.Value(source))
		}
		b.WriteString(inside(c, source))
	}
	return b.String()
}
