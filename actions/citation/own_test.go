package citation_test

import (
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

// TestOnlyTheProgramsListIsPassedOver: a table that only looks like a list of references is a part of the report.
func TestOnlyTheProgramsListIsPassedOver(t *testing.T) {
	const list = "## References {#references}\n\n| Id | Source |\n| --- | --- |\n| [s1](Sources/s01.md) | A |\n"
	for name, c := range map[string]struct {
		report string
		cited  int
	}{
		"the program's":               {"Text “of its own here” [s1].\n\n" + list, 1},
		"a person's words below":      {"Text.\n\n" + list + "\nIt was 999 [s1].\n", 1},
		"another level":               {"### Results {#references}\n\n| Revenue | [s1] |\n| --- | --- |\n| was 999 million | [s1] |\n", 2},
		"an earlier one":              {"## Results {#references}\n\n| a | b |\n| --- | --- |\n| was 999 million | [s1] |\n\n" + list, 1},
		"named later":                 {list + "\nThe list {#references} has 17 rows [s1].\n", 1},
		"in a block of code":          {"```\n" + list + "```\n\nIt was 999 [s1].\n", 1},
		"a heading with words behind": {"## See {#references} of 999 [s1]\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			found := citation.Check(c.report, func(string) (citation.Source, error) { return citation.Source{}, citation.ErrNotRead })
			assert.Len(t, found.Citations, c.cited)
		})
	}
}
