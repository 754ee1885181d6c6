package actions_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// laidOut is a bench whose dashboards hold a plan and a blueprint.
func laidOut(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.do(agenttest.Call("update_current_dashboard", args{"sections": args{
		"plan": "- [ ] read\n- [ ] note\n- [ ] write", "next": "read",
		"blueprint": "- [ ] Tides\n- [ ] Costs"}}))
	require.Contains(t, b.read(workspace.CurrentFile), "- [ ] note")
	require.Contains(t, b.read(workspace.OverallFile), "- [ ] Costs")
	return b
}

func (b *bench) read(file string) string {
	b.t.Helper()
	text, err := b.w.Peek(file)
	require.NoError(b.t, err)
	return text
}

// Several sections of both dashboards are replaced by one call, which clears the memory.
func TestSectionsOfBothDashboardsInOneCall(t *testing.T) {
	b := laidOut(t)
	results, effect := b.do(agenttest.Call("update_overall_dashboard",
		args{"sections": args{"findings": "The moon pulls.", "learned": "It does."}}))
	assert.Equal(t, agent.Restart, effect, results)
	assert.Contains(t, b.read(workspace.OverallFile), "The moon pulls.")
	assert.Contains(t, b.read(workspace.CurrentFile), "It does.")
}

// Boxes are ticked and lines changed without a section retyped, and the memory stays.
func TestChangesOfLinesKeepTheMemory(t *testing.T) {
	ticks := []args{{"old": "- [ ] read", "new": "- [x] read"},
		{"old": "- [ ] note", "new": "- [x] note\n- [ ] check"}, {"old": "[ ] Tides", "new": "[x] Tides"},
		{"old": "- [ ] Costs", "new": "- [x] Costs"}}
	b := laidOut(t)
	results, effect := b.do(agenttest.Call("update_current_dashboard", args{"lines": ticks}))
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, results[0], "Now: - [x] read")
	assert.Contains(t, b.read(workspace.CurrentFile), "- [x] read\n- [x] note\n- [ ] check\n- [ ] write")
	assert.Contains(t, b.read(workspace.OverallFile), "- [x] Tides\n- [x] Costs")

	b = laidOut(t)
	_, effect = b.do(agenttest.Call("update_current_dashboard", args{"lines": []args{
		{"section": "decisions", "new": "- O1: mended"}, {"section": "decisions", "new": "- O2: mended"},
		{"section": "plan", "new": "- [ ] check"}}}))
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, b.read(workspace.OverallFile), "- O1: mended\n- O2: mended\n", "an empty section too")
	assert.Contains(t, b.read(workspace.CurrentFile), "- [ ] write\n- [ ] check\n")

	b = laidOut(t)
	_, effect = b.do(agenttest.Call("update_current_dashboard", args{"lines": ticks, "fresh": true}))
	assert.Equal(t, agent.Restart, effect, "it was asked for")

	b = laidOut(t)
	_, effect = b.do(agenttest.Call("update_current_dashboard",
		args{"lines": ticks, "sections": args{"next": "write"}}))
	assert.Equal(t, agent.Restart, effect, "a section is among it")
	assert.Contains(t, b.read(workspace.CurrentFile), "- [x] read")

	b = laidOut(t)
	_, effect = b.do(agenttest.Call("update_current_dashboard",
		args{"lines": []args{{"old": "- [ ] note", "new": ""}}}))
	assert.Equal(t, agent.Continue, effect)
	assert.Contains(t, b.read(workspace.CurrentFile), "- [ ] read\n- [ ] write")
}

// A gap that the program copied into the task is taken off where it came from.
func TestALineThatTheTaskRepeatsIsChangedWhereItCameFrom(t *testing.T) {
	b := newBench(t)
	b.do(agenttest.Call("update_overall_dashboard", args{"section": "gaps", "text": "- how deep it is"}),
		agenttest.Call("update_current_dashboard",
			args{"section": "task", "text": "Close the gap: how deep it is."}))
	results, _ := b.do(agenttest.Call("update_overall_dashboard",
		args{"lines": []args{{"old": "how deep it is", "new": "how wide it is"}}}))
	assert.NotContains(t, results[0], "Error")
	assert.Contains(t, b.read(workspace.OverallFile), "- how wide it is")
	assert.Contains(t, b.read(workspace.CurrentFile), "how deep it is")
}

// A finding that is added with the heading of its focus, or with its number, goes under that heading.
func TestALineIsAddedUnderItsHeading(t *testing.T) {
	const findings = "Both hold.\n\n### 1. tides\n\n- The moon pulls [s1.1].\n\n### 2. coasts and seas\n\n" +
		"### 20. ships"
	for name, c := range map[string]struct{ added, want string }{
		"its heading": {"### 1. Tides\n- Twice a day [s1.2].",
			"- The moon pulls [s1.1].\n- Twice a day [s1.2].\n\n### 2. coasts"},
		"its number": {"### 2\n\n- They erode [s2.1].",
			"### 2. coasts and seas\n\n- They erode [s2.1].\n\n### 20."},
		"its first word":   {"#### 2. coasts\n- a\n- b\n", "### 2. coasts and seas\n\n- a\n- b\n\n### 20."},
		"the last":         {"### 20.\n- x", "### 20. ships\n\n- x\n"},
		"another heading":  {"### 3. ports\n- x", "### 20. ships\n### 3. ports\n- x\n"},
		"its number alone": {"### 2. ports\n- x", "### 2. coasts and seas\n\n- x\n\n### 20."},
		"no number of one": {"### 2024 outlook\n- x", "### 20. ships\n### 2024 outlook\n- x\n"},
		"none":             {"- x", "### 20. ships\n- x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.do(agenttest.Call("update_overall_dashboard", args{"section": "findings", "text": findings}))
			results, effect := b.do(agenttest.Call("update_overall_dashboard",
				args{"lines": []args{{"section": "findings", "new": c.added}}}))
			assert.Equal(t, agent.Continue, effect, results)
			assert.Contains(t, b.read(workspace.OverallFile), c.want)
		})
	}
	b := newBench(t)
	b.do(agenttest.Call("update_overall_dashboard", args{"section": "findings", "text": findings}))
	b.do(agenttest.Call("update_overall_dashboard", args{"lines": []args{
		{"section": "findings", "new": "### 2\n- a"}, {"section": "findings", "new": "### 2\n- b"},
		{"section": "findings", "new": "### 1"}}}))
	assert.Contains(t, b.read(workspace.OverallFile),
		"[s1.1].\n\n### 2. coasts and seas\n\n- a\n- b\n\n### 20. ships\n")
}

// What an update cannot do it does not begin, and says why.
func TestUpdatesThatAreRefused(t *testing.T) {
	b := laidOut(t)
	before := b.read(workspace.OverallFile) + b.read(workspace.CurrentFile)
	long := strings.Repeat("word ", 3000)
	for name, c := range map[string]struct {
		given args
		want  string
	}{
		"nothing": {args{}, "nothing is given"},
		"a line that is not": {args{"lines": []args{{"old": "- [ ] sing", "new": "x"}}},
			"is on neither dashboard"},
		"a line that is twice": {args{"lines": []args{{"old": "[ ]", "new": "[x]"}}},
			"is there 5 times"},
		"a line for the person's notes": {args{"lines": []args{{"section": "notes", "new": "x"}}}, "notes"},
		"an empty line": {args{"lines": []args{{"old": "", "new": "x"}}},
			"is on neither dashboard"},
		"one line of two": {args{"lines": []args{{"old": "- [ ] note", "new": "x"},
			{"old": "gone", "new": "x"}}},
			"is on neither dashboard; give it letter by letter, as it is there\nNothing was changed"},
		"three, two of which are not": {args{"lines": []args{{"old": "gone", "new": "x"},
			{"old": "- [ ] note", "new": "x"}, {"old": "[ ]", "new": "x"}}},
			"as it is there\n\"[ ]\" is there"},
		"a section that is not": {args{"sections": args{"songs": "x"}}, "songs"},
		"the program's section": {args{"sections": args{"quality": "x"}}, "is not yours to write"},
		"the person's section":  {args{"sections": args{"notes": "x"}}, "is not yours to write"},
		"one of two too long": {args{"sections": args{"plan": long, "next": "x"}},
			"move detail into a chapter"},
		"the whole and a section": {args{"text": "# All", "sections": args{"plan": "x"}},
			"give one or the other"},
		"a section twice": {args{"section": "plan", "text": "x", "sections": args{"plan": "y"}},
			"is given twice"},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			results, effect := b.do(agenttest.Call("update_current_dashboard", c.given))
			assert.Contains(t, results[0], "Error: ")
			assert.Contains(t, results[0], c.want)
			assert.Equal(t, agent.Continue, effect)
			assert.Equal(t, before, b.read(workspace.OverallFile)+b.read(workspace.CurrentFile))
		})
	}
}

func TestAnUpdateThatSaysNothingNewIsToldSo(t *testing.T) {
	b := newBench(t)
	for i, want := range []agent.Effect{agent.Restart, agent.Continue} {
		results, effect := b.do(agenttest.Call("update_current_dashboard",
			args{"section": "next", "text": "Read on."}))
		assert.Equal(t, want, effect, i)
		if want == agent.Continue {
			assert.Contains(t, results[0], "nothing new")
		}
	}
}
