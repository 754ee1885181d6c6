package gate_test

import (
	"context"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/stretchr/testify/assert"
)

func TestCitations(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"what is cited": {"Tides “rise twice a day, says page s1” [s1].", ""},
		"a stray quote": {"It is so [s2]. “Tides rise twice a day, says page s1.”\n",
			"report.md quotes without a citation (quotes: 1). Cite the source that a quote stands in, or " +
				"take it out; your own words need no quotation marks.\n" +
				"- line 1: the quote “Tides rise twice a day, says page s1.” has no citation; it stands in " +
				"s1: add [s1]\n"},
		"an invented quote": {"It is so [s2].\n" +
			"\nAs the manual says, \"GIN is always three times slower to build than GiST\".\n",
			"report.md quotes without a citation (quotes: 1). Cite the source that a quote stands in, or " +
				"take it out; your own words need no quotation marks.\n" +
				"- line 3: the quote “GIN is always three times slower to build than GiST” has " +
				"no citation, and stands in no source\n"},
		"the person's words": {"It is so [s2]. You asked “Why does the sea rise twice a day?”", ""},
		"a term":             {"It is so [s2]. It is called “the tide of the moon”.", ""},
		"figures":            {"It is so [s2]. It is 40 % more, or 12 minutes.", ""},
		"a figure": {"It is so [s2].\nThe sea rises, as all who live there know from their own eyes, by 40 " +
			"metres in the night of the new moon [s1].",
			"what report.md cites does not all hold (faults: 1, in citations of s1). Put each right from " +
				"the text of the source, cite the source that says it, or take the statement out.\n" +
				"- line 2 [s1]: figure missing: 40 is not in s1\n" +
				"  in the sentence: The sea rises, as all who live there know from their own eyes, by 40 " +
				"metres in t…\n" +
				"A figure that you worked out yourself, or that the person told you, goes into a sentence " +
				"of its own without a citation.\n"},
		"a quote with words around it": {
			"The page says that “tides rise three times a day” on the whole [s1].",
			"what report.md cites does not all hold (faults: 1, in citations of s1). Put each right from " +
				"the text of the source, cite the source that says it, or take the statement out.\n" +
				"- line 1 [s1]: quote missing: “tides rise three times a day” is not in s1\n" +
				"  in the sentence: The page says that “tides rise three times a day” on the whole\n"},
		"nothing but a quote": {"“Tides rise three times a day.” [s1]",
			"what report.md cites does not all hold (faults: 1, in citations of s1). Put each right from " +
				"the text of the source, cite the source that says it, or take the statement out.\n" +
				"- line 1 [s1]: quote missing: “Tides rise three times a day.” is not in s1\n"},
		"a form that is none": {"It is so [s2].\nTides rise (s1).",
			"report.md has what looks like a citation and is none (lines: 1).\n" +
				"- line 2: (s1) is no citation; write [s1]\n"},
		"more than one": {"It is so [s2].\nTides rise (s1), [2], (s1).",
			"report.md has what looks like a citation and is none (lines: 1).\n" +
				"- line 2: (s1), [2] are no citations; write [s1], [s2]\n"},
		"two of one source": {"It is so [s2].\nTides rise (s1), [1].",
			"report.md has what looks like a citation and is none (lines: 1).\n" +
				"- line 2: (s1), [1] are no citations; write [s1]\n"},
		"no other": {"Tides rise (s1).",
			"report.md cites nothing. Name the source after each statement of fact, such as [s1.12] " +
				"for block 12 of source s1\nreport.md has what looks like a citation and is none (lines: " +
				"1).\n- line 1: (s1) is no citation; write [s1]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := report("Why?", c.text)
			r.Sources = []string{"s1", "s2"}
			found := r.Lookup
			r.Lookup = func(id string) (citation.Source, error) {
				s, err := found(id)
				s.Intact = true
				return s, err
			}
			r.Wrote = func(quote string) bool { return quote == "Why does the sea rise twice a day?" }
			assert.Equal(t, c.want, gate.Citations().Refuse(context.Background(), r))
		})
	}
}
