package citation_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

// TestWhatNoCitationStandsFor lists for each sentence its line, its quotes and its figures.
func TestWhatNoCitationStandsFor(t *testing.T) {
	const quote = "“one two three four five six”"
	for name, c := range map[string]struct{ report, want string }{
		"a table's head": {"| Dose | 24 hours at most |\n|---|---|\n| 5 ml [s1] | |\n| 6 ml | |\n",
			"4 6"},
		"a quote": {"It rose [s1]. As he says, " + quote + ".",
			"1 one two three four five six"},
		"every kind of marks": {
			"He: \"one two three four five six\".\n\n「一二三四五六七八九十甲乙」。\n\n«a b c d e f».\n",
			"1 one two three four five six; 3 一二三四五六七八九十甲乙; 5 a b c d e f"},
		"a long title": {
			"See “Attention Is All You Need for the Translation of Texts”. He says “Attention is all you " +
				"need for that”.", "1 Attention is all you need for that"},
		"five words are a title":        {"See “one two three four five”.", ""},
		"eleven characters are a title": {"见“一二三四五六七八九十甲”。", ""},
		"cited behind it":               {"He says " + quote + " [s1].\n\nHe says " + quote + ". [s1]", ""},
		"cited before it":               {"According to [s1], " + quote + ". [s1]: " + quote, ""},
		"another sentence is cited": {"He says " + quote + ". It rose [s1].",
			"1 one two three four five six"},
		"behind a citation's sentence": {"It rose [s1]. He says " + quote + ".\nIt fell.",
			"1 one two three four five six"},
		"in code":                         {"`" + quote + " 40`\n\n```\n" + quote + " 40\n```\n", ""},
		"in a block quote":                {"> " + quote + "\n\nIt is so.", "1 one two three four five six"},
		"a block quote with its citation": {"> " + quote + "\n\n[s1]\n\n> " + quote + " [s1]\n", ""},
		"a remark in a block quote":       {"> Read this with great care before you go on.\n", ""},
		"introduced by a citation":        {"He says [s1]:\n\n- " + quote + "\n- 40 people\n", ""},
		"the references": {"It rose [s1].\n\n## References {#references}\n\n| " + quote +
			" | 40 |\n|---|---|\n", ""},
		"an author's references": {"It rose [s1].\n\n## 5. References\n\n1. A. Miller, " + quote +
			", 40 pages\n\n# 参考文献：\n\n- 40\n\n## Costs\n\nIt had 50.\n", "13 50"},
		"an abstract of what is cited": {"It has 40 rows and 70 columns.\n\n## Size\n" +
			"\nIt has 40 rows [s1]. It has 70, and 40.\n", "1 70; 5 70 40"},
		"figures": {"It had 40 people and 5 %.\nNow 1.2 million.",
			"1 40 5; 2 1.2 million"},
		"figures in Chinese":           {"有四十人。现在有120万。", "1 四十; 1 120万"},
		"of cited and other sentences": {"It had 40. It had 50 [s1]. It had 60.", "1 40; 1 60"},
		"a figure in a short quote":    {"It is “slower by 40 percent”.", "1 40"},
		"years alone":                  {"In 2019 it began, and 2010–2015 it stood still. 2024年。", ""},
		"a number that is no year":     {"It has 2,000 rows and 3000 columns.", "1 2,000 3000"},
		"dates and versions":           {"On 14 March 2024 came 1.26.5.", "1 14 March 2024 1.26.5"},
		"parts of names":               {"UTF-8, SQL:2016, H100 and s3 are names.", ""},
		"a version behind a name":      {"PostgreSQL 15 is a name, too.", "1 15"},
		"labels and lists": {
			"See section 3.2 and figure 4.\n\n1. one\n2. two\n\nIt is (1) cheap and (2) good.", ""},
		"headings in a paragraph": {"**Cause 1: nobody writes.** So it is.\n" +
			"\n**原因 2：** 没有。重启后从第 1 步查起。\n\n- **Case 3.** Now 40.\n", "5 40"},
		"headings": {"# The 40 best of 50\n\n## 2.1 Why 30\n", ""},
		"a row":    {"| a | b |\n|---|---|\n| x | 40 |\n| y | 50 [s1] |\n", "3 40"},
		"a cell beside a cited one": {
			"| a | b | c |\n|---|---|---|\n| y | 40 | 50 [s1] |\n| 20 | 60 [s1] | 30 |\n", ""},
		"own words behind a citation": {"It had 20 [s1]; allow 30, " + quote +
			" [s1]. It had 40 [s1], so take 50.\n\nTake 60 (our estimate), for it had 70 [s1].",
			"1 50; 3 60"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, u := range citation.Read(context.Background(), c.report).Uncited() {
				got = append(got, strings.TrimSpace(fmt.Sprint(u.Line, " ",
					strings.Join(append(u.Quotes, u.Figures...), " "))))
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

func TestTheSentenceIsShownWhole(t *testing.T) {
	found := citation.Read(context.Background(),
		"It rose [s1]. Now it\nhas 40. Later more.\n\n| # | b |\n|---|---|\n| 1 | 40 |\n").Uncited()
	if assert.Len(t, found, 2) {
		assert.Equal(t, citation.Uncited{Line: 1, Sentence: "Now it has 40.",
			Figures: []string{"40"}}, found[0])
		assert.Equal(t, "1 | 40", found[1].Sentence)
	}
}

// TestWhereAStrayQuoteStands: it is looked for in all sources, in code as well, and not at all when the
// person wrote it.
func TestWhereAStrayQuoteStands(t *testing.T) {
	cut := source("s6", "html", "The beginning of a page that goes on behind a wall.")
	cut.Complete, cut.Title = "behind a paywall", "How to build an index in half the time"
	sources := append(library(), cut)
	ids := []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6"} // s0 can not be read
	for name, c := range map[string]struct{ quote, want string }{
		"in a source":         {"A commit returns only when `fsync` has put the log on the disk", "s1"},
		"as it is folded":     {"Readers don't block writers - and writers don't block readers", "s1"},
		"over a divided word": {"The effect is smaller under a cloudy sky", "s2"},
		"in Chinese":          {"地铁已经成为市民出行的首选方式", "s3"},
		"in code":             {"the pump answers with one short tone", "s4"},
		"in a title":          {"How to build an index in half the time", "s6"},
		"with an ellipsis":    {"The light was out for two hours … I counted nineteen ships", "s4"},
		"invented":            {"GIN is always three times slower to build than GiST", "none"},
		"half invented":       {"A commit returns only when nobody looks at the disk", "none"},
		"the person's own":    {"Why is the build of my index so slow?", ""},
		"nothing to look for": {"so … he … said … and … left … us", ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := citation.Read(context.Background(),
				"One says “"+c.quote+"”.\n").Strays(context.Background(), ids, lookupIn(sources...),
				func(quote string) bool { return strings.HasPrefix(quote, "Why is the build") })
			if c.want == "" {
				assert.Empty(t, found)
				return
			}
			if assert.Len(t, found, 1) {
				assert.Equal(t, strings.TrimPrefix(c.want, "none"), found[0].Source)
			}
		})
	}
	t.Run("nothing is looked up for nothing", func(t *testing.T) {
		assert.Empty(t, citation.Read(context.Background(), "It had 40.").Strays(context.Background(), ids,
			func(string) (citation.Source, error) {
				assert.Fail(t, "it is looked up")
				return citation.Source{}, citation.ErrNotRead
			}, nil))
	})
}

// TestAMarkOfAConclusionCoversItsSentence: what stands behind it in the paragraph, or in the list that it
// leads, is a statement of its own.
func TestAMarkOfAConclusionCoversItsSentence(t *testing.T) {
	for name, c := range map[string]struct{ report, want string }{
		"a paragraph":  {"It rose.\n\nInference: so it is. `a` takes 5. And `b` takes none. So well.\n", "3"},
		"in Chinese":   {"推论：应当如此。`a` 需要 5 秒。现在有 40 人。\n", "1"},
		"a list":       {"**Inference:** it sums up.\n\n1. `a` is lost.\n2. `b` is found in 5 days.\n", "1"},
		"a table":      {"Inference: our plan.\n\n| a | b |\n|---|---|\n| x | 40 |\n| y | 50 |\n", "1"},
		"one sentence": {"Inference: set `a` to 5, `b` to 6 and `c` to 7.\n\n`d` is 8. `e` is 9.\n", ""},
		"cited behind": {"Inference: so it is. `a` takes 5 [s1]. `b` takes 6 [s1].\n", ""},
		"each its own": {"- Inference: `a` is 5.\n- Inference: `b` is 6.\n", ""},
		"items cited or linked": {
			"Inference: the gravest first.\n\n- `a` is [s1].\n- `b` is lost ([Days](#days)).\n- `c`.\n", ""},
		"no name and no figure": {"Inference: so it is. It is dear. It is slow.\n", ""},
		"code below":            {"Inference: I would set this.\n\n```\na = 5\nb = 6\n```\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []string
			for _, b := range citation.Read(t.Context(), c.report).Blankets() {
				lines = append(lines, fmt.Sprint(b.Line))
			}
			assert.Equal(t, c.want, strings.Join(lines, " "))
		})
	}
}
