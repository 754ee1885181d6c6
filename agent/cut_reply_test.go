package agent_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A conversation that the model cannot take is dropped and opened again; one that is too long from the start
// is an error.
func TestAConversationThatIsTooLong(t *testing.T) {
	tooLong := fmt.Errorf("the server says: %w", agent.ErrTooLong)
	openings := 0
	brain := &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		if openings == 1 && len(talk.Messages) > 3 {
			return agent.Reply{}, tooLong
		}
		if openings == 2 {
			return agenttest.Reply(agenttest.Call("finish", struct{}{})), nil
		}
		return agenttest.Reply(agenttest.Call("look", struct{}{})), nil
	}}
	type input struct{}
	a := agent.Agent{
		Name:  "a",
		Brain: brain,
		Actions: []agent.Action{
			agent.NewAction("look", "", func(context.Context, *agent.Turn, input) (agent.Outcome, error) {
				return agent.Say("much"), nil
			}),
			agent.NewAction("finish", "", func(context.Context, *agent.Turn, input) (agent.Outcome, error) {
				return agent.Outcome{Effect: agent.Finish}, nil
			}),
		},
		Open: func(context.Context) ([]agent.Message, error) {
			openings++
			return []agent.Message{agent.System("rules")}, nil
		},
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, 2, openings)

	a.Brain = &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		return agent.Reply{}, tooLong
	}}
	_, err = a.Run(t.Context())
	assert.ErrorIs(t, err, agent.ErrTooLong)
}

// A reply that was too long is not carried out in part: the Brain is asked for smaller pieces, and thrice in
// a row is stuck.
func TestAReplyThatWasCutOff(t *testing.T) {
	cuts := 1
	var told string
	a := newAgent(&agenttest.Script{
		Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
			if cuts--; cuts >= 0 {
				return agent.Reply{}, fmt.Errorf("the server says: %w", agent.ErrCut)
			}
			told = talk.Messages[len(talk.Messages)-1].Text
			return agenttest.Reply(call("done", "")), nil
		}})
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, told, "smaller pieces")

	cuts = 3
	result, err = a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Stuck, result.Reason)
}

// Of a reply that was cut off two things are kept: what it cost, and which model gave it.
func TestACutReplyNamesItsModel(t *testing.T) {
	cuts := 1
	a := newAgent(&agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		if cuts--; cuts >= 0 {
			return agent.Reply{Text: "half", Model: "small", Usage: agent.Usage{Calls: 1}}, agent.ErrCut
		}
		reply := agenttest.Reply(call("done", ""))
		reply.Model = "great"
		return reply, nil
	}})
	var models []string
	a.Observe = func(e agent.Event) {
		if replied, ok := e.(agent.Replied); ok {
			models = append(models, replied.Text+replied.Model)
		}
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"small", "great"}, models)
}

// What a person did is said once, also when the reply to it was cut off and the Brain is asked again in the
// same conversation.
func TestANoticeIsSaidOnceWhenTheReplyWasCutOff(t *testing.T) {
	cuts, notices := 1, 0
	var said int
	a := newAgent(&agenttest.Script{
		Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
			if cuts--; cuts >= 0 {
				return agent.Reply{}, agent.ErrCut
			}
			for _, m := range talk.Messages {
				if m.Text == "a person edited" {
					said++
				}
			}
			return agenttest.Reply(call("done", "")), nil
		}})
	a.Notice = func(context.Context) (agent.Notice, error) {
		if notices++; notices == 1 {
			return agent.Notice{Text: "a person edited"}, nil
		}
		return agent.Notice{}, nil
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, said)
}
