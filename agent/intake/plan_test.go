package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
)

func somePlan() intake.Plan {
	return intake.Plan{
		Chapters: []intake.Chapter{{Title: "Side effects", Question: "Which are frequent?",
			Queries: []string{"GLP-1 nausea", "semaglutide safety"}}, {Title: "Cost"}},
		Focus:       []intake.Focus{{Name: "Safety", Queries: []string{"GLP-1 safety"}}, {Name: "Price"}},
		Assumptions: []string{"Adults only", "Since 2020"},
	}
}

func TestAPlanAsText(t *testing.T) {
	text := somePlan().Markdown()
	_, rest, _ := strings.Cut(text, "-->\n")
	assert.Equal(t, `
## Chapters

- Side effects
  - Question: Which are frequent?
  - Queries: GLP-1 nausea; semaglutide safety
- Cost

## Focus

- Safety
  - Queries: GLP-1 safety
- Price

## Assumptions

- Adults only
- Since 2020
`, rest)
	back, err := intake.ParsePlan(text)
	require.NoError(t, err)
	assert.Equal(t, somePlan(), back)
	chinese := intake.Plan{Chapters: []intake.Chapter{{Title: "耐药", Question: "为什么？",
		Queries: []string{"PD-1 耐药", "PD-1 resistance"}}}, Assumptions: []string{"只看成人"}}
	assert.Contains(t, chinese.Markdown(),
		"## 章节\n\n- 耐药\n  - 问题：为什么？\n  - 检索词：PD-1 耐药；PD-1 resistance\n")
	back, err = intake.ParsePlan(chinese.Markdown())
	require.NoError(t, err)
	assert.Equal(t, chinese, back)
}

// A person's hand is not a program's: other marks, other order, wrapped lines, Windows' line ends.
func TestAPlanChangedByHand(t *testing.T) {
	text := "\uFEFF## assumptions\r\n* Only what was\r\n  published\r\n\r\n<!-- a note\r\n" +
		"to myself -->\r\n# Plan\r\n## Chapters\r\n1. Side\r\n\teffects\r\n\tQuestion: Which are\r\n" +
		"\tfrequent?\r\n\t- query: nausea\r\n\t- Queries： safety； a; b:c\r\n\r\n2) Cost\r\n"
	p, err := intake.ParsePlan(strings.Replace(text, " a;", "", 1))
	require.NoError(t, err)
	assert.Equal(t, intake.Plan{
		Chapters: []intake.Chapter{{Title: "Side effects", Question: "Which are frequent?",
			Queries: []string{"nausea", "safety", "b:c"}}, {Title: "Cost"}},
		Assumptions: []string{"Only what was published"},
	}, p)
	_, err = intake.ParsePlan(text)
	assert.ErrorContains(t, err, "line 9: 4 queries, and there may be 3")
}

func TestAPlanThatCanNotBeRead(t *testing.T) {
	many := func(n int) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "- item %d\n", i)
		}
		return out.String()
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":           {"", "there is no chapter"},
		"no chapter":        {"# Plan\n## Chapters\n\n## Focus\n- x\n", "there is no chapter"},
		"another list":      {"## Chapters\n- x\n\n## Budget\n", `line 4: there is no list "Budget"`},
		"under no heading":  {"# Plan\n\n- x\n", `line 3: "- x" stands under no heading`},
		"no item":           {"## Chapters\nSide effects\n", `line 2: "Side effects" is no item`},
		"indented too soon": {"## Chapters\n  - Question: x\n", `line 2: "- Question: x" is no item`},
		"no label": {"## Chapters\n- x\n  - why?\n",
			`line 3: "- why?" stands under an item and must begin with "Question:"`},
		"an item without": {"## Chapters\n- x\n-\n", "line 3: an item without a text"},
		"a question of none": {"## Chapters\n- x\n## Focus\n- y\n  - Question: z\n",
			"line 4: only a chapter has a question"},
		"queries of none": {"## Chapters\n- x\n## Assumptions\n- y\n  - Queries: z\n",
			"line 4: only a chapter has a question"},
		"too many chapters": {"## Chapters\n" + many(25), "line 26: there may be 24 items under Chapters"},
		"too many focuses": {"## Chapters\n- x\n## Focus\n" + many(7),
			"line 10: there may be 6 items under Focus"},
		"too long": {"## Chapters\n- x\n- " + strings.Repeat("长", 301),
			"line 3: a value has 301 characters and may have 300"},
		"an open comment": {"## Chapters\n- x\n<!-- y\n- z\n",
			"line 3: the comment that begins here has no end"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := intake.ParsePlan(c.text)
			require.ErrorContains(t, err, "reading the plan: ")
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// A plan is shown, and accepted, changed, sent back with words, or refused.
func TestConfirmingAPlan(t *testing.T) {
	j := but(clear("x", 0.95), func(j *intake.Judgement) { j.Chapters = somePlan().Chapters })
	again := but(j, func(j *intake.Judgement) { j.Chapters = j.Chapters[:1] })
	words := func(text string) intake.Verdict { return intake.Verdict{Refused: text} }
	edited := intake.Plan{Chapters: []intake.Chapter{{Title: " My\nown "}},
		Assumptions: []string{"Mine", "mine", ""}}
	for name, c := range map[string]struct {
		judgements []intake.Judgement
		verdicts   []intake.Verdict
		chapters   int
		refusal    string
		shown      int
	}{
		"accepted": {seq(j), []intake.Verdict{{Accept: true}}, 2, "", 1},
		"edited":   {seq(j), []intake.Verdict{{Edited: &edited}}, 1, "", 1},
		"refused":  {seq(j), []intake.Verdict{{}}, 2, "The plan was not accepted.", 1},
		"sent back": {seq(j, again),
			[]intake.Verdict{words("Cost is no matter"), {Accept: true}}, 1, "", 2},
		"sent back thrice": {seq(j, j, j), []intake.Verdict{words("no"), words("no"),
			words("Not at all.")}, 2, "The plan was not accepted. Not at all.", 3},
		"just start":             {seq(j), []intake.Verdict{words("just start")}, 2, "", 1},
		"gone":                   {seq(j), nil, 2, "", 1},
		"no chapters were given": {seq(clear("x", 0.95)), []intake.Verdict{{Accept: true}}, 3, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := &person{verdicts: c.verdicts}
			brain := script(c.judgements...)
			brief, err := intake.Intake{Brain: brain, Person: p, WantPlan: true}.Brief(t.Context(), "x", "")
			require.NoError(t, err)
			assert.Zero(t, brain.Left())
			assert.Equal(t, c.refusal, brief.Refusal)
			assert.Equal(t, c.refusal != "", brief.Declined)
			assert.Len(t, brief.Chapters, c.chapters)
			assert.Len(t, p.shown, c.shown)
			switch name {
			case "edited":
				assert.Equal(t, intake.Chapter{Title: "My own"}, brief.Chapters[0])
				assert.Equal(t, []string{"Mine"}, brief.Assumptions)
			case "sent back":
				assert.Equal(t, []intake.QA{{Question: "Is this plan right?", Answer: "Cost is no matter"}},
					brief.Answers)
				assert.Contains(t, opening(t, brain, 1), "They answered: Cost is no matter")
			}
		})
	}
	t.Run("costly and very clear", func(t *testing.T) {
		p := &person{}
		_, err := intake.Intake{Brain: script(clear("x", 0.95)), Person: p, Costly: true}.Brief(
			t.Context(), "x", "")
		require.NoError(t, err)
		assert.Empty(t, p.shown)
	})
	t.Run("costly", func(t *testing.T) {
		p := &person{verdicts: []intake.Verdict{{Accept: true}}}
		_, err := intake.Intake{Brain: script(clear("x", 0.9)), Person: p, Costly: true}.Brief(
			t.Context(), "x", "")
		require.NoError(t, err)
		assert.Len(t, p.shown, 1)
	})
	t.Run("no plan was asked for", func(t *testing.T) {
		brief, err := intake.Intake{Brain: script(j), Person: &person{}}.Brief(t.Context(), "x", "")
		require.NoError(t, err)
		assert.Empty(t, brief.Chapters)
	})
}

// A plan has a chapter for each part of a report with many parts, and no more than five otherwise.
func TestAPlanHasAChapterForEachPart(t *testing.T) {
	parts := func(n int) (titles []string) {
		for i := range n {
			titles = append(titles, fmt.Sprintf("%d Part", i+1))
		}
		return titles
	}
	for _, c := range []struct{ parts, chapters int }{{0, 5}, {2, 5}, {5, 5}, {6, 6}, {17, 17}, {40, 24}} {
		t.Run(fmt.Sprint(c.parts), func(t *testing.T) {
			j := clear("x", 0.95)
			for _, title := range parts(60) {
				j.Chapters = append(j.Chapters,
					intake.Chapter{Title: title, Question: "Why?", Queries: []string{"a", "b"}})
			}
			p := &person{verdicts: []intake.Verdict{{Accept: true}}}
			brain := script(j)
			brief, err := intake.Intake{Brain: brain, Person: p, WantPlan: true, Parts: parts(c.parts)}.Brief(
				t.Context(), "x", "")
			require.NoError(t, err)
			require.Len(t, p.shown, 1)
			assert.Len(t, p.shown[0].Chapters, c.chapters)
			assert.Len(t, brief.Chapters, c.chapters)
			assert.Equal(t, c.chapters,
				strings.Count(brief.Blueprint(prose.English), "— Why? Queries: a; b."))
			back, err := intake.ParsePlan(p.shown[0].Markdown())
			require.NoError(t, err)
			assert.Len(t, back.Chapters, c.chapters, "all of them can be edited")
			rules := brain.Heard()[0].Messages[0].Text
			assert.Equal(t, c.parts <= 5, strings.Contains(rules, "give 3-5 chapters"))
			assert.Equal(t, c.parts > 5, strings.Contains(rules, "in this order: 1 Part; 2 Part;"))
		})
	}
}

func FuzzParsePlan(f *testing.F) {
	f.Add(somePlan().Markdown())
	f.Add("## Chapters\n- a\n  b\n  - Queries: c;;d\n")
	f.Add("## 章节\n- 问题：x\n  问题：y\n## Focus\n1. - z\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := intake.ParsePlan(text)
		if err != nil {
			return
		}
		back, err := intake.ParsePlan(p.Markdown())
		require.NoError(t, err, p.Markdown())
		require.Equal(t, p, back)
	})
}

func FuzzPlanMarkdown(f *testing.F) {
	f.Add("a", "b", "c", "d")
	f.Add("- x", "Question: y", "a; b", "<!-- z")
	f.Add("长\u2028", "# x", "`；`", "1. \x00")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		p := intake.Plan{
			Chapters: []intake.Chapter{{Title: a, Question: b, Queries: []string{c, d}},
				{Title: d, Question: a}},
			Focus: []intake.Focus{{Name: b, Queries: []string{a}}}, Assumptions: []string{c, a, b},
		}
		back, err := intake.ParsePlan(p.Markdown())
		if err != nil {
			require.ErrorContains(t, err, "there is no chapter") // their titles were blank
			return
		}
		again, err := intake.ParsePlan(back.Markdown())
		require.NoError(t, err)
		require.Equal(t, back, again)
	})
}
