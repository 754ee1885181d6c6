package clip_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// firstQuote is what the report on a question quotes before all else.
func firstQuote(t *testing.T, question, page string) string {
	t.Helper()
	quotes := quotesIn(top(reportOn(t, question, page)))
	require.NotEmpty(t, quotes, question)
	return quotes[0][0]
}

// A passage that has all words of the question comes before one that has some of them often.
func TestThePassageWithMostOfTheQuestionComesFirst(t *testing.T) {
	const page = "Logs\n# Logs\n\n## Rotating file handler\n\nThe rotating file handler is a handler that rotates a log file.\n\n" +
		"A rotating log file is opened by the handler of rotating files, which is a handler of log files.\n\n" +
		"Each file is written until its size is nearly that which was set, and if no count of copies is set beside the size " +
		"nothing is ever moved out of the way: the only copy is written on and on by the same owner, whatever became of the disk.\n"
	assert.Contains(t, firstQuote(t, "I set a size for the rotating log file handler but it never rotates. What is missing?", page), "Each file")
}

// A figure with the unit that is asked for comes before another.
func TestAFigureWithItsUnitComesFirst(t *testing.T) {
	const page = "Locks\n# Locks\n\n## Waiting\n\nA lock on the store is waited for by 7 clients.\n\n" +
		"## Timeouts\n\nWho waits for a lock on the store is told after a while, which is 5 seconds.\n"
	assert.Contains(t, firstQuote(t, "How long does it wait for a lock on the store?", page), "5 seconds")
}

// A table that lists what is so of one thing is one passage: its name, its meaning and its default.
func TestAListOfPropertiesIsOnePassage(t *testing.T) {
	const page = "Directives\n# Directives\n\n## KeepOpen\n\n| Description: | How long an idle connection is kept open |\n| --- | --- |\n" +
		"| Syntax: | KeepOpen seconds |\n| Default: | KeepOpen 5 |\n| Context: | server config |\n| Status: | Core |\n| Module: | core |\n\n" +
		"## Greeting\n\n| Description: | What a new connection is told |\n| --- | --- |\n| Syntax: | Greeting text |\n| Default: | none |\n| Context: | server config |\n"
	shown := top(reportOn(t, "How long is an idle connection kept open by default?", page))
	assert.Contains(t, shown, "| Description: | How long an idle connection is kept open |")
	assert.Contains(t, shown, "| Default: | KeepOpen 5 |")
	assert.Contains(t, shown, "| Module: | core |")
}
