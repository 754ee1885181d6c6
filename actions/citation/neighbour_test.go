package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
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
