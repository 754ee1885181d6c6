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
	"The rotation fails without a word when the disk is full, and the day is then missing from the logs " +
	"for good.\n\n# Settings\n\n**`keep_days`** 14 unless set; at most 365, since the names of the files " +
	"have three digits, and a larger value is taken for 365 without a warning of any kind.\n\n" +
	"# Farming\n\nCows rotate, too.\n"

// A report is answered once, before it is judged, with the passages near its citations that nobody was shown,
// and with those that define what it names. The rest of the page is left out.
func TestWhatNobodyWasShown(t *testing.T) {
	for name, c := range map[string]struct {
		shown   []int // blocks
		judging rounds.Judging
		told    bool
	}{
		"a reader picked one block":     {[]int{1}, rounds.Judging{}, true},
		"all was shown":                 {[]int{1, 2, 3, 4}, rounds.Judging{}, false},
		"an older record":               {nil, rounds.Judging{}, false},
		"nobody judges without a model": {[]int{1}, rounds.Judging{Without: rounds.NoJudge}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := proposals(t, c.judging, judgement(9))
			source := workspace.Source{URL: "https://example.org/logs", Title: "Logs", Type: "html"}
			s, err := b.w.AddSource(source, manual)
			require.NoError(t, err)
			require.NoError(t, b.w.Shown(s, manual, "", true, c.shown...))
			b.put("report.md", "# How logs are rotated\n\nOnce a day [s2.1]. Set `keep_days` as you like.\n")

			text, effect := b.propose()
			if !c.told {
				assert.Equal(t, agent.Finish, effect, text)
				return
			}
			require.Equal(t, agent.Continue, effect)
			assert.Contains(t, text, "[s2.2] The rotation fails")
			assert.Contains(t, text, "at most 365")
			assert.NotContains(t, text, "Cows", "nothing of the report speaks of it")
			assert.NotContains(t, text, "Logs are rotated", "it was shown")
			assert.Equal(t, map[int]bool{1: true, 2: true, 3: true}, b.w.BlocksShown(s.ID))
			again, effect := b.proposeAs("researcher1")
			assert.Equal(t, text, again, "after a kill")
			assert.Equal(t, agent.Continue, effect)

			text, effect = b.propose()
			assert.Equal(t, agent.Finish, effect, "it is told once: %s", text)
			assert.False(t, strings.Contains(text, "<passages"))
		})
	}
}
