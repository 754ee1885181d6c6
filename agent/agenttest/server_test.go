package agenttest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

func post(t *testing.T, at, body string) (status int, kind, answer string) {
	t.Helper()
	resp, err := http.Post(at, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(all)
}

func serve(t *testing.T, answer func(agenttest.Request) agenttest.Answer) *agenttest.Server {
	t.Helper()
	server, err := agenttest.Serve(answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return server
}

func TestServerCountsLikeAPrefixCache(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Reply: agenttest.Words("12345678")}
	})
	first := `{"messages":[{"role":"user","content":"` + strings.Repeat("a", 400) + `"}]}`
	longer := strings.TrimSuffix(first, "]}") + `,{"role":"user","content":"more"}]}`
	other := `{"model":"other"}`
	for _, c := range []struct {
		request string
		cached  int
	}{{first, 0}, {other, len(`{"m`) / 4}, {longer, (len(first) - 2) / 4}, {first, (len(first)) / 4}} {
		_, _, body := post(t, server.URL+"/chat/completions", c.request)
		var answer struct {
			Usage struct {
				In      int `json:"prompt_tokens"`
				Out     int `json:"completion_tokens"`
				Details struct {
					Cached int `json:"cached_tokens"`
				} `json:"prompt_tokens_details"`
			} `json:"usage"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &answer))
		assert.Equal(t, len(c.request)/4, answer.Usage.In)
		assert.Equal(t, 2, answer.Usage.Out)
		assert.Equal(t, c.cached, answer.Usage.Details.Cached)
	}
	requests := server.Requests()
	require.Len(t, requests, 4)
	assert.Equal(t, longer, string(requests[2].Raw))
	assert.Equal(t, "more", requests[2].Messages[1].Content)
}

func TestServerStreamsAsAsked(t *testing.T) {
	reply := agenttest.Reply(agenttest.Call("look", map[string]string{"q": "<tides & moons of the planets>"}))
	server := serve(t, func(agenttest.Request) agenttest.Answer { return agenttest.Answer{Reply: reply} })
	_, kind, whole := post(t, server.URL+"/chat/completions", `{}`)
	assert.Equal(t, "application/json", kind)
	assert.Contains(t, whole, `"finish_reason":"tool_calls"`)

	_, kind, stream := post(t, server.URL+"/chat/completions", `{"stream":true}`)
	assert.Equal(t, "text/event-stream", kind)
	assert.True(t, strings.HasSuffix(stream, "data: [DONE]\n\n"))
	assert.NotContains(t, stream, "usage", "only who asks for it is told")
	assert.Greater(t, strings.Count(stream, "data: "), 5)

	_, _, stream = post(t, server.URL+"/chat/completions",
		`{"stream":true,"stream_options":{"include_usage":true}}`)
	assert.Contains(t, stream, `"usage"`)
}

func TestServerSaysWhenTheScriptRanOut(t *testing.T) {
	script := agenttest.Replies(agent.Reply{Text: "only once"})
	server := serve(t, script.Answer)
	status, _, _ := post(t, server.URL+"/chat/completions", `{}`)
	assert.Equal(t, http.StatusOK, status)
	status, _, body := post(t, server.URL+"/chat/completions", `{"tools":[{"function":{"name":"look"}}]}`)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Contains(t, body, "the script ran out")
	assert.Contains(t, body, "look")
	assert.Error(t, script.Err())
}

func TestServerRefusesWhatIsNoRequest(t *testing.T) {
	server := serve(t, agenttest.Answers())
	status, _, _ := post(t, server.URL+"/embeddings", `{}`)
	assert.Equal(t, http.StatusNotFound, status)
	status, _, _ = post(t, server.URL+"/chat/completions", `{"messages":`)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Empty(t, server.Requests())
}
