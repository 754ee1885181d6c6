package export_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func stairs(depth int) string {
	var out strings.Builder
	for i := range depth {
		out.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return out.String()
}

// fill repeats a text up to so many bytes.
func fill(unit string, size int) string { return strings.Repeat(unit, size/len(unit)) }

const mega = 1 << 20

// What a parser would take minutes or gigabytes for is shown as the text that it is.
func TestHardMarkdownIsShownAsText(t *testing.T) {
	for _, test := range []struct{ name, markdown, why string }{
		{"10 MB", fill("Words. ", 10*mega), "larger than 2 MiB"},
		{"a list 2,000 deep", stairs(2000)[:mega], "more than 100 deep"},
		{"a list 2,000 deep on one line", strings.Repeat("- ", 2000) + "a", "more than 100 deep"},
		{"quotes", strings.Repeat("> ", 101) + "a", "more than 100 deep"},
		{"quotes and lists in turn", strings.Repeat("> - 1. ", 50) + "a", "more than 100 deep"},
		{"tabs", func() (out string) {
			for i := range 150 {
				out += strings.Repeat("\t", i) + "- a\n"
			}
			return out
		}(), "more than 100 deep"},
		{"a list and empty lines", stairs(90) + strings.Repeat("\n", mega), "too long and too deep"},
		{"deep lines", stairs(90) + fill(strings.Repeat(" ", 180)+"- a\n", mega), "too long and too deep"},
		{"a list of one and empty lines", "- a\n" + strings.Repeat("\n", mega), "too long and too deep"},
		{"a wide table of short rows", "|" + strings.Repeat("a|", 1000) + "\n|" + strings.Repeat("-|", 1000) +
			"\n" + strings.Repeat("|a\n", 1000), "more than 500000 cells"},
		{"a wide table in a quote", "> |" + strings.Repeat("a|", 1000) + "\n> |" +
			strings.Repeat("-|", 1000) + "\n" + strings.Repeat("> |a\n", 1000), "more than 500000 cells"},
		{"many tables", strings.Repeat("|a|b|\n|-|-|\n|c|d|\n", 60_000), "more than 500000 cells"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := page(t, "# Title\n\n<b>\n\n"+test.markdown+" [s1]")
			assert.Contains(t, got, test.why)
			assert.Contains(t, got, `<pre class="plain"># Title`)
			assert.Contains(t, got, "&lt;b&gt;")
			assert.Contains(t, got, `<h1>What is so?</h1>`)
			assert.Contains(t, got, `id="ref:s1"`, "its sources are listed")
		})
	}
}

// What costs the square of its length is bounded within the layout: the report keeps it, links or marks past
// the budget stay text.
func TestHardParagraphsAreLaidOut(t *testing.T) {
	for _, unit := range []string{
		"![a](", "[a](", "[a](<b", "[a](\"", "[a](\\(", "[", "![", "[a]", "[a]\n", "[a][", "]", "[s1] ",
		"[s1](x) ", "*a ", "*a _b ", "a**b", "~~a ~b ", "**a b** ",
		"<", "<a ", "<!-- ", "<? ", "&#", "&amp;", "` `` ", "[^", "[^1] ", "[^1]: ", "www.a.b ",
		"http://a.b ", "a@b.c ", "a@", "a.", "\\", "a\n", "a  \n", "**重要：**字",
		"# a {#b .c}\n\n", "# a\n\n", "|a\n", "|", "[a]: x\n", "[a]: (\n", "~~~\n", "    a\n", "<div>\n\n",
		"\t", "\x00", "---\n", "- [x] a\n", "1. a\n\n   b\n",
	} {
		t.Run(fmt.Sprintf("%q", unit), func(t *testing.T) {
			got := page(t, "# Title\n\n"+fill(unit, 60_000)+"\n\nThe end.\n")
			assert.NotContains(t, got, "could not be laid out")
			assert.Contains(t, got, "The end.")
		})
	}
	t.Run("marks in one another", func(t *testing.T) {
		assert.Contains(t, page(t, strings.Repeat("**a ", 5000)+strings.Repeat("b**", 5000)), "<strong>")
	})
	t.Run("footnotes", func(t *testing.T) {
		var notes strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&notes, "[^%d]\n\n[^%d]: a note\n\n", i, i)
		}
		got := page(t, notes.String())
		assert.Contains(t, got, "[^19999]", "of too many, each stays text")
	})
}

// A long report is far from every bound: 20,000 words, 300 sources in a table, 100 footnotes and lists three
// deep.
func TestALongReportIsLaidOut(t *testing.T) {
	got := page(t, longReport(20_000))
	assert.NotContains(t, got, "could not be laid out")
	assert.Equal(t, 300, strings.Count(got, `class="row"`))
	assert.Contains(t, got, `id="fn:100"`)
	assert.NotContains(t, mainOf(t, got), "](")
}

func longReport(words int) string {
	var out strings.Builder
	out.WriteString("# Title\n\n")
	for i := range words / 100 {
		fmt.Fprintf(&out, "## Part %d\n\n%s **bold**, *soft*, `code` and [a link](https://example.org/%d) "+
			"[s%d].\n\n- one\n  - two\n    1. three\n\n",
			i, strings.Repeat("nine words stand in each of these short sentences. ", 10), i, i%300+1)
	}
	for i := range 100 {
		fmt.Fprintf(&out, "Noted[^%d].\n\n[^%d]: A note.\n\n", i, i)
	}
	out.WriteString("## References {#references}\n\n| Id | Source | Type | What | Link |\n|-|-|-|-|-|\n")
	for i := range 300 {
		fmt.Fprintf(&out, "| [s%d](Sources/s%03d.md) | Somebody (2024). The title of a page. "+
			"Site, read 2026-01-02 | web page | “A quote of some words” · 3 cited "+
			"| [open](https://example.org/%d#:~:text=a%%20quote) |\n", i+1, i+1, i)
	}
	return out.String()
}

func BenchmarkHTML(b *testing.B) {
	report := export.Report{Question: "What is so?", Text: longReport(20_000), Sources: sources()}
	b.SetBytes(int64(len(report.Text)))
	for b.Loop() {
		_, err := export.HTML(context.Background(), report)
		require.NoError(b, err)
	}
}

// The costliest that is let through, at the largest size.
func BenchmarkHardMarkdown(b *testing.B) {
	for _, unit := range []string{"![a](", "[a]\n", "~~a ~b ", "www.a.b ", "[^1] ", "a**b", "|a"} {
		b.Run(fmt.Sprintf("%q", unit), func(b *testing.B) {
			for b.Loop() {
				page(b, fill(unit, 2*mega-100))
			}
		})
	}
}

func FuzzHTML(f *testing.F) {
	for i, payload := range payloads() {
		f.Add(hostile(payload, i))
	}
	f.Add(longReport(500))
	f.Add("# 标题\n\n**重要：**文字[s1，s3]。\n\n## 参考文献 {#references}\n\n|编号|\n|-|\n|[s1](x)|\n")
	f.Fuzz(func(t *testing.T, markdown string) {
		markdown = strings.ToValidUTF8(markdown, "")
		out, err := export.HTML(context.Background(),
			export.Report{Question: markdown, Text: markdown, Sources: sources()})
		require.NoError(t, err)
		assertHarmless(t, string(out))
	})
}

// A quotation with thousands of citations is not read again for each of them: it took over half a minute.
func TestAQuotationOfManyCitations(t *testing.T) {
	const line = "> “some words that stand here in a quotation” [s1.1]\n>\n"
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	done := make(chan error, 1)
	go func() {
		_, err := export.HTML(ctx, export.Report{Sources: sources(),
			Text:  "# R\n\n" + strings.Repeat(line, 8000),
			Links: map[workspace.Ref]citation.Link{{ID: "s1", Block: 1}: {Passage: "other words"}}})
		done <- err
	}()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-ctx.Done():
		t.Fatal("it is read for each citation")
	}
}
