package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent"
)

// Citations wants every citation of the report to hold, and one at least where a page was read.
type Citations struct{}

// Name implements Gate.
func (Citations) Name() string { return "citations" }

// maxFaults bounds how many faults a refusal names: more are not put right at once.
const maxFaults = 12

// Refuse implements Gate. It names the citations that do not hold, each with what to do about it.
func (Citations) Refuse(r Report) string {
	checked := citation.Check(r.Text, r.Lookup)
	if len(checked.Citations) == 0 && r.HasRead {
		return r.File + " cites nothing. Name the source after each statement of fact, such as [s1]"
	}
	var faults []citation.Citation
	var ids []string
	for _, c := range checked.Citations {
		if !c.Verdict.Missing() && c.Verdict != citation.QuoteTooLong {
			continue
		}
		faults = append(faults, c)
		if !slices.Contains(ids, c.Source) {
			ids = append(ids, c.Source)
		}
	}
	if len(faults) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "what %s cites does not all hold (faults: %d, in citations of %s). Put each right from the text of the source, cite the source that says it, or take the statement out.\n",
		r.File, len(faults), strings.Join(ids, ", "))
	for i, c := range faults {
		if i == maxFaults {
			fmt.Fprintf(&out, "… and %d more\n", len(faults)-i)
			break
		}
		fmt.Fprintf(&out, "- line %d [%s]: %s: %s\n", c.Line, c.Source, c.Verdict, agent.Disarm(oneLine(c.Why)))
		if c.Nearest != "" {
			fmt.Fprintf(&out, "  the source has: %s\n", agent.Disarm(oneLine(c.Nearest)))
		}
	}
	return out.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
