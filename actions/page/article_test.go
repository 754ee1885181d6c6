package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What surrounds an article and what interrupts it is left out; what belongs to it and stands apart is kept.
func TestArticle(t *testing.T) {
	text := strings.Repeat(prose, 6)
	for _, test := range []struct {
		name, html string
		keeps      []string
		drops      []string
	}{
		{"a lead set apart",
			`<div class=wrap><header><h1>A bridge opens</h1><p class=lead>After nine years of work ` +
				`the bridge over the river is open, and it is longer than any other.</p><span ` +
				`class=byline>By A. Writer</span></header><div class=body>` + text + `</div></div>`,
			[]string{"After nine years"}, []string{"By A. Writer"}},
		{"a lead called a teaser",
			`<div class=wrap><h1>A bridge opens</h1><div class="teaser-text"><p>After nine years ` +
				`of work the ` +
				`bridge over the river is open, and it is longer than any other.</p></div><div class=body>` +
				text + `</div></div>`,
			[]string{"After nine years"}, nil},
		{"menus", `<div><ul><li><a href=/a>Politics</a><li><a href=/b>Sport</a></ul><div id=story>` + text +
			`</div><div><a href=/c>Weather</a></div></div>`, nil, []string{"Politics", "Weather"}},
		{"comments longer than the text", `<article><h1>A bridge opens</h1>` + text +
			`</article><div id="comments">` +
			strings.Repeat("<div class=comment-body><p>I was there myself, and I tell you that "+
				"it was quite another thing than what you write here, friends.</p></div>", 12) + `</div>`,
			nil, []string{"I was there myself"}},
		{"share bars, newsletters and cookies", `<article>` + text +
			`<div class="share-bar"><a href=x>Tweet</a></div><div class="newsletterBox"><p>Get ` +
			`our letter every morning, with all that you need to know about bridges and about much ` +
			`else.</p></div><div id="cookie_notice">We use cookies</div></article>`,
			nil, []string{"Tweet", "every morning", "cookies"}},
		{"a list of related articles with its heading", `<article>` + text +
			`<h3>More on this</h3><ul><li><a href=/1>Another bridge is built</a><li><a href=/2>The ` +
			`old bridge falls</a></ul></article>`,
			nil, []string{"More on this", "Another bridge"}},
		{"a teaser between paragraphs", `<article>` + text +
			`<p><a href="/other">Read also: the old bridge falls</a></p>` + text + `</article>`,
			nil, []string{"old bridge falls"}},
		{"links that lead on", `<article>` + text +
			`<p><a href="https://other.example/study">The study on bridges</a></p><p><a ` +
			`href="/files/plan.pdf">The plan of the bridge</a></p></article>`,
			[]string{"The study on bridges", "The plan of the bridge"}, nil},
		{"captions", `<article>` + text +
			`<figure><img src=x><figcaption>The bridge at night</figcaption></figure><table><caption>` +
			`Lengths</caption><tr><th>a<th>b<tr><td>c<td>d</table></article>`,
			[]string{"The bridge at night", "Lengths", "| c | d |"}, nil},
		{"short lists of its own", `<article>` + text +
			`<h2>Ingredients</h2><ul><li>200 g of flour<li>2 eggs</ul>` + text + `</article>`,
			[]string{"## Ingredients", "- 200 g of flour"}, nil},
		{"parts side by side", `<div id=all><div class=part>` + text + text + text + text +
			`</div><div class=part><p>And in the end all went home, wet as they were, and told ` +
			`their children of the bridge and of the rain.</p></div></div>`,
			[]string{"And in the end"}, nil},
		{"a page that is all called by a word for clutter", `<body><div class="layout-with-promo">` + text +
			`</div></body>`, []string{"The bridge was opened"}, nil},
		{"an interview in Chinese",
			`<div class=nav2><a href=/>首页</a></div><div class=c><h1>大桥开放</h1><p>` +
				strings.Repeat("大桥于春天开放，许多人冒雨前来参观，记者在现场采访了他们。", 5) +
				`</p></div><div class="xgyd related"><a href=/2>相关阅读：旧桥倒塌</a></div>`,
			[]string{"大桥于春天开放"}, []string{"首页", "旧桥倒塌"}},
		{"a slogan above a short page",
			`<div class="tagline desktoponly">Small. Fast. Reliable.</div><h1>A bridge opens</h1><p>It ` +
				`opened.</p>`, []string{"It opened."}, []string{"Reliable"}},
		{"technical writing keeps its lists of links", `<main><h1>API</h1>` + text +
			`<pre>x()</pre><ul><li><a href=/x>x()</a><li><a href=/y>y()</a></ul><section ` +
			`id="comments"><h2>Comments</h2><p>A comment begins with a sign.</p></section></main>`,
			[]string{"x()](https://example.org/x)", "## Comments", "A comment begins"}, nil},
		{"what only the search engines get",
			`<h1>A bridge opens</h1><div id=app>Loading the story</div><script ` +
				`type="application/ld+json">{"@type":"NewsArticle","datePublished":"2024-01-02",` +
				`"articleBody":"` + strings.Repeat(
				`The bridge was opened in spring.\nMany people came &amp; went. `, 10) + `"}</script>`,
			[]string{"The bridge was opened in spring.\n\nMany people came & went."}, []string{"Loading"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := read(t, "<title>A bridge opens</title>"+test.html)
			require.NoError(t, err)
			for _, s := range test.keeps {
				assert.Contains(t, doc.Markdown, s)
			}
			for _, s := range test.drops {
				assert.NotContains(t, doc.Markdown, s)
			}
			checkForm(t, doc.Markdown)
			assert.Equal(t, test.name == "comments longer than the text", doc.Partial != "", doc.Partial)
		})
	}
}

func TestDataIsNotText(t *testing.T) {
	blob := strings.Repeat("iVBORw0KGgo", 1000)
	for _, test := range []struct{ name, body, contentType, want string }{
		{"in a paragraph", "<p>before " + blob + " after</p>", "text/html",
			"before [11 KB of data left out] after\n"},
		{"in code", "<pre>x = " + blob + "\ny</pre>", "text/html",
			"```\nx = [11 KB of data left out]\ny\n```\n"},
		{"in plain text", "before " + blob + " after", "text/plain",
			"before [11 KB of data left out] after\n"},
		{"in lines", "x\n\n" + strings.Repeat(strings.Repeat("A", 76)+"\n", 400) + "\nafter", "text/plain",
			"x\n\n[31 KB of data left out]\n\nafter\n"},
		{"words stay", strings.Repeat("word ", 3000) + "end", "text/plain",
			strings.Repeat("word ", 3000) + "end\n"},
		{"lists of words stay", strings.Repeat("word\n", 9000), "text/plain", strings.Repeat("word\n", 9000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := readAs(t, test.contentType, test.body)
			assert.Equal(t, test.want, doc.Markdown)
		})
	}
}

func readAs(t *testing.T, contentType, body string) page.Page {
	t.Helper()
	doc, err := page.Read(t.Context(), page.Raw{ContentType: contentType, Body: []byte(body)})
	require.NoError(t, err)
	return doc
}

// A short section before the one that holds nearly all of a page is part of its text; a box beside it is not.
func TestAShortSectionBeforeALongOneIsRead(t *testing.T) {
	const old = "<p>This release removes what was deprecated for three years, and mends what users " +
		"reported since the last one.</p>"
	p, err := read(t, `<body><div class="menu"><a href="a.html">Commands</a> <a href="b.html">Configuration</a></div>
		<div class="box"><p>Subscribe to our newsletter, which comes every month and costs nothing but your
		address and a moment.</p></div><div class="page"><div class="section"><div>Current release</div><p>Release
		2.45 keeps only one group index, and it skips the signal file for restores of backups that were made
		offline.</p></div><div class="section"><div>Older</div>`+strings.Repeat(old, 30)+`</div></div></body>`)
	require.NoError(t, err)
	assert.Contains(t, p.Markdown, "2.45 keeps only one group index")
	assert.NotContains(t, p.Markdown, "newsletter")
}
