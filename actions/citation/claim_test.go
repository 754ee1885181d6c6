package citation_test

import (
	"context"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNothingOfACitedSentenceBelongsToNobody has made-up quotes and figures before, between and behind
// citations: each is told as missing, of the citation that it belongs to. The sources hold the figure 1
// alone.
func TestNothingOfACitedSentenceBelongsToNobody(t *testing.T) {
	for name, c := range map[string]struct{ report, want string }{
		"a quote behind its citation": {
			"According to [s1], “the master was never paid for it in 55 years.” The range is 42 metres [s2].",
			"s1 the master was never paid for it in 55 years.; s2 42"},
		"a figure behind its citation": {
			"As [s1] shows, the wave killed 900 people. Spring tides reach 61 metres [s1].", "s1 900; s1 61"},
		"in Chinese": {"据[s1]，“守港人五十五年没有拿到报酬。”平均潮差为42米[s2]。",
			"s1 守港人五十五年没有拿到报酬。; s2 42"},
		"a Chinese verb": {"[s1]指出，有900人。以后有61人[s2]。", "s1 900; s2 61"},
		"before and behind": {"In 1868 the wave [s1] killed 900 people. Later 40.",
			"s1 1868 900"},
		"behind the last of two": {"It had 20 [s1] and 30 [s2], of which 40 died. Later 50.",
			"s1 20; s2 30 40"},
		"a quote behind a figure": {"Of 20 people [s1], “none was ever paid for it”. Later 50.",
			"s1 none was ever paid for it 20"},
		"two leads": {"According to [s1] there are 30, while [s2] has 40. Later 50.",
			"s1 30 40; s2 30 40"},
		"two subjects":                 {"[s1] gives 30, and [s2] gives 40.", "s1 30 40; s2 30 40"},
		"a statement is no lead":       {"The apples are red [s1], and there are 30 [s2].", "s1 ; s2 30"},
		"a lead, then behind the stop": {"According to [s1], there are 30. [s2] Later 40.", "s1 30; s2 30"},
		"the subject of the next":      {"It is so. [s1] says that there are 30. Later 40.", "s1 30"},
		"the subject of the next, cited": {"It is so. [s1] says that there are 30. Later 40 [s2].",
			"s1 30; s2 40"},
		"a quote behind a stop": {"He was asked. [s1]: “nobody was ever paid for it.” Later 40.",
			"s1 nobody was ever paid for it."},
		"a source in brackets": {"It has 30. (Source: [s1], read in 2020.) Later 40.", "s1 30"},
		"quote of two sentences": {"As [s1] says, “there were 30. There are 40.” Later 50.",
			"s1 there were 30. There are 40."},
		"the citation inside a quote": {"He says “there never were [s1] thirty of them here.” Later 50.",
			"s1 there never were thirty of them here."},
		"two that a word joins": {"It had 20 [s1] and [s2], or [s1]. Later 40.", "s1 20; s2 20"},
		"two joined in Chinese": {"当时有20人[s1]以及[s2]。", "s1 20; s2 20"},
		"an item of a list":     {"- According to [s1], 30 people\n- [s2]: 40\n", "s1 30; s2 40"},
		"a list behind a colon": {"The wave, says [s1]:\n\n- killed 30 people\n- sank 40 ships\n" +
			"- and 50 more [s2]\n- and 60\n\nLater 70.", "s1 30 40 60; s2 50"},
		"a list behind an item": {
			"- The wave, says [s1]:\n  - killed 30 people\n- sank 40 ships\n", "s1 30"},
		"a table behind a colon": {
			"The wave, says [s1]:\n\n| killed | sunk |\n|---|---|\n| 30 | 40 |\n\nLater 70.", "s1 30 40"},
		"a quote behind a colon": {"The keeper says in [s1]:\n\n“Nobody was ever paid for it.”\n\n" +
			"“Nor was this ever said.”", "s1 Nobody was ever paid for it."},
		"a block quote that goes on": {"> There were 30 ships here [s1]. Nobody was ever paid for it.",
			"s1 There were 30 ships here Nobody was ever paid for it."},
		"a block quote behind its id": {"> [s1]: Nobody was ever paid for it.",
			"s1 Nobody was ever paid for it."},
		"a remark in a block quote": {"> There were 30 ships here [s1] (our own translation)",
			"s1 There were 30 ships here"},
		"an author who says more": {
			"> There were 30 ships here.\n\n— The keeper [s1], of whom “nobody was ever paid”.",
			"s1 There were 30 ships here.; s1 nobody was ever paid"},
		"a row, on both sides": {"| a | b | c |\n|---|---|---|\n| 30 | [s1] | 40 |", "s1 30 40"},
		"a row with a conclusion": {
			"| a | b | c |\n|---|---|---|\n| 30 | Inference: set 50 | [s1] |\n| 40 | 推论：设为 50 | [s2] |",
			"s1 30; s2 40"},
		"a row with two": {"| a | b | c |\n|---|---|---|\n| 30 [s1] | 40 [s2] | 50 |",
			"s1 30; s2 40"},
		"a row with a cell too many": {"| a | b |\n|---|---|\n| x | 30 | [s1] |\n| y | 40 | | 50 [s2] |",
			"s1 30; s2 50"},
		"a row whose source has a cell": {"| a | b | c |\n|---|---|---|\n| `x` | 40 | [s2] |", "s2 40"},
		"when it was, then what": {
			"In 1868 [s1], the wave killed 900 people; stay away from 30. 从1868年起[s2]，有900人。",
			"s1 1868 900; s2 1868年 900"},
		"own words behind the citation": {
			"It had 20 [s1]; allow 30. It had 40 [s1], so take 50. It had 60 [s1] (our estimate: 90).",
			"s1 20; s1 40; s1 60"},
		"a row with a sentence before": {
			"| a | b |\n|---|---|\n| x | Set 50 here. The range is 30 [s1] |\n| y | Set 60. It is. [s2] |",
			"s1 30; s2 "},
		"a row with a sentence behind": {
			"| a | b |\n|---|---|\n| x | The range is 30 [s1]. With 50 here it is none |\n" +
				"| y | It is 40 [s2]. Set 60. |",
			"s1 30; s2 40"},
		"a row with a cell too few": {"| a | b | c |\n|---|---|---|\n| x | 30 [s1] |", "s1 30"},
		"two stops and a capital":   {"It had 20. [s1] Later 40. Now 50 [s2].", "s1 20; s2 50"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, told(citation.Check(context.Background(), c.report,
				lookupIn(source("s1", "html", "1"), source("s2", "html", "1")))))
		})
	}
}

// told is for each citation its source and what is missing.
func told(result citation.Result) string {
	var got []string
	for _, x := range result.Findings {
		got = append(got, x.Source+" "+strings.Join(x.Missing, " "))
	}
	return strings.Join(got, "; ")
}

func TestFormsOfACitation(t *testing.T) {
	for report, want := range map[string]string{
		"有30个【s1】。":                         "s1 30",
		"有30个［s1］。":                         "s1 30",
		"以前20个。现在30个。【s1】以后40个。":            "s1 30",
		"有30个【s1】【s2】。":                     "s1 30; s2 30",
		"有30个【s1，s2】。":                      "s1 30; s2 30",
		"It has 30 [S1].":                   "s1 30",
		"It has 30 [ s1 ].":                 "s1 30",
		"It has 30 [s1][S2].":               "s1 30; s2 30",
		"It has 30 [s1, p. 4].":             "s1 30",
		"It has 30 [s1, pp. 4–5].":          "s1 30",
		"It has 30 [s1 §3.2].":              "s1 30",
		"It has 30 [s1, s2, section 4].":    "s1 30; s2 30",
		"有30个[s1，第4页]。":                     "s1 30",
		"It has 30 【s1†L4-L9】.":             "s1 30",
		"It has 30 [s1, of whom 900 died].": "", // words are no place
		"It has 30 [s0], [1], [sa], [s1.":   "",
	} {
		t.Run(report, func(t *testing.T) {
			assert.Equal(t, want, told(citation.Check(context.Background(),
				report, lookupIn(source("s1", "html", "1"), source("s2", "html", "1")))))
		})
	}
}

// TestQuotesOfShortParts pins that a quote whose parts stand anywhere is not told as missing, and that its
// longer parts are looked for.
func TestQuotesOfShortParts(t *testing.T) {
	for quote, want := range map[string]citation.Verdict{
		"Spring tides reach … metres.":      citation.NotChecked,
		"The … tides … so":                  citation.NotChecked,
		"Spring floods reach … metres.":     citation.QuoteMissing,
		"reach six metres … Spring tides …": citation.QuoteMissing,
		"Spring tides … six metres":         citation.Supported,
	} {
		t.Run(quote, func(t *testing.T) {
			result := citation.Check(context.Background(), "It says “"+quote+"” [s1].",
				lookupIn(source("s1", "html", "Spring tides reach six metres.")))
			require.Len(t, result.Findings, 1)
			assert.Equal(t, want, result.Findings[0].Verdict, result.Findings[0].Why)
		})
	}
}

func TestAMissingFigureIsNamedWithItsSign(t *testing.T) {
	for report, want := range map[string]string{"It fell to -35 °C [s1].": "s1 -35",
		"It fell to −35 °C [s1].": "s1 -35", "It is minus 35 [s1].": "s1 minus 35",
		"零下35度[s1]。": "s1 零下35", "From 20-35 [s1].": "s1 20 35"} {
		assert.Equal(t, want,
			told(citation.Check(context.Background(), report, lookupIn(source("s1", "html", "1")))), report)
	}
}
