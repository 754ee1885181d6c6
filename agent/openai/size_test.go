package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

const huge = 32 << 20

// shapes are the places of a reply in which a server may put a text, each for a stream and in one piece.
func shapes() map[string]func(text string) string {
	quoted := func(s string) string {
		raw, _ := json.Marshal(s) // of a string it does not fail
		return string(raw)
	}
	all := map[string]func(string) string{}
	for field, member := range map[string]string{
		"content": `"content":%s`, "refusal": `"refusal":%s`,
		"thoughts": `"content":"x","reasoning_content":%s`, "parts": `"content":[{"text":%s}]`,
		"arguments":  `"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":%s}}]`,
		"name":       `"tool_calls":[{"index":0,"id":"a","function":{"name":%s,"arguments":"{}"}}]`,
		"id":         `"tool_calls":[{"index":0,"id":%s,"function":{"name":"look","arguments":"{}"}}]`,
		"an unknown": `"content":"x","odd":%s`,
	} {
		all[field+" of a stream"] = func(text string) string {
			return `data: {"choices":[{"delta":{` + fmt.Sprintf(member, quoted(text)) +
				`},"finish_reason":"stop"}]}` + "\n\n" + doneLine
		}
		all[field+" in one piece"] = func(text string) string {
			return `{"choices":[{"message":{` + fmt.Sprintf(member, quoted(text)) +
				`},"finish_reason":"stop"}]}`
		}
	}
	for name, frame := range map[string]string{"words": `{"content":%s}`,
		"thoughts":  `{"reasoning_content":%s}`,
		"arguments": `{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":%s}}]}`} {
		all[name+" in many events"] = func(text string) string {
			const size = 64 << 10
			var out strings.Builder
			for at := 0; at < len(text); at += size {
				fmt.Fprintf(&out, `data: {"choices":[{"delta":`+frame+`}]}`+"\n\n",
					quoted(text[at:min(at+size, len(text))]))
			}
			return out.String() + saysYes + doneLine
		}
	}
	all["lines of one event"] = func(text string) string {
		line := "data: \"" + strings.Repeat("x", 1000) + "\",\n"
		return "data: {\"odd\":[\n" + strings.Repeat(line, len(text)/len(line)) + doneLine
	}
	all["calls"] = func(text string) string {
		call := `{"function":{"name":"look","arguments":"{}"}}`
		return `{"choices":[{"message":{"tool_calls":[` +
			strings.Repeat(call+",", min(len(text)/len(call), 2000)) + call + `]},"finish_reason":"stop"}]}`
	}
	return all
}

// T16: a reply of 32 MB, in whatever part of it, is refused by name, and nothing of it reaches who asked.
func TestAHugeReplyIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			said := shape(strings.Repeat("far too much of it ", huge/19))
			server := serve(t, func(agenttest.Request) agenttest.Answer { return body(said) })
			b := brain(t, server.URL, false)
			b.MaxTries, b.Timeout = 1, 0
			talk := ask("?")
			events := heard(talk)
			reply, err := b.Think(t.Context(), talk)
			require.ErrorIs(t, err, openai.ErrTooLarge)
			assert.Contains(t, err.Error(), "the reply is too large to be used: ")
			assert.Contains(t, err.Error(), server.URL)
			assert.Less(t, len(err.Error()), 300)
			assert.Empty(t, reply.Text+reply.Thoughts)
			assert.Empty(t, reply.Calls)
			for _, e := range events() {
				assert.Less(t, len(e.Why), 300)
			}
		})
	}
}

// The control: the same shapes with a text of a size that models give are taken.
func TestALongReplyIsTaken(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for name, shape := range shapes() {
		if name == "lines of one event" { // which is no reply at any size
			continue
		}
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				return body(shape(strings.Repeat("word ", 80_000)))
			})
			if name == "calls" {
				server = serve(t, func(agenttest.Request) agenttest.Answer {
					return body(shape(strings.Repeat("x", 10_000)))
				})
			}
			reply, err := brain(t, server.URL, false).Think(t.Context(), ask("?"))
			if name == "arguments of a stream" || name == "arguments in one piece" ||
				name == "arguments in many events" {
				require.NoError(t, err)
				assert.Len(t, reply.Calls[0].Args, 400_000)
				return
			}
			require.NoError(t, err)
		})
	}
}

// What was refused is neither on record nor sent again.
func TestAHugeReplyIsNotSentAgain(t *testing.T) {
	server := serve(t, agenttest.Answers(body(aYes[:len(aYes)-1]+`,"x":"`+strings.Repeat("x", huge)+`"}`),
		agenttest.Answer{Reply: agenttest.Words("Well.")}))
	b := brain(t, server.URL, true)
	reply, err := b.Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, "Well.", reply.Text)
	for _, r := range server.Requests() {
		assert.Less(t, len(r.Raw), 10_000)
	}
}

func TestHugeHeadersAndVectorsAreRefused(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Reply: agenttest.Words("x"),
			Header: http.Header{"X-Long": {strings.Repeat("x", 1<<20)}}}
	})
	b := brain(t, server.URL, false)
	b.MaxTries = 1
	_, err := b.Think(t.Context(), ask("?"))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 500)

	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		// the client leaves
		_, _ = w.Write([]byte(`{"object":"list","data":[{"index":0,"embedding":[1` +
			strings.Repeat(",0.0", huge/2) + `]}]}`))
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	_, err = (&openai.Brain{Model: "e", BaseURL: site.URL}).Embed(context.Background(), []string{"a"})
	require.Error(t, err)
}
