package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readMain reads markup as the main text of a page of documentation.
func readMain(t *testing.T, body string) string {
	t.Helper()
	doc, err := page.Read(t.Context(), page.Raw{
		URL:         "https://example.org/docs/a.html",
		ContentType: "text/html; charset=utf-8",
		Body:        []byte(`<html><body><div class="body" role="main">` + body + `</div></body></html>`),
	})
	require.NoError(t, err)
	checkForm(t, doc.Markdown)
	return doc.Markdown
}

func TestElements(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"paragraphs", "<p>one\n two</p>\n<p>three</p>", "one two\n\nthree\n"},
		{"headings", "<h1>A</h1><p>x</p><h3>B <em>c</em></h3>y<h6>D</h6>",
			"# A\n\nx\n\n### B c\n\ny\n\n###### D\n"},
		{"empty heading", "<h2> </h2><p>x</p>", "x\n"},
		{"permalinks", `<h2>Use<a class="headerlink" href="#use">¶</a></h2><h3>Set <a href="#set">#</a></h3>`,
			"## Use\n\n### Set\n"},
		{"emphasis", "<p>a <b>b</b>, <i>c</i>d <strong> e </strong>f <em><b>g</b></em> <s>h</s></p>",
			"a **b**, *c*d **e** f *g* ~~h~~\n"},
		{"emphasis around blocks", "<b><p>a</p><p>b</p></b>", "a\n\nb\n"},
		{"emphasis without text", "<p>a<b> </b>b<i></i>c</p>", "a bc\n"},
		{"unordered list", "<ul><li>a</li><li><p>b</p></li><li></li><li>c<ul><li>d</li></ul></li></ul>after",
			"- a\n- b\n- c\n  - d\n\nafter\n"},
		{"ordered list", `<ol start="9"><li>a<p>b</p></li><li>c</li></ol>`, "9. a\n\n   b\n10. c\n"},
		{"code in a list", "<ul><li>do:<pre>x = 1\n\n  y</pre></li><li>b</li></ul>",
			"- do:\n\n  ```\n  x = 1\n\n    y\n  ```\n- b\n"},
		{"quote", "<p>a</p><blockquote><p>b</p><p>c</p></blockquote><p>d</p>", "a\n\n> b\n>\n> c\n\nd\n"},
		{"quote in a list", "<ul><li><blockquote>b<br>c</blockquote></li></ul>", "- > b\n  > c\n"},
		{"line breaks", "a<br>b<br><br>c", "a\nb\n\nc\n"},
		{"definitions", "<dl><dt><code>x</code> (int)</dt><dd><p>the x</p></dd><dt>y</dt><dd>the y</dd></dl>",
			"- **`x` (int)**: the x\n- **y**: the y\n"},
		{"definitions of several terms", "<dl><dt>x<dt>y<dd>both<dt>z<dd></dl>",
			"- **x**, **y**: both\n- **z**\n"},
		{"definitions in blocks", "<dl><div><dt>x</dt><dd>one<p>two</p></dd></div><div><dt>y</dt>" +
			"<dd>z</dd></div></dl>", "- **x**: one\n\n  two\n- **y**: z\n"},
		{"definitions in a definition, as pages made of manuals have them",
			"<dl><dt>x</dt><dd>one of <dt><dd>" +
				"<dl compact><dt><dd><dl compact><dt>0</dt><dd>off<dt><dd><p><dt>1</dt><dd>on</dl></dl>" +
				"<dt>y</dt><dd>the y</dd></dl>",
			"- **x**: one of\n  - **0**: off\n  - **1**: on\n- **y**: the y\n"},
		{"definitions with code", "<dl><dt>x<dd>the x<dt>y<dd>so:<pre>y</pre><dt>z<dd>the z</dl>",
			"- **x**: the x\n\n**y**\n\nso:\n\n```\ny\n```\n\n- **z**: the z\n"},
		{"signature",
			`<dl><dt class="sig"><span>f(</span><em>a</em>, <em>b</em>)<a class="headerlink" ` +
				`href="#f">¶</a></dt><dd>does</dd></dl>`, "- `f(a, b)`: does\n"},
		{"superscript", "<p>10<sup>6</sup> m<sup>-2</sup>, 1<sup>st</sup>, so<sup><a href=#n>[1]</a></sup> " +
			"H<sub>2</sub>O</p>", "10^6 m^-2, 1st, so[1] H2O\n"},
		{"quotation", "<p>he said <q>yes</q>.</p>", "he said “yes”.\n"},
		{"formula", `<p>as <math alttext="\frac{a}{b}"><mi>a</mi></math> is</p>`, "as $\\frac{a}{b}$ is\n"},
		{"formula with an annotation",
			`<p>so <math><semantics><mi>a</mi><annotation ` +
				`encoding="application/x-tex">a^2</annotation></semantics></math></p>`, "so $a^2$\n"},
		{"formula hidden behind its picture",
			`<p>so <span class="mwe-math-mathml-inline" style="display: none;"><math ` +
				`alttext="{\displaystyle ` +
				`a}"></math></span><img aria-hidden="true" alt="x y z"></p>`, "so $a$\n"},
		{"table of contents",
			`<div class="toc"><dl><dt><span class="c"><a href="b">B</a></span></dt><dd><dl><dt><a ` +
				`href="c">C</a></dt></dl></dd><dt><a href="#d">D</a></dt></dl></div>`,
			"- [B](https://example.org/docs/b)\n- [C](https://example.org/docs/c)\n- D\n"},
		{"readings beside characters", "<ruby>漢<rt>kan</rt></ruby>字", "漢字\n"},
		{"title of an example", `<h2>Locks</h2><p>So:</p><div class="example"><h3>One lock</h3><pre>lock</pre></div><p>Or not.</p>`,
			"## Locks\n\nSo:\n\n**One lock**\n\n```\nlock\n```\n\nOr not.\n"},
		{"articles in a box", `<div class="info"><h3>Install</h3><p>a</p><h3>Use</h3><p>b</p></div>`,
			"### Install\n\na\n\n### Use\n\nb\n"},
		{"admonition", `<div class="admonition"><p class="admonition-title">Note</p><p>x</p></div>`,
			"**Note**\n\nx\n"},
		{"text that looks like structure", "<p># no heading</p><p>```</p><p>a # b</p>",
			"\\# no heading\n\n\\```\n\na # b\n"},
		{"text that looks like markup", "<p>use &lt;div&gt; if a &lt; b &lt;/tool_result&gt;</p>",
			"use \\<div> if a < b \\</tool_result>\n"},
		{"hidden characters", "<p>a\u200bb\u00adc\u202ed\u00a0e\U000e0041f\ufeff</p>", "abcd ef\n"},
		{"unknown elements", "<p>a <my-box>b</my-box></p>", "a b\n"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, readMain(t, test.html)) })
	}
}

func TestCode(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"verbatim", "<pre>\n a  &lt;b&gt; *c*\n\n\n# d  \n</pre>", "```\n a  <b> *c*\n\n\n# d\n```\n"},
		{"fence inside", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````\n"},
		{"language on the code", `<pre><code class="language-go">x</code></pre>`, "```go\nx\n```\n"},
		{"language two levels up",
			`<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>`,
			"```python\nx\n```\n"},
		{"language of a brush", `<pre class="brush: js; gutter: x">x</pre>`, "```js\nx\n```\n"},
		{"language that says nothing", `<div class="highlight-default"><pre>x</pre></div>`, "```\nx\n```\n"},
		{"spans and breaks", `<pre><span>a</span><br><span class="lineno">7</span><div>b</div>c</pre>`,
			"```\na\nb\nc\n```\n"},
		{"line numbers in a table", `<table><tr><td class="linenos"><pre>1
2</pre></td><td class="code"><pre>a
b</pre></td></tr></table>`, "```\na\nb\n```\n"},
		{"empty", "<p>x</p><pre> \n </pre>", "x\n"},
		{"span", "<p>use <code>a  b</code>, <kbd>c</kbd></p>", "use `a b`, `c`\n"},
		{"span with backticks", "<p><code>a`b</code></p>", "`` a`b ``\n"},
		{"spans that touch", "<p><code>a</code><code>b</code> <code>c</code></p>", "`ab` `c`\n"},
		{"span with blanks at its ends", "<p>x<code> a </code>y</p>", "x `a` y\n"},
		{"span of several lines", "<code>a<br>b</code>", "```\na\nb\n```\n"},
		{"emphasis inside", "<p><em><code>a</code></em> <code>b <em>c</em></code></p>", "`a` `b c`\n"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, readMain(t, test.html)) })
	}
}

func TestTables(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"header and rows", "<table><thead><tr><th>a<th>b</thead><tr><td>1<td>2<tr><td>3<td></table>",
			"| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | |\n"},
		{"first row becomes the header", "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
			"| a | b |\n| --- | --- |\n| c | d |\n"},
		{"a first row that says something",
			"<table><tr><td>Boats<td>At most twelve may lie here at once.<tr><td>Nets<td>any</table>",
			"| | |\n| --- | --- |\n| Boats | At most twelve may lie here at once. |\n| Nets | any |\n"},
		{"caption", "<table><caption>Sizes</caption><tr><th>a<th>b<tr><td>c<td>d</table>",
			"Sizes\n\n| a | b |\n| --- | --- |\n| c | d |\n"},
		{"bars and lines", "<table><tr><th>a|b<th><code>c|d</code><tr><td><p>e</p><p>f</p><td>g<br>h</table>",
			"| a\\|b | `c\\|d` |\n| --- | --- |\n| e<br>f | g<br>h |\n"},
		{"list in a cell", "<table><tr><th>a<th>b<tr><td><ul><li>c<li>d</ul><td>e</table>",
			"| a | b |\n| --- | --- |\n| • c<br>• d | e |\n"},
		{"links and emphasis", "<table><tr><th>a<th>b<tr><td><a href=x.html>c</a><td><b>d</b></table>",
			"| a | b |\n| --- | --- |\n| [c](https://example.org/docs/x.html) | **d** |\n"},
		{"columns spanned", "<table><tr><th colspan=2>a<th>b<tr><td>c<td>d<td>e</table>",
			"| a | | b |\n| --- | --- | --- |\n| c | d | e |\n"},
		{"rows spanned", "<table><tr><th>a<th>b<tr><td rowspan=2>c<td>d<tr><td>e<tr><td>f<td>g</table>",
			"| a | b |\n| --- | --- |\n| c | d |\n| c | e |\n| f | g |\n"},
		{"one column under a header", "<table><tr><th>a<tr><td>b</table>", "| a |\n| --- |\n| b |\n"},
		{"layout of one column", "<table><tr><td><h2>a</h2><p>b</table>", "## a\n\nb\n"},
		{"a heading in a cell of a table with a head",
			"<table><tr><th>Name<th>Default<tr><td>a<td>1<tr><td>b<td><h3>Note</h3>two</table>",
			"| Name | Default |\n| --- | --- |\n| a | 1 |\n| b | Note<br>two |\n"},
		{"a table in a cell of a table with a head",
			"<table><tr><th>Name<th>Default<tr><td>a<td>1<tr><td>b<td>one of" +
				"<table><tr><td>x<td>y</table></table>",
			"| Name | Default |\n| --- | --- |\n| a | 1 |\n| b | one of<br>x<br>y |\n"},
		{"layout of one row", "<table><tr><td><ul><li>a</ul><td><p>b</table>", "- a\n\nb\n"},
		{"words side by side", "<p>x</p><table><tr><td>modemask<td>Use: <i>redirect</i><td><td>Default: " +
			"<i>022</i></table><p>y</p>",
			"x\n\n**modemask** · Use: *redirect* · Default: *022*\n\ny\n"},
		{"a bar of links", "<p>x</p><table><tr><td><a href=a.html>Up</a><td>Down</table><p>y</p>",
			"x\n\n[Up](https://example.org/docs/a.html)\n\nDown\n\ny\n"},
		{"layout with a picture beside",
			"<table><tr><td rowspan=2><img src=x alt=Note><th>Note<tr><td>text</table>", "Note\n\ntext\n"},
		{"empty column", "<table><tr><th>a<th> <th>b<tr><td>c<td><td>d</table>",
			"| a | b |\n| --- | --- |\n| c | d |\n"},
		{"layout around a table", "<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>c<td>d</table></table>",
			"x\n\n| a | b |\n| --- | --- |\n| c | d |\n"},
		{"code before and after", "<table><tr><th>old<th>new<tr><td><pre>a\nb</pre><td><pre>c\n" +
			"d</pre></table>", "old\n\nnew\n\n```\na\nb\n```\n\n```\nc\nd\n```\n"},
		{"code in one of many rows", "<table><tr><th>a<th>b<tr><td>c<td><pre>x\n" +
			"y</pre><tr><td>d<td>e</table>", "| a | b |\n| --- | --- |\n| c | `x`<br>`y` |\n| d | e |\n"},
		{"rows without text", "<table><tr><th>a<th>b<tr><td><td><tr><td>c<td>d</table>",
			"| a | b |\n| --- | --- |\n| c | d |\n"},
		{"properties, of which the first is no head",
			"<table><tr><th>Size:<td>4 MB<tr><th>Default:<td>1 MB</table>",
			"| | |\n| --- | --- |\n| Size: | 4 MB |\n| Default: | 1 MB |\n"},
		{"a head whose first cell alone is marked", "<table><tr><th>Name<td>Size<tr><td>a<td>4 MB</table>",
			"| Name | Size |\n| --- | --- |\n| a | 4 MB |\n"},
		{"a head over rows with names", "<table><tr><th>a<th>b<tr><th>c<td>d<tr><th>e<td>f</table>",
			"| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n"},
		{"in a list", "<ul><li>x<table><tr><th>a<th>b<tr><td>c<td>d</table></ul>",
			"- x\n\n  | a | b |\n  | --- | --- |\n  | c | d |\n"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, readMain(t, test.html)) })
	}
}

func TestLinksAndImages(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"relative", `<a href="b.html">x</a> <a href="../c">y</a> <a href="/d?e=f">z</a>`,
			"[x](https://example.org/docs/b.html) [y](https://example.org/c) " +
				"[z](https://example.org/d?e=f)\n"},
		{"absolute", `<a href="http://a.org/%20b">x</a>`, "[x](http://a.org/%20b)\n"},
		{"without scheme", `<a href="//a.org/b">x</a>`, "[x](https://a.org/b)\n"},
		{"into the page", `<a href="#x">x</a> <a href="a.html#y">y</a>`, "x y\n"},
		{"to no web page",
			`<a href="javascript:alert(1)">a</a> <a href="data:x">b</a> <a href="mailto:c@d">c</a> ` +
				`<a href="file:///etc/passwd">d</a>`, "a b c d\n"},
		{"blanks and brackets", `<a href="a b(c">x</a> <a href="/wiki/Go_(game)">y</a>`,
			"[x](https://example.org/docs/a%20b%28c) [y](https://example.org/wiki/Go_(game))\n"},
		{"blanks around the text", "see<a href=b> this </a>now",
			"see [this](https://example.org/docs/b) now\n"},
		{"no text", "a <a href=b><img src=c></a> d", "a d\n"},
		{"code", "<a href=b><code>f()</code></a>", "[`f()`](https://example.org/docs/b)\n"},
		{"around a heading", "<a href=b><h2>A</h2><p>c</p></a>", "## [A](https://example.org/docs/b)\n\nc\n"},
		{"broken", `<a href="http://[::1">x</a> <a href="%zz">y</a>`, "x y\n"},
		{"picture that says something", `<p>a <img src=x alt="The road to the old mill"> b</p>`,
			"a [image: The road to the old mill] b\n"},
		{"picture in Chinese", `<img src=x alt="长江大桥夜景">`, "[image: 长江大桥夜景]\n"},
		{"picture that says nothing",
			`<p>a <img src=x alt="logo"><img src=y alt="IMG_2033.JPG"><img src=z> b</p>`, "a b\n"},
		{"formula as a picture", `<p>so <img class="math" alt="a+b"> is</p>`, "so a+b is\n"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, readMain(t, test.html)) })
	}
}

func TestBoilerplate(t *testing.T) {
	const kept = "<p>kept</p>"
	for name, html := range map[string]string{
		"script": "<script>alert('x')</script><style>p{}</style><noscript>on!</noscript>",
		"form": "<select><option>x</select><input " +
			"value=x><textarea>x</textarea><button>x</button>",
		"navigation": "<nav>x</nav><div role=navigation>x</div><footer>x</footer><ul " +
			"class=breadcrumb><li>x</ul>",
		"DocBook bars": `<div class="navheader">Prev Up Next</div><div class="navfooter">Prev</div>`,
		"Sphinx bars": `<div class="related">next</div><div class="sphinxsidebar">x</div><a ` +
			`class="headerlink" href="#a">¶</a>`,
		"its own headings": `<div class="contents local topic"><p>Contents</p><ul><li>x</ul></div>`,
		"hidden": `<p hidden>x</p><p style="display:none">x</p><p ` +
			`aria-hidden="true">x</p><template>x</template>`,
		"drawings and frames": "<svg><text>x</text></svg><iframe " +
			"src=x>x</iframe><canvas>x</canvas><video>x</video><object>x</object>",
		"links in a row": "<a rel=prev href=b>Back</a> <a rel=next href=c>On</a>",
		"Texinfo bar":    `<p>Next: <a href=b rel=next>x</a>, Up: <a href=c rel=up>y</a></p>`,
		"comment":        "<!-- x -->",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, "kept\n", readMain(t, html+kept))
			assert.Equal(t, "kept\n", readMain(t, kept+html))
		})
	}
}

func TestMainText(t *testing.T) {
	prose := strings.Repeat(
		"<p>The bridge was opened in spring, and many people came, though it rained all day.</p>", 8)
	const around = `<div class="menu2"><a href=/1>Home</a> <a href=/2>Shop</a></div>`
	for _, test := range []struct{ name, body string }{
		{"a news article", around + "<div id=story><h2>Bridge</h2>" + prose + "</div>" + around},
		{"main with code", around + "<main><h2>Bridge</h2>" + prose + "<pre>code</pre></main>" + around},
		{"the only article with code", around + "<article><h2>Bridge</h2>" + prose +
			"<pre>code</pre></article>" + around},
		{"an encyclopedia", around + `<main>` + around + `<div class="mw-parser-output"><h2>Bridge</h2>` +
			prose + "</div></main>"},
		{"Sphinx", around + `<div class="body" role="main"><h2>Bridge</h2>` + prose + "</div>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := page.Read(t.Context(), page.Raw{URL: "https://e.org/a", ContentType: "text/html",
				Body: []byte("<title>T</title>" + test.body)})
			require.NoError(t, err)
			assert.Equal(t, 8, strings.Count(doc.Markdown, "The bridge was opened"))
			assert.Contains(t, doc.Markdown, "## Bridge\n")
			assert.NotContains(t, doc.Markdown, "Shop")
			checkForm(t, doc.Markdown)
		})
	}
	t.Run("a short page is read as a whole", func(t *testing.T) {
		doc, err := page.Read(t.Context(), page.Raw{ContentType: "text/html",
			Body: []byte("<div>Open from <b>9 to 5</b></div><div>Closed on Sunday</div>")})
		require.NoError(t, err)
		assert.Equal(t, "Open from **9 to 5**\n\nClosed on Sunday\n", doc.Markdown)
	})
	t.Run("manual of a generator", func(t *testing.T) {
		doc, err := page.Read(t.Context(), page.Raw{URL: "/doc/x.html",
			Body: []byte(
				`<html><head><meta name="generator" content="DocBook XSL Stylesheets V1"><title>SELECT</title></head>
<body><div class="navheader"><a href="a.html">Prev</a></div><h2>SELECT</h2><p>retrieve <a href="rows.html">rows</a></p><pre class="synopsis">
SELECT <em><code>x</code></em>
</pre>` + prose + `<div class="navfooter">Next</div></body></html>`)})
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(doc.Markdown,
			"## SELECT\n\nretrieve [rows](rows.html)\n\n```\nSELECT x\n```\n\nThe bridge"), doc.Markdown)
		assert.NotContains(t, doc.Markdown, "Prev")
		assert.NotContains(t, doc.Markdown, "Next")
	})
}

func TestMetadata(t *testing.T) {
	for _, test := range []struct {
		name, html string
		want       page.Page
	}{
		{"title, language", `<html lang="zh_cn"><title> 标题
 </title><p>x`, page.Page{Title: "标题", Language: "zh-CN"}},
		{"title cut to the heading",
			`<title>Locks — Manual 15</title><main><h1>Locks<a class=headerlink ` +
				`href=#l>¶</a></h1><p>x</main>`, page.Page{Title: "Locks"}},
		{"title behind the site's name, under a banner of the site",
			`<title>Slurm Manager - slurm.conf</title><h1><a href="/" rel=home><span>Slurm Manager</span></a></h1>` +
				`<h1>slurm.conf</h1><p>x`, page.Page{Title: "slurm.conf"}},
		{"under a banner that leads up to the first page",
			`<title>Settings — Manual 3.2</title><h1><a href="../index.html">Manual 3.2</a></h1>` +
				`<h1>Settings</h1><p>x`, page.Page{Title: "Settings"}},
		{"a title that was left empty behind the site's name",
			`<title>Slurm Manager - </title><h1><a href="/">Slurm Manager</a></h1><h1>Accounting</h1><p>x`,
			page.Page{Title: "Accounting"}},
		{"a heading within the title's words", `<title>On Slurm, and how to stop</title><h1>stop</h1><p>x`,
			page.Page{Title: "On Slurm, and how to stop"}},
		{"title cut at the site",
			`<title>A long road | The Paper</title><meta property=og:site_name content="The Paper"><p>x`,
			page.Page{Title: "A long road", Author: "The Paper"}},
		{"title from the heading", `<h1>Only <b>this</b></h1><p>x`, page.Page{Title: "Only this"}},
		{"title of the open graph", `<title>x</title><meta property="og:title" content="Better"><p>x`,
			page.Page{Title: "Better"}},
		{"no title", `<p>x`, page.Page{Title: "a.html"}},
		{"meta",
			`<meta name=author content="A. Writer"><meta property="article:published_time" ` +
				`content="2024-05-06T07:08:09Z"><p>x`,
			page.Page{Title: "a.html", Author: "A. Writer", Published: "2024-05-06"}},
		{"author with an address",
			`<meta property=article:author content="https://f.com/x"><meta name=author content="B"><p>x`,
			page.Page{Title: "a.html", Author: "B"}},
		{"JSON-LD",
			`<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle",` +
				`"datePublished":"2023-01-02T00:00:00Z","author":[{"name":"C"},{"name":"D"}]}]}</script><p>x`,
			page.Page{Title: "a.html", Author: "C, D", Published: "2023-01-02"}},
		{"broken JSON-LD", `<script type="application/ld+json">{"datePublished":</script><p>x`,
			page.Page{Title: "a.html"}},
		{"time element", `<time itemprop=datePublished datetime="2022-03-04">x</time><p>x`,
			page.Page{Title: "a.html", Published: "2022-03-04"}},
		{"Chinese date", `<meta name=pubdate content="2021年3月4日"><p>x`,
			page.Page{Title: "a.html", Published: "2021-03-04"}},
		{"author by reference",
			`<script type="application/ld+json">{"@graph":[{"@type":"Article","headline":"A &amp; ` +
				`B","datePublished":"2023-01-02","inLanguage":"de-DE","author":{"@id":"#p"}},` +
				`{"@type":"Person","@id":"#p","name":"E. Writer"}]}</script><p>x`,
			page.Page{Title: "A & B", Author: "E. Writer", Published: "2023-01-02", Language: "de-DE"}},
		{"JSON-LD with line ends in strings",
			"<script type=\"application/ld+json\">//<![CDATA[\n" +
				"{\"datePublished\":\"2023-01-02\",\"description\":\"a\nb\"}\n//]]></script><p>x",
			page.Page{Title: "a.html", Published: "2023-01-02"}},
		{"time below the heading",
			`<time datetime="1999-01-01">x</time><h1>T</h1><time datetime="2022-03-04T05:06">x</time><p>x`,
			page.Page{Title: "T", Published: "2022-03-04"}},
		{"time of publishing",
			`<h1>T</h1><time class="entry-date published" datetime="2022-03-04">x</time><time ` +
				`class="updated" datetime="2023-01-01">y</time><p>x`,
			page.Page{Title: "T", Published: "2022-03-04"}},
		{"byline", `<h1>T</h1><div class="byline">By <a rel="author" href=/f>F. Writer</a></div><p>x`,
			page.Page{Title: "T", Author: "F. Writer"}},
		{"byline marked",
			`<h1>T</h1><span itemprop="author">G. Writer</span> <span itemprop=datePublished ` +
				`content="2020-02-03">3 Feb</span><p>x`,
			page.Page{Title: "T", Author: "G. Writer", Published: "2020-02-03"}},
		{"byline that is no name",
			`<h1>T</h1><div class="byline">Our team of seventeen reporters all over the country ` +
				`is there for ` +
				`you at any time of the day</div><p>x`, page.Page{Title: "T"}},
		{"Chinese byline",
			`<h1>标题</h1><div>发布时间：2024年3月1日 10:20　来源：新华网　作者：张三 编辑：李四</div><p>x`,
			page.Page{Title: "标题", Author: "张三", Published: "2024-03-01", Language: "zh"}},
		{"Chinese byline in parts",
			`<h1>标题</h1><span>作者：</span><span>王小明</span><i>发布日期:</i> <b>2024-3-1</b><p>x`,
			page.Page{Title: "标题", Author: "王小明", Published: "2024-03-01"}},
		{"version in this language",
			`<link rel=canonical href=/fr/a><link rel=alternate hreflang=en href=/en/a><link rel=alternate ` +
				`hreflang=fr-FR href=/fr/a><p>x`, page.Page{Title: "a.html", Language: "fr-FR"}},
		{"day in a byline", `<h1>T</h1><p class=info>11 Nov 2021</p><p>x`,
			page.Page{Title: "T", Published: "2021-11-11"}},
		{"day after a name", `<h1>T</h1><div>By A. Writer · 3rd of March, 2021 · 5 min read</div><p>x`,
			page.Page{Title: "T", Published: "2021-03-03"}},
		{"month first", `<h1>T</h1><span>Nov. 5, 2021</span><p>x`,
			page.Page{Title: "T", Published: "2021-11-05"}},
		{"published on", `<h1>T</h1><p>Published on 11 November 2021 by A. Writer</p><p>x`,
			page.Page{Title: "T", Published: "2021-11-11"}},
		{"label apart", `<h1>T</h1><b>Published:</b> <i>2 May 2020</i><p>x`,
			page.Page{Title: "T", Published: "2020-05-02"}},
		{"last updated", `<h1>T</h1><p>Last updated: 11 Nov 2021</p><p>x`,
			page.Page{Title: "T", Published: "2021-11-11"}},
		{"last updated apart", `<h1>T</h1><b>Updated</b> <time datetime=2021-11-11>x</time><p>x`,
			page.Page{Title: "T", Published: "2021-11-11"}},
		{"last modified at the foot, after many texts", `<h1>T</h1>` + strings.Repeat("<p>x", 200) +
			`<p><small><i>This page last modified on  <a href=/h>2022-02-12 01:02:03</a> UTC</i></small>`,
			page.Page{Title: "T", Published: "2022-02-12"}},
		{"the day of a build",
			`<script src="../_static/doctools.js?v=9a2"></script><h1>T</h1><p>x<h3>Last update:</h3>` +
				`<p class=topless>Nov 11, 2026</p>`, page.Page{Title: "T"}},
		{"the day of a file",
			`<meta name="generator" content="AsciiDoc 10.2.0"><h1>T</h1><p>x<div id=footer-text>` +
				`Last updated 2024-05-31 00:35:55 UTC</div>`, page.Page{Title: "T"}},
		{"a list that was updated", `<h1>T</h1><p>x<p>The list of members was updated on 3 May 2020`,
			page.Page{Title: "T"}},
		{"several last changes",
			`<h1>T</h1><p>a, last updated 3 May 2020</p><p>b, last updated 4 May 2020</p>`,
			page.Page{Title: "T"}},
		{"last change in the metadata",
			`<meta property=article:modified_time content="2024-05-06T07:08:09Z"><h1>T</h1><p>x`,
			page.Page{Title: "T", Published: "2024-05-06"}},
		{"last change in JSON-LD",
			`<script ` +
				`type="application/ld+json">{"@type":"WebPage","dateModified":"2023-01-02"}</script><h1>` +
				`T</h1><p>x`, page.Page{Title: "T", Published: "2023-01-02"}},
		{"a release in a sentence",
			`<h1>T</h1><p>As of <a href=/3>version 3.37.0</a> (2021-11-27), this is done otherwise than it ` +
				`was.</p>`, page.Page{Title: "T"}},
		{"an incident",
			`<h1>T</h1><p>x<p>One example of this occurred <b>2013-08-30</b> on the ` +
				`canonical repository</p><p>` + strings.Repeat("It was long ago. ", 20) +
				`<i>2013-10-01</i></p>`, page.Page{Title: "T"}},
		{"a time in a sentence",
			`<h1>T</h1><p>The bridge fell on <time datetime=2013-08-30>that day</time>, and many ` +
				`people came ` +
				`to see it.</p>`, page.Page{Title: "T"}},
		{"a release as heading", `<h1>T</h1><h3>2022-12-28 (3.40.1)</h3><p>x`, page.Page{Title: "T"}},
		{"published and updated", `<h1>T</h1><p>Updated 5 Dec 2022</p><p>Posted: 11.12.2021</p><p>x`,
			page.Page{Title: "T", Published: "2021-12-11"}},
		{"Chinese day", `<h1>标题</h1><p>日期：2025年9月14日</p><p>x`,
			page.Page{Title: "标题", Published: "2025-09-14"}},
		{"Chinese creation", `<h1>标题</h1><p>创建日期 2026-01-30</p><p>x`,
			page.Page{Title: "标题", Published: "2026-01-30"}},
		{"Chinese change", `<h1>标题</h1><p>正文</p><p>最后修改时间 2025年1月3日</p><p>x`,
			page.Page{Title: "标题", Published: "2025-01-03"}},
		{"two Chinese changes",
			`<h1>标题</h1><p>更新日期：2026-01-30</p><p>最后修改时间 2025年1月3日</p><p>x`,
			page.Page{Title: "标题"}},
		{"Chinese change of another thing", `<h1>标题</h1><p>该名单已于昨天重新更新 2026-01-30</p><p>x`,
			page.Page{Title: "标题"}},
		{"German", `<h1>T</h1><p>Veröffentlicht am 3. März 2021</p><p>x`,
			page.Page{Title: "T", Published: "2021-03-03"}},
		{"day of an event",
			`<h1>T</h1><p>The bridge was opened on 3 May 2020 by the queen, who came late.</p><p>It ` +
				`was published on 4 May 2020 in Nature.</p>`, page.Page{Title: "T"}},
		{"days of an event", `<h1>T</h1><p>3 May 2020 – 5 May 2020</p><p>x`, page.Page{Title: "T"}},
		{"copyright", `<h1>T</h1><p>© 3 May 2020 The Bridge</p><p>x`, page.Page{Title: "T"}},
		{"publisher",
			`<script type="application/ld+json">{"@type":"Article","datePublished":"2023-01-02",` +
				`"publisher":{"@type":"Organization","name":"The Press"}}</script><p>x`,
			page.Page{Title: "a.html", Author: "The Press", Published: "2023-01-02"}},
		{"author before site",
			`<meta property=og:site_name content="The Paper"><meta name=author content="A. ` +
				`Writer"><h1>T</h1><p>x`, page.Page{Title: "T", Author: "A. Writer"}},
		{"date after a day of the week",
			`<meta property="article:published_time" content="Di., 25.01.2022 - 14:45"><p>x`,
			page.Page{Title: "a.html", Published: "2022-01-25"}},
		{"author with an entity",
			`<script type="application/ld+json">{"datePublished":"2023-01-02",` +
				`"author":{"name":["Redacci&oacute;n"]}}</script><p>x`,
			page.Page{Title: "a.html", Author: "Redacción", Published: "2023-01-02"}},
		{"no date at all", `<meta name=date content="yesterday"><html lang="not a tag"><p>x`,
			page.Page{Title: "a.html"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := page.Read(t.Context(), page.Raw{URL: "https://e.org/d/a.html",
				ContentType: "text/html; charset=utf-8", Body: []byte(test.html)})
			require.NoError(t, err)
			test.want.Type, test.want.Markdown = "html", doc.Markdown
			assert.Equal(t, test.want, doc)
		})
	}
}

func TestLanguageThatTheTextContradicts(t *testing.T) {
	const chinese = "<p>这是一篇关于长江大桥的文章，讲述了大桥在春天开放时的情景，许多人冒雨前来参观。</p>"
	for _, test := range []struct{ name, html, want string }{
		{"a template in English", `<html lang="en">` + chinese, "zh"},
		{"none declared", chinese, "zh"},
		{"declared more closely", `<html lang="zh-TW">` + chinese, "zh-TW"},
		{"Japanese",
			`<html lang="en"><p>この橋は春に開通し、雨の中を多くの人が訪れました。とても長い橋です。`, "ja"},
		{"English about Chinese",
			`<html lang="en"><p>The word 长江大桥 names the bridge over the Yangtze, which was ` +
				`opened in spring.`, "en"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := page.Read(t.Context(),
				page.Raw{ContentType: "text/html; charset=utf-8", Body: []byte(test.html)})
			require.NoError(t, err)
			assert.Equal(t, test.want, doc.Language)
		})
	}
}

func TestTitleStandsOnce(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"added", "<title>T</title><p>x", "# T\n\nx\n"},
		{"there as a heading", "<title>T</title><h1>T</h1><p>x", "# T\n\nx\n"},
		{"there as a lower heading", "<title>T</title><h2>T</h2><p>x", "## T\n\nx\n"},
		{"there with code", "<title>The f()</title><h3>The <code>f()</code></h3><p>x",
			"### The `f()`\n\nx\n"},
		{"another heading of the first level", "<title>T</title><h1>U</h1><p>x", "# U\n\nx\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := page.Read(t.Context(), page.Raw{ContentType: "text/html", Body: []byte(test.html)})
			require.NoError(t, err)
			assert.Equal(t, test.want, doc.Markdown)
		})
	}
}

// A manual page that was made for a terminal has its name as title, and no word in two.
func TestAManualPageInPlainText(t *testing.T) {
	const manual = "TAR(1)        GNU TAR Manual        TAR(1)\n\nNAME\n       tar - an archiving util‐\n" +
		"       ity of the GNU pro‐\n       ject\n\n       a well-\n       known one\n"
	p, err := page.Read(t.Context(), page.Raw{URL: "tar.txt", Body: []byte(manual)})
	require.NoError(t, err)
	assert.Equal(t, "TAR(1)", p.Title)
	assert.Contains(t, p.Markdown, "an archiving utility of the GNU project")
	assert.Contains(t, p.Markdown, "well-\n")
}

// The entries of a manual's functions have a heading "Types" each, by its tag above the functions' own.
func TestAHeadingThatRecursInsideOfDeeperOnesIsPartOfThem(t *testing.T) {
	var functions strings.Builder
	for _, name := range []string{"raise", "lower", "furl"} {
		fmt.Fprintf(&functions, "<h4>%s(Sail)</h4><h3>Types</h3><p>Sail = name()</p><p>To %[1]s one.</p>",
			name)
	}
	got := readMain(t, "<h3>Exports</h3>"+functions.String()+"<h3>Authors</h3><p>Two.</p>")
	assert.Contains(t, got, "### Exports\n\n#### raise(Sail)\n\n##### Types\n")
	assert.Contains(t, got, "\n### Authors\n", "the control: it stands once")
}

// A manual may mark the entry of one command as its article, and have all options beside it.
func TestAnArticleThatIsOneEntryOfAPageIsNotItsText(t *testing.T) {
	options := strings.Repeat("<dt>+X</dt><dd><p>Sets how many sails may be up at once, before the crew "+
		"refuses.</p></dd>", 40)
	got, err := read(t, "<h1>sail</h1><div><article>"+
		"<p>Starts the boat, and prints what it carries to the screen.</p><pre>sail +X 2</pre></article>"+
		"</div><section><h3>Flags</h3><dl>"+options+"</dl></section>")
	require.NoError(t, err)
	assert.Contains(t, got.Markdown, "Sets how many sails may be up")
	assert.Contains(t, got.Markdown, "Starts the boat")
}
