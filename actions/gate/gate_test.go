package gate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// report is one whose sources are all there.
func report(question, text string) gate.Report {
	return gate.Report{
		File: "report.md", Question: question, Text: text, HasRead: true,
		Lookup: func(id string) (citation.Source, error) {
			s := citation.Source{}
			s.ID, s.URL, s.Title, s.Text = id, "https://"+id+".example/", "Page "+
				id, "Tides rise twice a day, says page "+id+". Nothing else on it is like any other page: "+
				strings.Repeat(id+" ", 40)
			return s, nil
		},
		Exists: func(path string) bool { return path == "Notebook/01-tides.md" },
	}
}

const good = "# Tides\n\nWhy the sea rises.\n\n## Causes\n" +
	"\nThe Moon pulls at the water, and `<b>` stands in code.\n\n- one\n- two\n\n| a | b |\n" +
	"| --- | --- |\n| 1 \\| 2 | 2 |\n\n" +
	"```sql\nSELECT 1; # not a heading\n| a | b | c |\n```\n" +
	"\nSee [the chapter](Notebook/01-tides.md), [causes](#causes), [a page](https://example.org/a) " +
	"and https://example.org/.\n\n### Detail\n\nH<sub>2</sub>O.\n\n<!-- a remark -->\n\n## 结论 {#end}\n" +
	"\n见[结论](#end)。\n"

func TestFormPassesWhatIsInOrder(t *testing.T) {
	assert.Empty(t, gate.Form.Refuse(context.Background(), report("Why?", good)))
	assert.Empty(t, gate.Form.Refuse(context.Background(),
		report("Why?", strings.ReplaceAll(good, "\n", "\r\n"))))
}

func TestFormPassesWhatGitHubShows(t *testing.T) {
	for name, text := range map[string]string{
		"Chinese anchors": "# 潮汐\n\n- [结论](#结论)\n- [一、背景与 API](#一背景与-api)\n" +
			"- [结论](#%E7%BB%93%E8%AE%BA)\n\n## 结论\n\n水。\n\n## 一、背景与 API\n\n水。\n",
		"a German anchor":  "# T\n\n[Ü](#übersicht), [Ü](#Übersicht)\n\n## Übersicht\n",
		"repeated anchors": "# T\n\n[x](#a), [y](#a-1), [z](#a-2)\n\n## A\n\n## A\n\n## A\n",
		"anchors of marked titles": "# T\n\n[x](#the-x_y-of-b--c--d), [y](#at--t)\n" +
			"\n## The `x_y` of **B** & [C](https://example.org/) – d\n\n## AT &amp; T\n",
		"an id in Chinese":       "# T\n\n[x](#结论), [y](#end)\n\n## End {#结论}\n",
		"an anchor in HTML":      "# T\n\n[x](#here)\n\n<a id=\"here\"></a>Here.\n",
		"a heading in a list":    "# T\n\n[x](#a)\n\n- ## A\n",
		"a dead link in a quote": "# T\n\n> “See [the other page](other.md).” [s1]\n",
		"a table in a quote":     "# T\n\n> | a | b |\n> | --- | --- |\n> | 1 | 2 |\n",
		"a table in a list":      "# T\n\n- x\n\n  | a | b |\n  | --- | --- |\n  | 1 | 2 |\n",
		"a table begins an item": "# T\n\n- | a | b |\n  | --- | --- |\n  | 1 | 2 |\n",
		"a short row":            "# T\n\n| a | b |\n| --- | --- |\n| 1 |\nwords\n",
		"an escaped bar":         "# T\n\n| a | b |\n| --- | --- |\n| 1 | 2 \\|\n| `x\\|y` \\| | 2 |\n",
		"an escaped backslash":   "# T\n\n| a | b |\n| --- | --- |\n| C:\\\\| 2 |\n| 1 | C:\\\\ |\n",
		"a footnote": "# T\n\nWords[^1], [^note].\n\n[^1]: Noted\n" +
			"[^note]: Another, with [a page](https://example.org/).\n",
		"addresses without a host": "# T\n\n[x](doi:10.1/2), [y](tel:+491), [z](mailto:a@example.org)\n",
		"a comment before":         "<!-- a\nnote -->\n\n# T\n",
		"an address before":        "[a]: https://example.org/\n\n# T\n\n[a]\n",
		"less and greater":         "# T\n\nWhere a<b and c>d, or 1 < 2.\n",
		"tags that are shown": "# T\n\n<div align=\"center\">\n<IMG src=\"Notebook/01-tides.md\">\n" +
			"</div>\n\nA <u>b</u> <span>c</span><br/>\n\n<details><summary>s</summary>\n\nx\n\n</details>\n",
		"a picture": "# T\n\n![a](Notebook/01-tides.md) ![b](https://example.org/b.png)\n\n" +
			"<a href='https://example.org/'><img alt=x src=\"Notebook/01-tides.md\"></a>\n",
		"a picture in a quote": "# T\n\n> ![a](fig1.png) <img src=\"fig2.png\">\n" +
			"> https://example.org/\n> | 1 | 2 |\n",
		"an address in words": "# T\n\nSee https://example.org/ for more.\n" +
			"https://example.org/ has it.\n\n- [a](https://example.org/)\n- `https://example.org/`\n" +
			"- https://example.org/是官网\n\n```\nhttps://example.org/\n| a | b |\n```\n",
		"bars that are no table": "# T\n\nP(A | B) = 1\nP(B | A) = 2\n\n|x| + |y| = 1\n\n`| a | b |`\n\n" +
			"Run `a | b` | c, or x || y.\n",
		"one dash a column": "# T\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\na | b\n:-|-\n1 | 2\n",
		"a longer fence": "# T\n\n````md\n```\na\n```\n````\n\n> ```\n> a\n> ```\n\n1. x\n" +
			"\n   ```\n   ```\n",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Empty(t, gate.Form.Refuse(context.Background(), report("Why?", text)))
		})
	}
}

func TestFormNamesWhatIsNot(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no title":        {"Tides rise.\n", `line 1: a report begins with its title`},
		"a section first": {"## Causes\n\nWords.\n", `line 1: a report begins with its title`},
		"two titles":      {"# A\n\nText.\n\n# B\n", `line 5: "B" is a second title`},
		"a jump": {"# A\n\n## B\n\n#### C\n",
			`line 5: the heading "C" jumps from level 2 to 4: give it 3 #`},
		"a long row": {"# A\n\n| a | b |\n| --- | --- |\n| 1 | 2 | 3 |\n",
			"line 5: this row of the table has 3 cells"},
		"no table": {"# A\n\n| a | b | c |\n| --- | --- |\n| 1 | 2 |\n",
			"line 4: this is not read as a table: the line of dashes needs as many cells as the head above " +
				"it, which has 3 and not 2"},
		"open code": {"# A\n\n```go\nx := 1\n\nThe rest.\n",
			"line 3: the code that begins here is never closed"},
		"open code, no lines": {"# A\n\n```\n", "line 3: the code that begins here is never closed"},
		"no target":           {"# A\n\nSee [this]().\n", "line 3: a link has no target"},
		"a lost anchor":       {"# A\n\nSee [this](#nowhere).\n", "line 3: a link leads to #nowhere"},
		"a lost file": {"# A\n\nText\nand [this](Notebook/99.md).\n",
			"a link leads to Notebook/99.md, and there is no such file"},
		"a script address": {"# A\n\nSee [this](javascript:alert).\n", "no address"},
		"a long row in a quote": {"# A\n\n> | a | b |\n> | --- | --- |\n> | 1 | 2 | 3 |\n",
			"line 5: this row of the table has 3 cells"},
		"no table in a quote": {"# A\n\n> | a | b | c |\n> | --- | --- |\n",
			"line 4: this is not read as a table: the line of dashes needs as many cells as the head above " +
				"it, which has 3 and not 2"},
		"a third of two": {"# A\n\nSee [this](#b-2).\n\n## B\n\n## B\n",
			"line 3: a link leads to #b-2"},
		"html": {"# A\n\n<script>hidden</script>\n",
			`line 3: "<script>hidden</script>" is HTML`},
		"html in html": {"# A\n\n<div><iframe src=x></iframe></div>\n",
			`line 3: "<iframe src=x></iframe></div>" is HTML`},
		"html behind a comment": {"# A\n\nWords <!-- c --> and <textarea>.\n", `"<textarea>" is HTML`},
		"a declaration":         {"# A\n\n<!DOCTYPE html>\n", `"<!DOCTYPE html>" is HTML`},
		"a name in brackets":    {"# A\n\nA list of <foo> things.\n", `"<foo>" is HTML`},
		"hidden before":         {"<div>words</div>\n\n# A\n", `line 1: a report begins with its title`},
		"empty":                 {"  \n", "report.md is empty"},
		"a lost picture": {"# A\n\nSee ![this](fig1.png).\n",
			"line 3: a picture leads to fig1.png, and there is no such file"},
		"a lost HTML picture": {"# A\n\n<p><IMG alt=\"x\" src=\"fig1.png\"></p>\n",
			"line 3: a picture leads to fig1.png"},
		"a lost HTML link": {"# A\n\nSee <a href=x.md>x</a>.\n", "line 3: a link leads to x.md"},
		"a bare address": {"# A\n\nSee:\nhttps://example.org/a?b=c\n",
			"line 4: the line is a bare address: write [title](address)"},
		"a bare item": {"# A\n\n- one\n- <https://example.org/>\n",
			"line 4: the line is a bare address"},
		"no dashes": {"# A\n\n| a | b |\n| 1 | 2 |\n",
			"line 3: this row is not read as a table: a table needs a line such as | --- | --- " +
				"| below its head"},
		"no dashes, tight": {"# A\n\n|a|b|\n|1|2|\n", "line 4: this row is not read as a table"},
		"a row cut off": {"# A\n\n| a | b |\n| --- | --- |\n\n| 1 | 2 |\n",
			"line 6: this row is not read as a table"},
		"rows in a list": {"# A\n\n- x\n  | a | b |\n  | 1 | 2 |\n",
			"line 4: this row is not read as a table"},
		"too few dashes": {"# A\n\n| a | b | c |\n| - | - |\n| 1 | 2 | 3 |\n",
			"line 4: this is not read as a table: the line of dashes needs as many cells as the head above " +
				"it, which has 3 and not 2"},
		"one dash for two": {"# A\n\n| a | b |\n| --- |\n| 1 | 2 |\n", "which has 2 and not 1"},
		"broken dashes": {"# A\n\n| a | b |\n| - - | - |\n| 1 | 2 |\n",
			"line 4: this is not read as a table: write the line of dashes as | --- | --- |"},
		"dashes without bars": {"# A\n\n| a | b |\n---\n\nWords.\n",
			"line 3: this row is not read as a table"},
		"other dashes": {"# A\n\n| a | b |\n| === | === |\n", "line 3: this row is not read as a table"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Contains(t, gate.Form.Refuse(context.Background(), report("Why?", c.text)), c.want)
		})
	}
	missing := report("Why?", "")
	missing.Missing = errors.New("report.md does not exist")
	assert.Contains(t, gate.Form.Refuse(context.Background(), missing),
		"there is no report. report.md does not exist")
	missing.File, missing.Exists = "final.md", func(name string) bool { return name == "report.md" }
	assert.Contains(t, gate.Form.Refuse(context.Background(), missing),
		"If report.md is the report, name that in result")
	many := "# A\n" + strings.Repeat("\n<form>x</form>\n", 38)
	assert.Contains(t, gate.Form.Refuse(context.Background(), report("Why?", many)), "… and 8 more")
}

func profile(t *testing.T, name string) gate.Profile {
	t.Helper()
	p, err := gate.FindProfile(name, nil)
	require.NoError(t, err)
	return p
}

func TestLength(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	han := func(n int) string { return strings.Repeat("字", n) }
	standard := gate.Length(profile(t, "standard"))
	assert.Empty(t, standard.Refuse(context.Background(),
		report("Why?", "# A\n\n"+words(120)+"\n\n## B\n\n"+words(300)+"\n")))
	assert.Empty(t, standard.Refuse(context.Background(),
		report("为什么？", "# 甲\n\n## 摘要\n\n"+han(150)+"\n\n## 乙\n\n"+han(300)+"\n")),
		"each character is a word")
	assert.Empty(t, standard.Refuse(context.Background(),
		report("Why?", "# A\n\n## 1. Executive Summary\n\n"+words(120)+"\n\n## B\n\n"+words(300)+"\n")))
	assert.Empty(t, standard.Refuse(context.Background(),
		report("Why?", "# A\n\n## 1 Executive Summary / 执行摘要\n\n"+words(120)+"\n\n## B\n\n"+words(300)+
			"\n")), "as the template of exhaustive calls it")
	short := standard.Refuse(context.Background(),
		report("Why?", "# A\n\n"+words(20)+"\n\n## B\n\n"+words(10)+"\n"))
	assert.Contains(t, short, "the report has 32 words and needs 300")
	assert.Contains(t, short, "the abstract, under the title or in a section of that name, has "+
		"20 words and needs 100: sum up what the report says")
	assert.NotContains(t, short, `"B"`, "no bound of its own")
	long := standard.Refuse(context.Background(),
		report("Why?", "# A\n\n## Abstract {#abstract}\n\n"+words(201)+"\n\n## B\n\n"+words(300)+"\n"))
	assert.Contains(t, long, "has 201 words and may have 200")

	own, err := gate.FindProfile("mine",
		map[string]map[string]any{"mine": {"section-words": map[string]any{"min": 50, "max": 80},
			"sections": []any{map[string]any{"title": "2 Costs / 成本", "words": 60},
				map[string]any{"title": "Outlook"}}}})
	require.NoError(t, err)
	by := gate.Length(own).Refuse(context.Background(),
		report("Why?", "# A\n\n"+words(120)+"\n\n## 1 Causes\n\n"+words(60)+"\n\n## 2. 开支\n\n"+words(55)+
			"\n\n## Third\n\n"+words(90)+"\n"))
	assert.NotContains(t, by, "Causes")
	assert.Contains(t, by, `the section "2. 开支" (line 9) has 55 words and needs 60`, "known by its number")
	assert.Contains(t, by, `the section "Third" (line 13) has 90 words and may have 80`)
	assert.Contains(t, by, `the section "Outlook" is missing`)
	for name := range strings.FieldsSeq("brief standard exhaustive") {
		assert.NotEmpty(t, profile(t, name).Guide)
	}
	exhaustive := gate.Length(profile(t, "exhaustive")).Refuse(context.Background(),
		report("Why?", "# A\n\n## 1 Executive Summary\n\n"+words(400)+
			"\n\n## 4 Deep dive\n\n### 4.1 技术全景\n\n"+words(300)+"\n"))
	assert.Contains(t, exhaustive, `the section "4.1 技术全景" (line 9) has 300 words and needs 2000`)
	assert.Contains(t, exhaustive, `the section "4.9 Case Studies / 案例" is missing`)
	assert.NotContains(t, exhaustive, `"1 Executive Summary`)
	assert.Contains(t, exhaustive, "it has 0 tables and needs 10")
}

// The least that the gates want is said before a report is written, and not only when it is refused.
func TestWhatIsWantedNamesTheLeast(t *testing.T) {
	for name, c := range map[string]struct {
		own  map[string]any
		want string
	}{
		"standard": {nil, "\n\nAt least: 300 words, 3 different sources cited."},
		"brief":    {nil, "\n\nAt least: 1 source cited."},
		"exhaustive": {nil, "\n\nOpen each chapter of the blueprint into at least 4 narrow questions that " +
			"do not overlap, each with a query of its own there; search and read for each.\n" +
			"\nAt least: 20000 words, 40 different sources cited, 10 tables."},
		"mine": {map[string]any{"guide": "A letter.", "words": map[string]any{"min": 0},
			"section-words": map[string]any{"min": 50}, "tables": 1},
			"A letter.\n\nAt least: 50 words in each section, 3 different sources cited, 1 table."},
		"questions": {map[string]any{"guide": "A letter.", "words": map[string]any{"min": 0}, "sources": 0,
			"micro-questions": 6}, "A letter.\n\nOpen each chapter of the blueprint into at least 6 narrow " +
			"questions that do not overlap, each with a query of its own there; search and read for each."},
		"enough": {map[string]any{"guide": "A letter.", "words": map[string]any{"min": 0}, "sources": 0,
			"enough": 500}, "A letter. Some 500 words are enough for a question in up to 3 parts, 750 " +
			"for one in 4, and 1125 for one in more (Chinese: twice as many characters), code not counted. " +
			"No gate holds you to it, but whatever goes beyond has to be worth the reader's time."},
		"none": {map[string]any{"guide": "A letter.", "words": map[string]any{"min": 0}, "sources": 0},
			"A letter."},
	} {
		t.Run(name, func(t *testing.T) {
			own := map[string]map[string]any{}
			if c.own != nil {
				own[name] = c.own
			}
			p, err := gate.FindProfile(name, own)
			require.NoError(t, err)
			if c.own != nil {
				assert.Equal(t, c.want, p.Wanted())
			} else {
				assert.True(t, strings.HasSuffix(p.Wanted(), c.want), p.Wanted())
			}
		})
	}
}

// The parts of a report are its sections without those that hold others.
func TestTheChaptersOfAPlan(t *testing.T) {
	assert.Empty(t, profile(t, "standard").Parts())
	parts := profile(t, "exhaustive").Parts()
	assert.Len(t, parts, 17)
	assert.NotContains(t, parts, "4 Deep-Dive Analysis / 深入分析")
	assert.Contains(t, parts, "4.1 Technical Landscape / 技术全景")
	sections := []gate.Section{{Title: "1. Costs"}, {Title: "1.1 Power"}, {Title: "Outlook"},
		{Title: "10 Sources"}}
	assert.Equal(t, []string{"1.1 Power", "Outlook", "10 Sources"}, gate.Profile{Sections: sections}.Parts())
}

func TestATableCountsWhereverItStands(t *testing.T) {
	g := gate.Length(gate.Profile{Tables: 4})
	const table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
	in := func(mark, rest string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(table, "\n"), "\n", "\n"+rest) + "\n\n"
	}
	text := "# A\n\n" + in("", "") + in("> ", "> ") + in("- ", "  ")
	assert.Contains(t, g.Refuse(context.Background(), report("Why?", text)), "it has 3 tables and needs 4")
	assert.Empty(t, g.Refuse(context.Background(), report("Why?", text+in("1. ", "   "))))
}

func TestProfilesOfAPersonsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		fields map[string]any
		want   string
	}{
		"unknown key": {map[string]any{"wrods": 3}, "unknown field"},
		"upside down": {map[string]any{"words": map[string]any{"min": 5, "max": 3}},
			"words goes from 5 to 3"},
		"negative":  {map[string]any{"sources": -1}, "sources is -1"},
		"no number": {map[string]any{"sources": "many"}, "the profile mine is not right"},
		"no form": {map[string]any{"references": "chart"},
			`references is "chart"; it may be list or table`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gate.FindProfile("mine", map[string]map[string]any{"mine": c.fields})
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := gate.FindProfile("none", map[string]map[string]any{"mine": {}})
	require.ErrorIs(t, err, gate.ErrNoProfile)
	assert.ErrorContains(t, err, "brief, exhaustive, standard, mine")
	p, err := gate.FindProfile("mine", map[string]map[string]any{"mine": {"sources": 7}})
	require.NoError(t, err)
	assert.Equal(t, 7, p.Sources)
	assert.Equal(t, 100, p.Abstract.Min, "as in standard")
}

func TestMinimum(t *testing.T) {
	g := gate.Minimum(gate.Profile{Sources: 3, Tokens: 1000})
	r := report("Why?", "# A\n\nOne [s1], two [s2, s3], and one more [s1].\n")
	r.Tokens = 1000
	assert.Empty(t, g.Refuse(context.Background(), r))
	r.Tokens = 999
	assert.Contains(t, g.Refuse(context.Background(), r),
		"fewer tokens were spent than the 1000 that this profile wants")
	r.Text = "# A\n\nOne [s1], [s2].\n"
	assert.Contains(t, g.Refuse(context.Background(), r),
		"report.md cites 2 different sources and needs 3: search for others")
	copied := report("Why?", "# A\n\nOne [s1], two [s2], three [s3].\n")
	copied.Lookup = func(id string) (citation.Source, error) {
		s := citation.Source{Text: strings.Repeat(
			"the very same press release in many words that all papers took over to the letter ", 8)}
		s.ID, s.URL = id, "https://"+id+".example/"
		return s, nil
	}
	assert.Contains(t, g.Refuse(context.Background(), copied),
		"report.md cites 1 source (2 more are copies) and needs 3: search for others", "copies are one")
	copied.Text = "# A\n\nOne [s1], two [s2].\n"
	assert.Contains(t, g.Refuse(context.Background(), copied),
		"report.md cites 1 source (1 more is a copy) and needs 3")
	gone := report("Why?", "# A\n\nOne [s1].\n")
	gone.Lookup = func(string) (citation.Source, error) { return citation.Source{}, citation.ErrNotRead }
	assert.Contains(t, g.Refuse(context.Background(), gone),
		"report.md cites no source that was read, and needs 3 different sources: search")
	g = gate.Minimum(gate.Profile{Sources: 1, Tokens: 1000})
	assert.Contains(t, g.Refuse(context.Background(), gone),
		"report.md cites no source that was read, and needs 1 source: search")
}

func names(refusals []gate.Refusal) (all []string) {
	for _, r := range refusals {
		all = append(all, r.Gate)
	}
	return all
}

func refuse(t *testing.T, s gate.Sequence, r gate.Report) []gate.Refusal {
	t.Helper()
	refused, err := s.Refuse(t.Context(), r)
	require.NoError(t, err)
	return refused
}

// What is wrong with a report is told at once, by each gate under its name and in their order.
func TestAllFaultsAreToldAtOnce(t *testing.T) {
	own, err := gate.FindProfile("mine",
		map[string]map[string]any{"mine": {"sources": 5, "section-words": map[string]any{"min": 9}}})
	require.NoError(t, err)
	bad := "# A\n\n### B\n\nThis is what the Moon and the Sun do to the water of the sea, by the ton, as " +
		"all know [s1, s99].\n"
	proposed := func(text string) gate.Report {
		r := report("潮汐为什么会涨落？", text)
		found := r.Lookup
		r.Lookup = func(id string) (citation.Source, error) {
			if id == "s99" {
				return citation.Source{}, citation.ErrNotRead
			}
			return found(id)
		}
		return r
	}
	refused := refuse(t, own.Gates(), proposed(bad))
	assert.Equal(t, []string{"form", "parts", "citations", "length", "language", "minimum"}, names(refused))
	told := gate.Told(refused)
	assert.True(t, strings.HasPrefix(told,
		"form, parts, citations, length, language, minimum do not pass. Mend all of it, then "+
			"propose to finish again.\n\nform: report.md is not in good order as Markdown:\n- line 3: "),
		told)
	at := 0
	for _, part := range []string{"form: report.md is not",
		"parts: report.md lacks parts that the profile mine asks for", "citations: what report.md cites",
		"length: report.md does not", "language: report.md is written in English",
		"minimum: report.md cites 1 source"} {
		found := strings.Index(told[at:], "\n\n"+part)
		require.GreaterOrEqual(t, found, 0, part)
		at += found
	}
	t.Run("one alone needs no name", func(t *testing.T) {
		assert.Equal(t, refused[4].Text, gate.Told(refused[4:5]))
	})
	t.Run("the length is bounded", func(t *testing.T) {
		many := bad + strings.Repeat("\n## 很长的标题"+strings.Repeat("长", 300)+"\n", 200)
		refused := refuse(t, own.Gates(), proposed(many))
		told := gate.Told(refused)
		assert.Less(t, len(told), 9<<10)
		assert.True(t, utf8.ValidString(told))
		assert.Contains(t, told, "… (the rest is told when this is mended)")
		assert.Contains(t, told, "\n\nminimum: report.md cites 1 source and needs 5: search for "+
			"others, read them, and use what they add", "a short one is whole")
	})
}

// What fails a gate never passes. The tries are used up when the same is said of the same report a third
// time, or when one gate has refused six reports, whatever was changed in them.
func TestTriesAreUsedUp(t *testing.T) {
	s := gate.Sequence{gate.Form, gate.Length(profile(t, "standard")), gate.Language}
	r := report("潮汐为什么会涨落？",
		"# A\n\nThe water of the sea is what the Moon and the Sun pull at, and this was known "+
			"to the Greeks of old.\n")
	spent := func(refused, past []gate.Refusal) bool {
		return slices.ContainsFunc(refused, func(why gate.Refusal) bool { return why.Spent(past) })
	}
	var past []gate.Refusal
	for try := range 4 {
		refused := refuse(t, s, r)
		assert.Equal(t, []string{"length", "language"}, names(refused), "it never passes")
		assert.Equal(t, try >= 2, spent(refused, past), try)
		past = append(past, refused...)
	}
	t.Run("a change begins again", func(t *testing.T) {
		changed := r
		changed.Text += "\nMore.\n"
		assert.False(t, spent(refuse(t, s, changed), past))
	})
	t.Run("but not for ever", func(t *testing.T) {
		var past []gate.Refusal
		tries := 0
		for ; tries < 100; tries++ {
			changed := r
			changed.Text += strings.Repeat("\nMore.\n", tries)
			refused := refuse(t, gate.Sequence{gate.Language}, changed)
			require.NotEmpty(t, refused)
			if spent(refused, past) {
				break
			}
			past = append(past, refused...)
		}
		assert.Equal(t, 6, tries)
	})
	t.Run("no report has no other fault", func(t *testing.T) {
		missing := gate.Report{File: "report.md", Missing: errors.New("report.md does not exist")}
		assert.Len(t, refuse(t, s, missing), 1)
	})
}

// A Chinese report is told its length in characters, which is what is counted.
func TestTheLengthOfAChineseReportIsToldInCharacters(t *testing.T) {
	length := gate.Length(gate.Profile{Name: "mine", Words: gate.Range{Min: 20}})
	assert.Contains(t, length.Refuse(t.Context(), report("潮汐为什么会涨落？", "# 潮汐\n\n月亮吸引海水。\n")),
		"has 8 characters (字) and needs 20")
	assert.Contains(t, length.Refuse(t.Context(), report("Why?", "# Tides\n\nThe moon pulls.\n")),
		"has 4 words and needs 20")
}

// A table below the title is no part of the abstract, wherever it stands.
func TestATableIsNoAbstract(t *testing.T) {
	const words, table = "The answer is yes, with one condition.", "| What | How |\n| --- | --- |\n| a | b |"
	for name, report := range map[string]string{
		"behind it":               "# T\n\n" + words + "\n\n" + table + "\n\n## One\n\nText.\n",
		"before it":               "# T\n\n" + table + "\n\n" + words + "\n\n## One\n\nText.\n",
		"right below the title":   "# T\n" + table + "\n\n" + words + "\n\n## One\n\nText.\n",
		"in a section, a control": "# T\n\n" + words + "\n\n## One\n\n" + table + "\n",
	} {
		assert.Equal(t, words, gate.Report{Text: report}.Abstract(), name)
	}
}

// What the abstract says of the report's own marks is not counted when it is too long; what it says of
// anything, and a long paragraph, is.
func TestHowAReportIsMarkedIsNoPartOfItsAbstract(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	const marking = "Sentences without a citation are this report's own."
	length := gate.Length(profile(t, "standard"))
	for name, c := range map[string]struct {
		abstract, told string
	}{
		"a sentence of its own": {words(195) + "\n\n" + marking, ""},
		"in Chinese":            {words(195) + "\n\n没有引用的句子是本报告自己的推论。", ""},
		"a list of traps":       {words(190) + "\n\n- " + words(40) + "\n- " + words(40), ""},
		"too much above a list": {words(205) + "\n\n1. " + words(40), "has 205 words"},
		"above the answer":      {"*Sentences without citations are ours.*\n\n" + words(200), ""},
		"beside too much": {words(205) + "\n\n" + marking,
			"has 205 words and may have 200"},
		"in one paragraph": {words(195) + " " + marking, "has 203 words"},
		"several":          {words(195) + "\n\n" + marking + "\n\n" + marking, "and may have 200"},
		"on citations as such": {words(195) + "\n\nThe number of citations grows with age.",
			"and may have 200"},
		"a long one":  {words(170) + "\n\nEach citation " + words(40), "has 212 words"},
		"of a source": {words(195) + "\n\nA citation is asked for [s1.1].", "and may have 200"},
		"too short with it": {words(90) + "\n\n" + marking,
			"has 98 words and needs 100"},
	} {
		text := "# A\n\n" + c.abstract + "\n\n## B\n\n" + words(300) + "\n"
		said := length.Refuse(t.Context(), report("Why?", text))
		if c.told == "" {
			assert.Empty(t, said, name)
			continue
		}
		assert.Contains(t, said, c.told, name)
	}
}
