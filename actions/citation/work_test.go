package citation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// Claims that their passages do not bear out, on a source with as many blocks in the same words: each of them
// would be looked for in all blocks.
func TestClaimsByTheThousandAreBoundedWork(t *testing.T) {
	bomb := agenttest.Bomb{Name: "claims", Make: func(size int) string {
		var report strings.Builder
		report.WriteString("# Report\n\n")
		for i := 0; report.Len() < size; i++ {
			fmt.Fprintf(&report, "The water of the harbour rises by %d metres in spring [s1].\n\n", i%37+813)
		}
		return report.String()
	}}
	agenttest.RequireLinear(t, 128<<10, bomb, func(text string) {
		source := strings.NewReplacer("[s1]", "as tables say", "water", "sea").Replace(text)
		citation.Check(t.Context(), text, func(string) (citation.Source, error) {
			return citation.Source{Source: workspace.Source{ID: "s1", Title: "Tides",
				Complete: workspace.Whole}, Text: source, Intact: true}, nil
		})
	})
}

// A sentence without an end in which many citations stand, each of which is told with what the passage says
// before it.
func TestASentenceOfManyCitationsIsBoundedWork(t *testing.T) {
	agenttest.RequireLinear(t, 64<<10, agenttest.Repeated("[a](b) [s1.1] “six words are here in this” "),
		func(text string) {
			citation.Read(t.Context(), text).References(
				func(string) (citation.Source, error) { return citation.Source{}, nil }, prose.English)
		})
}

// A claim whose sentence is looked for before it, over sentences that are no more than their citation.
func TestARowOfCitationsIsBoundedWork(t *testing.T) {
	agenttest.RequireLinear(t, 4<<10, agenttest.Repeated("[s1.1]. "), func(text string) {
		citation.Check(t.Context(), "It is so. "+text+"It stays so [s1.1].\n",
			lookupIn(source("s1", "web", "It is so.\n")))
	})
}

func TestARowOfRemarksIsBoundedWork(t *testing.T) {
	agenttest.RequireLinear(t, 32<<10, agenttest.Repeated("(a guess), "), func(text string) {
		citation.Check(t.Context(), "It is so "+text+" and so [s1.1].\n",
			lookupIn(source("s1", "web", "It is so.\n")))
	})
}

// Clauses of one sentence each of which marks its own work before a colon.
func TestARowOfChoicesIsBoundedWork(t *testing.T) {
	for _, clause := range []string{"our choice: 5 ", "our choice: 5; "} {
		agenttest.RequireLinear(t, 4<<10, agenttest.Repeated(clause), func(text string) {
			citation.Check(t.Context(), text+"x [s1.1].", lookupIn(source("s1", "web", "It is so.\n")))
		})
	}
}

func TestARowOfMarksIsBoundedWork(t *testing.T) {
	for _, mark := range []string{"*", "_", "2*", "＿*"} {
		agenttest.RequireLinear(t, 64<<10, agenttest.Repeated(mark), func(text string) {
			citation.Locate(text, "is in none of it")
		})
	}
}
