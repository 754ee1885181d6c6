package citation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

const release = "Acme today announced the RX-9, the first pump that needs no oil at all. It will be sold " +
	"from May for 499 dollars in forty countries. " +
	"The company expects to build a million of them a year in its new works, which stand on the " +
	"site of the old brewery. " +
	"Its founder said that oil had never been the point, that water was, and that anybody who had carried " +
	"a pump uphill would understand. " +
	"Shares rose a little on the news and fell again before the evening, as they do on most days in spring."

func TestOrigins(t *testing.T) {
	var sources []citation.Source
	for i := range 10 {
		s := source(fmt.Sprintf("s%d", i+1), "html",
			fmt.Sprintf("# News of site %d\n\nMenu %d: home, sport, weather number %d and what else we "+
				"have.\n\n%s\n\nCopyright of paper %d, all rights %d are ours.\n", i,
				i*7, i, release, i, i*3))
		s.URL = fmt.Sprintf("https://www.paper%d.co.uk/a?b=%d", i, i)
		s.Title = fmt.Sprintf("Paper %d", i)
		sources = append(sources, s)
	}
	own := source("s11", "html", "We took the RX-9 uphill, where it failed on the second day. No shop near "+
		"us would sell a part for it, and the hotline told us to wait until the summer was over. We did not.")
	own.URL = "https://shop.paper3.co.uk/test"
	other := source("s12", "html",
		"In an unrelated town a heron was seen on the roof of the library for three days in a row. Nobody "+
			"fed it. It left on a Sunday, and the town paper printed its picture on page one.")
	other.URL = "http://192.168.3.4/heron"
	mine := source("s13", "markdown", "Notes of mine.")
	mine.URL = "doc:notes.md"
	chinese := source("s14", "html",
		strings.Repeat("这家公司今天宣布推出第一台完全不需要机油的水泵，将于五月上市。", 1)+
			"本报记者报道说，工厂建在老啤酒厂的旧址上，每年计划生产一百万台，股价略有上涨。")
	chinese.URL = "https://news.sina.com.cn/a"
	copied := source("s15", "html", "转载："+chinese.Text+"（责任编辑：某某）")
	copied.URL = "https://www.example.cn/b"
	sources = append(sources, own, other, mine, chinese, copied)

	o := citation.OriginsOf(context.Background(), sources)
	require.Len(t, o.Texts, 5, "ten copies of a press release are one")
	assert.Equal(t, []string{"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10"}, o.Texts[0].Sources)
	assert.Equal(t, citation.Origin{Name: "", Sources: []string{"s14", "s15"}}, o.Texts[4])
	require.Len(t, o.Publishers, 14, "two pages of a site are one publisher")
	assert.Equal(t, citation.Origin{Name: "paper3.co.uk", Sources: []string{"s4", "s11"}}, o.Publishers[3])
	assert.Equal(t, "192.168.3.4", o.Publishers[10].Name)
	assert.Len(t, o.Independent, 4, "the test is by a site that has the press release, too")
	assert.Equal(t, "Paper 0", o.Independent[0].Name)

	assert.Empty(t, citation.OriginsOf(context.Background(), nil).Texts)
	assert.Len(t, citation.OriginsOf(context.Background(),
		[]citation.Source{source("s1", "html", "Too short."),
			source("s2", "html", "Too short, too.")}).Texts, 2)
}

// Two editions are no copies of one text, as they hold other figures; a copy with another menu is.
func TestEditionsAreTwoTexts(t *testing.T) {
	const head = "Claims are made within a month of the expense, with a receipt, in the form that the " +
		"office gives out on the ground floor, next to the kitchen. Rail travel is second class. "
	const rest = "Your team leader signs each claim, and the office pays it with the salary of the " +
		"following month, unless it came too late for that. Tell Dee if something is missing."
	text := func(meal, hotel, menu string) string {
		return menu + "\n\n" + head + "Evening meal when away overnight: up to " + meal + ". Hotel: up to " +
			hotel + ", and less where there is a kitchen. " + rest
	}
	var sources []citation.Source
	for i, text := range []string{text("£28", "£155", "Edition 4, read 12 times"),
		text("£22", "£130", "Edition 3"), text("£28", "£155", "Edition 4, read 17 times")} {
		sources = append(sources, source(fmt.Sprintf("s%d", i+1), "markdown", text))
	}
	var texts [][]string
	for _, o := range citation.OriginsOf(t.Context(), sources).Texts {
		texts = append(texts, o.Sources)
	}
	assert.Equal(t, [][]string{{"s1", "s3"}, {"s2"}}, texts)
}

func TestReferences(t *testing.T) {
	page := source("s2", "html", "# Head\n\nThe quick brown fox jumps over it.")
	page.Title, page.Author, page.Published, page.File =
		"Foxes", "A. Smith", "2021-05-06", "Sources/s02-foxes.md"
	page.Fetched, page.FinalURL = time.Date(2024, 3, 14, 1, 2,
		3, 0, time.UTC), "https://www.final.example.org/foxes"
	page.Line = 9
	noted := source("s10", "pdf", "Nothing.")
	noted.Note, noted.Title, noted.File = "My own | word.", "Paper", "Sources/s10-paper.md"
	mine := source("s3", "markdown", "Notes of mine that are long enough.")
	mine.URL, mine.Title, mine.File = "doc:no`tes|.md", "Notes", "Sources/s03.md"
	lookup := lookupIn(page, noted, mine)
	report := "It says “The quick brown fox jumps” [s2]. It is so [s10]. It has 5 of them [s2.1]. Mine is " +
		"different [s3]. And [s99].\n"

	assert.Equal(t, `## References {#references}

- [s2] Foxes. A. Smith, example.org, 2021-05-06. <https://www.final.example.org/foxes>
- [s3] Notes. [no\`+"`"+`tes\|.md](Sources/s03.md)
- [s10] Paper. example.org. <https://s10.example.org/page> — My own \| word.

[s2]: Sources/s02-foxes.md "Foxes"
[s2.1]: Sources/s02-foxes.md#L11 "Head: “The quick brown fox jumps over it.”"
[s3]: Sources/s03.md "Notes"
[s10]: Sources/s10-paper.md "Paper"
`, citation.Read(context.Background(), report).References(lookup, prose.English))

	chinese := "# MySQL InnoDB redo log\n\n数据库先写日志[s2.1]。它有五十个[s2]。" // however its headings are
	got := citation.Read(context.Background(), chinese).References(lookup, prose.Chinese)
	assert.Contains(t, got,
		"## 参考文献 {#references}\n\n- [s2] Foxes。A. Smith，example.org，2021-05-06。<https://")

	assert.Empty(t, citation.Read(context.Background(), "No source.").References(lookup, prose.English))
}

// A profile may want a table: number, citation, type, and a commentary of what the source is in the report
// for.
// A title that ends with a stop gets no other, and a place has no pictures in it.
func TestAReferenceHasOneStop(t *testing.T) {
	const badge = "[![Build](https://ci.example/b.svg)](https://ci.example)"
	for title, want := range map[string]string{
		"Older versions do not support -C.": "Older versions do not support -C. example.org, 2021-05-06.",
		"Who won?":                          "Who won? example.org, 2021-05-06.",
		"谁赢了？":                              "谁赢了？example.org, 2021-05-06.",
		"Foxes":                             "Foxes. example.org, 2021-05-06.",
	} {
		page := source("s1", "html", "# Head "+badge+"\n\nThe quick brown fox jumps over it.")
		page.Title, page.Published, page.File = title, "2021-05-06", "Sources/s01.md"
		report := citation.Read(t.Context(), "It says “The quick brown fox jumps” [s1.1].")
		got := report.References(lookupIn(page), prose.English)
		assert.Contains(t, got, "- [s1] "+want)
		assert.Contains(t, got, `"Head: “The quick`)
	}
}

func TestReferenceTable(t *testing.T) {
	at := func(id, kind, address string) citation.Source {
		s := source(id, kind, "The quick brown fox jumps over it.")
		s.URL, s.Title, s.File = address, "T"+id, "Sources/"+id+".md"
		return s
	}
	noted := at("s9", "html", "https://en.wikipedia.org/wiki/Fox")
	noted.Note = "My own | word."
	lookup := lookupIn(at("s1", "html", "https://arxiv.org/abs/2504.1"),
		at("s2", "html", "https://github.com/a/b"), at("s3", "html", "https://github.com/a/b/issues/4"),
		at("s4", "pdf", "https://acme.example/x"), at("s5", "html", "https://acme.example/y"),
		at("s6", "markdown", "doc:notes.md"),
		at("s7", "html", "https://www.beijing.gov.cn/a"),
		at("s8", "html", "https://docs.python.org/3"), noted)
	report := "# Foxes\n\nAll of it [s1] [s2] [s3] [s4].\n\n## 4.1 Fur\n\nRed [s1.1]. Brown [s1.1] [s5].\n" +
		"\n### 4.1.1 Of | winter\n\nWhite [s1.1] [s6] [s7] [s8] [s9].\n"
	readFor := map[string][]string{"s1": {"colour of the | fur", "what moults"}, "s9": {"a", "b", "c", "d"}}
	got := citation.Read(context.Background(), report).ReferenceTable(lookup, prose.English, readFor)
	for _, row := range []string{
		"## References {#references}\n\n| No. | Citation | Source type | Commentary |\n" +
			"| --- | --- | --- | --- |\n",
		`| [s1] | Ts1. arxiv.org. <https://arxiv.org/abs/2504.1> | paper | Read for: colour of the \| fur; ` +
			`what moults. Cited 4 times, in Foxes; 4.1 Fur; 4.1.1 Of \| winter. |`,
		"| [s2] | Ts2. github.com. <https://github.com/a/b> | code | Cited in Foxes. |\n" +
			"| [s3] | Ts3. github.com. <https://github.com/a/b/issues/4> | discussion |",
		"| PDF document | Cited in Foxes. |\n| [s5]", "| web page | Cited in 4.1 Fur. |",
		"| [s6] | Ts6. [notes.md](Sources/s6.md) | own document |", "| official |", "| documentation |",
		`| encyclopedia | My own \| word. Read for: a; b; c. Cited in 4.1.1 Of \| winter. |` +
			"\n\n[s1]: Sources/s1.md \"Ts1\"\n",
	} {
		assert.Contains(t, got, row)
	}
	signed := report + "\n" + got
	assert.Equal(t, report, strings.TrimRight(citation.WithoutOwn(signed), "\n")+"\n",
		"the program knows it as its own")
	assert.Equal(t, got,
		citation.Read(context.Background(), signed).ReferenceTable(lookup, prose.English, readFor),
		"and does not count its own citations")
	table := citation.TableOf(signed)
	assert.True(t, strings.HasPrefix(table, "## References {#references}\n\n| No. |") &&
		strings.HasSuffix(table, "4.1.1 Of \\| winter. |\n"), table)
	list := citation.Read(t.Context(), report).References(lookup, prose.English)
	assert.Empty(t, citation.TableOf(report+"\n"+list), "a list is none")
	var page strings.Builder
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(signed), &page))
	assert.Equal(t, 10, strings.Count(page.String(), "<tr>"), "a row each")
	assert.Equal(t, 36, strings.Count(page.String(), "<td"), "of four cells")

	chinese := citation.Read(context.Background(),
		"# 狐狸\n\n狐狸的毛是红色的[s1.1]，冬天变白[s1.1]。\n").ReferenceTable(lookup, prose.Chinese, readFor)
	assert.Contains(t, chinese, "| 编号 | 文献 | 来源类型 | 说明 |\n| --- | --- | --- | --- |\n"+
		"| [s1] | Ts1。arxiv.org。<https://arxiv.org/abs/2504.1> | 论文 | 查阅目的：colour of "+
		"the \\| fur；what moults。引用 2 次，见 狐狸。 |")
	none := citation.Read(context.Background(), "No source.")
	assert.Empty(t, none.ReferenceTable(lookup, prose.English, nil))
}

// A passage is shown with its place in the person's own file.
func TestAReferenceNamesThePlaceInTheOriginal(t *testing.T) {
	s := source("s4", "html", "# slurm.conf\n\n## PARAMETERS\n\n- **ReturnToService**: Controls when a DOWN "+
		"node returns.\n  - **2**: A DOWN node becomes available.\n- **RoutePlugin**: Names the plugin.\n")
	s.URL, s.Title, s.File = "doc:manuals/slurm.conf.html", "slurm.conf", "Sources/s04.md"
	got := citation.Read(context.Background(),
		"It returns [s4.2]. So does that [s4.3].").References(lookupIn(s), prose.English)
	assert.Contains(t, got,
		`"manuals/slurm.conf.html › PARAMETERS › ReturnToService: “2: A DOWN node becomes available.”"`)
	assert.Equal(t, "PARAMETERS › ReturnToService",
		citation.Links("It returns [s4.2].", lookupIn(s))[workspace.Ref{ID: "s4", Block: 2}].Place)
	assert.Contains(t, got, `"manuals/slurm.conf.html › PARAMETERS: “RoutePlugin: Names the plugin.”"`)
}

// No quotation mark is doubled around a passage, and a quote with single marks for its own is to the letter.
func TestQuotationMarksAreNotDoubled(t *testing.T) {
	s := source("s4", "html", "# Tools\n\n## Move\n\nIf Move is on “Selection”, or on “the path”")
	s.File = "Sources/s04.md"
	for _, text := range []string{"“软”限制可以被临时超越；“硬”限制不允许被超出。",
		"它叫作“有宽限期的软限制”", "“**dash -n** *script.sh*” - Shell 脚本语法检查",
		"It is “on” or **“off”**"} {
		quote := "> “" + prose.Quotes(text, 400)[0] + "” [s1.1]\n"
		found := citation.Check(t.Context(), quote, lookupIn(source("s1", "html", text)))
		assert.Equal(t, 1, found.Count(citation.Supported), quote)
		assert.NotRegexp(t, "““|””", quote)
	}
	report := "> “If Move is on ‘Selection’, or on ‘the path’” [s4.1]\n"
	assert.Zero(t, citation.Check(t.Context(), report, lookupIn(s)).Count(citation.QuoteMissing))
	assert.Contains(t, citation.Read(t.Context(), report).References(lookupIn(s), prose.English),
		`"Tools › Move: “If Move is on ‘Selection’, or on ‘the path’”"`)
}

// Brackets side by side are a link where the source defines it, and words of the source otherwise.
func TestBracketsOfTheSourceStayInItsPassage(t *testing.T) {
	s := source("s4", "html", "It has four elements: [plugin:][type:]#[units] in all.\n\n"+
		"It is in [the manual][man], too.\n\n[man]: https://example.org/\n")
	s.File = "Sources/s04.md"
	const said = "It has four elements [s4.1]. The manual has it [s4.2]."
	const four = "It has four elements: [plugin:][type:]#[units] in all."
	got := citation.Read(context.Background(), said).References(lookupIn(s), prose.English)
	links := citation.Links(said, lookupIn(s))
	assert.Contains(t, got, `"`+four+`"`)
	assert.Contains(t, got, `"It is in the manual, too."`)
	assert.Equal(t, four, links[workspace.Ref{ID: "s4", Block: 1}].Passage)
	assert.Equal(t, "It is in the manual, too.", links[workspace.Ref{ID: "s4", Block: 2}].Passage)
}

// TestEveryCitationIsALink renders a signed report with a plain CommonMark parser: each citation leads to its
// source's file and shows its passage.
func TestEveryCitationIsALink(t *testing.T) {
	long := strings.Repeat("A sentence of some length with a \"quote\", a [bracket] and 5 < 6. ", 14)
	s := source("s5", "html", "One.\n\n- two *items* & `code` \\ here\n\n"+long+
		"\n\n| a | b |\n|---|---|\n| c | 4 |\n")
	s.Title, s.File = `A "title" [x]`, "Sources/s05-a b(c).md"
	report := "# R\n\nIt is so [s5.2] [s5.3]. And so [s5]. Also [s5.4] and [s5.99].\n"
	list := citation.Read(context.Background(), report).References(lookupIn(s), prose.English)
	signed := report + "\n" + list
	assert.Equal(t, report, strings.TrimRight(citation.WithoutOwn(signed), "\n")+"\n")

	var page strings.Builder
	require.NoError(t, goldmark.New().Convert([]byte(signed), &page))
	html := page.String()
	assert.Contains(t, html,
		`<a href="Sources/s05-a%20b%28c%29.md#L2" title="two items &amp; code \ here">s5.2</a>`)
	assert.Contains(t, html, `">s5.3</a>`)
	assert.Contains(t, html, `title="a | b: “c | 4”">s5.4</a>`)
	assert.Contains(t, html, `title="A &quot;title&quot; [x]">s5</a>`)
	assert.Contains(t, html, "[s5.99]", "a block that the source has not is no link")
	assert.NotContains(t, html, "]: ", "all definitions are read as such")
	assert.Equal(t, 14, strings.Count(html, "A sentence of some length"), "a passage is shown whole")
}

// TestAReferenceIsNothingButText gives a source whose every field tries to be more than that.
func TestAReferenceIsNothingButText(t *testing.T) {
	for _, hostile := range []string{"a|b", "![x](https://evil.example/p.png)", "<script>alert(1)</script>",
		"[x](https://evil.example/)", "a\n\n# Head\n", "**b** _i_ `c` ~~s~~", `\`, `x\" [y](z)`, "&lt;b&gt;",
		"https://evil.example/ www.evil.example", "\u202eevil\x00\x1b[31m", "| --- |",
		"[s2]: https://evil.example"} {
		s := source("s1", "html", "The quick brown fox jumps."+strings.ReplaceAll(hostile, "\n", " "))
		s.Title, s.Author, s.Type, s.Note, s.Published = hostile, hostile, hostile, hostile, hostile
		s.File, s.URL = "Sources/s01.md", "https://a.example/"+hostile
		report := "“The quick brown fox jumps” [s1.1]."
		for own, rows := range map[string]string{
			citation.Read(context.Background(), report).References(lookupIn(s), prose.English): "<li>",
			citation.Read(context.Background(), report).ReferenceTable(lookupIn(s), prose.English,
				map[string][]string{"s1": {hostile}}): "<td",
		} {
			assert.Empty(t, strings.TrimSpace(citation.WithoutOwn(own)), "%q is not recognised", hostile)
			var page strings.Builder
			require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(report+
				"\n\n"+own), &page))
			if rows == "<li>" {
				assert.Equal(t, 1, strings.Count(page.String(), rows), "%q: %s", hostile, page.String())
			} else {
				assert.Equal(t, 4, strings.Count(page.String(), "<td"), "%q: %s", hostile, page.String())
			}
			assert.Equal(t, 3, strings.Count(page.String(), "<a "),
				"the citation, the id in the list, and the address: %q: %s", hostile, page.String())
			assert.Equal(t, 1, strings.Count(page.String(), `<a href="https://a.example/`), "%q: %s", hostile,
				page.String())
			for _, live := range []string{"<img", "<script", "<em", "<strong", "<code", "<del", "<h1", "<!--",
				"\x1b", "\u202e", `href="https://evil`} {
				assert.NotContains(t, page.String(), live, "%q", hostile)
			}
		}
	}
}

func TestOf(t *testing.T) {
	dir := t.TempDir()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	s, err := w.AddSource(workspace.Source{URL: "https://a.example/", Title: "Foxes", Type: "html",
		Fetched: time.Now().UTC()}, "The quick brown fox jumps.")
	require.NoError(t, err)
	lookup := citation.Of(w)
	found, err := lookup(s.ID)
	require.NoError(t, err)
	assert.True(t, found.Intact)
	assert.Equal(t, "The quick brown fox jumps.\n", found.Text)
	assert.Equal(t, "Foxes", found.Title)
	_, err = lookup("s7")
	assert.ErrorIs(t, err, citation.ErrNotRead)

	assert.Empty(t, found.Newer)
	later, err := w.AddSource(workspace.Source{URL: "https://a.example/", Title: "Foxes", Type: "html",
		Fetched: time.Now().UTC()}, "The slow brown fox walks.")
	require.NoError(t, err)
	found, err = lookup(s.ID)
	require.NoError(t, err)
	assert.Equal(t, "s2", found.Newer, "another text at the same address")
	found, err = lookup(later.ID)
	require.NoError(t, err)
	assert.Empty(t, found.Newer)
	require.NoError(t, w.Close())
}

// What the checker said is read again by whoever opens the folder later, as verify does.
func TestJudgementsAreReadOffline(t *testing.T) {
	dir := t.TempDir()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	s, err := w.AddSource(workspace.Source{URL: "https://a.example/", Title: "Foxes", Type: "html",
		Fetched: time.Now().UTC()}, "The quick brown fox jumps.")
	require.NoError(t, err)
	report := "A fox is fast [" + s.ID + ".1]."
	open := citation.Check(t.Context(), report, citation.Of(w)).Open()
	require.Len(t, open, 1)
	require.NoError(t, w.Keep("claims",
		map[string]citation.Judgement{open[0].Key: {Verdict: citation.Supported, Why: "quick is fast"}}))
	require.NoError(t, w.Close())

	w, err = workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.LoadSources())
	result := citation.Check(t.Context(), report, citation.Of(w))
	result.Judge(citation.Judged(w))
	assert.Equal(t, citation.Supported, result.Findings[0].Verdict)
	require.NoError(t, w.Close())
}
