package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stretch that gathers more than its budget is asked to clear its memory at three quarters of it, and can
// do nothing else at the end, but to write down what would be lost, in the same reply, whatever the model's
// window is; without a budget it goes on.
func TestAStretchHasABudgetOfTokens(t *testing.T) {
	for name, c := range map[string]struct {
		budget        int
		asked, forced bool
	}{"a budget": {2000, true, true}, "none, the control": {0, false, false}} {
		t.Run(name, func(t *testing.T) {
			asked, forced, cleared, wrote := false, false, 0, 0
			brain := &agenttest.Script{
				Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
					last := talk.Messages[len(talk.Messages)-1].Text
					asked = asked || strings.Contains(last, "then call note, all in this reply")
					if talk.Must != "" {
						forced = true
						return agenttest.Reply(agenttest.Call("note", struct{}{}),
							agenttest.Call("write", map[string]int{"n": cleared})), nil
					}
					return agenttest.Reply(agenttest.Call("read", map[string]int{"n": len(talk.Messages)})),
						nil
				}}
			note := agent.NewAction("note", "Clears.",
				func(context.Context, *agent.Turn, struct{}) (agent.Outcome, error) {
					cleared++
					return agent.Outcome{Effect: agent.Restart, Text: "noted"}, nil
				})
			note.Compresses = true
			write := agent.NewAction("write", "Writes.", func(_ context.Context, _ *agent.Turn, _ struct {
				N int `json:"n"`
			}) (agent.Outcome, error) {
				wrote++
				return agent.Say("written"), nil
			})
			read := agent.NewAction("read", "Reads.", func(_ context.Context, _ *agent.Turn, in struct {
				N int `json:"n"`
			}) (agent.Outcome, error) {
				return agent.Say(strings.Repeat("A page of words about the sea. ", 20+in.N)), nil
			})
			a := agent.Agent{Name: "a", Brain: brain, Actions: []agent.Action{read, note, write},
				Limits: agent.Limits{Steps: 40, Stretch: c.budget},
				Open: func(context.Context) ([]agent.Message, error) {
					// what it opens with is not of the stretch
					return []agent.Message{agent.System(strings.Repeat("rules ", 3000))}, nil
				}}
			_, err := a.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.asked, asked)
			assert.Equal(t, c.forced, forced)
			assert.Equal(t, c.forced, cleared > 1)
			assert.Equal(t, cleared, wrote)
		})
	}
}
