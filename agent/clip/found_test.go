package clip_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What answers is quoted in whatever form a document says it.
func TestAnAnswerIsFoundInItsForm(t *testing.T) {
	for name, test := range map[string]struct{ question, page, want string }{
		"a sentence in bold is no term": {"Which volumes can a machine boot from?",
			"Disks\n# Disks\n\nA disk is attached to one machine.\n\n" +
				"- **Only gp2 and io1 can be boot volumes of a machine.**\n",
			"Only gp2 and io1"},
		"dates below the sentence that leads to them": {"When is the final version planned?",
			"Plan\n# Plan\n\nThe plan of the final version:\n\n" +
				"rc1 2025-02-10, rc2 2025-02-24, final 2025-03-05\n",
			"final 2025-03-05"},
		"a short list of the thing": {"What is the drawback of snapshots?",
			"Store\n# Store\n\n## Snapshots\n\n- Snapshots are files of one moment.\n- Great for backups.\n" +
				"- The latest minutes can be lost.\n\n## Graphs\n\nThe drawback of a graph is its size.\n\n" +
				"## Logs\n\nA log is slower than snapshots, which is its drawback.\n\n## Images\n\n" +
				"Images have a drawback.\n",
			"The latest minutes can be lost"},
	} {
		assert.Contains(t, top(reportOn(t, test.question, test.page)), test.want, name)
	}
}

// A figure is quoted with the line that leads to it, and what is set to one with its figure.
func TestAFigureBelowItsLineIsQuoted(t *testing.T) {
	const page = "Office\n# Office\n\n## Router\n\nThe router has this setting:\n\nallow 10.20.30.0/24\n\n" +
		"## Phone\n\nRing the office:\n\n01632 960414\n\nor the desk next door during the day.\n\n" +
		"## Hours\n\n- Monday: closed\n- Tuesday: 9 to 5\n\n## Market\n\nIt is on a Tuesday.\n"
	assert.Contains(t, reportOn(t, "Which setting has the router?", page), "“allow 10.20.30.0/24”")
	assert.Contains(t, reportOn(t, "How do I ring the office?", page), "“01632 960414”")
	assert.Contains(t, reportOn(t, "When is it open on Tuesday?", page), "Tuesday: 9 to 5")
}
