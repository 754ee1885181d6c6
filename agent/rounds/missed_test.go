package rounds_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

const manual = "# Rotation\n\nLogs are rotated once a day.\n\n" +
	"The rotation fails without a word unless the disk has room.\n\nLogs are kept in a folder of their own.\n\n" +
	"# Settings\n\n**`keep_days`** 14 by default.\n\n**`keep_size`** As of version 3 the value is always ignored.\n\n" +
	"**`keep_all`** As of version 3 the value is always ignored.\n"

// A report is answered once, before it is judged, with what an editor misses in it: an editor reads it beside the
// passages that qualify something, whether nobody was shown them or they were lost on the way.
func TestWhatAnEditorMisses(t *testing.T) {
	const says = "[s2.2] says nothing of the room that the disk needs\n- [s2.5]: `keep_size` does nothing\n[s2.3] a folder\n[s9.1] no source\n"
	for name, c := range map[string]struct {
		shown   []int // blocks
		judging rounds.Judging
		says    string
		told    bool
	}{
		"a reader picked one block":     {[]int{1}, rounds.Judging{}, says, true},
		"all was shown":                 {[]int{1, 2, 3, 5}, rounds.Judging{}, says, true},
		"nothing is missing":            {[]int{1, 2, 3, 5}, rounds.Judging{}, "NONE", false},
		"it cannot be understood":       {[]int{1, 2, 3, 5}, rounds.Judging{}, "A good report.", false},
		"an older record":               {nil, rounds.Judging{}, says, false},
		"nobody judges without a model": {[]int{1}, rounds.Judging{Without: rounds.NoJudge}, says, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := proposals(t, c.judging, judgement(9))
			shown, edited := "", 0
			b.review.Kit.Reader = &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
				shown = talk.Messages[1].Text
				edited++
				return agenttest.Words(c.says), nil
			}}
			source := workspace.Source{URL: "https://example.org/logs", Title: "Logs", Type: "html"}
			s, err := b.w.AddSource(source, manual)
			require.NoError(t, err)
			require.NoError(t, b.w.Shown(s, manual, "", true, c.shown...))
			b.put("report.md", "# How logs are rotated\n\nOnce a day [s2.1]. Set `keep_days` and `keep_size` as you like.\n")

			text, effect := b.propose()
			if !c.told {
				assert.Equal(t, agent.Finish, effect, text)
				return
			}
			require.Equal(t, agent.Continue, effect)
			assert.True(t, strings.HasPrefix(shown, "Part 1 of 1 of report.md\n"), shown)
			assert.Contains(t, shown, "Once a day [s2.1].")
			assert.Contains(t, shown, "[s2.2] The rotation fails")
			assert.Contains(t, shown, "[s2.5] **`keep_size`** As of version 3", "the report names what it defines")
			assert.NotContains(t, shown, "keep_all", "the report does not")
			assert.NotContains(t, shown, "a folder of their own", "it qualifies nothing")
			assert.NotContains(t, shown, "Logs are rotated", "it is cited")
			assert.Contains(t, text, "\n- [s2.2] says nothing of the room that the disk needs\n- [s2.5] `keep_size` does nothing\n")
			assert.NotContains(t, text, "s2.3", "the editor was not shown it")
			assert.NotContains(t, text, "s9.1")
			assert.Contains(t, text, "[s2.2] The rotation fails without a word unless the disk has room.")
			assert.True(t, b.w.BlocksShown(s.ID)[2])
			again, effect := b.proposeAs("researcher1")
			assert.Equal(t, text, again, "after a kill")
			assert.Equal(t, agent.Continue, effect)

			text, effect = b.propose()
			assert.Equal(t, agent.Finish, effect, "it is told once: %s", text)
			assert.NotContains(t, text, "<passages")
			assert.Equal(t, 1, edited)
		})
	}
}

// An editor reads a sample beside what defines the names in it, also where the report does not cite that and
// nobody was shown it. What the sample does not name it is not shown.
func TestASampleIsReadBesideItsDefinitions(t *testing.T) {
	const settings = "# Settings\n\nLogs are rotated once a day.\n\n# Keeping\n\n**`keep-days`**\n\n" +
		"Days after which a log is gone, a whole number.\n\n**`keep-size`**\n\nMegabytes after which a log is gone, a whole number.\n"
	b := proposals(t, rounds.Judging{}, judgement(9))
	shown := ""
	b.review.Kit.Reader = &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		shown = talk.Messages[1].Text
		return agenttest.Words("NONE"), nil
	}}
	s, err := b.w.AddSource(workspace.Source{URL: "https://example.org/logs", Title: "Logs", Type: "html"}, settings)
	require.NoError(t, err)
	require.NoError(t, b.w.Shown(s, settings, "", true, 1))
	b.put("report.md", "# How logs are rotated\n\nOnce a day [s2.1].\n\n```\nkeep-days = 1 week\n```\n")
	text, effect := b.propose()
	require.Equal(t, agent.Finish, effect, text)
	assert.Contains(t, shown, "Days after which a log is gone")
	assert.NotContains(t, shown, "Megabytes after which")
}

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
