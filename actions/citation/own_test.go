package citation_test

import (
	"context"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/stretchr/testify/assert"
)

// TestOnlyTheProgramsListIsPassedOver: a table that only looks like a list of references is a part of the
// report.
func TestOnlyTheProgramsListIsPassedOver(t *testing.T) {
	const list = "## References {#references}\n\n| Id | Source |\n| --- | --- |\n" +
		"| [s1](Sources/s01.md) | A |\n"
	for name, c := range map[string]struct {
		report string
		cited  int
	}{
		"the program's":          {"Text “of its own here” [s1].\n\n" + list, 1},
		"a person's words below": {"Text.\n\n" + list + "\nIt was 999 [s1].\n", 1},
		"another level": {"### Results {#references}\n\n| Revenue | [s1] |\n| --- | --- |\n" +
			"| was 999 million | [s1] |\n", 2},
		"an earlier one": {
			"## Results {#references}\n\n| a | b |\n| --- | --- |\n| was 999 million | [s1] |\n\n" + list, 1},
		"named later":                 {list + "\nThe list {#references} has 17 rows [s1].\n", 1},
		"in a block of code":          {"```\n" + list + "```\n\nIt was 999 [s1].\n", 1},
		"a heading with words behind": {"## See {#references} of 999 [s1]\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			found := citation.Check(context.Background(), c.report,
				func(string) (citation.Source, error) { return citation.Source{}, citation.ErrNotRead })
			assert.Len(t, found.Findings, c.cited)
		})
	}
}

// TestWhatTheProgramWroteIsFoundAgain: what is not found is written once more each time a report is signed.
func TestWhatTheProgramWroteIsFoundAgain(t *testing.T) {
	const signed = "\n## References {#references}\n\n| Id | Source |\n| --- | --- |\n| s1 | A |\n" +
		"\n## How {#record}\n\n- It ended.\n- It cost 3.\n\n![Quality](quality.svg)\n"
	for name, body := range map[string]string{
		"plain":                   "# T\n\nText.\n",
		"code within a line":      "# T\n\n```x``` is code.\n",
		"indented by four":        "# T\n\n    ```\n    x\n\nText.\n",
		"a fence in a longer one": "# T\n\n````md\n```\na\n````\n",
		"another letter":          "# T\n\n~~~\n```\n~~~\n",
		"more than a run":         "# T\n\n```\n``` go\n```\n",
		"in a list":               "# T\n\n- ```go\n  x\n  ```\n",
		"never closed":            "# T\n\n```go\nx := 1\n",
		"the same in code":        "# T\n\n```\n## How {#record}\n\n- It ended.\n```\n\nText.\n",
	} {
		for _, person := range []string{"", "\nA person's words.\n", "\n- a person's note\n",
			"\n| a person's | table |\n", "\n![mine](mine.png)\n"} {
			t.Run(name+strings.TrimSpace(person), func(t *testing.T) {
				left := citation.WithoutOwn(body + signed + person)
				assert.Equal(t, strings.Fields(body+person), strings.Fields(left))
			})
		}
	}
	t.Run("no picture", func(t *testing.T) {
		list, _, _ := strings.Cut(signed, "\n![")
		assert.Equal(t, "# T\n\n- a person's note\n",
			citation.WithoutOwn("# T\n"+list+"\n- a person's note\n"))
	})
}
