package citation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhatACitationStandsFor pins which text a citation stands for: the sources hold the figure 1 alone, so
// that any other figure of the text is told as missing.
func TestWhatACitationStandsFor(t *testing.T) {
	for name, c := range map[string]struct {
		report string
		want   string // for each citation its source and the figures of its text
	}{
		"the end of the sentence":       {"It had 20 then. Now it has 30 [s1].", "s1 30"},
		"behind the stop":               {"It had 20 then. Now it has 30. [s1] Later 40.", "s1 30"},
		"two in one sentence":           {"It had 20 [s1] and now has 30 [s2].", "s1 20; s2 30"},
		"two together":                  {"It had 20 then. Now 30 [s1][s2].", "s1 30; s2 30"},
		"two in one bracket":            {"Now 30 [s1, s2].", "s1 30; s2 30"},
		"two with a Chinese comma":      {"现在有30个[s1、s2]。", "s1 30; s2 30"},
		"Chinese stops":                 {"以前有20个。现在有30个[s1]。", "s1 30"},
		"Chinese stop before":           {"以前有20个。现在有30个。[s1]以后40个。", "s1 30"},
		"an abbreviation":               {"It has 20 and, e.g. Apollo, 30 [s1].", "s1 20 30"},
		"an initial":                    {"With 20, J. Smith found 30 [s1].", "s1 20 30"},
		"et al.":                        {"With 20, Li et al. 2019 [s1] found 40.", "s1 20 2019 40"},
		"a decimal":                     {"It rose from 20.5 to 30.5 [s1].", "s1 20.5 30.5"},
		"an ellipsis":                   {"From 20 ... to 30 [s1].", "s1 20 30"},
		"a stop inside a quote":         {"He said “it had 20. It has 30” [s1].", "s1 20 30"},
		"a stop that ends a quote":      {"He said “there were 20.” Now it has 30 [s1].", "s1 30"},
		"a Chinese question in a quote": {"他问：“为什么有20个？”，其实有30个[s1]。", "s1 20 30"},
		"in a bracket":                  {"It had 20. It has 30 (see [s1]).", "s1 30"},
		"in a bracket of its own":       {"It had 20. It has 30. (Source: [s1])", "s1 30"},
		"at the beginning":              {"[s1] says that there are 30. Later 40.", "s1 30"},
		"in the middle":                 {"According to [s1], there are 30. Later 40.", "s1 30"},
		"in the middle in Chinese":      {"根据[s1]，现在有30个。以后有40个。", "s1 30"},
		"a list": {"1. It had 20.\n2. It has 30 [s1].\n   - and 40 [s2]\n",
			"s1 30; s2 40"},
		"a table": {"| Year | Count | |\n|---|---|---|\n| 1999 | 30 | [s1] |\n" +
			"| 2000 | 40 | [s2] |", "s1 1999 30; s2 2000 40"},
		"a table that counts its rows": {
			"| # | Count | |\n|---|---|---|\n| 1 | 30 | [s1] |\n| 2 | 40 | [s2] |", "s1 30; s2 40"},
		"a table that begins with it": {"| Source | Count |\n|---|---|\n| [s1] | 30 |", "s1 30"},
		"a heading with a number":     {"## 2.4 Growth by 30 [s1]", "s1 30"},
		"a figure behind that number": {"## 3. 30 of them are lost [s1]", "s1 30"},
		"an indent of full width":     {"\u3000\u30002、现在有30个[s1]。", "s1 30"},
		"a block quote in the report": {"> [!NOTE]\n> It has 30 [s1].", "s1 30"},
		"a link of its own":           {"It has 30 [s1](Sources/s01.md).", "s1 30"},
		"lines of one paragraph":      {"It had 20. It\nhas\n30 [s1].", "s1 30"},
		"a bold sentence":             {"**It had 20.** It has **30** [s1].", "s1 30"},
		"a span of code":              {"Write `[s1]` for it, 30.", ""},
		"a block of code":             {"```\nIt has 30 [s1].\n```\n\n    It has 40 [s1].\n", ""},
		"the definition of a link":    {"It has 30.\n\n[s1]: https://example.org/\n", ""},
		"the program's references": {"It has 30 [s1].\n\n## References {#references}\n\n" +
			"| Id |\n| --- |\n| [s2](x) 40 |\n\nMy own 50 [s3].", "s1 30; s3 50"},
		"a name with a number": {"It runs on `s3-20` and `utf8` with 30 [s1].", "s1 30 s3-20 utf8"},
		"an amount in code":    {"It is set to `30MB` [s1].", "s1 30"},
		"labels":               {"As figure 2 and section 3 show (see p. 12), there are 30 [s1].", "s1 30"},
		"an option":            {"What `-N1` does not see, and -N3 does, are 30 rows [s1].", "s1 30 -N1"},
		"labels of one's own":  {"In test 2 run query 3, commands 4 and 5 on 30 rows [s1].", "s1 30"},
		"labels in Chinese":    {"如图2和第3章所示，有30个[s1]。", "s1 30"},
		"enumerations":         {"It is (1) cheap, (2) sold 30 times [s1].", "s1 30"},
		"manual pages":         {"As varnishd(1), hitch(8) and hitch.conf(5) say, 30 run [s1].", "s1 30"},
		"small words":          {"Two of three people, one by one, bought thirty [s1].", "s1 thirty"},
		"an address":           {"See https://example.org/2020/99 for the 30 [s1].", "s1 30"},
		"a note":               {"It has 30[^4] [s1].", "s1 30"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, x := range citation.Check(context.Background(), c.report,
				lookupIn(source("s1", "html", "1"), source("s2", "html", "1"),
					source("s3", "html", "1"))).Findings {
				got = append(got, x.Source+" "+strings.Join(x.Missing, " "))
			}
			want := c.want
			if strings.Contains(name, "quote") && strings.Contains(c.report, "“it had") {
				want = "s1 it had 20. It has 30"
			}
			if name == "a Chinese question in a quote" {
				want = "s1 为什么有20个？ 30"
			}
			assert.Equal(t, want, strings.Join(got, "; "))
		})
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		stands        bool
	}{
		{"1,000", "1000", true}, {"1000", "1 000", true}, {"1000", "1\u202f000", true},
		{"1'000", "1,000", true}, {"1000", "１，０００", true},
		{"1000", "10000", false}, {"1000", "100", false}, {"1,000", "1,001", false}, {"12", "2012", false},
		{"12", "12.5", false}, {"5", "0.5", false},
		{"3.82 s", "3.820807 s", true}, {"3.83 s", "3.820807 s", false}, {"3.82 ms", "3.820807 s", false},
		{"-1", "the value “-1” means all", true}, {"-1", "from 2 -1 is taken", false},
		{"1.2 million", "1,200,000", true}, {"1.2 million", "120万", true}, {"1.2M", "1.2 million", true},
		{"120万", "1.2 million", true}, {"1.2 million", "1.2 billion", false},
		{"1.2 million", "1.2", false}, {"1.2 million", "1,250,000", false}, {"3亿", "300 million", true},
		{"1亿2000万", "120,000,000", true}, {"1,00,000", "100,000", true}, {"30 lakh", "3,000,000", true},
		{"5 %", "5%", true}, {"5%", "5 percent", true}, {"5 percent", "five per cent", true},
		{"5%", "百分之五", true}, {"百分之五", "5 %", true}, {"百分之五", "6 %", false},
		{"25%", "twenty-five percent", true}, {"3", "three", true}, {"3", "third", true},
		{"3", "thirteen", false}, {"250,000", "two hundred and fifty thousand", true},
		{"300", "三百", true}, {"三百", "300", true}, {"3500", "三千五百", true}, {"25", "二十五", true},
		{"15", "十五", true}, {"35000", "三万五", true}, {"305", "三百零五", true}, {"二十五", "26", false},
		{"3.5", "三点五", true}, {"12", "一十二", true}, {"2024", "二〇二四", true}, {"30%", "三成", true},
		{"14 March 2024", "2024-03-14", true}, {"2024-03-14", "March 14, 2024", true},
		{"2024年3月14日", "14 Mar 2024", true}, {"March 14th, 2024", "2024 年 3 月 14 日", true},
		{"14 March 2024", "14/3/2024", true}, {"14 March 2024", "3/14/2024", true},
		{"14 March 2024", "14.03.2024", true}, {"2024/3/14", "二〇二四年三月十四日", true},
		{"14 March 2024", "14th of March, 2024", true},
		{"14 March 2024", "15 March 2024", false}, {"14 March 2024", "14 May 2024", false},
		{"14 March 2024", "14 March 2023", false}, {"2024-03-14", "2024-03-15", false},
		{"March 2024", "14 March 2024", true}, {"March 2024", "2024年3月", true},
		{"March 2024", "April 2024", false}, {"March 2024", "2024-03", true},
		{"14 March", "2024-03-14", true}, {"3月", "March 2024", true},
		{"2024", "14 March 2024", true}, {"2024", "2024-03-14", true}, {"2024年", "2024", true},
		{"14 March 2024", "March 2024", false},
		{"2010–2015", "from 2010 to 2015", true}, {"2010-15", "2010–2015", true},
		{"2010–2015", "2010–2016", false}, {"10-20 %", "10 to 20 percent", true},
		{"14–16 March 2024", "2024-03-14 … 2024-03-16", true},
		{"14–16 March 2024", "14 March 2024", false}, {"March 14–16, 2024", "14–16 March 2024", true},
		{"the 1990s", "the 1990s", true}, {"20世纪90年代", "the 1990s", true}, {"1990年代", "1990s", true},
		{"90年代", "1990s", true}, {"19th century", "19世纪", true},
		{"v1.26.5", "1.26.5", true}, {"1.26.5", "v1.26.6", false}, {"v1.26", "Go 1.26", true},
		{"v1.26", "v1.27", false}, {"10.0.0.1", "10.0.0.1", true}, {"10.0.0.1", "10.0.0.2", false},
		{"H100", "the H100 card", true}, {"H100", "the H200 card", false}, {"GPT-4", "GPT-4", true},
		{"GPT-4", "GPT-5", false}, {"GPT-3.5", "GPT-3.5", true}, {"7B", "7 billion", true},
		{"7B", "8B", false},
		{"SHA-256", "SHA256", true}, {"100", "H100", false}, {"RAID5/6", "RAID5/RAID6", true},
		{"RAID5/6", "RAID5/RAID10", false},
		{"10:30", "at 10:30", true}, {"10:30", "10:31", false}, {"14:30", "2:30 pm", true},
		{"9:30", "09:30", true}, {"10:30", "10点30分", true},
		{"-5 degrees", "−5 °C", true}, {"-5", "零下5度", true}, {"-5", "5", false},
		{"fell by 5 %", "-5 %", true},
		{"3.50", "3.5", true}, {"1.5", "1,5 Meter", true}, {"1,234,567", "1.234.567", true},
		{"007", "7", true},
		{"1920×1080", "1920x1080", true}, {"1920x1080", "1920 × 1080", true}, {"-5", "–5 °C", true},
		{"二十多万", "more than 200,000", true}, {"几十万", "many", true}, {"数百", "many", true},
		{"5 km", "5 kilometres", true}, {"$18.50", "18.5 dollars", true}, {"3千米", "3公里", true},
		{"8GB", "8 GB", true}, {"5k", "5000", true},
		{"2", "[two](https://example.org/2)", true}, {"99", "[two](https://example.org/99)", false},
		{"99", "https://example.org/99", false}, {"8192", "    x = 8192\n", true},
		{"5", "**5** %", true}, {"1.2 million", "**1.2** million", true}, {"100", "10\\^0", false},
	} {
		t.Run(c.claim+" in "+c.source, func(t *testing.T) {
			result := citation.Check(context.Background(), "It is "+c.claim+" [s1].",
				lookupIn(source("s1", "html", "They say: "+c.source+" it was.")))
			require.Len(t, result.Findings, 1)
			if !c.stands {
				assert.Equal(t, citation.FigureMissing, result.Findings[0].Verdict)
				return
			}
			// A figure in other words is found, but what is said of it is for the checker to judge.
			assert.Contains(t, []citation.Verdict{citation.Supported, citation.NotChecked},
				result.Findings[0].Verdict, "%q", result.Findings[0].Missing)
			assert.Empty(t, result.Findings[0].Missing)
		})
	}
}

func TestQuotes(t *testing.T) {
	const text = "# Head of it all\n\nThe *quick* brown fox doesn’t [jump over](https://a.example/_b_) the " +
		"`lazy_dog` — never… not once &amp; not twice.[\\[7\\]](#note-7)\n\n" +
		"He said “go home now” and left the co-opera-\ntive house ﬁrst, cafe\u0301 closed.\n" +
		"\n数据库在提交时，先写日志 （WAL），再写数据页。\n\n| one cell | two cells |\n|---|---|\n" +
		"| here are | four words |\n"
	for name, c := range map[string]struct {
		quote  string
		stands bool
	}{
		"as it is": {"The quick brown fox doesn't jump over the lazy_dog", true},
		"with its mark-up": {
			"The *quick* brown fox doesn’t [jump over](https://a.example/_b_) the `lazy_dog`", true},
		"other dashes and ellipsis":   {"the lazy_dog - never... not once & not twice.", true},
		"an ellipsis":                 {"The quick brown fox … not once & not twice", true},
		"an ellipsis in brackets":     {"The quick brown fox [...] not once & not twice", true},
		"parts in the wrong order":    {"not once & not twice … The quick brown fox", false},
		"inner quotes":                {"He said ‘go home now’ and left", true},
		"a divided word":              {"left the co-operative house first", true},
		"a ligature":                  {"house first, café closed", true},
		"a half word at the end":      {"The quick brown fo", false},
		"a half word at the start":    {"uick brown fox doesn't", false},
		"another case":                {"The Quick brown fox doesn't", false},
		"within a sentence":           {"the quick brown fox doesn't", true},
		"another case, within":        {"Quick brown fox doesn't", false},
		"a word left out":             {"The brown fox doesn't jump", false},
		"over a heading":              {"Head of it all The quick brown fox", false},
		"full and half width":         {"数据库在提交时,先写日志(WAL),再写数据页", true},
		"blanks in Chinese":           {"数据库 在提交时，先写日志（ＷＡＬ）", true},
		"another character":           {"数据库在提交时，先写目志（WAL）", false},
		"cells of a row":              {"here are four words", true},
		"from the title of the page":  {"A page on foxes and dogs", true},
		"zero width and soft hyphens": {"The qu\u00adick bro\u200bwn fox doesn't", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := source("s1", "html", text)
			s.Title = "A page on foxes and dogs"
			result := citation.Check(context.Background(), "It is written “"+c.quote+"” [s1].", lookupIn(s))
			require.Len(t, result.Findings, 1)
			want := citation.QuoteMissing
			if c.stands {
				want = citation.Supported
			}
			assert.Equal(t, want, result.Findings[0].Verdict, result.Findings[0].Why)
		})
	}
}

// A source from before signs were escaped, one from after, and a report in either spelling say the same.
func TestAQuoteMatchesWithAndWithoutEscapes(t *testing.T) {
	const bare = `Of *.c and *.h take the method __init__ of a_b_c, and \(x\) for 10~20 or 30~40.`
	const escaped = `Of \*.c and *.h take the method \_\_init\_\_ of a_b_c, and \\(x\\) for 10\~20 or 30\~40.`
	for _, text := range []string{bare, escaped} {
		for _, quote := range []string{bare, escaped} {
			result := citation.Check(context.Background(), "It is written “"+quote+"” [s1].",
				lookupIn(source("s1", "html", text)))
			require.Len(t, result.Findings, 1)
			assert.Equal(t, citation.Supported, result.Findings[0].Verdict, "%s\n%s", text, quote)
		}
	}
	result := citation.Check(context.Background(), "It is the method `__init__` [s1.1].",
		lookupIn(source("s1", "html", escaped)))
	assert.NotContains(t, result.Findings[0].Why, "to the letter")

	// A star that ends nowhere is one, also where others are marks
	result = citation.Check(context.Background(), "They are `*.c` files [s1.1].",
		lookupIn(source("s1", "html", "All **headers** and *sources* of *.c files.")))
	assert.NotContains(t, result.Findings[0].Why, "*.c")
	result = citation.Check(context.Background(), "They are `*.c` files [s1.1].",
		lookupIn(source("s1", "html", "All *.c files*.")))
	assert.Contains(t, result.Findings[0].Why, "*.c is not in s1.1")
}

// What a model sees of a source has a backslash in what could be a mark of its template, and so has its copy.
func TestAQuoteOfADisarmedMark(t *testing.T) {
	const text = "Set `PROMPT` \\<S> for <user> so:\n\n```\nssh <user>@[DONE]\n```\n"
	shown := agent.Disarm(text)
	require.Contains(t, shown, `\<\S> for <\user>`)
	for report, want := range map[string]citation.Verdict{
		"It says “Set `PROMPT` \\<\\S> for <\\user> so” [s1.1].":       citation.Supported,
		"It says “Set `PROMPT` \\<\\T> for <\\user> so” [s1.1].":       citation.QuoteMissing,
		"Code, from [s1.2]:\n\n```\nssh <\\user>@[\\DONE]\n```\n":      citation.Supported,
		"Code, from [s1.2]:\n\n```\nssh <\\root>@[\\DONE] -p 2\n```\n": citation.QuoteMissing,
	} {
		result := citation.Check(t.Context(), report, lookupIn(source("s1", "html", text)))
		require.Len(t, result.Findings, 1)
		assert.Equal(t, want, result.Findings[0].Verdict, "%s: %s", report, result.Findings[0].Why)
	}
}

// Numbers with a blank between may be one or several, as where the lines of a table follow each other.
func TestNumbersThatFollowEachOther(t *testing.T) {
	const text = "The status is 123 for 1-125 124 for 255 and for 10 000 files 126."
	for claim, isThere := range map[string]bool{"It is 124 [s1.1].": true, "It is 125 [s1.1].": true,
		"There are 10,000 files [s1.1].": true, "It is 128 [s1.1].": false} {
		result := citation.Check(t.Context(), claim, lookupIn(source("s1", "html", text)))
		require.Len(t, result.Findings, 1)
		assert.Equal(t, isThere, result.Findings[0].Verdict != citation.FigureMissing, claim)
	}
}

func TestWhatIsAQuote(t *testing.T) {
	const not = "words that stand nowhere"
	for name, c := range map[string]struct {
		report string
		want   citation.Verdict
	}{
		"curly":          {"It says “" + not + "” [s1].", citation.QuoteMissing},
		"straight":       {`It says "` + not + `" [s1].`, citation.QuoteMissing},
		"guillemets":     {"It says «" + not + "» [s1].", citation.QuoteMissing},
		"German":         {"It says „" + not + "“ [s1].", citation.QuoteMissing},
		"corners":        {"它说「并不存在的一句话」[s1]。", citation.QuoteMissing},
		"double corners": {"它说『并不存在的一句话』[s1]。", citation.QuoteMissing},
		"nested": {"It says “some “words that” stand nowhere” [s1].",
			citation.QuoteMissing},
		"the citation inside": {"It says “" + not + " [s1].”", citation.QuoteMissing},
		"two, of which one stands": {"It says “a line of text” and “" + not + "” [s1].",
			citation.QuoteMissing},
		"a block quote":              {"> " + not + " [s1]", citation.QuoteMissing},
		"a block quote with a stop":  {"> A line of text. " + not + ". [s1]", citation.QuoteMissing},
		"a block quote, then its id": {"> " + not + "\n\n[s1]", citation.QuoteMissing},
		"with an author":             {"> " + not + "\n\n— Somebody, 2020 [s1]", citation.QuoteMissing},
		"with an author inside":      {"> A line of text\n> — Somebody [s1]", citation.Supported},
		"indented in full width":     {"> A line of text\n> \u3000\u3000——某人 [s1]", citation.Supported},
		"of two paragraphs":          {"> " + not + "\n>\n> A line of text [s1]", citation.QuoteMissing},
		"behind a colon":             {"He says [s1]:\n\n> " + not, citation.QuoteMissing},
		"in a list":                  {"- “" + not + "” [s1]", citation.QuoteMissing},
		"in a table": {"| a | b |\n|---|---|\n| “" + not + "” | [s1] |",
			citation.QuoteMissing},
		"a term":                      {"So-called “wild geese” are not [s1].", citation.NotChecked},
		"a Chinese term":              {"所谓“鸿雁”[s1]并不是。", citation.NotChecked},
		"a short quote alone":         {"“Wild geese.” [s1]", citation.QuoteMissing},
		"a short quote alone, stands": {"> “A line” [s1]", citation.Supported},
		"in code":                     {"It is `\"" + not + "\"` [s1].", citation.NotChecked},
		"before the sentence":         {"“" + not + "” is not quoted. It is so [s1].", citation.NotChecked},
		"an inch":                     {`A 5" disk and 7" [s1].`, citation.FigureMissing},
		"the source's title":          {"In “The name of this source” [s1] it is so.", citation.Supported},
		"nothing":                     {"It is so [s1].", citation.NotChecked},
	} {
		t.Run(name, func(t *testing.T) {
			s := source("s1", "html", "A line of text.\n\nAnother one.")
			s.Title = "The name of this source"
			result := citation.Check(context.Background(), c.report, lookupIn(s))
			require.Len(t, result.Findings, 1)
			assert.Equal(t, c.want, result.Findings[0].Verdict, result.Findings[0].Why)
		})
	}
}

// What the question calls by a name with a number need not be called so in each cited block; the same number
// elsewhere in the sentence, another one behind the name, and a year are figures as ever.
func TestANumberInANameOfTheQuestion(t *testing.T) {
	s := source("s1", "html", "A satellite connects to its master by itself.")
	s.Asked = "How do we set up Icinga 2 with PostgreSQL 15.4, since Autumn 2021?"
	for report, want := range map[string]string{
		"In Icinga 2 a satellite connects to its master [s1.1].":            "",
		"With PostgreSQL 15.4 a satellite connects to its master [s1.1].":   "",
		"With PostgreSQL 15.6 a satellite connects to its master [s1.1].":   "15.6",
		"A satellite connects to its 2 masters [s1.1].":                     "2",
		"In Icinga 2 a satellite connects within 3 s to its master [s1.1].": "3",
		"A satellite connects to its master since Autumn 2021 [s1.1].":      "2021",
	} {
		findings := citation.Check(t.Context(), report, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, want, strings.Join(findings[0].Missing, " "), report)
	}
}

// A name of the question's with a number excuses that number behind that name, and nothing else.
func TestANumberInANameIsNoAmount(t *testing.T) {
	for _, c := range []struct{ asked, text, report, want string }{
		{"We run PostgreSQL 15.", "The timeout is 15 minutes.",
			"PostgreSQL 15 has a timeout of 15 seconds [s1.1].", "15"},
		{"We run PostgreSQL 15.", "The timeout is long.", "PostgreSQL 15 has a long timeout [s1.1].", ""},
		{"We run PostgreSQL 11.", "The timeout is long.", "PostgreSQL 11 has 11 timeouts [s1.1].", "11"},
		{"We run PostgreSQL 15.", "It takes 15 minutes.", "With PostgreSQL 15 seconds pass [s1.1].", "15"},
		{"We have four A100s.", "A card draws 400 watts.", "A100 cards draw 400 watts [s1.1].", ""},
		{"We have four A100s.", "A card draws 400 watts.", "A100 cards draw 100 watts [s1.1].", "100"},
		{"We have four A100s.", "A card draws 400 watts.", "A100 cards draw 100 MB [s1.1].", "100"},
		{"We have four A100s.", "A card draws 400 watts.", "GA100 cards draw 400 watts [s1.1].", "100"},
		{"In May 2024 we began.", "There were 17 failures.", "In May 2024 there were 202 failures [s1.1].",
			"202"},
		{"A node takes 6 minutes.", "A pool has GPUs.", "A pool has 360 GPUs [s1.1].", "360"},
	} {
		s := source("s1", "html", c.text)
		s.Asked = c.asked
		findings := citation.Check(t.Context(), c.report, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, c.want, strings.Join(findings[0].Missing, " "), c.report)
	}
}

// The report's own sample vouches for no figure of a sentence that does not name the sample's setting.
func TestASampleVouchesForItsSettingOnly(t *testing.T) {
	s := source("s1", "html", "The limit of connections is 100.")
	const sample = "\n\n```\nmax_connections = 500\nwork_mem = 64MB\n```\n"
	for report, want := range map[string]string{
		"The default limit of connections is 500 [s1.1].":                  "500",
		"The default limit of connections is 500 MB [s1.1].":               "500",
		"The default limit of connections is 500 seconds [s1.1].":          "500",
		"The limit of connections with `max_connections` is 500 [s1.1].":   "",
		"The limit of connections with `work_mem` is 500 [s1.1].":          "500",
		"The limit of connections with `work_mem` is 64 MB [s1.1].":        "",
		"The limit of connections with `work_mem` is 64 s [s1.1].":         "64",
		"The limit of connections is 100; it is 500 as used above [s1.1].": "500",
		"Behind `--` the limit of connections is 500 [s1.1].":              "500",
		"With `=` the limit of connections is 500 [s1.1].":                 "500",
	} {
		findings := citation.Check(t.Context(), report+sample, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, want, strings.Join(findings[0].Missing, " "), report)
	}
}

// What the person told, such as how many reports they have, is in no passage: a checker judges such a claim.
// The controls are another figure, and what the passage says otherwise in the same unit.
func TestAFigureOfTheQuestion(t *testing.T) {
	s := source("s1", "html", "The chord waits for all results. The limit is 30 minutes.")
	s.Asked = "We run 3,000 reports of 5-90 minutes on Celery 5.2."
	for report, want := range map[string]string{
		"The chord waits for all 3,000 results [s1.1].":         "",
		"In Celery 5.2 the chord waits for all results [s1.1].": "",
		"The chord waits for all 4,000 results [s1.1].":         "4,000",
		"In Celery 5.3 the chord waits for all results [s1.1].": "5.3",
		"Name nodes by `reports@%h`: the chord waits [s1.1].":   "",
		"Name nodes by `--nodename`: the chord waits [s1.1].":   "--nodename",
	} {
		findings := citation.Check(t.Context(), report, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, want, strings.Join(findings[0].Missing, " "), report)
	}
}

// What a sentence says that is no figure of a source's: names with a number, labels, figures of the
// question, of the report's samples and of the author's own sums, command lines, a quote that begins a
// sentence. Each is beside a control that differs in little and must not pass.
func TestWhatIsTheAuthorsOwn(t *testing.T) {
	s := source("s1", "html", "A response that is not cacheable has TTL -1. Packages for el8.5 may not work."+
		" If the factor is .5, seconds count half. The job's tasks are sent SIGTERM "+
		"in 48 kB, 90 seconds or 2 pools.\n\n"+
		"Run `pg_restore --jobs 4` here, where the engine writes it all.\n\n"+
		"Given --[no-]wait or -q[q][i]ff, tasks are sent SIGTERM.\n")
	s.Asked = "We run four A100s under `-s malloc,48G`; a node takes six minutes to boot."
	const sample = "\n\n```\nResumeTimeout=900\n```\n"
	for report, want := range map[string]string{
		"An uncacheable 5xx has TTL -1 [s1.1].":                              "",
		"An uncacheable 503 has TTL -1 [s1.1].":                              "503",
		"Over HTTP/3 it has TTL -1 [s1.1].":                                  "",
		"Over HTTP/3 since 7.0 it has TTL -1 [s1.1].":                        "7.0",
		"Under TLS 1.3 it has TTL -1 [s1.1].":                                "1.3",
		"Packages for el8.5 may not work [s1.1].":                            "",
		"Packages for el8.6 may not work [s1.1].":                            "8.6",
		"All A100s are sent SIGTERM [s1.1].":                                 "",
		"All H100s are sent SIGTERM [s1.1].":                                 "100",
		"Tasks of wal2json are sent SIGTERM [s1.1].":                         "",
		"Tasks of wal 3 are sent SIGTERM [s1.1].":                            "3",
		"Within 1h35m tasks are sent SIGTERM [s1.1].":                        "35",
		"Some thousand tasks are sent SIGTERM [s1.1].":                       "",
		"A thousand tasks are sent SIGTERM [s1.1].":                          "thousand",
		"Some four hundred thousand tasks are sent SIGTERM [s1.1].":          "four hundred thousand",
		"Within some ninety-five seconds tasks are sent SIGTERM [s1.1].":     "ninety-five",
		"Tasks of ram64gb are sent SIGTERM [s1.1].":                          "64",
		"With `foo-no-wait` tasks are sent SIGTERM [s1.3].":                  "foo-no-wait",
		"With `--no-wait` no tasks are sent SIGTERM [s1.3].":                 "",
		"With `--wait` and `-qqff` tasks are sent SIGTERM [s1.3].":           "",
		"With `--not-wait` tasks are sent SIGTERM [s1.3].":                   "--not-wait",
		"With `-qxff` tasks are sent SIGTERM [s1.3].":                        "-qxff",
		"Hop 3: tasks are sent SIGTERM [s1.1].":                              "",
		"Day 3: after hop 4 tasks are sent SIGTERM [s1.1].":                  "",
		"Day 3–5: the job's tasks are sent SIGTERM [s1.1].":                  "",
		"Day 3-5: the job's tasks are sent SIGTERM [s1.1].":                  "",
		"Test 3 - 5: the job's tasks are sent SIGTERM [s1.1].":               "",
		"Day 3–5: tasks are sent SIGTERM 7 times [s1.1].":                    "7",
		"On day 3 tasks are sent SIGTERM [s1.1].":                            "3",
		"Since 2019: tasks are sent SIGTERM [s1.1].":                         "2019",
		"第3天：任务收到 SIGTERM [s1.1]。":                                           "",
		"任务收到 3 次 SIGTERM [s1.1]。":                                           "3",
		"At a factor of 0.5 seconds count half [s1.1].":                      "",
		"At a factor of .50 seconds count half [s1.1].":                      "",
		"At a factor of 0.75 seconds count half [s1.1].":                     "0.75",
		"At a factor of 5 seconds count half [s1.1].":                        "5",
		"Against 48 GiB tasks are sent SIGTERM [s1.1].":                      "",
		"Against 48 MiB tasks are sent SIGTERM [s1.1].":                      "48",
		"In boots of 360 tasks are sent SIGTERM [s1.1].":                     "360",
		"In boots of 420 tasks are sent SIGTERM [s1.1].":                     "420",
		"With `ResumeTimeout` 900 tasks are sent SIGTERM [s1.1]." + sample:   "",
		"With `ResumeTimeout` 800 tasks are sent SIGTERM [s1.1]." + sample:   "800",
		"With `KillWait` 900 tasks are sent SIGTERM [s1.1]." + sample:        "900 KillWait",
		"With `ResumeTimeout` 900 MB are sent SIGTERM [s1.1]." + sample:      "900",
		"After 900 tasks are sent SIGTERM [s1.1]." + sample:                  "900",
		"After 900 seconds tasks are sent SIGTERM [s1.1]." + sample:          "900",
		"The limit is 700 as used above [s1.1].":                             "700",
		"The GiB are my arithmetic: 9 x 7 is 63; there are 2 pools [s1.1].":  "",
		"The GiB are my arithmetic: 9 x 7 is 63; there are 33 pools [s1.1].": "33",
		"700 seconds, our own choice, are more than 90 [s1.1].":              "",
		"700 seconds, our own choice, are more than 80 [s1.1].":              "80",
		"Its own calculation of 700 is more than 90 seconds [s1.1].":         "700",
		"自行估算为 700 秒，超过 90 seconds [s1.1]。":                                  "",
		"厂商估算为 700 秒，超过 90 seconds [s1.1]。":                                  "700",
		"To “the job's tasks are sent SIGTERM” it adds [s1.1].":              "",
		"To “tHe job's tasks are sent” it adds [s1.1].":                      "tHe job's tasks are sent",
		"“The engine writes it all”, it says [s1.2].":                        "",
		"It says that “The engine writes it all” [s1.2].":                    "The engine writes it all",
		"Tasks are sent SIGTERM; see `my-run --pty=<id> top` [s1.1].":        "",
		"Tasks are sent SIGTERM; see `my-run top` [s1.1].":                   "my-run top",
		"Tasks are sent SIGTERM; see `--pty` [s1.1].":                        "--pty",
		"Tasks are sent SIGTERM; see `kill_wait = 3` [s1.1].":                "kill_wait = 3",
		"So run `pg_restore --clean 4` here [s1.2].":                         "pg_restore --clean 4",
	} {
		findings := citation.Check(t.Context(), report, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, want, strings.Join(findings[0].Missing, " "), report)
	}
}

// A name that the question itself uses need not be in each passage; any other is missing where it is not.
func TestANameOfTheQuestion(t *testing.T) {
	s := source("s1", "html", "A satellite connects to its master by itself.")
	s.Asked = "What does `zone_sync` do in Icinga 2?"
	for report, want := range map[string]citation.Verdict{
		"With `zone_sync` a satellite finds its master alone [s1.1].":  citation.NotChecked,
		"With `zone_async` a satellite finds its master alone [s1.1].": citation.NameMissing,
	} {
		findings := citation.Check(t.Context(), report, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, want, findings[0].Verdict, report)
	}
}

// A manual may write an option and its argument as one word: whether it says so a checker decides.
func TestAnOptionThatIsGluedToItsArgument(t *testing.T) {
	s := source("s1", "html", "`-llimit` gives the limit of the total size of the cache.")
	for report, want := range map[string]citation.Verdict{
		"With `-l` the cache gets a limit [s1.1].": citation.NotChecked,
		"With `-m` the cache gets a limit [s1.1].": citation.NameMissing,
	} {
		findings := citation.Check(t.Context(), report, lookupIn(s)).Findings
		require.Len(t, findings, 1)
		assert.Equal(t, want, findings[0].Verdict, report)
	}
}

func TestWhatCanNotBeChecked(t *testing.T) {
	whole, partial, changed := source("s1", "html", "A line of text with 5 words."), source("s2",
		"html", "A line of"), source("s3", "html", "A line that 7 people edited.")
	partial.Complete = "behind a paywall"
	changed.Intact = false
	lookup := func(id string) (citation.Source, error) {
		if id == "s4" {
			return citation.Source{}, errors.New("reading the source s4: the disk is gone")
		}
		return lookupIn(whole, partial, changed)(id)
	}
	for _, c := range []struct {
		report, want, why string
	}{
		{"“Words that stand nowhere” [s2].", "s2 not checked", "behind a paywall"},
		{"There are 9 [s2].", "s2 not checked", "9 is not in what is at hand"},
		{"“A line of” [s2].", "s2 supported", ""},
		{"“A line that 7 people edited” [s3].", "s3 not checked", "changed since it was read"},
		{"“Words that stand nowhere” [s4].", "s4 not checked", "the disk is gone"},
		{"“Words that stand nowhere” [s1][s2].", "s1 not checked; s2 not checked", "for s2"},
		{"“A line of text with 5 words” [s1][s3].", "s1 supported; s3 not checked", ""},
		{"“A line of text with 5 words” [s1][s99].", "s1 supported; s99 source missing", ""},
		{"“Words that stand nowhere” [s1][s99].", "s1 quote missing; s99 source missing", "is not in s1"},
		{"“A line of text” and “a line that is cut” [s1][s2].", "s1 not checked; s2 not checked",
			"behind a paywall"},
	} {
		t.Run(c.report, func(t *testing.T) {
			result := citation.Check(context.Background(), c.report, lookup)
			var got []string
			for _, x := range result.Findings {
				got = append(got, fmt.Sprintf("%s %s", x.Source, x.Verdict))
				assert.Equal(t, x.Verdict != citation.Supported, x.Why != "",
					"a reason is given for all but support")
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
			assert.Contains(t, result.Findings[0].Why, c.why)
		})
	}
}

func TestTheUnionOfSourcesHoldsTheFigures(t *testing.T) {
	lookup := lookupIn(source("s1", "html", "It has 5 legs."), source("s2", "html", "It has 7 heads."),
		source("s3", "html", "It has none."))
	result := citation.Check(context.Background(), "It has 5 legs and 7 heads [s1, s2, s3].", lookup)
	require.Len(t, result.Findings, 3)
	assert.Equal(t, 3, result.Count(citation.NotChecked),
		"no source alone says it, and nothing is missing in all of them")
	assert.Len(t, result.Open(), 1, "one question with the passages of all three")
	assert.Equal(t, 1, citation.Check(context.Background(), "“It has 5 legs … 7 heads” [s1, s2].",
		lookup).Count(citation.QuoteMissing)/2, "a quote stands in one source or in none")
}

// Indented lines are a paragraph, as they are among the numbered blocks: what is quoted of them, and of a
// link without an address, holds.
func TestIndentedLinesAreText(t *testing.T) {
	text := "# Limits\n\n1. A list\n\n      This particular upper bound is untested, see the [caveats][] " +
		"of it.\n\n    MODE=fast is set before the service is started.\n"
	for _, quote := range []string{"This particular upper bound is untested, see the caveats of it.",
		"MODE=fast is set before the service is started."} {
		f := citation.Check(t.Context(), "It says “"+quote+"” [s1].\n",
			lookupIn(source("s1", "markdown", text))).Findings
		require.Len(t, f, 1)
		assert.Equal(t, citation.Supported, f[0].Verdict, quote)
	}
}

// The sentence with the changed word is shown, and not a longer one beside it that is quoted as it stands.
func TestTheNearestOfAQuoteOfSeveralSentences(t *testing.T) {
	text := "停电时，备用电源可以维持六小时。" +
		"超过四小时仍未来电，值班人员应联系社区卫生中心，把疫苗转到那里的冰箱里去。"
	quote := strings.Replace(text, "六小时", "八小时", 1)
	in := lookupIn(source("s1", "markdown", text))
	result := citation.Check(context.Background(), "“"+quote+"” [s1]", in)
	assert.Equal(t, "停电时，备用电源可以维持六小时", result.Findings[0].Nearest)

	invented := text + "转到那里以后还要再登记一次温度，写明交接双方的名字。"
	result = citation.Check(context.Background(), "“"+invented+"” [s1]", in)
	assert.Empty(t, result.Findings[0].Nearest)
}

func TestWhyAQuoteIsMissing(t *testing.T) {
	text := "# Big head\n\nA line of text that is long enough to be found again by whoever changed it.\n" +
		"\n```\nwords in a block of code\n```\n\n<!-- page 2 -->\n\nNext page begins."
	other := source("s2", "html", "Here are quite other words, and these stand in another place.")
	for quote, c := range map[string]struct{ why, nearest string }{
		"A line of text that is long enough to be fownd again by whoever changed it": {"is not in s1",
			"A line of text that is long enough to be found again by whoever changed it"},
		"words in a block of code":           {"in s1 is only in a block of code", ""},
		"whoever changed it. Next page":      {"in s1 runs over a heading or across the end of a page", ""},
		"a Line of text that is long enough": {"upper and lower case", ""},
		"and these stand in another place":   {"but is in s2", ""},
		"A line of text … again":             {"too short", ""},
		"A row of text … again":              {"is not in s1", ""},
	} {
		t.Run(quote, func(t *testing.T) {
			text := text
			if strings.HasPrefix(quote, "whoever") {
				text = strings.Replace(text, "```\nwords in a block of code\n```\n\n", "", 1)
			}
			result := citation.Check(context.Background(), "It says “"+quote+
				"” [s1]. It has other words [s2].", lookupIn(source("s1", "html", text), other))
			assert.Contains(t, result.Findings[0].Why, c.why)
			assert.Equal(t, c.nearest, result.Findings[0].Nearest)
		})
	}
}

func TestAQuoteIsNoLongerThanCanBeShown(t *testing.T) {
	long := strings.Repeat("word upon word ", 30)
	lookup := lookupIn(source("s1", "html", long+"end."),
		source("s2", "html", strings.Repeat("很长的句子", 41)))
	result := citation.Check(context.Background(), "“"+long+"end” [s1]. “"+long+"emd” [s1].\n\n「"+
		strings.Repeat("很长的句子", 40)+"」[s2]「"+strings.Repeat("很长的句子", 41)+"」[s2]", lookup)
	require.Len(t, result.Findings, 4)
	assert.Equal(t, citation.QuoteTooLong, result.Findings[0].Verdict)
	assert.Contains(t, result.Findings[0].Why, "400")
	assert.Equal(t, citation.QuoteMissing, result.Findings[1].Verdict, "a long quote is checked all the same")
	assert.Equal(t, citation.Supported, result.Findings[2].Verdict, "200 Chinese characters")
	assert.Equal(t, citation.QuoteTooLong, result.Findings[3].Verdict)
}

func TestAMarkOfAPageEndsItAnywhere(t *testing.T) {
	for _, mark := range []string{"\n<!-- page 2 -->\n", "\n\n<!-- page 12 -->\n\n",
		"\r\n<!-- page 2 -->\r\n", "\n  <!-- page 2 -->\n"} {
		lookup := lookupIn(source("s1", "pdf", "These are one two three"+mark+"four five six words."))
		assert.Equal(t, 1, citation.Check(context.Background(), "“one two three four five” [s1].",
			lookup).Count(citation.QuoteMissing), "%q", mark)
		assert.Equal(t, 2, citation.Check(context.Background(),
			"“These are one two three” [s1]. “four five six words” [s1].", lookup).Count(citation.Supported),
			"%q", mark)
	}
}

func TestLines(t *testing.T) {
	result := citation.Check(context.Background(),
		"# Title\n\nOne [s1].\n\n- two\n  lines [s1]\n\n| a |\n|---|\n| [s1] |\n",
		lookupIn(source("s1", "html", "x")))
	var lines []int
	for _, c := range result.Findings {
		lines = append(lines, c.Line)
	}
	assert.Equal(t, []int{3, 6, 10}, lines)
}
