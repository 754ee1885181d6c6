package page_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// What Markdown would read otherwise is escaped, and only that.
func TestTextIsEscaped(t *testing.T) {
	for _, test := range []struct{ html, want string }{
		{"<p>run __init__ in a_b_c", `run \_\_init\_\_ in a_b_c`},
		{"<p>in *.c and *.h, or 2*3*4", `in \*.c and \*.h, or 2\*3\*4`},
		{"<p>all *.c, a footnote*", `all \*.c, a footnote\*`},
		{"<p>all *.c", "all *.c"},
		{"<p>2 * 3 * 4 = 24, snake_case_name, 5*3", "2 * 3 * 4 = 24, snake_case_name, 5*3"},
		{"<p><b>read *args</b>", `**read \*args**`},
		{"<p>*args and <b>**kwargs</b>, *", `*args and **\*\*kwargs**, *`},
		{"<p>[x] and a[i] and [s1]", "[x] and a[i] and [s1]"},
		{"<p>a[i](x)", `a[i\](x)`},
		{"<p>[Bob]: yes", `[Bob\]: yes`},
		{"<ul><li>[x] done<li>[y] not", "- \\[x] done\n- [y] not"},
		{"<p><a href=/a>[1]</a> <a href=/b>a]</a> <a href=/c>[b</a>",
			`[[1]](https://example.org/a) [a\]](https://example.org/b) [\[b](https://example.org/c)`},
		{"<p>wow!<a href=/a>here</a>!", `wow\![here](https://example.org/a)!`},
		{"<p>a list&lt;T&gt; and 1 &lt; 2", `a list\<T> and 1 < 2`},
		{"<p>write &amp;lt; or &amp;#38; for R&amp;D;", `write \&lt; or \&#38; for R&D;`},
		{`<p>C:\dir and \(x\) and \`, `C:\dir and \\(x\\) and \`},
		{"<p>the `code` and a ` alone, <code>x</code>", "the \\`code\\` and a \\` alone, `x`"},
		{"<p>The <code>*</code> sign: <b>a* and b**</b>; 3*4", "The `*` sign: **a\\* and b\\*\\***; 3*4"},
		{"<p>x`<code>a</code> ` <code>b</code>`", "x\\``a` \\` `b`\\`"},
		{"<p>from 10~20 to 30~40, ~~gone~~", `from 10\~20 to 30\~40, \~\~gone\~\~`},
		{"<p>&gt;5 MB<p>a<br>---<p>- 5 °C<p>* * *", "\\>5 MB\n\na\n\\---\n\n\\- 5 °C\n\n\\* * *"},
		{"<table><tr><th>a<th>b<tr><td>*x*<td>y</table>", "| a | b |\n| --- | --- |\n| \\*x\\* | y |"},
		{"<h2>The __init__ method</h2>", `## The \_\_init\_\_ method`},
		{`<p><math alttext="a_{1}*b_{2}*\{c\}"><mi>a</mi></math>`, `$a_{1}*b_{2}*\{c\}$`},
	} {
		assert.Equal(t, test.want+"\n", readMain(t, test.html), test.html)
	}
}

// A title is no Markdown either.
func TestATitleIsEscaped(t *testing.T) {
	doc, err := page.Read(t.Context(), page.Raw{URL: "https://example.org/", ContentType: "text/html",
		Body: []byte("<title>__init__ and *args*</title><p>" + strings.Repeat("Some words of it. ", 30))})
	require.NoError(t, err)
	assert.Contains(t, doc.Markdown, `# \_\_init\_\_ and \*args\*`+"\n")
	assert.Equal(t, "__init__ and *args*", doc.Title)
	doc, err = page.Read(t.Context(), page.Raw{URL: "https://example.org/", ContentType: "text/html",
		Body: []byte("<title>__init__</title><h1>__init__</h1><p>" + strings.Repeat("Some words. ", 30))})
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(doc.Markdown, "init"), doc.Markdown)
}

// Whatever signs a text has, and whatever is around it, Markdown shows it as the page does. The control is
// the same text without its backslashes.
func TestMarkdownShowsTheText(t *testing.T) {
	parts := []string{"*", "**", "_", "__", "`", "``", "~", "~~", "[", "]", "(", ")", "[x]", "](",
		"!", "!", "&lt;",
		"&#42;", "<T>", "<", ">", "\\", "\\", " ", " ", " ", "a", "b", "7", ".", ":", "|", "中",
		"“", "#", "x"}
	around := []string{"<p>x %s</p>", "<p>%s<b>%s</b>%s</p>", "<p>x %s <em>y%s</em>%s</p>",
		"<ul><li>x%s<li>%s</ul>",
		"<p>x%s<a href=/u>%s</a>%s</p>", "<h2>x %s</h2>", "<p>%s<code>c*_`</code>%s</p>",
		"<table><tr><th>x%s<th>%s<tr><td>x%s<td>%s</table>", "<p>x%s<br>x%s</p>",
		"<blockquote><p>x %s</p></blockquote>",
		"<p>x <code>*</code> %s<b>%s</b>%s <code>_</code> %s</p>"}
	random, broken := rand.New(rand.NewPCG(1, 2)), 0
	for i := range 2_000 {
		var told strings.Builder
		frame := around[i%len(around)]
		with := make([]any, strings.Count(frame, "%s"))
		for j := range with {
			var text strings.Builder
			text.WriteString("x")
			for range 1 + random.IntN(6) {
				text.WriteString(parts[random.IntN(len(parts))])
			}
			with[j] = html.EscapeString(text.String() + "x")
			told.WriteString(text.String() + "x")
		}
		source := fmt.Sprintf(frame, with...)
		markdown := readMain(t, source)
		want := shown(t, source)
		if !assert.Equal(t, want, rendered(t, markdown), "%s\n%s", source, markdown) {
			return
		}
		if bare := strings.ReplaceAll(markdown, `\`, ""); bare != markdown && rendered(t, bare) != want {
			broken++
		}
	}
	assert.Greater(t, broken, 450, "the signs would do no harm")
}

// rendered is the text that GFM shows of Markdown.
func rendered(t *testing.T, markdown string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(markdown), &out))
	return shown(t, out.String())
}

// shown is the text of HTML, without blanks.
func shown(t *testing.T, source string) string {
	t.Helper()
	var text strings.Builder
	for tag := range strings.SplitSeq(source, "<") {
		_, after, _ := strings.Cut(tag, ">")
		text.WriteString(after)
	}
	return strings.Join(strings.Fields(html.UnescapeString(text.String())), "")
}

func TestEscapingIsLinear(t *testing.T) {
	for _, unit := range []string{"*a ", "[x] ", "`", "` `` ``` ", "[", "]", "\\", "&", "_a_ ", "<b>*</b>*",
		"<a href=/>]</a>["} {
		bomb := agenttest.Bomb{Name: unit,
			Make: func(size int) string { return "<p>" + strings.Repeat(unit, size/len(unit)) }}
		agenttest.RequireLinear(t, 60_000, bomb, func(text string) {
			_, _ = page.Read(t.Context(), page.Raw{URL: "https://example.org/", ContentType: "text/html",
				Body: []byte(text)})
		})
	}
}
