package rounds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A checker whose replies cannot be read confirms nothing: what nobody judged is named, and is no sound end
// when it is more than a tenth of the claims.
func TestClaimsThatNobodyJudged(t *testing.T) {
	many := faithful + strings.Repeat("\nThe water is pulled twice a day [s1.1].\n", 2)
	for i := range 12 {
		many += fmt.Sprintf("\nThe “water is pulled” twice a day %s [s1.1].\n", strings.Repeat("so ", i+1))
	}
	for name, c := range map[string]struct {
		report, unread string // the claims whose verdict cannot be read hold these words
		sound          bool
	}{
		"most":                    {doubtful, "Harbours", false},
		"a tenth at most":         {many + "\nHarbours must therefore be deep [s1.1].\n", "Harbours", true},
		"control: all are judged": {doubtful, "Whales", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := before(t, &court{marks: []string{"12345678"}, verdict: func(claim string) string {
				if strings.Contains(claim, c.unread) {
					return "perhaps"
				}
				return "supported"
			}}, c.report)
			effect := agent.Continue
			for i := 0; i < 8 && effect != agent.Finish; i++ {
				_, effect = b.proposeAs(fmt.Sprint("again", i))
			}
			require.Equal(t, agent.Finish, effect)
			assert.Equal(t, c.unread == "Harbours", strings.Contains(b.account(), "“Harbours must therefore be deep”"))
			assert.Equal(t, !c.sound, strings.Contains(b.account(), "Ended as not sound: the report does not pass checker."))
			assert.Equal(t, !c.sound, strings.Contains(b.text("report.md"), "of 2 claims 1 have no judgement"))
		})
	}
}

// A report that is proposed unchanged until its round is over is opposed like any other.
func TestAStalledReportIsOpposed(t *testing.T) {
	for name, opposed := range map[string]bool{"opposed": true, "control: a profile without an opponent": false} {
		t.Run(name, func(t *testing.T) {
			c := &court{marks: []string{"1"}, objects: []args{{"where": "pulled twice a day",
				"what": "Somewhere once.", "passage": "s1.1", "remedy": "Say where."}}}
			b := before(t, c, faithful)
			b.review.Profile = gate.Profile{Name: "mine", Opponent: opposed}
			for i := range 3 {
				text, effect := b.proposeAs(fmt.Sprint("same", i))
				require.NotEqual(t, agent.Finish, effect, text)
			}
			text, effect := b.proposeAs("stalled")
			if !opposed {
				assert.Equal(t, agent.Finish, effect, text)
				assert.Zero(t, c.asked["object"])
				return
			}
			assert.Equal(t, agent.Restart, effect, text)
			assert.Equal(t, 1, c.asked["object"])
			assert.Contains(t, b.text(workspace.CurrentFile), "- O1 (“pulled twice a day”): Somewhere once.")
			for i := range 3 {
				_, effect = b.proposeAs(fmt.Sprint("silent", i))
			}
			assert.Equal(t, agent.Finish, effect)
			assert.Contains(t, b.account(), "Ended as not sound: the report does not pass objections.")
		})
	}
}
