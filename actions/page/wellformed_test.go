package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/daybook-agent/daybook/actions/page"
)

// wrapped is a page around a piece of its body.
func wrapped(body string) string {
	return "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8><title>A &amp; B</title>\n</head>\n<body class=\"x\">\n" + body + "\n</body>\n</html>\n"
}

// plainPieces are those of which a tree is built without html.Parse, and oddPieces those that are left to it.
var (
	plainPieces = []string{
		"", "text", "a < b &amp; c &lt; d &copy; &notit; &#65;", "<p>one</p><p>two", "<p>one<div>two</div>",
		"<ul><li>one<li><p>two</ul>", "<ol><li>one<ul><li>inner</ul></li><li>two</ol>", "<dl><dt>a<dd>b<dt>c<dd><p>d</dl>",
		"<dl><div><dt>a</dt><dd>b</dd></div></dl>",
		"<table><tr><td>1<td>2<tr><td><p>3</table>after", "<table>\n<caption>c</caption>\n<col><col>\n<thead><tr><th>h</thead> <tbody> <tr> <td>x</td> </tr> </tbody></table>",
		"<table><colgroup><col width=1 /></colgroup><tbody><td>x</tbody><tfoot><tr><td>y</table>",
		"<table><tr><td><table><tr><td>inner</table><td>b</table>", "<table><script>1</script><tr><td>x</table>",
		"<b><i>x</i></b><b><b><b><b>x</b></b></b></b>y", "<span>a</span><my-tag Q=1>b</my-tag>", "<a href='?a=1&b=2&amp;c=3&#52;'>l</a>",
		"<pre>\n\ncode</pre><pre><b>\nx</b></pre><pre>&#10;x</pre>", "<!-- c --><!----><? php ?>x<!-- a -- b -->",
		"<br><hr/><img src=x alt=\"a > b\" alt=2 / disabled><input type=hidden>", "<script>if (a < b) '</scriptx>' </script >",
		"<style>p > a {}</style><textarea>\na &lt; b</textarea><iframe><p></iframe><noscript><p>x</noscript>",
		"<a =x y= z=>t</a>", "<P CLASS=Up>x</P>", "line\r\nend\rcr", "<form><button>b<p>c</button></form>", "<h2><p>a</h2><h3>b</h3>",
		"<svg viewBox='0 0' xlink:href=a><title>a &lt; b</title><g><path d=M0/></path><path d='a'/>x</g><svg/></svg>y", "<b><svg/></b><svg a=1 a=2/>x",
		"<svg><text>\n<!-- c --></text></SVG>", "a<", "<ä>", "<p", "<p>no end", "<title>t</title>", "<ul>\n<li>a</li>\n</ul>",
	}
	oddPieces = []string{
		"<p><b>one<p>two", "<a>one<a>two</a>", "<b><i>x</b></i>", "<table></p></table>", "<svg></p></svg>", "<table>x<tr></table>", "<p><table></table>", "<table><div>x</div></table>",
		"<svg><p>x</p></svg>", "<svg><foreignobject></svg>", "<svg><title><b>x</b></title></svg>", "<svg></g></svg>", "<svg><style></style></svg>", "<select><option>x</select>", "<li>x", "<li><div><li>", "<div></span></div>", "<h2>a<h3>b</h3>", "<template>x</template>",
		"<!-->x", "<!--->x-->", "<!--a--!>b-->", "<!doctype x>", "<![CDATA[x]]>", "</>", "</ x>", "<a b='", "<!-- open",
		"<script><!-- <script> </script> --></script>", "<script>x", "a\x00b", "<body id=2>", "<html id=2>", "<td>x", "</body>x", "</body></html>x",
		"<p ÄÖ=1>", "<dÄ>", "<a x='&ampy;'>", "<a x='&copy 2'>", "<form><form></form>", "<button><button>", "<frameset>", "<nobr>x</nobr>",
		"<ruby>a<rt>b</ruby>", "<math></math>", "<div><p><span><div>", "<object>x</object>", "<a x='&semi;'>",
	}
)

// sameTree tells where two trees differ, "" if they are the same but for the doctype and the order of attributes.
func sameTree(a, b *html.Node) string {
	if a.Type != b.Type || a.DataAtom != b.DataAtom || a.Data != b.Data || a.Namespace != b.Namespace || !slices.Equal(ordered(a), ordered(b)) {
		return fmt.Sprintf("%v %q %v and %v %q %v", a.Type, a.Data, a.Attr, b.Type, b.Data, b.Attr)
	}
	x, y := undeclared(a.FirstChild), undeclared(b.FirstChild)
	for x != nil && y != nil {
		if x.Parent != a {
			return fmt.Sprintf("%q has another parent", x.Data)
		}
		if different := sameTree(x, y); different != "" {
			return different
		}
		x, y = undeclared(x.NextSibling), undeclared(y.NextSibling)
	}
	if x != nil || y != nil {
		return fmt.Sprintf("%q has more children in one", a.Data)
	}
	return ""
}

func undeclared(n *html.Node) *html.Node {
	for n != nil && n.Type == html.DoctypeNode {
		n = n.NextSibling
	}
	return n
}

func ordered(n *html.Node) []html.Attribute {
	if n.Namespace == "svg" {
		return nil // their names are spelt in other ways
	}
	return slices.SortedFunc(slices.Values(n.Attr), func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
}

func TestWellFormedPagesHaveTheTreeOfTheParser(t *testing.T) {
	wholes := []string{
		"<html><head></head><body>x</html>", "<html><head></head><body><p>x", "<?xml version='1.0'?> <!-- c --><!DOCTYPE HTML PUBLIC '' ''> <HTML><!-- d --> <head></head> <!-- e --><body></body></html>",
		"<html><head></head><body>x</body> <!-- in html --> </html> <!-- in doc -->\n", "<html><head></head><body><p>x</body> </html>\n",
	}
	for _, piece := range plainPieces {
		wholes = append(wholes, wrapped(piece))
	}
	for _, whole := range wholes {
		doc := page.ParseWellFormed(whole)
		if assert.NotNil(t, doc, whole) {
			want, err := html.Parse(strings.NewReader(whole))
			require.NoError(t, err)
			assert.Empty(t, sameTree(doc, want), whole)
		}
	}
	for _, piece := range oddPieces {
		assert.Nil(t, page.ParseWellFormed(wrapped(piece)), piece)
	}
	for _, whole := range []string{"", "text", "<p>x</p>", "<html><body>x</body></html>", "<html><head></head></html>", "<html>x<head></head><body></body></html>",
		"<html><head>x</head><body></body></html>", "<html><head></head>x<body></body></html>"} {
		assert.Nil(t, page.ParseWellFormed(whole), whole)
	}
	assert.Nil(t, page.ParseWellFormed(wrapped(strings.Repeat("<div>", 600))), "deeper than the parser follows")
}

// BenchmarkWellFormed tells of how many pages the tree is built without html.Parse, and fails if one is another than its.
func BenchmarkWellFormed(b *testing.B) {
	for b.Loop() {
		for _, folder := range []string{"/usr/share/doc/postgresql-doc-15/html", "/usr/share/doc/python3.11/html", "/usr/share/debian-reference", "testdata/mozilla"} {
			all, plain := 0, 0
			_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
				if err != nil || entry.IsDir() || filepath.Ext(path) != ".html" {
					return err
				}
				text, err := os.ReadFile(path)
				require.NoError(b, err)
				all++
				doc := page.ParseWellFormed(string(text))
				if doc == nil {
					return nil
				}
				plain++
				want, err := html.Parse(strings.NewReader(string(text)))
				require.NoError(b, err)
				require.Empty(b, sameTree(doc, want), path)
				return nil
			})
			b.Logf("%s: %d of %d", folder, plain, all)
		}
	}
}

// assembled makes a page of pieces of markup, one for each byte, so that a fuzzer needs not find out how a tag is spelt.
func assembled(choices string) string {
	const names = "p div span b a ul ol li dl dt dd table tbody thead tr td th caption colgroup h1 h2 pre form button section svg g title x-y"
	pieces := []string{"x", " ", "\n", "<!-- c -->", "&amp;", "<br>", "<hr>", "<col>", "<img src=a>", "<input>", "<script>1</script>", "<style>2</style>", "<title>t</title>", "<path/>"}
	for name := range strings.FieldsSeq(names) {
		pieces = append(pieces, "<"+name+">", "</"+name+">")
	}
	var b strings.Builder
	for _, choice := range []byte(choices) {
		b.WriteString(pieces[int(choice)%len(pieces)])
	}
	return wrapped(b.String())
}

func FuzzWellFormed(f *testing.F) {
	for _, piece := range slices.Concat(plainPieces, oddPieces) {
		f.Add(wrapped(piece))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, whole := range []string{text, assembled(text)} {
			doc := page.ParseWellFormed(whole)
			if doc == nil {
				continue
			}
			want, err := html.Parse(strings.NewReader(whole))
			require.NoError(t, err)
			assert.Empty(t, sameTree(doc, want), whole)
		}
	})
}
