package rounds_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// What a mark of inference covers too much of is said once, and keeps no report from its judge.
func TestAMarkOfInferenceBeforeManyStatements(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(9))
	b.put("report.md", "# How logs are rotated\n\nOnce a day [s1].\n\nInference: this sums it up.\n\n"+
		"- `keep_days` is lost.\n- `keep_size` comes first.\n")
	text, effect := b.propose()
	require.Equal(t, agent.Continue, effect)
	assert.Contains(t, text, "mark each conclusion for itself:\n\n- line 5: “Inference: this sums it up.”")
	text, effect = b.propose()
	assert.Equal(t, agent.Finish, effect, text)
}

// What asks for changes also asks to take off the dashboard the gaps that the report answers: before the first
// judgement and in the last pass, but for those that the program takes off. They open no pass by themselves.
func TestGapsThatTheReportAnswersAreToBeTakenOff(t *testing.T) {
	const told = "The overall dashboard still lists these gaps. Take off those that the report answers; what cannot be found stays there:\n\n"
	const gaps = "- How deep is it?\n- None.\n- None that reading could close; see below.\n" +
		"- Nothing known about the fee.\n- Chapter without evidence: **Ebb** (Notebook/02.md): nothing\n" +
		"- Could not be read, and so not searched: a.pdf."
	list := func(b *bench) {
		require.NoError(t, b.w.AmendSections(workspace.Overall, map[string]func(string) string{
			"gaps": func(string) string { return gaps }}))
	}
	t.Run("in the last pass", func(t *testing.T) {
		b := before(t, &court{marks: []string{"12345678"}, prefers: "new"}, faithful)
		b.review.Judging.Without = 0
		list(b)
		_, effect := b.propose()
		require.Equal(t, agent.Restart, effect)
		task := section(t, b.text(workspace.CurrentFile), "task")
		assert.Contains(t, task, "The last pass")
		assert.True(t, strings.HasSuffix(task, told+"- How deep is it?\n- Nothing known about the fee."), task)
	})
	t.Run("before the first judgement", func(t *testing.T) {
		b := proposals(t, rounds.Judging{}, judgement(9))
		list(b)
		b.put("report.md", "# How logs are rotated\n\nOnce a day [s1].\n\nInference: this sums it up.\n\n"+
			"- `keep_days` is lost.\n- `keep_size` comes first.\n")
		text, effect := b.propose()
		require.Equal(t, agent.Continue, effect)
		assert.True(t, strings.HasSuffix(text, told+"- How deep is it?\n- Nothing known about the fee."), text)
	})
	t.Run("nothing else is to be done", func(t *testing.T) {
		b := before(t, &court{marks: []string{"123456789"}}, faithful)
		b.review.Judging.Without = 0
		list(b)
		text, effect := b.propose()
		assert.Equal(t, agent.Finish, effect, text)
	})
}
