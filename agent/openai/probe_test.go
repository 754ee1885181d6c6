package openai_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// obedient does whatever a probe asks.
func obedient(r agenttest.Request) agenttest.Answer {
	raw, last := string(r.Raw), r.Messages[len(r.Messages)-1].Content
	note := func(name, text string) agent.Call {
		return agenttest.Call(name, map[string]string{"text": text})
	}
	switch {
	case len(r.Tools) == 0:
		return agenttest.Answer{Reply: agenttest.Words("ready")}
	case strings.Contains(raw, `"name":"forget"}}}`):
		return agenttest.Answer{Reply: agenttest.Reply(note("forget", "ready"))}
	case strings.Contains(last, "two texts"):
		return agenttest.Answer{Reply: agenttest.Reply(note("note", "red"), note("note", "blue"))}
	}
	return agenttest.Answer{Reply: agenttest.Reply(note("note", "ready"))}
}

func TestProbe(t *testing.T) {
	refusing := func(field, body string) func(agenttest.Request) agenttest.Answer {
		return func(r agenttest.Request) agenttest.Answer {
			if strings.Contains(string(r.Raw), field) {
				return agenttest.Answer{Status: 400, Body: body}
			}
			return obedient(r)
		}
	}
	all := openai.Capabilities{Calls: openai.Yes, Parallel: openai.Yes, Choice: openai.Yes,
		Stream: openai.Yes, Usage: openai.Yes, Cache: openai.Yes}
	with := func(change func(*openai.Capabilities)) openai.Capabilities {
		c := all
		change(&c)
		return c
	}
	text := openai.Capabilities{Calls: openai.No, Stream: openai.Yes, Usage: openai.Yes, Cache: openai.Yes}
	for name, c := range map[string]struct {
		answer  func(agenttest.Request) agenttest.Answer
		want    openai.Capabilities
		follows openai.Finding
		notes   int
	}{
		"everything": {obedient, all, openai.Unknown, 0},
		"no tool_choice": {refusing(`"tool_choice"`, `{"error":"unknown field tool_choice"}`),
			with(func(c *openai.Capabilities) { c.Choice = openai.No }), openai.Unknown, 0},
		"one at a time": {func(r agenttest.Request) agenttest.Answer {
			a := obedient(r)
			a.Reply.Calls = a.Reply.Calls[:min(1, len(a.Reply.Calls))]
			return a
		}, with(func(c *openai.Capabilities) { c.Parallel = openai.Unknown }), openai.Unknown, 0},
		"tool_choice ignored": {func(r agenttest.Request) agenttest.Answer {
			a := obedient(r)
			if len(a.Reply.Calls) == 1 {
				a.Reply.Calls[0].Name = "note"
			}
			return a
		}, with(func(c *openai.Capabilities) { c.Choice = openai.No }), openai.Unknown, 0},
		"calls in the text": {agenttest.TextOnly(agenttest.NoCalls()["refused with a string"],
			obedient), text, openai.Yes, 0},
		"calls ignored, in the text": {agenttest.TextOnly(agenttest.NoCalls()["ignored"], obedient),
			text, openai.Yes, 0},
		"no system message": {agenttest.TextOnly(agenttest.NoCalls()["refused flat"],
			refusing(`"system"`, `{"error":"System role not supported"}`)),
			openai.Capabilities{Calls: openai.No, Roles: openai.No, Stream: openai.Yes, Usage: openai.Yes,
				Cache: openai.Yes}, openai.Yes, 0},
		"no calls of any kind": {func(agenttest.Request) agenttest.Answer {
			return agenttest.Answer{Reply: agenttest.Words("Well.")}
		}, text, openai.No, 0},
		"trouble after the first one": {refusing(`"tool_choice"`, `{"error":"I am tired"}`),
			with(func(c *openai.Capabilities) { c.Choice = openai.Unknown }), openai.Unknown, 1},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, c.answer)
			b := brain(t, server.URL, false)
			b.Known.Calls = openai.No // what is believed is no matter
			b.Learned = func(openai.Capabilities) { t.Error("a probe tells nobody but its caller") }
			p, err := b.Probe(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.want, p.Capabilities)
			assert.Equal(t, c.follows, p.Follows)
			assert.Len(t, p.Notes, c.notes)
			assert.LessOrEqual(t, len(server.Requests()), 8)
			assert.Positive(t, p.First)
			sent := 0
			for _, r := range server.Requests() {
				sent += len(r.Raw)
			}
			assert.LessOrEqual(t, sent/4, 4000, "tokens")
			assert.Positive(t, p.Spent.In)
		})
	}
}

func TestAProbeOfNothing(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Status: 401, Body: `{"error":{"message":"wrong key ` + key + `"}}`}
	})
	_, err := brain(t, server.URL, false).Probe(t.Context())
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Ask, e.Class)
	assert.NotContains(t, err.Error(), key)
	assert.Equal(t, 1, len(server.Requests()))
}
