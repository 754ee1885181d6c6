package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// recording is a reply as a server really sends it.
func recording(tb testing.TB, reply agent.Reply, noStream bool) []byte {
	tb.Helper()
	server, err := agenttest.Serve(agenttest.Answers(agenttest.Answer{Reply: reply}))
	require.NoError(tb, err)
	defer server.Close()
	resp, err := http.Post(server.URL+"/chat/completions", "application/json",
		strings.NewReader(fmt.Sprintf(`{"stream":%t}`, !noStream)))
	require.NoError(tb, err)
	defer resp.Body.Close()
	sent, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	return sent
}

// FuzzStream feeds whatever bytes to the reader of replies, with and without a break of the connection behind
// them.
func FuzzStream(f *testing.F) {
	stream := recording(f, agenttest.Reply(agenttest.Call("look", lookIn{Query: "two tides"}),
		agenttest.Call("look", lookIn{Query: "月亮", Also: []string{"sun"}})), false)
	f.Add(stream, false)
	f.Add(stream[:len(stream)/2], true)
	for _, r := range rows() {
		if len(r.answer.Body) < 1000 { // short seeds are tried more often
			f.Add([]byte(r.answer.Body), false)
		}
	}
	for _, text := range []string{"<think>a<think>b</think></think>c", "a\n</think>\n`<think>`",
		"<thinking>\n```\n</thinking><think>"} {
		f.Add([]byte(`{"choices":[{"message":{"content":`+strconv.Quote(text)+
			`,"tool_calls":[{"function":{"name":"look","arguments":`+
			strconv.Quote(`{"query":`+strconv.Quote(text)+`}`)+`}}]}}]}`), false)
	}
	f.Add([]byte("\xef\xbb\xbfdata:{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,"+
		"\"function\":{\"arguments\":null}}]}}]}\r\ndata: [DONE]"), false)
	f.Add(
		[]byte(
			`{"choices":[{"message":{"content":[{"type":"text","text":"a"}],`+
				`"tool_calls":[{"function":{"name":null}}]}}],"usage":{"prompt_tokens":"NaN"}}`), false)
	var body []byte
	var broken bool
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(body)
		if !broken {
			return
		}
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			conn.Close()
		}
	}))
	require.NoError(f, err)
	f.Cleanup(func() { assert.NoError(f, site.Close()) })
	b := &openai.Brain{Model: "scripted", BaseURL: site.URL, MaxTries: 1, MaxWait: time.Microsecond,
		Timeout: time.Minute}
	f.Cleanup(b.Close)
	f.Fuzz(func(t *testing.T, bytes []byte, cut bool) {
		body, broken = bytes, cut
		reply, err := b.Think(t.Context(), ask("?"))
		if err != nil {
			var e *openai.Error
			require.True(t, errors.As(err, &e), "an error outside the closed list: %v", err)
			require.NotEmpty(t, e.Class)
			reply.Usage, reply.Model = agent.Usage{},
				"" // what was lost is paid for, and the model that it was lost by is named
			require.Empty(t, reply)
			return
		}
		for _, c := range reply.Calls {
			require.False(t, len(c.Args) > 0 &&
				unfinished([]byte(c.Args)), "half a call came through: %s", c.Args)
		}
		require.Positive(t, reply.Usage.In)
		require.GreaterOrEqual(t, reply.Usage.Out, 0)
		require.LessOrEqual(t, reply.Usage.Cached, reply.Usage.In)
	})
}

func unfinished(args json.RawMessage) bool {
	var v json.RawMessage
	return errors.Is(json.NewDecoder(strings.NewReader(string(args))).Decode(&v), io.ErrUnexpectedEOF)
}

// BenchmarkStep is what a step costs besides thinking: 50 KB are sent and 1 KB comes back, through a Brain
// and through as little code as can do it. The server's share is in both.
func BenchmarkStep(b *testing.B) {
	var out strings.Builder
	for i := range 6 {
		fmt.Fprintf(&out,
			"data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,"+
				"\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word "+
				"%d\"},\"finish_reason\":null}]}\n\n", i)
	}
	out.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` +
		"\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}\n" +
		"\ndata: [DONE]\n\n")
	answer := []byte(out.String())
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write(answer)
	}))
	require.NoError(b, err)
	defer site.Close()
	talk := ask(strings.Repeat("fifty kilobytes of what was read so far; ", 1250))
	b.Run("brain", func(b *testing.B) {
		brain := &openai.Brain{Model: "m", BaseURL: site.URL}
		defer brain.Close()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := brain.Think(b.Context(), talk); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		request := `{"model":"m","messages":[{"role":"user","content":"` + talk.Messages[1].Text + `"}]}`
		b.ReportAllocs()
		for b.Loop() {
			if err := byHand(site.URL, request); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func byHand(url, request string) error {
	resp, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(request))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(all)) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || data == "[DONE]\n" {
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
			} `json:"choices"`
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return err
		}
	}
	return nil
}
