package actions_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFinishBesideAFailedCallDoesNotEnd(t *testing.T) {
	b := newBench(t)
	b.kit.Files.Brain = agenttest.Replies(agenttest.Reply(
		agenttest.Call("write_file", args{"path": "report.md", "text": "@content", "mode": "insert",
			"line": 99, "answer": true}),
		agenttest.Call("read_file", args{"path": "report.md", "answer": true})),
		agenttest.Reply(agenttest.Call("answer", args{"text": "It could not be written."})))
	b.put("report.md", "one\n")
	got := b.one("file_operation",
		args{"operation_description": "Insert the content and show the file", "content": "x"})
	assert.Equal(t, "Error: The content was not written.\n"+
		"What came of the request: It could not be written.\n(No file was changed.)\n"+
		"\nreport.md: Error: report.md has 1 lines, so text can be inserted before line 1 to 2, not 99\n"+
		"report.md: one", got)
}

// A text that could not be written is still in the history of whoever wrote it, when the same reply updates a
// dashboard.
func TestATextThatWasNotWrittenIsNotForgotten(t *testing.T) {
	b := newBench(t)
	b.kit.Files.Brain = agenttest.Replies(
		agenttest.Reply(agenttest.Call("write_file",
			args{"path": "Sources/s14-x.md", "text": "@content", "answer": true})),
		agenttest.Reply(agenttest.Call("answer", args{"text": "Sources can not be written."})))
	results, effect := b.do(agenttest.Call("file_operation",
		args{"operation_description": "Sources/s14-x.md is to hold the content", "content": "# Notes\n"}),
		agenttest.Call("update_current_dashboard", args{"section": "plan", "text": "- [x] notes written"}))
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, results[0], "Error: ")
	assert.Contains(t, results[0], "The content was not written.")
}

func TestTwoAnswersBothComeBack(t *testing.T) {
	b := newBench(t)
	b.kit.Files.Brain = agenttest.Replies(agenttest.Reply(
		agenttest.Call("read_file", args{"path": "a.md", "answer": true}),
		agenttest.Call("read_file", args{"path": "b.md", "answer": true})))
	b.put("a.md", "alpha\n")
	b.put("b.md", "beta\n")
	got := b.one("file_operation", args{"operation_description": "What do a.md and b.md say?"})
	assert.Contains(t, got, "alpha")
	assert.Contains(t, got, "beta")
}

func TestVisitingASourceThatIsNotThere(t *testing.T) {
	b := newBench(t)
	assert.Contains(t, b.one("visit_url", args{"url": "s99"}), "there is no source s99")
	assert.Contains(t, b.one("visit_url", args{"url": "h11"}), "there is no search result h11")
	_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/", Title: "Tides", Type: "html"},
		"Twice a day")
	require.NoError(t, err)
	assert.Contains(t, b.one("visit_url", args{"url": "[s1]"}), "Twice a day", "an id as it is cited")
	assert.Contains(t, b.one("visit_url", args{"url": "Sources/s01-tides.md"}), "Twice a day", "its file")
	assert.Contains(t, b.one("visit_url", args{"url": "the tides"}),
		`"the tides" is no address; give the id of a search result, such as h3`)
}
