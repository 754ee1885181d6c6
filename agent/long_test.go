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

func TestANoticeSurvivesAConversationThatIsTooLong(t *testing.T) {
	var heard []string
	steps, told := 0, false
	type input struct{}
	a := agent.Agent{
		Name: "a",
		Brain: &agenttest.Script{
			Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
				steps++
				if steps == 2 {
					return agent.Reply{}, agent.ErrTooLong
				}
				for _, m := range talk.Messages {
					heard = append(heard, m.Text)
				}
				if steps == 1 {
					return agenttest.Reply(agenttest.Call("look", input{})), nil
				}
				return agenttest.Reply(agenttest.Call("done", input{})), nil
			}},
		Actions: []agent.Action{
			agent.NewAction("look", "", func(context.Context, *agent.Turn, input) (agent.Outcome, error) {
				return agent.Say("seen"), nil
			}),
			agent.NewAction("done", "", func(context.Context, *agent.Turn, input) (agent.Outcome, error) {
				return agent.Outcome{Effect: agent.Finish}, nil
			}),
		},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System("s")}, nil
		},
		Notice: func(context.Context) (agent.Notice, error) {
			if steps == 1 && !told {
				told = true
				return agent.Notice{Text: "a person changed 01.md"}, nil
			}
			return agent.Notice{}, nil
		},
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Contains(t, strings.Join(heard, "\n"), "a person changed 01.md")
}

func TestManyCallsHaveIdsOfTheirOwn(t *testing.T) {
	type input struct{}
	calls := make([]agent.Call, 120)
	for i := range calls {
		calls[i] = agenttest.Call("done", input{})
	}
	ids := map[string]int{}
	a := agent.Agent{
		Name: "a", Brain: agenttest.Replies(agenttest.Reply(calls...)),
		Actions: []agent.Action{agent.NewAction("done",
			"", func(_ context.Context, turn *agent.Turn, _ input) (agent.Outcome, error) {
				ids[turn.Path()]++
				return agent.Outcome{Effect: agent.Finish}, nil
			})},
		Open: func(context.Context) ([]agent.Message, error) { return nil, nil },
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	for id, n := range ids {
		assert.Equal(t, 1, n, id)
	}
}
