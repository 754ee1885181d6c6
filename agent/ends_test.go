package agent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What an action decides that ends the work stands whatever fails beside it, but it is not carried out after
// a failure.
func TestAnActionThatEndsTheWork(t *testing.T) {
	type nothing struct{}
	for name, c := range map[string]struct {
		calls    []string
		decides  agent.Effect
		ended    int // how often it was carried out
		openings int
		heard    string // in the conversation after
	}{
		"a failure before it": {[]string{"fail", "end"}, agent.Finish,
			0, 1, "end was not carried out, since a call before it in your reply failed"},
		"a failure after it": {[]string{"end", "fail"}, agent.Finish,
			0, 1, "end was not carried out, since a call before it in your reply failed"},
		"a clear after it":         {[]string{"end", "clear"}, agent.Continue, 1, 2, "not yet, says end"},
		"a refusal beside a clear": {[]string{"clear", "end"}, agent.Continue, 1, 2, "not yet, says end"},
	} {
		t.Run(name, func(t *testing.T) {
			ended, openings := 0, 0
			end := agent.NewAction("end", "Ends.",
				func(context.Context, *agent.Turn, nothing) (agent.Outcome, error) {
					ended++
					return agent.Outcome{Effect: c.decides, Text: "not yet, says end"}, nil
				})
			end.Ends = true
			var calls []agent.Call
			for _, name := range c.calls {
				calls = append(calls, agenttest.Call(name, nothing{}))
			}
			brain := agenttest.Replies(agenttest.Reply(calls...), agenttest.Words(""), agenttest.Words(""),
				agenttest.Words(""))
			_, err := agent.Agent{
				Name: "a", Brain: brain,
				Actions: []agent.Action{
					end,
					agent.NewAction("fail", "Fails.",
						func(context.Context, *agent.Turn, nothing) (agent.Outcome, error) {
							return agent.Outcome{}, errors.New("it is broken")
						}),
					agent.NewAction("clear", "Clears.",
						func(context.Context, *agent.Turn, nothing) (agent.Outcome, error) {
							return agent.Outcome{Effect: agent.Restart, Text: "cleared"}, nil
						}),
				},
				Open: func(context.Context) ([]agent.Message, error) { openings++; return nil, nil },
			}.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.ended, ended)
			assert.Equal(t, c.openings, openings)
			said := ""
			for _, m := range brain.Heard()[1].Messages {
				said += m.Text + "\n"
			}
			assert.Contains(t, said, c.heard)
		})
	}
}
