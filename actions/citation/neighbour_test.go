package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A citation that has the next cell to itself is one with that before it.
func TestCitationsInNeighbouringCells(t *testing.T) {
	none := func(string) (citation.Source, error) { return citation.Source{}, citation.ErrNotRead }
	report := "| a | b |\n| --- | --- |\n| never v3. [s1.4] | [s1.3] |\n"
	found := citation.Check(t.Context(), report, none).Findings
	assert.Len(t, found, 2)
}

// A sentence may end with a mark that is the beginning of code.
func TestASentenceEndsInCode(t *testing.T) {
	found := citation.Read(t.Context(), "It ends.`) Then f` it costs 12 dollars.\n").Uncited()
	assert.Len(t, found, 1)
}

// A unit of one letter may end a sentence, and an initial does not: the figure of advice behind it is no
// part of what the next sentence cites.
func TestASentenceEndsInAUnit(t *testing.T) {
	s := source("s1", "html", "Events are told by subscription.")
	for report, want := range map[string]citation.Verdict{
		"Run it every 10 s. Subscribe to events [s1.1].":        citation.NotChecked,
		"Run it every 10 by J. Subscribe, as events do [s1.1].": citation.FigureMissing, // the control
	} {
		found := citation.Check(t.Context(), report+"\n", lookupIn(s)).Findings
		require.Len(t, found, 1)
		assert.Equal(t, want, found[0].Verdict, report)
	}
}
