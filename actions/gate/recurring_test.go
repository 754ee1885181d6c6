package gate_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/stretchr/testify/assert"
)

// What stands at the head of the same thing in section after section is a template.
func TestHeadsThatRecur(t *testing.T) {
	report := "# Tides\n\n## Causes\n\n### Traps\n\n**Set up.** The moon.\n\n" +
		"## Heights\n\n### 2.1 Traps\n\n- **Set up:** a gauge.\n\n" +
		"## Use\n\n### Traps\n\n### Traps\n\n1. **Set up** a mill.\n\n**Mills** turn.\n\n" +
		"Not found: when. Tides: twice a day.\n"
	report = strings.ReplaceAll(report, "The moon.", "The moon.\n\nNot found: why.")
	report = strings.ReplaceAll(report, "a gauge.", "a gauge.\n\nNot found: how high.")
	assert.Equal(t, []string{"not found", "set up", "traps"}, gate.Report{Text: report}.Recurring())
	report = "# Tides\n\n## Causes\n\n### Traps\n\n### Traps\n\n### Traps\n"
	assert.Empty(t, gate.Report{Text: report}.Recurring())
	// what marks a conclusion, and what the question names, recurs with reason
	report = "# Tides\n\n## Causes\n\nInference: the moon. Harbour: one.\n\n" +
		"## Times\n\nInference: twice.\n\n**Harbour.** Two.\n\n" +
		"## Heights\n\nInference: a gauge.\n\n**Harbour.** Three.\n\n## Ends\n\n**Harbour.** Four.\n"
	assert.Equal(t, []string{"harbour"}, gate.Report{Text: report}.Recurring())
	assert.Empty(t, gate.Report{Text: report, Question: "When is it high in the harbour?"}.Recurring())
}
