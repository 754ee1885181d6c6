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

const play = `
# the researcher begins
call web_search {"query": "tides"}
text Let me look.
text Then think.

for write_file
when Twice a day
call write_file {
	"path": "a.md",
	"content": "Twice a day."
	}


status 429
header Retry-After: 7
body {"error": "slow down"}

always
call think {"oops
finish length
cut 12
stall
usage 100 7 64
`

func TestParseScript(t *testing.T) {
	s, err := agenttest.ParseScript(play)
	require.NoError(t, err)
	require.Len(t, s.Lines, 4)
	search, write, slow, cut := s.Lines[0], s.Lines[1], s.Lines[2], s.Lines[3]

	assert.Equal(t, "Let me look.\nThen think.", search.Reply.Text)
	assert.Equal(t, []agent.Call{{Name: "web_search", Args: `{"query": "tides"}`}}, search.Reply.Calls)
	assert.Equal(t, "write_file", write.For)
	assert.Equal(t, "Twice a day", write.When)
	assert.JSONEq(t, `{"path":"a.md","content":"Twice a day."}`, write.Reply.Calls[0].Args)
	assert.Equal(t, 429, slow.Status)
	assert.Equal(t, "7", slow.Header.Get("Retry-After"))
	assert.Equal(t, `{"error": "slow down"}`, slow.Body)
	assert.True(t, cut.Always)
	assert.True(t, cut.Stall)
	assert.Equal(t, 12, cut.Cut)
	assert.Equal(t, "length", cut.Finish)
	assert.Equal(t, `{"oops`, cut.Reply.Calls[0].Args)
	assert.Equal(t, agent.Usage{Calls: 1, In: 100, Out: 7, Cached: 64}, cut.Reply.Usage)
}

func TestParseScriptSaysWhereItIsWrong(t *testing.T) {
	for text, says := range map[string]string{
		"call":                     "line 1",
		"text a\n\n# b\nsing a":    "line 4",
		"status soon":              "soon",
		"status 99":                "99",
		"cut -1":                   "-1",
		"header none":              "NAME: VALUE",
		"usage":                    "up to three",
		"usage 1 2 3 4":            "usage",
		"text a\nusage one two":    "line 2",
		"\n\n\tcall\n":             "line 3",
		"call a {}\nfinishes stop": "finishes",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := agenttest.ParseScript(text)
			assert.ErrorContains(t, err, says)
		})
	}
}

func conversation(said string, actions ...string) *agent.Conversation {
	talk := &agent.Conversation{Messages: []agent.Message{agent.User(said)}}
	for _, name := range actions {
		talk.Actions = append(talk.Actions, agent.Action{Name: name})
	}
	return talk
}

func TestAScriptAnswersWhoAsks(t *testing.T) {
	s, err := agenttest.ParseScript("for write_file\ntext of the file agent\n\nwhen moon\n" +
		"text of the moon\n\ntext to anybody\n\nfor idle\nalways\ntext again")
	require.NoError(t, err)
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

func FuzzParseScript(f *testing.F) {
	f.Add(play)
	f.Add("call a\n\tb\n c\n\n\n#\n\r\nalways")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := agenttest.ParseScript(text)
		if err != nil {
			return
		}
		for range s.Lines {
			if s.Left() == 0 {
				return
			}
			left := s.Left()
			s.Answer(agenttest.Request{})
			require.LessOrEqual(t, s.Left(), left)
		}
	})
}
