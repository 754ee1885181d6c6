package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

const chunkOfText = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\n"

// unusable are answers that look like success and are none. After each the same question is answered well, which the Brain must
// come to by itself.
var unusable = map[string]struct {
	answer agenttest.Answer
	want   error
}{
	"empty body":                 {agenttest.Answer{Status: 200, Body: " \n"}, openai.ErrEmpty},
	"no content":                 {agenttest.Answer{Status: 204}, openai.ErrEmpty},
	"empty object":               {agenttest.Answer{Body: `{}`}, openai.ErrNoChoice},
	"no choices":                 {agenttest.Answer{Body: `{"choices":[]}`}, openai.ErrNoChoice},
	"choices null":               {agenttest.Answer{Body: `{"choices":null}`}, openai.ErrNoChoice},
	"message null":               {agenttest.Answer{Body: `{"choices":[{"message":null,"finish_reason":"stop"}]}`}, openai.ErrNoChoice},
	"not JSON":                   {agenttest.Answer{Body: `upstream sent nothing`}, openai.ErrNotJSON},
	"cut JSON":                   {agenttest.Answer{Body: `{"choices":[{"message":{"content":"ha`}, openai.ErrTruncated},
	"stream without an end":      {agenttest.Answer{Body: chunkOfText}, openai.ErrTruncated},
	"stream of comments":         {agenttest.Answer{Body: ": wait\n\n: wait\n\n"}, openai.ErrTruncated},
	"stream cut in a chunk":      {agenttest.Answer{Body: chunkOfText + `data: {"choices":[{"ind`}, openai.ErrTruncated},
	"stream of nothing":          {agenttest.Answer{Body: "data: [DONE]\n\n"}, openai.ErrNoChoice},
	"garbled chunk":              {agenttest.Answer{Body: chunkOfText + "data: {\"choices\":7}\n\ndata: [DONE]\n\n"}, openai.ErrNotJSON},
	"call cut, stream ended":     {agenttest.Answer{Body: `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{\"qu"}}]}}]}` + "\n\ndata: [DONE]\n\n"}, openai.ErrCutCall},
	"call cut, said to be whole": {agenttest.Answer{Body: `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{\"query\":\"x"}}]},"finish_reason":"tool_calls"}]}`}, openai.ErrCutCall},
	"filtered":                   {agenttest.Answer{Reply: agenttest.Words("As I"), Finish: "content_filter"}, openai.ErrFiltered},
}

// A call that the model's limit of output cut is not asked for again in the same words, and says so to the loop.
func TestACallThatEndsByLength(t *testing.T) {
	for mode, noStream := range modes {
		t.Run(mode, func(t *testing.T) {
			cut := agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"})), Finish: "length"}
			server := serve(t, agenttest.Answers(cut))
			_, err := brain(t, server.URL, noStream).Think(t.Context(), ask("?"))
			require.ErrorIs(t, err, openai.ErrLength)
			require.ErrorIs(t, err, agent.ErrCut)
			assert.Len(t, server.Requests(), 1)
		})
	}
}

func TestWhatIsNotWholeIsAskedForAgain(t *testing.T) {
	for name, c := range unusable {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(c.answer, agenttest.Answer{Reply: agenttest.Words("Yes.")}))
				talk := ask("?")
				waits := heard(talk)
				reply, err := brain(t, server.URL, noStream).Think(t.Context(), talk)
				require.NoError(t, err)
				assert.Equal(t, "Yes.", reply.Text)
				assert.Empty(t, reply.Calls)
				require.Len(t, waits(), 1)
				assert.Zero(t, waits()[0].For, "there is nothing to wait for")

				server = serve(t, func(agenttest.Request) agenttest.Answer { return c.answer })
				_, err = brain(t, server.URL, noStream).Think(t.Context(), ask("?"))
				require.ErrorIs(t, err, c.want)
				var e *openai.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, openai.Again, e.Class)
				assert.Len(t, server.Requests(), 3, "twice more is enough")
			})
		}
	}
}

func TestAWebPageIsNoModelServer(t *testing.T) {
	server := serve(t, agenttest.Answers(agenttest.Answer{Status: 200, Body: "<!doctype html><title>Sign in</title><script>steal()</script>"}))
	_, err := brain(t, server.URL, false).Think(t.Context(), ask("?"))
	require.ErrorIs(t, err, openai.ErrHTML)
	assert.NotContains(t, err.Error(), "script")
	assert.Contains(t, err.Error(), server.URL)
	assert.Len(t, server.Requests(), 1)
}

func TestTransientFaultsAreWaitedOut(t *testing.T) {
	answers := map[string]agenttest.Answer{
		"429":                      {Status: 429, Body: `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`},
		"500":                      {Status: 500, Body: `{"error":"boom"}`},
		"502 as a page":            {Status: 502, Body: "<html><h1>Bad gateway</h1></html>"},
		"503 without a body":       {Status: 503},
		"529":                      {Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		"error in a 200":           {Body: `{"error":{"message":"Provider returned error","code":502}}`},
		"error in a 200, a string": {Body: `{"error":"overloaded"}`},
		"error in a 200, flat":     {Body: `{"object":"error","message":"busy","code":503}`},
		"error chunk":              {Body: chunkOfText + `data: {"error":{"message":"overloaded","type":"server_error","code":529}}` + "\n\n"},
		"error chunk, a string":    {Body: ": wait\n\n" + `data: {"error":"overloaded"}` + "\n\n"},
		"error chunk with choices": {Body: chunkOfText + `data: {"id":"x","choices":[],"error":{"message":"overloaded"}}` + "\n\ndata: [DONE]\n\n"},
		"error chunk, then done":   {Body: chunkOfText + `data: {"error":{"message":"overloaded"}}` + "\n\ndata: [DONE]\n\n"},
		"error without data":       {Body: chunkOfText + `{"error":{"message":"overloaded"}}` + "\n"},
		"connection breaks":        {Reply: agenttest.Words("a long answer to a short question"), Cut: 50},
		"broken before a byte":     {Status: 200, Reply: agenttest.Words("x"), Cut: 1},
	}
	for name, answer := range answers {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(answer, answer, agenttest.Answer{Reply: agenttest.Words("Yes.")}))
				talk := ask("?")
				waits := heard(talk)
				reply, err := brain(t, server.URL, noStream).Think(t.Context(), talk)
				require.NoError(t, err)
				assert.Equal(t, "Yes.", reply.Text)
				require.Len(t, waits(), 2)
				for _, w := range waits() {
					assert.Equal(t, time.Millisecond, w.For)
					assert.NotContains(t, w.Why, "<html>")
				}
			})
		}
	}
}

// What is whole is used even if the server never ends its stream well: it was paid for.
func TestAWholeReplyIsUsedThoughItsStreamBreaks(t *testing.T) {
	const whole = chunkOfText + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	server := serve(t, agenttest.Answers(agenttest.Answer{Body: whole + ": usage follows, or would", Cut: len(whole) + 5}))
	reply, err := brain(t, server.URL, false).Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, "half", reply.Text)
	assert.Positive(t, reply.Usage.In)
}

func TestMaxTries(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Status: 503, Body: "try later " + key}
	})
	b := brain(t, server.URL, false)
	b.MaxTries = 3
	_, err := b.Think(t.Context(), ask("?"))
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Wait, e.Class)
	assert.Equal(t, 503, e.Status)
	assert.Len(t, server.Requests(), 3)
	assert.Contains(t, err.Error(), "3 tries")
	assert.Contains(t, err.Error(), "try later")
	assert.NotContains(t, err.Error(), key)
}

func TestRetryAfterIsHeard(t *testing.T) {
	cases := map[string]struct {
		value    string
		min, max time.Duration
	}{
		"seconds":       {"70", 70 * time.Second, 70 * time.Second},
		"fraction":      {"70.5", 70500 * time.Millisecond, 70500 * time.Millisecond},
		"a date":        {time.Now().Add(2 * time.Minute).UTC().Format(http.TimeFormat), 100 * time.Second, 2 * time.Minute},
		"an hour":       {"3600", 10 * time.Minute, 10 * time.Minute},
		"for ever":      {"1e300", 10 * time.Minute, 10 * time.Minute},
		"a past date":   {"Wed, 21 Oct 2015 07:28:00 GMT", 0, 2 * time.Second},
		"garbage":       {"soon", 0, 2 * time.Second},
		"negative":      {"-5", 0, 2 * time.Second},
		"not a number":  {"NaN", 0, 2 * time.Second},
		"not even that": {"", 0, 2 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				return agenttest.Answer{Status: 429, Header: http.Header{"Retry-After": {c.value}}}
			})
			b := brain(t, server.URL, false)
			b.MaxWait = 0
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("not waiting for that")
			talk := ask("?")
			var wait time.Duration
			talk.Tell = func(e agent.Event) {
				wait = e.(agent.Waiting).For
				cancel(enough)
			}
			start := time.Now()
			_, err := b.Think(ctx, talk)
			assert.ErrorIs(t, err, enough, "a wait is not deaf")
			assert.Less(t, time.Since(start), 5*time.Second)
			assert.GreaterOrEqual(t, wait, c.min)
			assert.LessOrEqual(t, wait, c.max)
		})
	}
}

func TestWhatAPersonHasToPutRight(t *testing.T) {
	cases := map[string]struct {
		answer agenttest.Answer
		class  openai.Class
		says   []string
	}{
		"401":                {agenttest.Answer{Status: 401, Body: `{"error":{"message":"Incorrect API key provided: ` + key + `"}}`}, openai.Ask, []string{"check OPENAI_API_KEY", "Incorrect API key"}},
		"403":                {agenttest.Answer{Status: 403, Body: `{"detail":"forbidden"}`}, openai.Ask, []string{"check OPENAI_API_KEY", "forbidden"}},
		"404 of a model":     {agenttest.Answer{Status: 404, Body: `{"error":{"message":"The model 'scripted' does not exist","code":"model_not_found"}}`}, openai.Ask, []string{"model scripted is not served at http://"}},
		"404 of a path":      {agenttest.Answer{Status: 404, Body: "404 page not found"}, openai.Ask, []string{"check OPENAI_BASE_URL", "/v1"}},
		"quota":              {agenttest.Answer{Status: 429, Body: `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`}, openai.Ask, []string{"no quota left", "billing"}},
		"402":                {agenttest.Answer{Status: 402, Body: `{"error":{"message":"Insufficient Balance"}}`}, openai.Ask, []string{"no quota left"}},
		"redirect":           {agenttest.Answer{Status: 302, Header: http.Header{"Location": {"https://login.example.org/"}}}, openai.Ask, []string{"login.example.org", "OPENAI_BASE_URL"}},
		"tools":              {agenttest.Answer{Status: 400, Body: `{"error":{"message":"registry/library/x does not support tools"}}`}, openai.Stop, []string{"can not call actions"}},
		"bad request":        {agenttest.Answer{Status: 400, Body: `{"error":{"message":"temperature is deprecated"}}`}, openai.Stop, []string{"temperature is deprecated"}},
		"too long":           {agenttest.Answer{Status: 400, Body: `{"object":"error","message":"This model's maximum context length is 8192 tokens.","code":400}`}, openai.Compress, []string{"8192"}},
		"too large":          {agenttest.Answer{Status: 413, Body: "<html>too large</html>"}, openai.Compress, []string{"too long"}},
		"Ollama's odd words": {agenttest.Answer{Status: 500, Body: `{"error":{"message":"no user query found in messages"}}`}, openai.Compress, []string{"too long"}},
		"filtered":           {agenttest.Answer{Status: 400, Body: `{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"},"message":"no"}}`}, openai.Stop, []string{"content filter"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(agenttest.Request) agenttest.Answer { return c.answer })
			_, err := brain(t, server.URL, false).Think(t.Context(), ask("?"))
			var e *openai.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.class, e.Class)
			for _, says := range c.says {
				assert.Contains(t, err.Error(), says)
			}
			assert.NotContains(t, err.Error(), key)
			assert.NotContains(t, err.Error(), "<html>")
			assert.Len(t, server.Requests(), 1, "trying again helps nobody")
		})
	}
	t.Run("no key", func(t *testing.T) {
		server := serve(t, agenttest.Answers(agenttest.Answer{Status: 401}))
		b := brain(t, server.URL, false)
		b.Key = ""
		_, err := b.Think(t.Context(), ask("?"))
		assert.ErrorContains(t, err, "set OPENAI_API_KEY")
		assert.Empty(t, server.Requests()[0].Header.Get("Authorization"))
	})
	t.Run("no model", func(t *testing.T) {
		_, err := (&openai.Brain{}).Think(t.Context(), ask("?"))
		assert.ErrorContains(t, err, "DAYBOOK_MODEL")
	})
	for _, bad := range []string{"localhost:11434/v1", "api.example.org", "ftp://example.org/v1", "http://", "http://a b/"} {
		t.Run("base URL "+bad, func(t *testing.T) {
			_, err := (&openai.Brain{Model: "m", BaseURL: bad}).Think(t.Context(), ask("?"))
			assert.ErrorContains(t, err, "OPENAI_BASE_URL")
		})
	}
}

func TestNobodyAnswers(t *testing.T) {
	url := refusedURL(t)
	talk := ask("?")
	waits := heard(talk)
	_, err := brain(t, url, false).Think(t.Context(), talk)
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Wait, e.Class)
	assert.Len(t, waits(), openai.DefaultMaxTries-1)
	for _, says := range []string{"nothing answers at " + url, "set OPENAI_BASE_URL"} {
		assert.ErrorContains(t, err, says)
	}
}

func TestPlainHTTPWhereTLSIsWanted(t *testing.T) {
	server := serve(t, agenttest.Answers(agenttest.Answer{}))
	_, err := brain(t, strings.Replace(server.URL, "http:", "https:", 1), false).Think(t.Context(), ask("?"))
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Stop, e.Class)
	assert.ErrorContains(t, err, "http:")
}

func TestSilenceIsTimedOut(t *testing.T) {
	stall := agenttest.Answer{Reply: agenttest.Words("and then there was nothing more"), Cut: 60, Stall: true}
	fine := agenttest.Answer{Reply: agenttest.Words("Yes.")}
	cases := map[string]struct {
		first agenttest.Answer
		limit func(*openai.Brain)
		says  string
	}{
		"after the first bytes": {stall, func(b *openai.Brain) { b.IdleTimeout = 50 * time.Millisecond }, "went silent"},
		"before any":            {agenttest.Answer{Stall: true}, func(b *openai.Brain) { b.Timeout = 200 * time.Millisecond }, "within 200ms"},
		"all in all":            {stall, func(b *openai.Brain) { b.Timeout = 200 * time.Millisecond }, "within 200ms"},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				server := serve(t, agenttest.Answers(c.first, fine))
				b := brain(t, server.URL, noStream)
				c.limit(b)
				talk := ask("?")
				waits := heard(talk)
				reply, err := b.Think(t.Context(), talk)
				require.NoError(t, err)
				assert.Equal(t, "Yes.", reply.Text)
				require.Len(t, waits(), 1)
				assert.Contains(t, waits()[0].Why, c.says)
			})
		}
	}
}
