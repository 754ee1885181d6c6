package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

const key = "sk-very-secret-key"

// modes are the two ways of asking; whatever holds must hold for both.
var modes = map[string]bool{"stream": false, "whole": true}

func serve(t *testing.T, answer func(agenttest.Request) agenttest.Answer) *agenttest.Server {
	t.Helper()
	server, err := agenttest.Serve(answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return server
}

func brain(t *testing.T, baseURL string, noStream bool) *openai.Brain {
	t.Helper()
	b := &openai.Brain{Model: "scripted", BaseURL: baseURL, Key: key, NoStream: noStream,
		MaxWait: time.Millisecond, Timeout: 20 * time.Second}
	t.Cleanup(b.Close)
	return b
}

type lookIn struct {
	Query string   `json:"query" jsonschema:"what to look for"`
	Also  []string `json:"also,omitempty"`
}

func look() agent.Action {
	return agent.NewAction("look", "Looks it up.",
		func(context.Context, *agent.Turn, lookIn) (agent.Outcome, error) {
			return agent.Say("seen"), nil
		})
}

func ask(text string) *agent.Conversation {
	return &agent.Conversation{Actions: []agent.Action{look()},
		Messages: []agent.Message{agent.System("Be brief."), agent.User(text)}}
}

// heard collects the events of a conversation.
func heard(talk *agent.Conversation) func() []agent.Waiting {
	var mu sync.Mutex
	var all []agent.Waiting
	talk.Tell = func(e agent.Event) {
		mu.Lock()
		defer mu.Unlock()
		if w, ok := e.(agent.Waiting); ok {
			all = append(all, w)
		}
	}
	return func() []agent.Waiting {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

func TestAWholeReply(t *testing.T) {
	said := agent.Reply{Text: "Let me see: <b> & 潮汐.", Calls: []agent.Call{
		agenttest.Call("look", map[string]any{"query": "why are there two tides a day, and not one?"}),
		agenttest.Call("look", map[string]any{"query": "月亮", "also": []string{"sun", "moon"}}),
		agenttest.Call("look", json.RawMessage("")),
	}}
	for name, noStream := range modes {
		t.Run(name, func(t *testing.T) {
			server := serve(t, agenttest.Answers(agenttest.Answer{Reply: said}))
			reply, err := brain(t, server.URL, noStream).Think(t.Context(), ask("Tides?"))
			require.NoError(t, err)
			assert.Equal(t, said.Text, reply.Text)
			require.Len(t, reply.Calls, len(said.Calls))
			for i, c := range reply.Calls {
				assert.Equal(t, said.Calls[i].Name, c.Name)
				assert.Equal(t, said.Calls[i].Args, c.Args)
			}
			request := server.Requests()[0]
			assert.Equal(t, !noStream, request.Stream)
			assert.Equal(t, "scripted", request.Model)
			assert.Equal(t, "Bearer "+key, request.Header.Get("Authorization"))
			assert.Equal(t, agent.Usage{Calls: 1, In: len(request.Raw) / 4, Out: reply.Usage.Out},
				reply.Usage)
			assert.Positive(t, reply.Usage.Out)
		})
	}
}

// A model's reply as two kinds of server are known to stream it.
func TestDeltasFindTheirCall(t *testing.T) {
	streams := map[string]string{
		"interleaved by index": `
data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"read","arguments":""}}]}}]}
data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"query\":"}}]}}]}
data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"page\""}},{"index":0,"function":{"arguments":"\"x\"}"}}]}}]}
data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":":7}"}}]},"finish_reason":"tool_calls"}]}
data: [DONE]`,
		"by id, without an index": `
data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{\"query\":"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"arguments":"\"x\"}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"read","arguments":"{\"page\""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":":7}"}}]},"finish_reason":"stop"}]}
`,
		"every index 0, arguments as an object": `
data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":{"query":"x"}}}]}}]}

data: {"choices":[{"delta":{"content":null,"tool_calls":[{"index":0,"id":"b","function":{"name":"read","arguments":"{\"page\":7}"}}]}}]}

data: [DONE]

`,
		"comments, events, data of several lines, CRLF, no last newline": ": wait\r\n\r\nevent: chunk\r\n" +
			"id: 7\r\n" +
			"data: {\"choices\":[{\"index\":0,\"delta\":\r\n" +
			"data: {\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"look\"," +
			"\"arguments\":\"{\\\"query\\\":\\\"x\\\"}\"}}]}}]}\r\n\r\n" +
			strings.Repeat(": still thinking\r\n\r\n", 1000) +
			`data: {"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"name":"read",` +
			`"arguments":"{\"page\":7}"}}]},"finish_reason":"tool_calls"}]}`,
	}
	for name, stream := range streams {
		for mode, noStream := range modes { // a server may stream to one who asked for the whole
			t.Run("F47 "+name+"/"+mode, func(t *testing.T) {
				server := serve(t,
					agenttest.Answers(agenttest.Answer{Body: strings.TrimPrefix(stream, "\n")}))
				reply, err := brain(t, server.URL, noStream).Think(t.Context(), ask("?"))
				require.NoError(t, err)
				require.Len(t, reply.Calls, 2)
				assert.Equal(t, "look", reply.Calls[0].Name)
				assert.JSONEq(t, `{"query":"x"}`, reply.Calls[0].Args)
				assert.Equal(t, "read", reply.Calls[1].Name)
				assert.JSONEq(t, `{"page":7}`, reply.Calls[1].Args)
			})
		}
	}
}

func TestUsage(t *testing.T) {
	const choices = `"choices":[{"message":{"content":"four words, no more"},"finish_reason":"stop"}]`
	cases := map[string]struct {
		body string
		want agent.Usage
	}{
		"OpenAI's cache": {`{` + choices +
			`,"usage":{"prompt_tokens":100,"completion_tokens":7,` +
			`"prompt_tokens_details":{"cached_tokens":64}}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7, Cached: 64}},
		"DeepSeek's cache": {`{` + choices +
			`,"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":32}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7, Cached: 32}},
		"as strings": {`{` + choices +
			`,"usage":{"prompt_tokens":"100","completion_tokens":"7","prompt_tokens_details":null}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7}},
		"a cost": {`{` + choices +
			`,"usage":{"prompt_tokens":100,"completion_tokens":7,"cost":0.0012}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7, Cost: 0.0012}},
		"a cost as a string": {`{` + choices +
			`,"usage":{"prompt_tokens":100,"completion_tokens":7,"cost":"0.5"}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7, Cost: 0.5}},
		"a cost below zero": {`{` + choices +
			`,"usage":{"prompt_tokens":100,"completion_tokens":7,"cost":-3}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7}},
		"a cost that is none": {`{` + choices +
			`,"usage":{"prompt_tokens":100,"completion_tokens":7,"cost":{"total":1}}}`,
			agent.Usage{Calls: 1, In: 100, Out: 7}},
		"cached beside sent": {`{` + choices +
			`,"usage":{"prompt_tokens":10,"completion_tokens":7,"prompt_cache_hit_tokens":32}}`,
			agent.Usage{Calls: 1, In: 42, Out: 7, Cached: 32}},
	}
	for name, c := range cases {
		for mode, said := range bothForms(c.body) {
			t.Run("F52 "+name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(agenttest.Answer{Body: said}))
				reply, err := brain(t, server.URL, modes[mode]).Think(t.Context(), ask("?"))
				require.NoError(t, err)
				assert.Equal(t, c.want, reply.Usage)
			})
		}
	}
	for name, u := range map[string]string{
		"missing": "", "null": `,"usage":null`, "a list": `,"usage":[1]`,
		"zero":  `,"usage":{"prompt_tokens":0,"completion_tokens":-5}`,
		"words": `,"usage":{"prompt_tokens":"many"}`,
	} {
		for mode, said := range bothForms("{" + choices + u + "}") {
			t.Run("F52 "+name+" is estimated/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(agenttest.Answer{Body: said}))
				reply, err := brain(t, server.URL, modes[mode]).Think(t.Context(), ask("?"))
				require.NoError(t, err)
				sent := agent.EstimateTokens(string(server.Requests()[0].Raw))
				assert.InDelta(t, sent, reply.Usage.In, 0.05*float64(sent))
				assert.Equal(t, agent.EstimateTokens("four words, no more"), reply.Usage.Out)
			})
		}
	}
}

// bothForms is a whole answer, and the same as a stream of one chunk.
func bothForms(whole string) map[string]string {
	return map[string]string{"whole": whole,
		"stream": "data: " + strings.Replace(whole, `"message"`, `"delta"`, 1) + "\n\n"}
}

// A price counts where the server does not say what a reply cost; what was cached has its own.
func TestACostIsCountedFromThePrice(t *testing.T) {
	server := serve(t, agenttest.Answers(
		agenttest.Answer{
			Body: `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}],` +
				`"usage":{"prompt_tokens":1000,"completion_tokens":100,` +
				`"prompt_tokens_details":{"cached_tokens":600}}}`},
		agenttest.Answer{
			Body: `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}],` +
				`"usage":{"prompt_tokens":1000,"completion_tokens":100,"cost":0.9}}`}))
	b := brain(t, server.URL, true)
	b.Price = &openai.Price{In: 2, Cached: 0.5, Out: 10}
	reply, err := b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.InDelta(t, (400*2+600*0.5+100*10)/1e6, reply.Usage.Cost, 1e-12)
	reply, err = b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.InDelta(t, 0.9, reply.Usage.Cost, 1e-12, "the server knows better")
}

func TestEachRequestExtendsTheOneBefore(t *testing.T) {
	for name, noStream := range modes {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				return agenttest.Answer{Reply: agenttest.Words("ok")}
			})
			b := brain(t, server.URL, noStream)
			talk := ask("Start.")
			args := []string{`{"query":"a < b & c"}`, ``, `{"query":`, `["no object"]`,
				"{\"query\":\n \"spaced\"}"}
			for i := range 50 {
				_, err := b.Think(t.Context(), talk)
				require.NoError(t, err)
				id := fmt.Sprintf("c%08d", i)
				text := ""
				if i%2 == 1 {
					text = "<p>a & b</p> 潮汐 \u2028 \"quoted\""
				}
				talk.Messages = append(talk.Messages,
					agent.Message{Role: agent.RoleAssistant, Text: text,
						Calls: []agent.Call{{ID: id, Name: "look", Args: args[i%len(args)]}}},
					agent.Message{Role: agent.RoleResult, CallID: id, Text: text})
			}
			requests := server.Requests()
			require.Len(t, requests, 50)
			for i, r := range requests {
				require.True(t, json.Valid(r.Raw))
				require.Len(t, r.Messages, 2+2*i)
				for _, m := range r.Messages {
					require.Len(t, r.Tools, 1)
					for _, c := range m.ToolCalls {
						require.True(t, json.Valid([]byte(c.Function.Arguments)), c.Function.Arguments)
						require.Equal(t, byte('{'), c.Function.Arguments[0],
							"servers refuse arguments that are no object")
					}
					if len(m.ToolCalls) == 0 {
						require.NotEmpty(t, m.Content)
					}
				}
				if i > 0 {
					before, ok := strings.CutSuffix(string(requests[i-1].Raw), "]}")
					require.True(t, ok)
					require.True(t, strings.HasPrefix(string(r.Raw), before),
						"request %d does not extend the one before", i)
				}
			}
			last := string(requests[49].Raw)
			assert.Contains(t, last, `<p>a & b</p>`, "nothing is escaped that need not be")
			assert.Contains(t, last, `"content":"(empty)"`)
			assert.Contains(t, last, `"content":null,"tool_calls"`)
		})
	}
}

func TestWhatIsSentOfAnAction(t *testing.T) {
	server := serve(t, agenttest.Answers(agenttest.Answer{Reply: agenttest.Words("ok")}))
	b := brain(t, server.URL, false)
	b.Extra = map[string]any{"temperature": 0, "reasoning_effort": "low"}
	talk := ask("?")
	talk.Actions = append(talk.Actions, agent.NewAction("rest", "",
		func(context.Context, *agent.Turn, struct{}) (agent.Outcome, error) { return agent.Say(""), nil }))
	_, err := b.Think(t.Context(), talk)
	require.NoError(t, err)
	const want = `{"model":"scripted","stream":true,"stream_options":{"include_usage":true},` +
		`"reasoning_effort":"low","temperature":0,"tools":[` +
		`{"type":"function","function":{"name":"look","description":"Looks ` +
		`it up.","parameters":{"type":"object","properties":{` +
		`"query":{"type":"string","description":"what to look ` +
		`for"},"also":{"type":"array","items":{"type":"string"}}},"required":["query"]}}},` +
		`{"type":"function","function":{"name":"rest","parameters":{"type":"object","properties":{}}}}],` +
		`"messages":[` +
		`{"role":"system","content":"Be brief."},{"role":"user","content":"?"}]}`
	assert.Equal(t, want, string(server.Requests()[0].Raw))
}

func TestCancelInTheMiddleOfAStream(t *testing.T) {
	for name, noStream := range modes {
		t.Run(name, func(t *testing.T) {
			began := make(chan struct{})
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				defer close(began)
				return agenttest.Answer{Reply: agenttest.Words(strings.Repeat("on and on ", 50)),
					Cut: 700, Stall: true}
			})
			enough := errors.New("the person has read enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-began
				cancel(enough)
			}()
			start := time.Now()
			_, err := brain(t, server.URL, noStream).Think(ctx, ask("?"))
			assert.ErrorIs(t, err, enough)
			assert.Less(t, time.Since(start), time.Minute)
			assert.Len(t, server.Requests(), 1)
		})
	}
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	answers := []agenttest.Answer{
		{Reply: agenttest.Words("ok")},
		{Reply: agenttest.Words("cut"), Cut: 40},
		{Status: 503},
		{Finish: "none", Reply: agenttest.Words("cut")},
		{Reply: agenttest.Words("ok")},
	}
	server, err := agenttest.Serve(agenttest.Answers(answers...))
	require.NoError(t, err)
	b := &openai.Brain{Model: "scripted", BaseURL: server.URL, MaxWait: time.Millisecond}
	for range 2 {
		_, err := b.Think(t.Context(), ask("?"))
		require.NoError(t, err)
	}
	b.Close()
	require.NoError(t, server.Close())
	// Eventually has one itself
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, time.Minute,
		5*time.Millisecond)
}

func TestTheConnectionIsKept(t *testing.T) {
	for name, noStream := range modes {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			from := map[string]bool{}
			inner := serve(t, func(agenttest.Request) agenttest.Answer {
				return agenttest.Answer{Reply: agenttest.Words(strings.Repeat("w ", 500))}
			})
			site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				from[r.RemoteAddr] = true
				mu.Unlock()
				inner.ServeHTTP(w, r)
			}))
			require.NoError(t, err)
			defer site.Close()
			b := brain(t, site.URL+"/v1", noStream)
			for range 20 {
				_, err := b.Think(t.Context(), ask("?"))
				require.NoError(t, err)
			}
			mu.Lock()
			defer mu.Unlock()
			assert.Len(t, from, 1, "a step must not cost a new connection")
		})
	}
}

func TestSideBySide(t *testing.T) {
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Reply: agenttest.Words(r.Messages[1].Content)}
	})
	b := brain(t, server.URL, false)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			want := fmt.Sprint("agent ", i)
			reply, err := b.Think(t.Context(), ask(want))
			if assert.NoError(t, err) {
				assert.Equal(t, want, reply.Text)
			}
		})
	}
	all.Wait()
}

// refusedURL is an address where nothing listens.
func refusedURL(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return "http://" + listener.Addr().String() + "/v1"
}
