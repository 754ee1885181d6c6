package fileagent_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
)

// Each call that changes a file reports it as a fact, and the whole operation reports what its calls did.
func TestWhatWasChangedIsReportedAsFacts(t *testing.T) {
	const file, link = "Notebook/01.md", "\n[s1.2]: Sources/s01-a.md#L3 \"words of a source\"\n"
	d := newDesk(t)
	var calls, operation []agent.Fact
	d.acted = func(e agent.Acted) {
		if strings.Contains(e.Agent, "/") {
			calls = append(calls, e.Facts...)
		} else {
			operation = e.Facts
		}
	}
	chapter := func(n int) agent.Fact {
		return agent.Fact{Kind: agent.Changed, Path: file, N: n}
	}
	step := func(name string, a args) agent.Reply { return agenttest.Reply(agenttest.Call(name, a)) }
	d.operate(agenttest.Replies(
		step("create_file", args{"path": file, "text": "one two three"}),
		step("create_file", args{"path": file, "text": "again"}), // and fails
		step("write_file", args{"path": file, "text": "one two\n" + link}),
		step("replace_in_file", args{"path": file, "old": "two", "text": "2 3 4"}),
		step("read_file", args{"path": file}),
		step("move", args{"path": file, "to": "Notebook/02.md"}),
		step("delete_file", args{"path": "Notebook/02.md"}),
		step("answer", args{"text": "Done."})), "do it", "")
	assert.Equal(t, []agent.Fact{chapter(3), chapter(2), chapter(3),
		{Kind: agent.Deleted, Path: file}, {Kind: agent.Changed, Path: "Notebook/02.md"},
		{Kind: agent.Deleted, Path: "Notebook/02.md"}}, calls)
	assert.Equal(t, calls, operation)
}
