package citation_test

import (
	"context"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAQuoteCutsNoNumber pins that a quote that begins or ends inside a number does not stand in its source:
// it says another number.
func TestAQuoteCutsNoNumber(t *testing.T) {
	for _, c := range []struct {
		source, quote string
		stands        bool
	}{
		{"1,200 people died in the flood.", "200 people died in the flood", false},
		{"1,200 people died in the flood.", "1,200 people died in the flood", true},
		{"It was 12.5 percent of users agreed.", "5 percent of users agreed", false},
		{"It was 12.5 percent of users agreed.", "12.5 percent of users agreed", true},
		{"Revenue rose to 1.5 million.", "Revenue rose to 1", false},
		{"Revenue rose to 1. Five more came.", "Revenue rose to 1", true},
		{"And the population is 1,200,000 now.", "the population is 1,200", false},
		{"And the population is 1,200, now.", "the population is 1,200", true},
		{"1'200 people died in it.", "200 people died in it", false},
		{"1’200 people died in it.", "200 people died in it", false},
		{"1\u202f200 people died in it.", "200 people died in it", false},
		{"1\u00a0200 people died in it.", "200 people died in it", false},
		{"1\u2009200 people died in it.", "1 200 people died in it", true},
		{"**1,**200 people died in it.", "200 people died in it", false},
		{"There was -5 percent growth last year.", "5 percent growth last year", false},
		{"There was −5 percent growth last year.", "5 percent growth last year", false},
		{"There was –5 percent growth last year.", "5 percent growth last year", false},
		{"There was (-5 percent growth last year).", "5 percent growth last year", false},
		{"-5 percent growth last year.", "5 percent growth last year", false},
		{"There was -5 percent growth last year.", "-5 percent growth last year", true},
		{"A result of -$5 million last year.", "$5 million last year", false},
		{"A result of –€5 million last year.", "€5 million last year", false},
		{"A result — $5 million last year.", "$5 million last year", true},
		{"- 5 percent growth last year.", "5 percent growth last year", true},
		{"A result—5 percent growth last year.", "5 percent growth last year", true},
		{"We tried GPT-5 with some users.", "5 with some users", true},
		{"From 2010–2015 it had been so.", "2015 it had been so", true},
		{"The flood came in 2020. 5 people died in it.", "5 people died in it", true},
		{"The flood came in 2020. 5 people died in it.", "The flood came in 2020", true},
		{"The flood came in 2020. 5 people died in it.", "came in 2020. 5 people died", true},
		{"The flood came in 2020,\n15 people died in it.", "15 people died in it", true},
		{"The flood came in 2020 200 people died in it.", "200 people died in it", true},
		{"He said in 2020 “5 people died in it” and left.", "5 people died in it", true},
		{"1. 5 people died in it.\n2. 7 more of them came\n", "7 more of them came", true},
		{"| 45 | 300 people died in it |\n|---|---|\n| 12 | 400 people were lost |",
			"400 people were lost", true},
		{"洪水造成1,200人不幸死亡。", "200人不幸死亡", false},
		{"洪水造成１，２００人不幸死亡。", "200人不幸死亡", false},
		{"洪水造成１，２００人不幸死亡。", "1,200人不幸死亡", true},
		{"同比增长１２．５个百分点以上。", "5个百分点以上", false},
		{"同比增长12.5个百分点以上。", "同比增长12", false},
		{"去年的增长率为-5个百分点左右。", "5个百分点左右。", false},
		{"地铁1、2号线已经开通运营。", "2号线已经开通运营", true},
		{"地铁1、2号线已经开通运营。", "地铁1,2号线已经开通运营", true},
		{"事情发生在2020，15人不幸死亡。", "15人不幸死亡", true},
		{"事情发生在2020。15人不幸死亡。", "15人不幸死亡", true},
		{"事情发生在2020，\n15人不幸死亡。", "发生在2020，15人不幸死亡", true},
	} {
		t.Run(c.quote+" in "+c.source, func(t *testing.T) {
			result := citation.Check(context.Background(), "> “"+c.quote+"” [s1]",
				lookupIn(source("s1", "html", c.source)))
			require.Len(t, result.Findings, 1)
			want := citation.QuoteMissing
			if c.stands {
				want = citation.Supported
			}
			assert.Equal(t, want, result.Findings[0].Verdict, result.Findings[0].Why)
			_, _, ok := citation.Locate(c.source, c.quote)
			assert.Equal(t, c.stands, ok)
		})
	}
}

// TestAFigureIsOne pins that two loose numbers of a source do not make a figure of a report.
func TestAFigureIsOne(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		stands        bool
	}{
		{"Published in 2023-11", "2023-02-14 in 11 parts", false},
		{"Published in 2023-11", "November 2023", true},
		{"From 2010-15", "2010 to 2015", true},
		{"From 2010-15", "2010 and 15 people", false},
		{"From 2010–12", "2010 and 12 people", false},
		{"From 2010–12", "2010-12", true},
		{"From 2010-12", "2010–12", true},
		{"47,3 Prozent", "47 Firmen, 3 Orte, Quote 41,9 Prozent", false},
		{"47,3 %", "47 Firmen, 3 Orte, Quote 41,9 Prozent", false},
		{"€ 47,3", "47 Firmen, 3 Orte, Quote 41,9 Prozent", false},
		{"47,3 Prozent", "47.3 percent", true},
		{"It is in [3,12]", "3 and 12", true},
		{"10⁶ cells", "1,000,000 cells", true},
		{"10⁶ cells", "10 cells", false},
		{"10⁶ cells", "10⁶ cells", true},
		{"5 × 10⁶ cells", "five million cells", true},
		{"5 × 10⁶ cells", "5 of 10 cells", false},
		{"1,000,000 cells", "10^6 cells", true},
		{"2.5×10⁻³ m", "0.0025 m", true},
		{"-5 × 10³ m", "-5000 m", true},
	} {
		t.Run(c.claim+" in "+c.source, func(t *testing.T) {
			result := citation.Check(context.Background(), c.claim+" [s1].",
				lookupIn(source("s1", "html", "They say: "+c.source+" it was.")))
			require.Len(t, result.Findings, 1)
			if !c.stands {
				assert.Equal(t, citation.FigureMissing, result.Findings[0].Verdict)
				return
			}
			assert.Contains(t, []citation.Verdict{citation.Supported, citation.NotChecked},
				result.Findings[0].Verdict, "%q", result.Findings[0].Missing)
		})
	}
}

// TestALabelIsNoFigure pins which numbers of a sentence only name a part of a text: those that are none are
// told as missing.
func TestALabelIsNoFigure(t *testing.T) {
	for report, want := range map[string]string{
		"See section 3.2, where 12.5 percent agreed":      "12.5",
		"Table 4.1 has 30 of them":                        "30",
		"In §4.7 and §§ 4 and 5 it has 30":                "30",
		"In chapters 3 and 4 it has 30":                   "30",
		"In sections 3.1, 3.2, and 3.3.1 it has 30":       "30",
		"Figures 2–4 and pages 12 to 14 show 30":          "30",
		"See Figs. 2, 3 and 4 for the 30":                 "30",
		"In tables 2 and 3, 40 percent agreed":            "40",
		"In tables 2, 40 people agreed":                   "40",
		"In table 4, 200 people and in section 3 40 more": "200 40",
		"In sections 3 and 40 percent of it":              "40",
		"In chapters 3 and 40 million others":             "40 million",
		"In chapter 3 and 1999 it was so":                 "1999",
		"如第3.2节所示，有30个":                                   "30",
		"第3、4节和第5章说有30个":                                  "30",
		"如图2、3和4所示，有30个":                                  "30",
		"如表4.1所示，30家企业":                                   "30",
		"见图2和30家企业":                                       "30",
		"他们代表200家企业":                                      "200",
		"他们发表20篇论文":                                       "20",
	} {
		t.Run(report, func(t *testing.T) {
			result := citation.Check(context.Background(), report+" [s1].",
				lookupIn(source("s1", "html", "1")))
			require.Len(t, result.Findings, 1)
			assert.Equal(t, want, strings.Join(result.Findings[0].Missing, " "))
		})
	}
}

func TestAQuoteCutsNoCharacter(t *testing.T) {
	_, _, ok := citation.Locate("…", "\xe2")
	assert.False(t, ok)
}
