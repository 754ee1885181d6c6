package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// learned collects what a Brain finds out.
func learned(b *openai.Brain) func() []openai.Capabilities {
	var mu sync.Mutex
	var all []openai.Capabilities
	b.Learned = func(c openai.Capabilities) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, c)
	}
	return func() []openai.Capabilities {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

var fine = agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"}))}

// chunkOfText is the beginning of a stream.
const chunkOfText = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\n"

// A server refuses a field of the request; it is left out, at once and for good, and a person is told once.
func TestWhatAServerDoesNotTakeIsLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		field string // what must be gone
		body  string
		code  int
		want  openai.Capabilities
	}{
		"stream_options": {`"stream_options"`,
			`{"error":{"message":"Unrecognized request argument supplied: ` +
				`stream_options","type":"invalid_request_error"}}`, 400,
			openai.Capabilities{Options: openai.No}},
		"stream_options, validated": {`"stream_options"`,
			`{"detail":[{"loc":["body","stream_options"],"msg":"extra fields ` +
				`not permitted","type":"value_error.extra"}]}`, 422, openai.Capabilities{Options: openai.No}},
		"stream": {`"stream":true`, `{"error":"streaming is not supported by this model"}`,
			400, openai.Capabilities{Stream: openai.No}},
		"a field of the person's": {`"temperature"`,
			`{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this ` +
				`model.","param":"temperature"}}`, 400, openai.Capabilities{Refused: "temperature"}},
		"the key of a cache": {`"prompt_cache_key"`,
			`{"error":{"message":"Extra inputs are not permitted: prompt_cache_key"}}`,
			400, openai.Capabilities{Refused: "prompt_cache_key"}},
		"tool_choice": {`"tool_choice"`,
			`{"error":{"message":"The tool_choice parameter does not support being set to required ` +
				`or object ` +
				`in thinking mode"}}`, 400, openai.Capabilities{Choice: openai.No}},
		"tools as a fault": {`"tools"`,
			`{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, 500,
			openai.Capabilities{Calls: openai.No}},
		"tools, validated": {`"tools"`,
			`{"message":"[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': ` +
				`'Extra inputs are not ` +
				`permitted'}]","code":400}`, 400, openai.Capabilities{Calls: openai.No}},
		"tools inside a success": {`"tools"`,
			`{"error":{"message":"this model does not support tool calling"}}`, 200,
			openai.Capabilities{Calls: openai.No}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(r agenttest.Request) agenttest.Answer {
				if strings.Contains(string(r.Raw), c.field) {
					return agenttest.Answer{Status: c.code, Body: c.body}
				}
				if c.want.Calls == openai.No {
					return agenttest.Answer{Reply: agenttest.Words(openai.WriteCall(fine.Reply.Calls[0]))}
				}
				return fine
			})
			b := brain(t, server.URL, false)
			b.Extra, b.Quirks.CacheKey = map[string]any{"temperature": 0.5, "top_p": 1}, true
			all := learned(b)
			for i := range 2 {
				talk := ask("?")
				talk.Must = "look"
				waits := heard(talk)
				reply, err := b.Think(t.Context(), talk)
				require.NoError(t, err)
				require.Len(t, reply.Calls, 1)
				assert.JSONEq(t, `{"query":"x"}`, reply.Calls[0].Args)
				assert.Len(t, waits(), 1-i, "told once")
				assert.Equal(t, 2+i, len(server.Requests()), "asked again once")
			}
			last := string(server.Requests()[2].Raw)
			assert.NotContains(t, last, c.field)
			assert.Contains(t, last, `"top_p":1`, "all else stays")
			first := all()[0]
			assert.Equal(t, c.want, first)

			known := brain(t, server.URL, false)
			known.Extra, known.Quirks, known.Known = b.Extra, b.Quirks, first
			talk := ask("?")
			talk.Must = "look"
			_, err := known.Think(t.Context(), talk)
			require.NoError(t, err)
			assert.Equal(t, 4, len(server.Requests()), "what is known is not tried")
		})
	}
}

// A refusal that names nothing which could be left out is one, and so is one that says the same again.
func TestARefusalOfSomethingElse(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"unsupported parameter: 'colour'"}}`,
		`{"error":{"message":"messages with role 'assistant' must have a content"}}`,
		`{"error":{"message":"Invalid 'messages[3].tool_calls[0].id'"}}`,
	} {
		server := serve(t, func(agenttest.Request) agenttest.Answer {
			return agenttest.Answer{Status: 400, Body: body}
		})
		b := brain(t, server.URL, false)
		all := learned(b)
		_, err := b.Think(t.Context(), ask("?"))
		var e *openai.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, openai.Stop, e.Class)
		assert.Equal(t, 1, len(server.Requests()))
		assert.Empty(t, all())
	}
	stubborn := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Status: 400,
			Body: `{"error":"unknown field stream_options or tool_choice or stream or tools"}`}
	})
	_, err := brain(t, stubborn.URL, false).Think(t.Context(), ask("?"))
	require.Error(t, err)
	assert.Equal(t, 5, len(stubborn.Requests()), "each is left out once, and then it ends")
}

// Faults of a server that speak of calls and streams are faults, and teach nothing.
func TestAFaultIsNoRefusal(t *testing.T) {
	for _, said := range []string{
		`{"error":{"message":"error parsing tool call: raw='{\"query\": \"support', err=unexpected ` +
			`end of JSON input","type":"api_error"}}`,
		`{"error":{"message":"stream error: stream ID 5; INTERNAL_ERROR; received from peer, unexpected"}}`,
		`{"error":"invalid state of function cache"}`,
	} {
		server := serve(t, agenttest.Answers(agenttest.Answer{Status: 500, Body: said}, fine))
		b := brain(t, server.URL, false)
		_, err := b.Think(t.Context(), ask("?"))
		require.NoError(t, err)
		last := server.Requests()[1]
		assert.True(t, last.Stream, said)
		assert.Equal(t, []string{"look"}, last.Tools, said)
	}
	server := serve(t, agenttest.Answers(fine,
		agenttest.Answer{Status: 400, Body: `{"error":"invalid use of tools in this stream"}`}))
	b := brain(t, server.URL, false)
	_, err := b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	_, err = b.Think(t.Context(), ask("?"))
	require.Error(t, err)
	assert.Equal(t, 2, len(server.Requests()), "what was seen to work is not given up for a vague word")
}

func TestWhatAReplyShows(t *testing.T) {
	two := agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"}),
		agenttest.Call("look", lookIn{Query: "y"}))}
	two.Reply.Usage = agent.Usage{Calls: 1, In: 100, Out: 10, Cached: 64}
	server := serve(t, agenttest.Answers(two, two))
	b := brain(t, server.URL, false)
	all := learned(b)
	for range 2 {
		_, err := b.Think(t.Context(), ask("?"))
		require.NoError(t, err)
	}
	assert.Equal(t, []openai.Capabilities{{Calls: openai.Yes, Parallel: openai.Yes, Stream: openai.Yes,
		Usage: openai.Yes, Cache: openai.Yes}}, all(), "told once")

	server = serve(t, agenttest.Answers(
		agenttest.Answer{Body: `{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}`}, fine))
	b = brain(t, server.URL, false)
	all = learned(b)
	_, err := b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, []openai.Capabilities{{Stream: openai.No, Usage: openai.No}}, all())
	_, err = b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.False(t, server.Requests()[1].Stream, "a server that does not stream is not asked to")
}

func TestAServerThatStreamsBadly(t *testing.T) {
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if r.Stream {
			return agenttest.Answer{Body: chunkOfText}
		}
		return fine
	})
	b := brain(t, server.URL, false)
	all := learned(b)
	reply, err := b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Len(t, reply.Calls, 1)
	assert.Equal(t, 3, len(server.Requests()), "two streams broke off")
	assert.Equal(t, openai.No, all()[0].Stream)

	fault := agenttest.Answer{Body: chunkOfText}
	server = serve(t, agenttest.Answers(fine, fault, fault, fine))
	b = brain(t, server.URL, false)
	for range 2 {
		_, err := b.Think(t.Context(), ask("?"))
		require.NoError(t, err)
	}
	assert.True(t, server.Requests()[3].Stream,
		"where streams were whole before, two that are not are a passing fault")
}

func TestWhatMustBeCalled(t *testing.T) {
	talk := func(must string) *agent.Conversation {
		c := ask("?")
		c.Must = must
		return c
	}
	think := func(b *openai.Brain, talk *agent.Conversation) {
		t.Helper()
		_, err := b.Think(t.Context(), talk)
		require.NoError(t, err)
	}
	answer := func(agenttest.Request) agenttest.Answer { return fine }
	for name, c := range map[string]struct {
		known openai.Capabilities
		tail  string
	}{
		"a field": {openai.Capabilities{},
			`],"tool_choice":{"type":"function","function":{"name":"look"}}}`},
		"words": {openai.Capabilities{Choice: openai.No},
			`,{"role":"user","content":"Your next reply must be a call of look and nothing else."}]}`},
		"text protocol": {openai.Capabilities{Calls: openai.No},
			`\n\nYour next reply must be a call of look and nothing else."}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, answer)
			b := brain(t, server.URL, false)
			b.Known = c.known
			free, bound := talk(""), talk("look")
			think(b, free)
			think(b, bound)
			bound.Must = ""
			think(b, bound)
			requests := server.Requests()
			assert.True(t, strings.HasSuffix(string(requests[1].Raw), c.tail), string(requests[1].Raw))
			prefix := strings.TrimRight(string(requests[0].Raw), `"}]`)
			assert.True(t, strings.HasPrefix(string(requests[1].Raw), prefix), "the prefix stays")
			assert.Equal(t, string(requests[0].Raw), string(requests[2].Raw), "nothing of it stays behind")
		})
	}
}

func TestThoughtsGoBackToWhoWantsThem(t *testing.T) {
	for want, quirks := range map[string]openai.Quirks{"": {}, "They ask for tides.": {ReasoningBack: true}} {
		server := serve(t, agenttest.Answers(fine))
		b := brain(t, server.URL, false)
		b.Quirks = quirks
		talk := ask("?")
		talk.Messages = append(talk.Messages, agent.Message{Role: agent.RoleAssistant, Text: "I look.",
			Thoughts: "They ask for tides."}, agent.User("Go on."))
		_, err := b.Think(t.Context(), talk)
		require.NoError(t, err)
		var sent struct {
			Messages []struct {
				Thoughts string `json:"reasoning_content"`
			}
		}
		require.NoError(t, json.Unmarshal(server.Requests()[0].Raw, &sent))
		assert.Equal(t, want, sent.Messages[2].Thoughts)
		assert.Equal(t, want != "", strings.Contains(string(server.Requests()[0].Raw), "They ask"))
	}
}

// Templates that know one call in a message get the same calls one by one, each with its result.
func TestCallsAreToldOneByOne(t *testing.T) {
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		for _, m := range r.Messages {
			if len(m.ToolCalls) > 1 {
				return agenttest.Answer{Status: 400,
					Body: `{"object":"error","message":"This model only supports single tool-calls ` +
						`at once!","code":400}`}
			}
		}
		return fine
	})
	b := brain(t, server.URL, false)
	b.Quirks.ReasoningBack = true
	all := learned(b)
	talk := ask("?")
	talk.Messages = append(talk.Messages,
		agent.Message{Role: agent.RoleAssistant, Text: "I look.", Thoughts: "Hm.",
			Calls: []agent.Call{{ID: "c1", Name: "look", Args: `{"query":"a"}`},
				{ID: "c2", Name: "look", Args: `{"query":"b"}`}}},
		agent.Message{Role: agent.RoleResult, CallID: "c1", Text: "first"},
		agent.Message{Role: agent.RoleResult, CallID: "c2", Text: "second"})
	_, err := b.Think(t.Context(), talk)
	require.NoError(t, err)
	assert.Equal(t, openai.No, all()[0].Parallel)
	require.Equal(t, 2, len(server.Requests()))
	var told []string
	assert.Equal(t, 2, strings.Count(string(server.Requests()[1].Raw), `"reasoning_content":"Hm."`),
		"with each call")
	for _, m := range server.Requests()[1].Messages {
		line := m.Role + " " + m.Content + m.ToolCallID
		for _, c := range m.ToolCalls {
			line += " " + c.ID
		}
		told = append(told, line)
	}
	assert.Equal(t, []string{"system Be brief.", "user ?", "assistant I look. c1", "tool firstc1",
		"assistant  c2", "tool secondc2"}, told)
}

// Agents side by side find it out together: none of them fails.
func TestFoundOutSideBySide(t *testing.T) {
	const agents = 16
	var arrived sync.WaitGroup
	arrived.Add(agents)
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if len(r.Tools) > 0 {
			arrived.Done()
			arrived.Wait() // all of them ask before one is answered
			return agenttest.NoCalls()["refused with a string"]
		}
		return agenttest.Answer{Reply: agenttest.Words(openai.WriteCall(fine.Reply.Calls[0]))}
	})
	b := brain(t, server.URL, false)
	errs, waits := make([]error, agents), 0
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range agents {
		all.Go(func() {
			talk := ask(fmt.Sprint(i))
			talk.Tell = func(agent.Event) {
				mu.Lock()
				defer mu.Unlock()
				waits++
			}
			reply, err := b.Think(context.Background(), talk)
			if err == nil && len(reply.Calls) != 1 {
				err = fmt.Errorf("the reply is %+v", reply)
			}
			errs[i] = err
		})
	}
	all.Wait()
	for _, err := range errs {
		assert.NoError(t, err)
	}
	assert.Equal(t, 2*agents, len(server.Requests()))
	assert.Equal(t, 1, waits, "told once")
}
