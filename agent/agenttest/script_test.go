package agenttest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

func conversation(said string, actions ...string) *agent.Conversation {
	talk := &agent.Conversation{Messages: []agent.Message{agent.User(said)}}
	for _, name := range actions {
		talk.Actions = append(talk.Actions, agent.Action{Name: name})
	}
	return talk
}

func TestAScriptAnswersWhoAsks(t *testing.T) {
	say := func(text string) agenttest.Answer { return agenttest.Answer{Reply: agenttest.Words(text)} }
	s := &agenttest.Script{Lines: []agenttest.Line{
		{For: "write_file", Answer: say("of the file agent")}, {When: "moon", Answer: say("of the moon")},
		{Answer: say("to anybody")}, {For: "idle", Always: true, Answer: say("again")},
	}}
	ask := func(said string, actions ...string) string {
		reply, err := s.Think(t.Context(), conversation(said, actions...))
		if err != nil {
			return "error: " + err.Error()
		}
		assert.Equal(t, agent.Usage{Calls: 1}, reply.Usage)
		return reply.Text
	}
	assert.Equal(t, "to anybody", ask("sun", "web_search"))
	assert.Equal(t, "of the moon", ask("the moon", "web_search"))
	assert.Equal(t, "of the file agent", ask("the moon", "read_file", "write_file"))
	assert.Zero(t, s.Left())
	assert.Equal(t, "again", ask("", "idle"))
	assert.Equal(t, "again", ask("", "idle"))
	require.NoError(t, s.Err())
	assert.Equal(t, "error: the script ran out: after 3 of 4 lines none is for an agent with the actions "+
		"read_file, write_file", ask("the moon", "read_file", "write_file"))
	assert.Error(t, s.Err())

	heard := s.Heard()
	require.Len(t, heard, 6)
	assert.Equal(t, []string{"read_file", "write_file"}, heard[2].Actions)
	assert.Equal(t, "the moon", heard[2].Messages[0].Text)
}

func TestAScriptAsAFunction(t *testing.T) {
	s := &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		return agenttest.Words(fmt.Sprint(len(talk.Messages), " messages")), nil
	}}
	reply, err := s.Think(t.Context(), conversation("a"))
	require.NoError(t, err)
	assert.Equal(t, "1 messages", reply.Text)
	assert.Len(t, s.Heard(), 1)
}

func TestWhatOnlyAServerCanDoIsAnErrorOfABrain(t *testing.T) {
	s := &agenttest.Script{Lines: []agenttest.Line{{Answer: agenttest.Answer{Status: 503, Body: "busy"}}}}
	_, err := s.Think(t.Context(), conversation("a"))
	assert.ErrorContains(t, err, "503: busy")
}

func TestCall(t *testing.T) {
	assert.Equal(t, `{"a":1}`, agenttest.Call("x", map[string]int{"a": 1}).Args)
	assert.Equal(t, `{"a"`, agenttest.Call("x", json.RawMessage(`{"a"`)).Args)
	assert.False(t, json.Valid([]byte(agenttest.Call("x", func() {}).Args)),
		"what can not be encoded must not pass for arguments")
}
