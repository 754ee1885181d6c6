package page_test

import (
	"errors"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// Markup made to cost time, memory or the stack. Each document must be read within its time and keep its
// word, or be refused with an *Error.
func TestReadHostileHTML(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	repeat := strings.Repeat
	for _, test := range []struct {
		name, body string
		keeps      string // text that must not be lost
	}{
		{"600 nested div", repeat("<div>", 600) + "needle" + repeat("</div>", 600), "needle"},
		{"100000 nested div", repeat("<div>", 100_000) + "needle", "needle"},
		{"100000 nested b", repeat("<b>", 100_000) + "needle", "needle"},
		{"500 nested b around many words", repeat("<b>", 500) + repeat("<i>x</i> ", 20_000) +
			"needle", "needle"},
		{"20000 links and tables", "<p>needle</p>" + repeat("<a href=x><table><tr><td>y", 20_000), "needle"},
		{"20000 unclosed", repeat("<p><b><i>", 20_000) + "needle", "needle"},
		{"formatting adopted again and again", repeat("<a><b><div>", 150) + "needle" +
			repeat("</a></b>", 150), "needle"},
		{"200000 attributes", "<p " + attributes(200_000) + ">needle</p>", "needle"},
		{"one attribute of 7 MB", `<p title="` + repeat("x", 7<<20) + `">needle</p>`, "needle"},
		{"one text of 7 MB", "<p>needle " + repeat("x", 7<<20), "needle"},
		{"a million paragraphs", "<p>needle" + repeat("<p>x", 1_000_000), "needle"},
		{"350000 links", "<p>needle</p>" + repeat("<a href=/x/y>link</a> ", 350_000), "needle"},
		{"table of 2000 x 500", "<table><tr><td>needle</td>" + repeat("<tr>"+repeat("<td>c", 500), 2000) +
			"</table>", "needle"},
		{"wide row over many short ones", "<table><tr>" + repeat("<td>c", 900) +
			repeat("<tr><td>c", 300_000) + "</table>", "c"},
		{"huge colspan", "<table><tr><td colspan=1000000000>needle<td>b<tr><td>c<td>d</table>", "needle"},
		{"huge rowspan", "<table><tr><td rowspan=1000000000>needle<td>b" + repeat("<tr><td>c", 10_000) +
			"</table>", "needle"},
		{"150 nested tables", repeat("<table><tr><td>x", 150) + "needle", "needle"},
		{"list numbered from the largest int",
			"<ol start=9223372036854775807><li>needle<li>b</ol>", "needle"},
		{"list numbered below zero", "<ol start=-5><li>needle</ol>", "needle"},
		{"lists nested 200 deep with many items", repeat("<ul><li>", 200) + repeat("<li>x", 100_000) +
			"needle", "needle"},
		{"quotes nested 200 deep", repeat("<blockquote>", 200) + repeat("x<br>", 100_000) +
			"needle", "needle"},
		{"alt text of 1 MB", `<p>needle</p><img src=x alt="` + repeat("very long ", 100_000) +
			`">`, "needle"},
		{"inline picture of 5 MB", `<p>needle</p><img alt="a few words" src="data:image/png;base64,` +
			repeat("A", 5<<20) + `">`, "needle"},
		{"million backticks", "<pre>needle" + repeat("`", 1_000_000) + "</pre>", "needle"},
		{"comment without end", "<p>needle</p><!--" + repeat("-", 1_000_000), "needle"},
		{"script without end", "<p>needle</p><script>" + repeat("<p>x", 100_000), "needle"},
		{"nested JSON-LD", "<p>needle</p><script type=application/ld+json>" + repeat("[", 20_000) +
			"</script>", "needle"},
		{"million entities", "<p>needle" + repeat("&amp;&#x41;", 500_000), "needle"},
		{"combining marks", "<p>needle e" + repeat("\u0301", 500_000), "needle"},
		{"deep svg and math", "<p>needle</p><svg>" + repeat("<g>", 400) + "</svg><math>" +
			repeat("<mrow>", 400), "needle"},
		{"code spans that touch", "<p>needle " + repeat("<code>x</code>", 100_000), "needle"},
		{"select with a million options", "<p>needle</p><select>" + repeat("<option>x", 500_000), "needle"},
		{"base of 7 KB under many links", "<base href=https://e.org/" + repeat("d/", 3500) +
			"><p>needle</p>" +
			repeat("<a href=x>y</a> ", 100_000), "needle"},
		{"data of 5 MB in a text", "<p>needle " + repeat("QUJD", 5<<18) + " word", "data left out] word"},
		{"data of 5 MB in code", "<p>needle</p><pre>" + repeat(repeat("QUJD", 19)+"\n", 65_000) + "</pre>",
			"MB of data left out]"},
		{"many short lines of letters", "<p>needle</p><pre>" + repeat("abc\n", 1_000_000) +
			"</pre>", "needle"},
		{"a million selectors of one rule", "<style>" + repeat(".a,", 250_000) + ".b{" +
			repeat("color:red;", 20_000) + "}</style><p>needle", "needle"},
		{"many rules and classes", "<style>" + repeat(".a{opacity:1}#b{color:red}@media screen{", 20_000) +
			"</style><p>needle" + repeat("<p class='a "+repeat("c ", 60)+"' style='opacity:0'>x",
			30_000), "needle"},
		{"200000 headings", "<h1>needle</h1>" + repeat("<h2>a b", 100_000), "needle"},
		{"100000 named blocks", "<p>needle</p>" +
			repeat("<div class='share comment-x teaserBox' id=sidebar><p>"+repeat("x y ", 20)+"</div>",
				60_000) + repeat(prose, 3), "The bridge"},
		{"half the page in nested blocks of prose", repeat("<div>"+prose, 250) + "needle", "needle"},
		{"many labels without a name", "<p>needle</p>" + repeat("<span>作者：</span>", 90_000), "needle"},
		{"many people in JSON-LD", "<p>needle</p>" +
			repeat(`<script type="application/ld+json">{"@graph":[{"@id":"a","name":"b"}]}</script>`,
				80_000), "needle"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var doc page.Page
			var err error
			peak := peakMemory(func() {
				doc, err = page.Read(t.Context(), page.Raw{URL: "https://example.org/a",
					ContentType: "text/html", Body: []byte(test.body)})
			})
			require.NoError(t, err)
			assert.Contains(t, doc.Markdown, test.keeps)
			assert.LessOrEqual(t, len(doc.Markdown), 17<<20, "output is bounded")
			assert.Less(t, peak, uint64(200<<20), "bytes of memory")
		})
	}
}

// The control: a tree of the page above takes more than the bound, which is why none is made of it.
func TestATreeOfAMillionParagraphsIsTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	body := "<p>needle" + strings.Repeat("<p>x", 1_000_000)
	assert.Greater(t, peakMemory(func() {
		_, err := html.Parse(strings.NewReader(body))
		require.NoError(t, err)
	}), uint64(200<<20))
}

// peakMemory is how many bytes on the heap, garbage included, are added at most while something is done.
func peakMemory(do func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	runtime.GC()
	metrics.Read(sample)
	before, peak := sample[0].Value.Uint64(), uint64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				metrics.Read(sample)
				peak = max(peak, sample[0].Value.Uint64())
			}
		}
	}()
	do()
	close(done)
	<-ended
	return peak - min(peak, before)
}

func attributes(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString("a=b ")
	}
	return b.String()
}

func TestReadRefusesWhatIsNoText(t *testing.T) {
	for _, test := range []struct {
		name, body, contentType, names string
	}{
		{"PNG served as HTML", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "text/html", "image/png"},
		{"ELF served as HTML", "\x7fELF\x02\x01\x01\x00\x00\x00", "text/html", "ELF"},
		{"zip", string(zipOf("a.exe", "x")), "", "zip"},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00", "", "gzip"},
		{"NULs", strings.Repeat("a\x00", 500), "text/html", "binary"},
		{"random bytes as text", strings.Repeat("\x01\x02\xfa\x03\x9c", 500), "text/plain", "binary"},
		{"SQLite", "SQLite format 3\x00\x10\x00", "", "SQLite"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := page.Read(t.Context(), page.Raw{URL: "https://e.org/f?key=secret",
				ContentType: test.contentType, Body: []byte(test.body)})
			e := asError(t, err)
			assert.Equal(t, page.Unsupported, e.Kind)
			assert.Contains(t, err.Error(), test.names)
			assert.Contains(t, err.Error(), "look for")
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestReadRefusesEmptyAndTooLarge(t *testing.T) {
	for _, test := range []struct {
		name string
		raw  page.Raw
		kind page.Kind
		says string
	}{
		{"no bytes", page.Raw{}, page.Empty, "no text"},
		{"blanks", page.Raw{Body: []byte(" \n\t ")}, page.Empty, "no text"},
		{"markup without text", page.Raw{ContentType: "text/html",
			Body: []byte("<html><body><div></div><script>x()</script>")}, page.Empty, "no text"},
		{"front matter alone", page.Raw{URL: "a.md", Body: []byte("---\ntitle: T\n---\n")}, page.Empty,
			"no text"},
		{"9 MB", page.Raw{Body: []byte(strings.Repeat("x", 9<<20))}, page.TooLarge,
			"the limit is 8 MB and this page has 9 MB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := page.Read(t.Context(), test.raw)
			assert.Equal(t, test.kind, asError(t, err).Kind)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func asError(t *testing.T, err error) *page.Error {
	t.Helper()
	e, ok := errors.AsType[*page.Error](err)
	require.True(t, ok, "want a *page.Error, got %v", err)
	return e
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"<h1>a</h1><p>b <b>c</b> <a href=d>e</a><table><tr><th>f<td>g</table><pre>h</pre>",
		"<ul><li><blockquote><ul><li>a<pre>b\n\n\nc</pre></ul></blockquote><li></ul>",
		"<table><tr><td rowspan=3 colspan=2>a<td><ul><li>b<li>c</ul></table><dl><dt>d<dd>e</dl>",
		"<b> a <i>b</i></b><code>`</code><code>x</code><sup>2</sup><q>z</q><br><br>x",
		"---\ntitle: x\n---\n# a\n```\n\n\nb", "{\"a\":[1,2]}", "a,b\n\"c\n", "\xff\xfeh\x00i\x00",
		"\xef\xbb\xbfx", "a\r\nb\rc\x00",
		"```\n\n-\n# a\n\n\n`\n\n", "0\t", // found by fuzzing
		"<a href=x><h2>a</h2><p>b</a><div><div><a></div><p></a>",
	} {
		for _, kind := range []string{"text/html", "text/markdown", "application/json", "text/csv", ""} {
			f.Add([]byte(seed), kind)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		doc, err := page.Read(t.Context(),
			page.Raw{URL: "https://example.org/a/b", ContentType: contentType, Body: body})
		if err != nil {
			if asError(t, err).Kind == page.Broken {
				t.Fatalf("the reader broke: %v", err)
			}
			return
		}
		checkForm(t, doc.Markdown)
	})
}

// checkForm holds for the Markdown of every document.
func checkForm(t *testing.T, markdown string) {
	t.Helper()
	assert.NotEmpty(t, strings.TrimSpace(markdown))
	assert.True(t, strings.HasSuffix(markdown, "\n") &&
		!strings.HasSuffix(markdown, "\n\n"), "one line feed at the end: %q", markdown)
	assert.True(t, utf8.ValidString(markdown), "valid UTF-8")
	fence, empty := "", 0
	for line := range strings.Lines(markdown) {
		line = strings.TrimSuffix(line, "\n")
		assert.Equal(t, strings.TrimRight(line, " \t"), line, "no blanks at the end of a line")
		for _, c := range line {
			assert.False(t, c < ' ' && c != '\t' || c == 0x7f, "no control characters: %q", line)
		}
		if bare := strings.TrimLeft(line, "> -"); strings.HasPrefix(bare, "```") ||
			strings.HasPrefix(bare, "~~~") {
			fence = "open" // from here on code may hold empty lines
		}
		if empty++; line != "" {
			empty = 0
		}
		if fence == "" {
			assert.Less(t, empty, 2, "one empty line at most:\n%s", markdown)
		}
	}
}
