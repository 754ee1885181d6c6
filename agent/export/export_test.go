package export_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// page exports a report with the sources s1, s2 and s3.
func page(t testing.TB, markdown string) string {
	t.Helper()
	out, err := export.HTML(context.Background(), export.Report{Question: "What is so?", Text: markdown,
		Written: day(2026, 11, 3), Sources: sources()})
	require.NoError(t, err)
	return string(out)
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
}

func sources() []workspace.Source {
	return []workspace.Source{
		{ID: "s1", URL: "https://example.org/one", Title: `One "first" page`, Fetched: day(2026, 1, 2)},
		{ID: "s2", URL: "doc:notes/two.md", Title: "Two", Fetched: day(2026, 1, 3)},
		{ID: "s3", URL: "https://example.org/three", Title: "Three", Fetched: day(2026, 1, 4)},
	}
}

// main is what stands in a page's main element.
func mainOf(t testing.TB, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "<main>")
	require.True(t, ok)
	body, _, ok := strings.Cut(rest, "</main>")
	require.True(t, ok)
	return body
}

func TestMarkdown(t *testing.T) {
	for _, test := range []struct{ name, markdown, want string }{
		{"bold before Chinese", "**重要：**文字", `<p><strong>重要：</strong>文字</p>`},
		{"bold quotation in Chinese", "所谓**“先写”**原则", `<p>所谓<strong>“先写”</strong>原则</p>`},
		{"bold in English", "a **b** c*d*e 2 * 3 * 4", `<p>a <strong>b</strong> c<em>d</em>e 2 * 3 * 4</p>`},
		{"lines of Chinese", "第一行\n第二行", `<p>第一行第二行</p>`},
		{"tasks", "- [x] done\n- [ ] open",
			"<li><span class=\"box\">☑</span> done</li>\n<li><span class=\"box\">☐</span> open</li>"},
		{"table", "|a|b|\n|:-|-:|\n|1|2|", "<td align=\"left\">1</td>\n<td align=\"right\">2</td>"},
		{"code", "```go\na < b\n```", `<pre><code class="language-go">a &lt; b`},
		{"citation in code", "`a[s1]`", `<p><code>a[s1]</code></p>`},
		{"struck out", "~~a~~", "<del>a</del>"},
		{"footnote", "a[^n]\n\n[^n]: note",
			`<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup>`},
		{"footnote itself", "a[^n]\n\n[^n]: note", `<li id="fn:1">`},
		{"heading", "x\n\n## 结论 and More!", `<h2 id="结论-and-more">`},
		{"heading again", "x\n\n## 结论\n\n## 结论", `<h2 id="结论-2">`},
		{"heading of signs", "x\n\n## ?!", `<h2 id="section">`},
		{"heading with an id", "x\n\n## A {#own}", `<h2 id="own">`},
		{"heading with an id of the program's", "x\n\n## A {#ref:s1}", `<h2>A</h2>`},
		{"image", "![a *b*](https://x.test/i.png)",
			`<p><span class="image">a b (https://x.test/i.png)</span></p>`},
		{"image by reference", "![a][r]\n\n[r]: https://x.test/i.png",
			`<p><span class="image">a (https://x.test/i.png)</span></p>`},
		{"line break in a cell", "|a|\n|-|\n|b<br>c|", "<td>b<br>c</td>"},
		{"formula", "H<sub>2</sub>O", "<p>H<sub>2</sub>O</p>"},
		{"HTML is text", "a <b onclick=x>c</b>", "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>"},
		{"a block of HTML is text", "<div>\nx\n</div>",
			"<pre><code>&lt;div&gt;\nx\n&lt;/div&gt;</code></pre>"},
		{"comment", "a\n\n<!-- note -->\n\nb <!-- c -->", "<p>a</p>\n<p>b </p>"},
		{"link", "[a](https://x.test/?b=1&c=2)",
			`<a class="words" href="https://x.test/?b=1&amp;c=2" rel="noreferrer noopener nofollow">a</a>`},
		{"bare address", "see https://x.test/a.",
			`<a href="https://x.test/a" rel="noreferrer noopener nofollow">https://x.test/a</a>.`},
		{"link in the page", "[a](#b)", `<a href="#b">a</a>`},
		{"link to a file", "[a](Notebook/01.md)", "<p>a</p>"},
		{"link to another scheme", "[a](javascript:x) <mailto:a@b.test> [c](//x.test)",
			"<p>a mailto:a@b.test c</p>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := page(t, test.markdown)
			assert.Contains(t, mainOf(t, got), test.want)
			assertHarmless(t, got)
		})
	}
}

func TestCitations(t *testing.T) {
	first := `<a class="cite" id="cite:s1:1" href="#ref:s1" title="One &#34;first&#34; page">s1</a>`
	for _, test := range []struct{ name, markdown, want string }{
		{"one", "So [s1].", "So [" + first + "]."},
		{"two", "So [s1, s3].", "[" + first +
			`, <a class="cite" id="cite:s3:1" href="#ref:s3" title="Three">s3</a>]`},
		{"Chinese comma", "是[s1，s3]。", "[" + first + "，<a "},
		{"side by side", "So [s1][s3].", "[" + first + "][<a "},
		{"a link to the file", "So [s1](Sources/s01.md).", "So [" + first + "]."},
		{"in a link to the web", "[as [s1] says](https://x.test)", `nofollow">as [s1] says</a>`},
		{"a link to the web", "[s1](https://x.test)", `nofollow">s1</a>`},
		{"never read", "So [s99].", `So [<span class="unread">s99</span>].`},
		{"no citation", "[s01] [s1-2] [x] [s1, of whom 9 died] （s1）",
			"<p>[s01] [s1-2] [x] [s1, of whom 9 died] （s1）</p>"},
		{"a capital", "So [S1].", "So [" + first + "]."},
		{"with a place", "So [s1, p. 4].", "So [" + first + ", p. 4]."},
		{"again", "A [s1]. B [s1].", `id="cite:s1:2" href="#ref:s1"`},
		{"in a table", "|a|\n|-|\n|b [s1]|", "<td>b [" + first + "]</td>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Contains(t, mainOf(t, page(t, test.markdown)), test.want)
		})
	}
}

func TestReferences(t *testing.T) {
	own := "# T\n\nA [s1]. B [s3, s1]. C [s2].\n\n## References {#references}\n\n| Id | Title | Link |\n" +
		"|-|-|-|\n" +
		"| [s1](Sources/s01.md) | One | [open](https://example.org/one#:~:text=a%20b) |\n" +
		"| s3 | Three \\| or not | <https://example.org/three> |\n| | no id | |\n"
	got := mainOf(t, page(t, own))
	assert.Contains(t, got, `<table class="references">`)
	assert.Contains(t, got,
		`<td><span class="row" id="ref:s1">s1</span> <a class="back" href="#cite:s1:1" title="Back `+
			`to the text">↩</a></td>`)
	assert.Contains(t, got,
		`<td><span class="row" id="ref:s3">s3</span> <a class="back" href="#cite:s3:1" title="Back `+
			`to the text">↩</a></td>`)
	assert.Contains(t, got,
		`<td><a class="words" href="https://example.org/one#:~:text=a%20b" rel="noreferrer noopener `+
			`nofollow">open</a></td>`, "paper shows its address")
	assert.Contains(t, got, "<h2>Also cited</h2>", "s2 is cited and not listed")
	assert.Contains(t, got,
		`<li><span class="row" id="ref:s2">s2</span> Two · <code>notes/two.md</code> · read 3 January `+
			`2026 <a class="back" href="#cite:s2:1" title="Back to the text">↩</a></li>`)

	none := mainOf(t, page(t, "的确如此，这是一个中文的报告[s1]。"))
	assert.Contains(t, none, `<h2 id="references">参考文献</h2>`)
	assert.Contains(t, none,
		`<a href="https://example.org/one" rel="noreferrer noopener nofollow">https://example.org/one</a> · `+
			`阅读于 2026年1月2日 <a class="back" href="#cite:s1:1" title="回到正文">↩</a></li>`)
	assert.NotContains(t, mainOf(t, page(t, "Nothing is cited.")), "references")
	assert.Contains(t, mainOf(t, page(t, "# 怎样清理？\n\n的确如此[s1]。\n\n```\n# losetup -f -v disk.img\n"+
		"# mount -t auto -o loop disk.img old\n```\n")), `<h2 id="references">参考文献</h2>`, "comments in code are no headings")
}

// TestACitationOpensAtItsPassage goes from a workspace to the page: what the program wrote under the report
// is listed once, and a citation of a block shows its passage and opens the source there.
func TestACitationOpensAtItsPassage(t *testing.T) {
	w, err := workspace.Open(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	_, err = w.AddSource(workspace.Source{URL: "https://a.example/tides", Title: "Tides", Type: "html",
		Fetched: day(2026, 1, 2)},
		"# Tides\n\nThe moon pulls.\n\nThe sea rises twice a day, says \"the keeper\" & his wife.\n")
	require.NoError(t, err)
	_, err = w.AddSource(workspace.Source{URL: "doc:notes/mine.md", Title: "Mine", Type: "markdown",
		Fetched: day(2026, 1, 2)}, "It rises slowly here.\n")
	require.NoError(t, err)
	body := "# R\n\nIt rises [s1.2] [s2.1], all agree [s1] [s1.9].\n"
	_, err = w.Overwrite(workspace.ReportFile, body+"\n"+
		citation.Read(t.Context(), body).References(citation.Of(w), prose.English))
	require.NoError(t, err)
	report, err := export.Load(w)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	html, err := export.HTML(t.Context(), report)
	require.NoError(t, err)
	got := mainOf(t, string(html))
	passage := `The sea rises twice a day, says &#34;the keeper&#34; &amp; his wife.`
	assert.Contains(t, got, "<p>It <span class=\"glue\">rises<sup class=\"cite\">\u2060"+
		`<button type="button" id="cite:s1:1" popovertarget="card:1:1">1</button>`+
		`<span class="card" id="card:1:1" popover="auto">`+passage+
		` <span class="from">— <a href="https://a.example/tides#:~:text=The%20sea%20rises%20twice`)
	assert.Contains(t, got, `nofollow">s1.2, Tides</a></span></span></sup><sup>,</sup><sup class="cite">`)
	assert.Contains(t, got,
		`popovertarget="card:2:1">2</button><span class="card" id="card:2:1" popover="auto">It rises slowly `+
			`here. <span class="from">— s2.1, Mine</span></span></sup></span>, all agree [`)
	assert.Contains(t, got, `href="#ref:s1" title="Tides">s1</a>`)
	assert.Contains(t, got, `href="#ref:s1" title="Tides">s1.9</a>`,
		"a block that the source has not leads to the source")
	assert.Contains(t, got, `<li id="note:1">`+passage, "paper has the passages at its end")
	assert.Contains(t, got, `<li id="note:2">It rises slowly here.`)
	assert.Equal(t, 1, strings.Count(got, `<h2 id="references">References</h2>`))
	assert.Equal(t, 1, strings.Count(got, `id="ref:s1"`))
	assert.NotContains(t, got, "Sources/s01")
}

// Each place that a page links to within itself is there, once.
func TestLinksWithinThePageLeadSomewhere(t *testing.T) {
	long := strings.Repeat("## 结论\n\nWords of a report that is long enough [s1], [s2, s3], [s2].\n\n", 100)
	ids, wanted := map[string]int{}, map[string]bool{}
	for n := range parsed(t, page(t, "# T\n\n"+long+"a[^1]\n\n[^1]: b\n")).Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				ids[a.Val]++
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				wanted[unescaped(t, a.Val[1:])] = true
			}
		}
	}
	require.Greater(t, len(wanted), 100)
	for id := range wanted {
		assert.Equal(t, 1, ids[id], id)
	}
	for id, n := range ids {
		assert.Equal(t, 1, n, id)
	}
}

func TestTitleBlock(t *testing.T) {
	for _, test := range []struct {
		name, question, markdown string
		want, not                []string
	}{
		{"title and question", "Why?", "# The `answer` [s1]\n\nIt is [s1].",
			[]string{"<title>The answer</title>", "<h1>The answer</h1>", "<b>Question</b> Why?",
				`<time datetime="2026-11-03">3 November 2026</time>`, "Sources: 3 read, 1 cited",
				`lang="en"`}, []string{`<h1 id=`}},
		{"no title", "Why is it so?", "It is.", []string{"<h1>Why is it so?</h1>"}, []string{"<b>Question"}},
		{"the title is the question", "Why?", "# Why?\n\nSo.", []string{"<h1>Why?</h1>"},
			[]string{"<b>Question"}},
		{"neither", "", "So it is.", []string{"<h1>Report</h1>"}, []string{"<b>Question"}},
		{"Chinese", "为什么？", "# 答案\n\n这是我们的答案[s1]。",
			[]string{`lang="zh-CN"`, "<b>问题</b> 为什么？", "读过 3 个来源，引用 1 个",
				`<time datetime="2026-11-03">2026年11月3日</time>`}, nil},
		{"traditional Chinese", "", "# 答案\n\n這是我們的答案。", []string{`lang="zh-TW"`}, nil},
		{"Japanese", "", "これはとても長い文章です。これはとても長い文章です。", []string{`lang="ja"`}, nil},
		{"Korean", "", "이것은 긴 문장입니다.", []string{`lang="ko"`}, nil},
		{"another language", "", "Das hier ist ein deutscher Satz ohne Zweifel und Tadel.",
			[]string{"<html>"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := export.HTML(context.Background(), export.Report{Question: test.question,
				Text: test.markdown, Written: day(2026, 11, 3), Sources: sources()})
			require.NoError(t, err)
			for _, want := range test.want {
				assert.Contains(t, string(out), want)
			}
			for _, not := range test.not {
				assert.NotContains(t, string(out), not)
			}
		})
	}
}

func TestContents(t *testing.T) {
	words := strings.Repeat("word ", 300)
	long := "# T\n\n## One\n\n" + words + "\n\n### Part [s1]\n\n" + words + "\n\n## 结论\n\n" + words +
		"\n\n#### Deep\n\n## Four\n"
	assert.Contains(t, page(t, long), `<li class="level2"><a href="#one">One</a></li>
<li class="level3"><a href="#part-s1">Part</a></li>
<li class="level2"><a href="#%e7%bb%93%e8%ae%ba">结论</a></li>
<li class="level2"><a href="#four">Four</a></li>
<li class="level2"><a href="#references">References</a></li>`)
	assert.NotContains(t, page(t, "# T\n\n## A\n\n## B\n\n## C\n\n## D\n\n## E\n\nshort"), "<nav")
	assert.Contains(t, page(t, "# 题\n\n## 甲\n\n## 乙\n\n## 丙\n\n## 丁\n\n## 戊\n\n## 己\n\n短"),
		`<h2 id="toc:title">目录</h2>`)
	answer := "# T\n\nThe answer [s1].\n\n" + strings.TrimPrefix(long, "# T\n\n")
	assert.Regexp(t, `(?s)<section class="lead">\s*<p>The answer .*</section>\s*<nav.*</nav>\s*<h2 id="one">`,
		page(t, answer), "the answer is before the contents")
	summary := "# T\n\n## Summary\n\nThe answer.\n\n" + strings.TrimPrefix(long, "# T\n\n")
	assert.Regexp(t,
		`(?s)<section class="lead">\s*<h2 id="summary">.*</section>\s*<nav.*</nav>\s*<h2 id="one">`,
		page(t, summary), "also under a heading")
	warned := "# T\n\nNo document holds: x.\n\n" + strings.TrimPrefix(summary, "# T\n\n")
	assert.Regexp(t,
		`(?s)<section class="lead">\s*<p>No document holds.*<h2 id="summary">.*</section>\s*<nav.*</nav>\s*<h2 id="one">`,
		page(t, warned), "whatever is above it")
	parts := "# T\n\n## Summary\n\n### From a.md\n\nThe answer.\n\n### From b.md\n\nMore.\n\n" +
		strings.TrimPrefix(long, "# T\n\n")
	assert.Regexp(t, `(?s)<section class="lead">\s*<h2 id="summary">.*More\..*</section>\s*<nav.*</nav>\s*<h2 id="one">`,
		page(t, parts), "with all of its short parts")
	assert.Regexp(t, `(?s)The answer\..*</section>\s*<nav.*</nav>\s*<h3 id="from-bmd">`,
		page(t, strings.Replace(parts, "More.", words+words+words, 1)), "or as many of them as are short")
	assert.Regexp(t, `(?s)<main>\s*<nav`, page(t, strings.Replace(long, words, words+words, 1)),
		"a long first section is no answer")
	assert.Regexp(t, `(?s)<main>\s*<nav`, page(t, long), "a chapter is none either")
	brief := "# T\n\n## In a word\n\nYes.\n\n" + strings.TrimPrefix(long, "# T\n\n")
	assert.Regexp(t, `(?s)<section class="lead">\s*<h2 id="in-a-word">.*</section>\s*<nav.*</nav>\s*<h2 id="one">`,
		page(t, brief), "a short one is")
	many := page(t, words+words+words+"\n\n"+strings.Repeat("## A\n\n### B\n\n", 30))
	assert.Equal(t, 30, strings.Count(many, `<li class="level`),
		"the third level is left out of a long table")
}

// A Chinese report names the passages that it cites as Chinese does.
func TestAPassageIsNamedAsItsLanguageDoes(t *testing.T) {
	links := map[workspace.Ref]citation.Link{
		{ID: "s2", Block: 1}: {Passage: "标准是五百元。", Place: "p. 2 › 第二章"}}
	for text, want := range map[string]string{
		"# 答案\n\n住宿费的标准是五百元 [s2.1]。\n":             "——s2.1，《Two》，第 2 页 › 第二章</span>",
		"# Answer\n\nIt is five hundred [s2.1].\n": "— s2.1, Two, p. 2 › 第二章</span>",
	} {
		out, err := export.HTML(t.Context(), export.Report{Text: text, Written: day(2026, 11, 3),
			Sources: sources(), Links: links})
		require.NoError(t, err)
		// the address of a source on the web is around its name
		assert.Contains(t, regexp.MustCompile(`</?a[^>]*>`).ReplaceAllString(string(out), ""),
			"标准是五百元。 <span class=\"from\">"+want)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir)
	_, err := export.Load(w)
	require.ErrorIs(t, err, export.ErrNoReport)
	write(t, dir, "report.md", " \n")
	_, err = export.Load(w)
	require.ErrorIs(t, err, export.ErrNoReport)

	write(t, dir, "report.md", "\ufeff# T\r\n\r\nA [s2]. \xff\n")
	write(t, dir, "overall_dashboard.md", "## Question {#question}\n\n**Question:** Why?\nMore.\n")
	write(t, dir, "Sources/s01-a.md",
		"---\nid: s1\nurl: https://x.test/1\ntitle: A\nfetched: 2026-01-02T00:00:00Z\n---\n\nx\n")
	write(t, dir, "Sources/s02-b.md",
		"---\nid: s2\nurl: https://x.test/2\ntitle: B\nfetched: 2026-01-02T00:00:00Z\n---\n\nx\n")
	r, err := export.Load(w)
	require.NoError(t, err)
	assert.Equal(t, "Why?", r.Question)
	assert.Equal(t, "# T\n\nA [s2]. \ufffd\n", r.Text)
	assert.Len(t, r.Sources, 2)
	require.Len(t, r.Cited(), 1)
	assert.Equal(t, "s2", r.Cited()[0].ID)
	assert.False(t, r.Written.IsZero())

	write(t, dir, "report.md", strings.Repeat("a", export.MaxReport+1))
	_, err = export.Load(w)
	require.ErrorContains(t, err, "larger than 32 MiB")
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	save := func(data string) error {
		path, err := export.Save(dir, "report.html", "", []byte(data))
		if err == nil {
			assert.Equal(t, filepath.Join(dir, "report.html"), path)
			assert.Equal(t, data, read(t, path))
		}
		return err
	}
	require.NoError(t, save("one"))
	require.NoError(t, save("two"), "an export of ours is replaced")
	write(t, dir, "report.html", "mine")
	require.ErrorIs(t, save("three"), fs.ErrExist)
	assert.Equal(t, "mine", read(t, filepath.Join(dir, "report.html")))
	require.NoError(t, save("mine"), "the same text hurts nobody")
	write(t, dir, ".daybook/exports.json", "{")
	require.ErrorIs(t, save("four"), fs.ErrExist, "what is not on record is not ours")
	require.NoError(t, os.Remove(filepath.Join(dir, "report.html")))
	require.NoError(t, save("five"))

	_, err := export.Save("", "", dir, nil)
	require.ErrorContains(t, err, "no file that can be replaced")
	_, err = export.Save("", "", filepath.Join(dir, "report.html"), []byte("six"))
	require.NoError(t, err, "who names a file means it")
	left, err := filepath.Glob(filepath.Join(dir, ".daybook-tmp-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func open(t *testing.T, dir string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	return w
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func parsed(t testing.TB, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	return doc
}

// A block quote that begins with a mark of GitHub's is a box without the mark; one that only has it inside is
// none.
func TestAlerts(t *testing.T) {
	for markdown, want := range map[string]string{
		"> [!WARNING]\n> **Not sound.**\n>\n> - line 3": `<blockquote class="alert"><p><strong>Not sound.</strong></p>`,
		"> [!NOTE]\n>\n> So.":                           `<blockquote class="alert"><p>So.</p>`,
		"> So says [!NOTE].":                            "<blockquote>\n<p>So says [!NOTE].</p>",
	} {
		assert.Contains(t, page(t, "# R\n\n"+markdown), want)
	}
}

// A number of a note stays on the line of its word, and long names in code break where they have parts.
func TestNumbersStayWithTheirWords(t *testing.T) {
	links := map[workspace.Ref]citation.Link{{ID: "s1", Block: 1}: {Passage: "So."},
		{ID: "s1", Block: 2}: {Passage: "And so."}}
	for markdown, want := range map[string]string{
		"The sea rises [s1.1] [s1.2].": `The sea ` +
			`<span class="glue">rises<sup>1</sup><sup>,</sup><sup>2</sup></span>.`,
		"海水每天上涨 " +
			"[s1.1]。": `海水每天上<span class="glue">涨<sup>1</sup></span>。`,
		"A &amp;b\\* [s1.1]": `A <span class="glue">&amp;b*<sup>1</sup></span>`,
		"So `max_size` " +
			"[s1.1] **a** [s1.2]": `So <code>max_<wbr>size</code><sup>1</sup> <strong>a</strong><sup>2</sup>`,
		"[s1.1] So": `<sup>1</sup> So`,
		"`a_b<c.d`": `<code>a_<wbr>b&lt;c.<wbr>d</code>`,
		"At " + strings.Repeat("x", 50) + " [s1.1]": "At " + strings.Repeat("x", 50) +
			`<span class="glue"><sup>1</sup></span>`,
	} {
		out, err := export.HTML(context.Background(),
			export.Report{Text: "# R\n\n" + markdown, Sources: sources(), Links: links})
		require.NoError(t, err)
		got := regexp.MustCompile(`<sup class="cite">[^<]*<button[^>]*>(\d)</button>.*?</span></span></sup>`).
			ReplaceAllString(string(out), "<sup>$1</sup>")
		assert.Contains(t, got, "<p>"+want+"</p>", markdown)
	}
}
