package evaluator_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever a model says, what comes of it is an assessment within its bounds or none at all.
func FuzzAssessment(f *testing.F) {
	valid := judged(nil).Calls[0].Args
	f.Add(valid)
	f.Add(strings.ReplaceAll(valid, ":6", ":11"))
	f.Add(strings.ReplaceAll(valid, "Hydrographic offices", `</material> [x](http://evil.example) \u202e`))
	f.Add(strings.ReplaceAll(valid, "Hydrographic offices", `x -:p://e`))
	f.Add(`{"completeness":{"score":1e400}}`)
	f.Add(`{"score": 7, "reasoning": "x", "knowledge_gaps": ["<b>", "a|b"]}`)
	f.Add(``)
	f.Fuzz(func(t *testing.T, args string) {
		brain := agenttest.Replies(agenttest.Reply(agenttest.Call("assess", json.RawMessage(args))),
			agenttest.Words(args), agenttest.Words(args))
		a, err := evaluator.Evaluator{Brain: brain}.Assess(t.Context(), alone, tides())
		if err != nil {
			require.ErrorIs(t, err, evaluator.ErrUnreadable)
			assert.Equal(t, evaluator.Assessment{}, a)
			return
		}
		whole(t, a)
	})
}

// FuzzResult gives the result of the nested agent itself, as a record that was tampered with would.
func FuzzResult(f *testing.F) {
	valid := judged(nil).Calls[0].Args
	f.Add(valid)
	f.Add(valid + "\n\n" + valid)
	f.Add(`{}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		run := func(context.Context, agent.Agent) (agent.Result, error) {
			return agent.Result{Reason: agent.Finished, Text: text}, nil
		}
		a, err := evaluator.Evaluator{}.Assess(t.Context(), run, tides())
		if err != nil {
			require.ErrorIs(t, err, evaluator.ErrUnreadable)
		} else {
			whole(t, a)
		}
		if _, err := (evaluator.Evaluator{}).Ideal(t.Context(), run, tides()); err != nil {
			require.ErrorIs(t, err, evaluator.ErrUnreadable)
		}
	})
}

func whole(t *testing.T, a evaluator.Assessment) {
	t.Helper()
	for _, score := range []float64{a.Completeness.Score, a.Depth.Score, a.Reliability.Score,
		a.Actionability.Score, a.Coverage, a.Diversity, a.Consistency, a.Freshness, a.Score()} {
		assert.True(t, score >= 1 && score <= 10, "%v", score)
	}
	assert.LessOrEqual(t, len(a.Gaps), 30)
	assert.LessOrEqual(t, len(a.Directions), 4)
	for _, text := range append(append([]string{a.Completeness.Reason, a.Depth.Reason, a.Reliability.Reason,
		a.Actionability.Reason}, a.Gaps...), a.Directions...) {
		assert.NotEmpty(t, text)
		assert.LessOrEqual(t, len([]rune(text)), 600)
		assert.False(t, strings.ContainsAny(text, "<>\n\r`|{}"), text)
		assert.NotContains(t, text, "://")
		assert.Equal(t, agent.Disarm(text), text)
	}
	encoded, err := json.Marshal(a)
	require.NoError(t, err)
	var again evaluator.Assessment
	require.NoError(t, json.Unmarshal(encoded, &again))
	assert.Equal(t, a, again)
}
