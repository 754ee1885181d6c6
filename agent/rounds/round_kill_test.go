package rounds_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAKillAfterTheJudgementPaysForItOnce(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(4, "What else?"))
	for range 2 { // the same call is carried out again, as after a kill that came before its result was on record
		_, effect := b.proposeAs("researcher")
		require.Equal(t, agent.Restart, effect, "no second judgement, for which the script has no line")
	}
	var r rounds.State
	require.True(t, b.w.Kept(rounds.Key, &r))
	assert.Len(t, r.Rounds, 1)
	assert.Equal(t, 1, strings.Count(b.text(workspace.OverallFile), "- What else?"))
}

// The same with a harsh judge: the objections that a call raised are to be answered, and not looked for, or held against it, when it is
// carried out again; and an end is no end of a research before it.
func TestAKillAfterAnAttackPaysForItOnce(t *testing.T) {
	one := args{"where": "Twice a day", "what": "The Sun is left out.", "remedy": "Say what the Sun does.", "passage": "s1.1"}
	object := func(objections ...args) agent.Reply {
		return agenttest.Reply(agenttest.Call("object", args{"objections": append([]args{}, objections...)}))
	}
	b := proposals(t, rounds.Judging{Harsh: true}, judgement(8), object(one), object())
	for range 2 {
		text, effect := b.proposeAs("researcher")
		require.Equal(t, agent.Restart, effect, text)
		assert.Contains(t, b.text(workspace.CurrentFile), "- O1 (“Twice a day”): The Sun is left out.")
	}
	b.put("report.md", strings.Replace(b.text("report.md"), "Twice a day", "By Moon and Sun, twice a day", 1))
	_, err := b.w.UpdateSections(workspace.Overall, map[string]string{"decisions": "- O1: mended."})
	require.NoError(t, err)
	for range 2 {
		text, effect := b.proposeAs("another")
		require.Equal(t, agent.Finish, effect, text)
		assert.Equal(t, 1, strings.Count(b.text("report.md"), "{#references}"))
	}
	var r rounds.State
	require.True(t, b.w.Kept(rounds.Key, &r))
	assert.Len(t, r.Rounds, 1)
	assert.Equal(t, 2, r.Attacks)
}

// An end as not sound that a kill cut off from its outcome is the same end again.
func TestAKillAfterAnUnsoundEnd(t *testing.T) {
	b := proposals(t, rounds.Judging{}, judgement(8))
	b.put("report.md", "# Tides\n\nTwice a week 17 [s1].\n")
	for range 2 {
		_, effect := b.propose()
		require.Equal(t, agent.Continue, effect)
	}
	for range 2 {
		text, effect := b.proposeAs("researcher")
		require.Equal(t, agent.Finish, effect, text)
		assert.Contains(t, b.account(), "Ended as not sound: the report does not pass citations.")
	}
}

// A proposal whose refusal a kill came after is refused again, and counts once.
func TestARefusalThatIsSaidAgainCountsOnce(t *testing.T) {
	b := proposals(t, rounds.Judging{Fixed: 1})
	b.put("report.md", "# Tides\n\nTwice a week 17 [s1].\n")
	for range 5 {
		text, effect := b.proposeAs("the same call")
		assert.Equal(t, agent.Continue, effect)
		assert.Contains(t, text, "figure missing")
	}
}
