package traces_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/traces"
)

// span is one as it reached the collector.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	StartTimeUnixNano, EndTimeUnixNano  string
	Status                              struct {
		Code    int
		Message string
	}
	Attributes []struct {
		Key   string
		Value struct{ StringValue, IntValue string }
	}
}

func (s span) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.StringValue + a.Value.IntValue
		}
	}
	return ""
}

// collector takes OTLP over real HTTP.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	bodies strings.Builder
	header http.Header
	spans  []span
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var got struct {
			ResourceSpans []struct{ ScopeSpans []struct{ Spans []span } }
		}
		if err != nil || r.URL.Path != "/v1/traces" || json.Unmarshal(body, &got) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.header = r.Header
		c.bodies.Write(body)
		for _, rs := range got.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) named(name string) (found []span) {
	for _, s := range c.spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	return found
}

// work runs an agent that looks something up through a nested one, fails once, and ends.
func work(t *testing.T, observe func(agent.Event)) {
	t.Helper()
	type in struct {
		What string `json:"what"`
	}
	inner := agent.NewAction("answer", "Answers.",
		func(context.Context, *agent.Turn, in) (agent.Outcome, error) {
			return agent.Outcome{Effect: agent.Finish, Text: "the secret page"}, nil
		})
	look := agent.NewAction("look", "Looks.",
		func(ctx context.Context, turn *agent.Turn, _ in) (agent.Outcome, error) {
			result, err := turn.Nest(ctx, agent.Agent{Name: "file",
				Brain: agenttest.Replies(calling("answer", "it")), Actions: []agent.Action{inner},
				Open: opening})
			return agent.Say(result.Text), err
		})
	broken := agent.NewAction("broken", "Fails.",
		func(context.Context, *agent.Turn, in) (agent.Outcome, error) {
			return agent.Outcome{}, errors.New("the secret error")
		})
	done := agent.NewAction("done", "Ends.", func(context.Context, *agent.Turn, in) (agent.Outcome, error) {
		return agent.Outcome{Effect: agent.Finish, Text: "done"}, nil
	})
	a := agent.Agent{Name: "researcher", Actions: []agent.Action{look, broken, done}, Open: opening,
		Observe: observe,
		Brain: agenttest.Replies(calling("look", "the secret file"), calling("broken", "x"),
			calling("done", "x"))}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
}

func calling(action, what string) agent.Reply {
	return agent.Reply{Calls: []agent.Call{agenttest.Call(action, map[string]string{"what": what})},
		Usage: agent.Usage{Calls: 1, In: 10, Out: 2}}
}

func opening(context.Context) ([]agent.Message, error) {
	return []agent.Message{agent.System("the secret rules")}, nil
}

func trace(t *testing.T, c *collector, config traces.Config) {
	t.Helper()
	config.Endpoint = c.URL + "/v1/traces"
	tr := traces.New(config)
	work(t, tr.Observe)
	require.NoError(t, tr.Close(t.Context()))
}

func TestSpansNestAsTheWorkDoes(t *testing.T) {
	c := newCollector(t)
	trace(t, c, traces.Config{Model: func(kind string) string { return "model-of-" + kind },
		Provider: func(string) string { return "ollama" }, Conversation: "c1",
		Header: http.Header{"X-Key": {"k"}}})

	root := c.named("invoke_workflow research")
	outer, inner := c.named("invoke_agent researcher"), c.named("invoke_agent file")
	calls, chats := c.named("execute_tool look"), c.named("chat model-of-file")
	require.Len(t, root, 1)
	require.Len(t, outer, 1)
	require.Len(t, inner, 1)
	require.Len(t, calls, 1)
	require.Len(t, chats, 1)
	assert.Empty(t, root[0].ParentSpanID)
	assert.Equal(t, root[0].SpanID, outer[0].ParentSpanID)
	assert.Equal(t, outer[0].SpanID, calls[0].ParentSpanID)
	assert.Equal(t, calls[0].SpanID, inner[0].ParentSpanID)
	assert.Equal(t, inner[0].SpanID, chats[0].ParentSpanID)
	assert.Len(t, c.named("chat model-of-researcher"), 3)

	assert.Len(t, chats[0].SpanID, 16)
	assert.Len(t, chats[0].TraceID, 32)
	assert.Equal(t, 3, chats[0].Kind, "a chat is a client's span")
	assert.Equal(t, "chat", chats[0].attribute("gen_ai.operation.name"))
	assert.Equal(t, "ollama", chats[0].attribute("gen_ai.provider.name"))
	assert.Equal(t, "model-of-file", chats[0].attribute("gen_ai.request.model"))
	assert.NotEmpty(t, chats[0].attribute("gen_ai.usage.input_tokens"))
	assert.Equal(t, "look", calls[0].attribute("gen_ai.tool.name"))
	assert.Equal(t, "c1", calls[0].attribute("gen_ai.conversation.id"))
	assert.Equal(t, 2, c.named("execute_tool broken")[0].Status.Code)
	assert.Equal(t, "k", c.header.Get("X-Key"))
	for _, s := range c.spans {
		assert.Equal(t, root[0].TraceID, s.TraceID)
		assert.LessOrEqual(t, s.StartTimeUnixNano, s.EndTimeUnixNano)
	}
}

// A chat names the model that was asked for, and the one that answered: while the first is down that is the
// one behind it. A Brain that does not say leaves it out.
func TestAChatNamesTheModelThatAnswered(t *testing.T) {
	done := agenttest.Call("done", map[string]string{})
	finish := agent.NewAction("done",
		"Ends.", func(context.Context, *agent.Turn, struct{}) (agent.Outcome, error) {
			return agent.Outcome{Effect: agent.Finish}, nil
		})
	for name, c := range map[string]struct {
		first  agenttest.Answer
		silent bool
		model  string
	}{
		"the first": {first: agenttest.Answer{Reply: agenttest.Reply(done)}, model: "great"},
		"the one behind": {first: agenttest.Answer{Status: http.StatusServiceUnavailable},
			model: "small"},
		"one that does not say": {silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			thinks := func(model string, a agenttest.Answer) *openai.Brain {
				server, err := agenttest.Serve(func(agenttest.Request) agenttest.Answer { return a })
				require.NoError(t, err)
				t.Cleanup(func() { assert.NoError(t, server.Close()) })
				return &openai.Brain{Model: model, BaseURL: server.URL, MaxTries: 1}
			}
			var brain agent.Brain = &openai.Fallback{First: thinks("great", c.first),
				Second: thinks("small", agenttest.Answer{Reply: agenttest.Reply(done)})}
			if c.silent {
				brain = agenttest.Replies(agenttest.Reply(done))
			}
			collected := newCollector(t)
			tr := traces.New(traces.Config{Endpoint: collected.URL + "/v1/traces",
				Model: func(string) string { return "great" }})
			a := agent.Agent{Name: "researcher", Brain: brain, Actions: []agent.Action{finish}, Open: opening,
				Observe: tr.Observe}
			_, err := a.Run(t.Context())
			require.NoError(t, err)
			require.NoError(t, tr.Close(t.Context()))
			chats := collected.named("chat great")
			require.Len(t, chats, 1)
			assert.Equal(t, "great", chats[0].attribute("gen_ai.request.model"))
			assert.Equal(t, c.model, chats[0].attribute("gen_ai.response.model"))
		})
	}
}

func TestTextsStayHomeUnlessAskedFor(t *testing.T) {
	c := newCollector(t)
	trace(t, c, traces.Config{})
	assert.NotContains(t, c.bodies.String(), "secret")

	open := newCollector(t)
	trace(t, open, traces.Config{Texts: true})
	for _, text := range []string{"the secret file", "the secret page", "the secret error"} {
		assert.Contains(t, open.bodies.String(), text)
	}
}

// A model may call whatever it likes: what is no name of an action is a text.
func TestANameThatIsATextStaysHome(t *testing.T) {
	for texts, want := range map[bool]int{false: 0, true: 1} {
		c := newCollector(t)
		tr := traces.New(traces.Config{Endpoint: c.URL + "/v1/traces", Texts: texts})
		at, call := agent.At{Agent: "researcher", Stretch: 1, Step: 1}, agent.Call{ID: "c00000100",
			Name: "a secret line"}
		tr.Observe(agent.Opened{At: at})
		tr.Observe(agent.Acting{At: at, Call: call})
		tr.Observe(agent.Acted{At: at, Call: call, Failed: true})
		require.NoError(t, tr.Close(t.Context()))
		assert.Len(t, c.named("execute_tool a secret line"), want)
		assert.Len(t, c.named("execute_tool unnamed"), 1-want)
		assert.Equal(t, texts, strings.Contains(c.bodies.String(), "secret"))
	}
}

func TestARunThatBreaksOffLeavesNoSpanOpen(t *testing.T) {
	c := newCollector(t)
	tr := traces.New(traces.Config{Endpoint: c.URL + "/v1/traces"})
	at := agent.At{Agent: "researcher", Stretch: 1, Step: 1}
	tr.Observe(agent.Opened{At: at})
	tr.Observe(agent.Thinking{At: at})
	require.NoError(t, tr.Close(t.Context()))
	require.Len(t, c.named("chat"), 1)
	assert.Equal(t, 2, c.named("chat")[0].Status.Code)
	assert.Len(t, c.named("invoke_agent researcher"), 1)
}

func TestACollectorThatRefusesIsToldAtTheEnd(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	defer refusing.Close()
	tr := traces.New(traces.Config{Endpoint: refusing.URL + "/v1/traces?key=hush"})
	work(t, tr.Observe)
	err := tr.Close(t.Context())
	require.ErrorContains(t, err, "404")
	assert.ErrorContains(t, err, "spans were lost")
	assert.NotContains(t, err.Error(), "hush")

	refusing.Close()
	tr = traces.New(traces.Config{Endpoint: refusing.URL + "/v1/traces?key=hush"})
	work(t, tr.Observe)
	err = tr.Close(t.Context())
	require.ErrorContains(t, err, "refused")
	assert.NotContains(t, err.Error(), "hush")
}

func TestEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		env    map[string]string
		want   string // endpoint; "" for off
		header http.Header
		texts  bool
		fault  string
	}{
		"nothing is set": {},
		"a base": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318/"},
			want: "http://c:4318/v1/traces"},
		"traces alone": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318",
			"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://t/x"}, want: "https://t/x"},
		"turned off": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318",
			"OTEL_SDK_DISABLED": "true"}},
		"no exporter": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318",
			"OTEL_TRACES_EXPORTER": "none"}},
		"texts": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c",
			"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "True"}, want: "http://c/v1/traces",
			texts: true},
		"headers": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c",
			"OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x=1"}, want: "http://c/v1/traces",
			header: http.Header{"Api-Key": {"a b"}, "X": {"1"}}},
		"no address": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"},
			fault: "OTEL_EXPORTER_OTLP_ENDPOINT is no address"},
		"gRPC": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317",
			"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, fault: "4318"},
		"headers that are no": {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c",
			"OTEL_EXPORTER_OTLP_HEADERS": "hush"}, fault: "name=value"},
	} {
		t.Run(name, func(t *testing.T) {
			got, set, err := traces.FromEnv(func(name string) string { return c.env[name] })
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				assert.NotContains(t, err.Error(), "hush")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want != "", set)
			assert.Equal(t, c.want, got.Endpoint)
			assert.Equal(t, c.texts, got.Texts)
			if c.header != nil {
				assert.Equal(t, c.header, got.Header)
			}
		})
	}
}
