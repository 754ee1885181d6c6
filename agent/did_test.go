package agent_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// Words end an agent with an Answer once a call worked, and its result tells of all calls; the same agent
// without one is told to call.
func TestWordsOfAnAgentWithAnAnswer(t *testing.T) {
	broken := acting("fail", func(context.Context, *agent.Turn) (agent.Outcome, error) {
		return agent.Outcome{}, fmt.Errorf("broken")
	})
	for _, answers := range []bool{true, false} {
		brain := agenttest.Replies(agenttest.Words("first"),
			agenttest.Reply(agenttest.Call("fail", struct{}{})), agenttest.Words("second"),
			agenttest.Reply(call("note", "x")), agenttest.Words("  "), agenttest.Words("third"),
			agenttest.Reply(call("done", "the end")))
		a := newAgent(brain, broken)
		if answers {
			a.Answer = "done"
		}
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		nudge := brain.Heard()[1].Messages
		if !answers {
			assert.Equal(t, "the end", result.Text)
			assert.Empty(t, result.Did)
			assert.Contains(t, nudge[len(nudge)-1].Text, "You asked for no action")
			continue
		}
		assert.Equal(t, "third", result.Text)
		assert.Equal(t, agent.Finished, result.Reason)
		assert.Equal(t, 6, result.Steps)
		require.Len(t, result.Did, 2)
		assert.True(t, result.Did[0].Failed)
		assert.Equal(t, "Error: broken", result.Did[0].Text)
		assert.Equal(t, []any{"note", "noted: x", 4},
			[]any{result.Did[1].Name, result.Did[1].Text, result.Did[1].Step})
		assert.Contains(t, nudge[len(nudge)-1].Text, "call done, which ends the work")
	}
}

// A run that was killed anywhere tells of the same calls as one that was not.
func TestWhatWasDoneIsKnownAfterAKill(t *testing.T) {
	run := func(recorder *memory) (agent.Result, error) {
		helper := newAgent(&agenttest.Script{
			Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
				switch n := len(results(talk.Messages)); n {
				case 0:
					return agenttest.Reply(call("note", "one"), call("note", "two")), nil
				case 2:
					return agenttest.Reply(call("note", "three")), nil
				}
				return agenttest.Words("all noted"), nil
			}})
		helper.Name, helper.Answer = "helper", "done"
		nest := acting("nest", func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error) {
			result, err := turn.Nest(ctx, helper)
			text := result.Text
			for _, d := range result.Did {
				text += ", " + d.Text
				for _, f := range d.Facts {
					text += " in " + f.Path
				}
			}
			return agent.Outcome{Effect: agent.Finish, Text: text}, err
		})
		a := newAgent(agenttest.Replies(agenttest.Reply(agenttest.Call("nest", struct{}{}))), nest)
		a.Recorder = recorder
		return a.Run(t.Context())
	}
	whole := &memory{}
	want, err := run(whole)
	require.NoError(t, err)
	require.Equal(t, "all noted, noted: one in notes.md, noted: two in notes.md, noted: three in notes.md",
		want.Text)
	for at := 3; at < len(whole.records); at++ {
		recorder := &memory{dieAt: at}
		_, err := run(recorder)
		require.Error(t, err)
		got, err := run(&memory{records: recorder.records})
		require.NoError(t, err)
		assert.Equal(t, want.Text, got.Text, "killed after %d records", at)
	}
}
