package clip_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const plots = "Plots\n# Plots\n\n| plot | tenant | rent_paid |\n| --- | --- | --- |\n| 1 | Hale | no |\n| 2 | Siddiqui | yes |\n" +
	"| 3 | Lindqvist | no |\n| 4 | vacant | yes |\n| 5 | Okafor | no |\n| 6 | vacant | yes |\n| 7 | Novak | no |\n| 8 | Weber | no |\n"

// All rows that answer alike are one table, and none that only has the question's words in the head is beside them.
func TestTheRowsThatAnswerAreShownTogether(t *testing.T) {
	for question, want := range map[string][]string{
		"Who has not paid the rent?": {"Hale", "Lindqvist", "Okafor", "Novak", "Weber"},
		"Which plots are vacant?":    {"| 4 | vacant", "| 6 | vacant"},
		"Who is Novak?":              {"Novak"},
	} {
		passage := top(reportOn(t, question, plots))
		for _, row := range want {
			assert.Contains(t, passage, row, question)
		}
		assert.Equal(t, len(want)+1, strings.Count(passage, "\n| ")-1, passage)
	}
}

const reset = "Passwords\n# Passwords\n\n## Forgotten\n\n1. Restart the machine and stop it at its menu.\n2. Boot it into a shell of its own.\n" +
	"3. Set another password of the router there, with the command passwd.\n4. Restart the machine.\n\n" +
	"## Rules\n\nA password of the router has ten letters at least, and nobody writes it down.\n"

// A step is quoted below those before it, if it is asked how something is done.
func TestAProcedureIsQuotedFromItsFirstStep(t *testing.T) {
	how := top(reportOn(t, "How do I set another password of the router?", reset))
	assert.Less(t, strings.Index(how, "stop it at its menu"), strings.Index(how, "shell of its own"), how)
	assert.Less(t, strings.Index(how, "shell of its own"), strings.Index(how, "command passwd"), how)
	assert.Contains(t, how, "stop it at its menu")
	what := top(reportOn(t, "Which command sets another password of the router?", reset))
	assert.NotContains(t, what, "stop it at its menu")
}

func TestADefaultIsQuotedBelowWhatItIsTheDefaultOf(t *testing.T) {
	const page = "Connections\n# Connections\n\nThe server reads these settings when it starts, and at no other time.\n\n" +
		"`reserved_slots` says how many slots are kept for superusers of the server.\n\n" +
		"The default value is three slots. It must be less than those of all.\n"
	passage := top(reportOn(t, "What is the default value?", page))
	assert.Contains(t, passage, "`reserved_slots`")
	assert.Contains(t, passage, "The default value is three")
}

// A passage may say a word of the question otherwise.
func TestAWordThatIsSaidOtherwiseIsNotMissed(t *testing.T) {
	const page = "Theft\n# Theft\n\nFor burglary of the shed the insurer pays up to 2,000 pounds, less an excess.\n"
	d := newDesk("What is the excess for tools stolen from the shed?", map[string]string{"doc:p.md": page})
	d.unread = "None of the 1 documents holds: tools, stolen.\n"
	d.run(t, 60)
	assert.NotContains(t, d.files["report.md"], "stolen.\n")
	assert.Contains(t, d.files["report.md"], "For burglary of the shed")
}
