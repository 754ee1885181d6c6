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

const manual = "# Rotation\n\nLogs are rotated once a day.\n\n" +
	"The rotation fails without a word unless the disk has room.\n\nLogs are kept in a folder of their own.\n\n" +
	"# Settings\n\n**`keep_days`** 14 by default.\n\n**`keep_size`** As of version 3 the value is always ignored.\n\n" +
	"**`keep_all`** As of version 3 the value is always ignored.\n"

// A report is answered once, before it is judged, with the passages near its citations that nobody was shown
// and that say when something holds. The rest of the page is left out.
func TestWhatNobodyWasShown(t *testing.T) {
	for name, c := range map[string]struct {
		shown   []int // blocks
		judging rounds.Judging
		told    bool
	}{
		"a reader picked one block":     {[]int{1}, rounds.Judging{}, true},
		"all was shown":                 {[]int{1, 2, 3, 5}, rounds.Judging{}, false},
		"an older record":               {nil, rounds.Judging{}, false},
		"nobody judges without a model": {[]int{1}, rounds.Judging{Without: rounds.NoJudge}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := proposals(t, c.judging, judgement(9))
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
			assert.Contains(t, text, "[s2.2] The rotation fails")
			assert.NotContains(t, text, "by default", "no block under its heading is cited")
			assert.Contains(t, text, "[s2.5] **`keep_size`** As of version 3", "the report names what it defines")
			assert.NotContains(t, text, "keep_all", "the report does not")
			assert.NotContains(t, text, "a folder of their own", "it qualifies nothing")
			assert.NotContains(t, text, "Logs are rotated", "it was shown")
			assert.Equal(t, map[int]bool{1: true, 2: true, 5: true}, b.w.BlocksShown(s.ID))
			again, effect := b.proposeAs("researcher1")
			assert.Equal(t, text, again, "after a kill")
			assert.Equal(t, agent.Continue, effect)

			text, effect = b.propose()
			assert.Equal(t, agent.Finish, effect, "it is told once: %s", text)
			assert.False(t, strings.Contains(text, "<passages"))
		})
	}
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
