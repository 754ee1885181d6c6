package openai_test

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// row is a fault of a server by its number in the catalogue of faults. Each is tried streaming and not.
type row struct {
	name   string
	answer agenttest.Answer
	class  openai.Class // what helps; "" where the answer is as good as a right one
	err    error        // what the error wraps
	says   string       // in the error, or the text of the reply
}

const (
	saysHalf = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\n"
	saysYes  = `data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]}` + "\n\n"
	aYes     = `{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}`
	doneLine = "data: [DONE]\n\n"
	page     = "<!doctype html><html><script>steal()</script><h1>Bad gateway</h1></html>"
)

func body(b string) agenttest.Answer { return agenttest.Answer{Body: b} }

func status(code int, body string) agenttest.Answer {
	return agenttest.Answer{Status: code, Body: body}
}

func rows() []row {
	words := agenttest.Words("a long answer to a short question")
	return []row{
		{"F1 429", status(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`), openai.Wait,
			nil, "slow down"},
		{"F2 429 for want of quota", status(429,
			`{"error":{"message":"You exceeded it","code":"insufficient_quota"}}`), openai.Ask, nil,
			"no quota left"},
		{"F2 the same in a stream", body(saysHalf +
			`data: {"error":{"message":"You exceeded it","code":"insufficient_quota"}}` + "\n\n"), openai.Ask,
			nil, "check its plan and billing"},
		{"F3 500", status(500, `{"error":"boom"}`), openai.Wait, nil, "boom"},
		{"F3 502 as a page", status(502, page), openai.Wait, nil, "(502: a web page)"},
		{"F3 502 as a page in JSON", status(502, `{"error":{"message":"`+page+`"}}`), openai.Wait,
			nil, "(502: a web page)"},
		{"F3 503 without a body", status(503, ""), openai.Wait, nil, "(503)"},
		{"F3 504", status(504, "upstream timed out"), openai.Wait, nil, "upstream timed out"},
		{"F3 524", status(524, "error code: 524"), openai.Wait, nil, "524"},
		{"F3 529", status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
			openai.Wait, nil, "Overloaded"},
		{"F4 401", status(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), openai.Ask,
			nil, "check OPENAI_API_KEY"},
		{"F4 403", status(403, `{"detail":"forbidden"}`), openai.Ask, nil, "forbidden"},
		{"F5 404 of a model", status(404,
			`{"error":{"message":"The model does not exist","code":"model_not_found"}}`), openai.Ask,
			nil, "model scripted is not served at http://"},
		{"F5 404 of a path", status(404, "404 page not found"), openai.Ask, nil, "usually ends in /v1"},
		{"F6 413", status(413, "<html>too large</html>"), openai.Compress, agent.ErrTooLong, "too long"},
		{"F6 request too large", status(429,
			`{"error":{"message":"Request too large for this model on tokens `+
				`per min","code":"rate_limit_exceeded"}}`), openai.Compress, agent.ErrTooLong, "too long"},
		{"F7 402", status(402, `{"error":{"message":"Insufficient Balance"}}`), openai.Ask, nil,
			"no quota left"},
		{"F8 closed before the headers", agenttest.Answer{Status: 200, Body: "x", Reset: true}, openai.Wait,
			nil, "cannot be reached"},
		{"F8 closed in the body", agenttest.Answer{Reply: words, Half: true}, openai.Wait,
			openai.ErrTruncated, "broke off"},
		{"F8 reset in the body", agenttest.Answer{Reply: words, Half: true, Reset: true}, openai.Wait,
			openai.ErrTruncated, "broke off"},
		{"F8 closed after a byte", agenttest.Answer{Reply: words, Cut: 1}, openai.Wait, openai.ErrTruncated,
			"broke off"},

		{"F13 an error in a 200", body(`{"error":{"message":"Provider returned error","code":502}}`),
			openai.Wait, nil, "(502: Provider returned error)"},
		{"F13 with a code as string", body(`{"error":{"message":"busy","code":"429"}}`), openai.Wait,
			nil, "(429: busy)"},
		{"F13 as a string", body(`{"error":"overloaded"}`), openai.Wait, nil, "overloaded"},
		{"F13 flat", body(`{"object":"error","message":"busy","code":503}`), openai.Wait, nil, "(503: busy)"},
		{"F13 of a key", body(`{"error":{"message":"bad key ` + key + `","code":401}}`), openai.Ask,
			nil, "[key]"},
		{"F14 an empty object", body(`{}`), openai.Again, openai.ErrNoChoice, ""},
		{"F15 no choices", body(`{"choices":[]}`), openai.Again, openai.ErrNoChoice, ""},
		{"F15 choices null", body(`{"choices":null}`), openai.Again, openai.ErrNoChoice, ""},
		{"F16 message null", body(`{"choices":[{"message":null,"finish_reason":"stop"}]}`), openai.Again,
			openai.ErrNoChoice, ""},
		{"F17 no content", body(`{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}`),
			"", nil, ""},
		{"F18 an empty content", body(
			`{"choices":[{"message":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":0,` +
				`"completion_tokens":0}}`), "", nil, ""},
		{"F19 a page in a 200", status(200, page), openai.Ask, openai.ErrHTML, "no model server"},
		{"F20 an empty body", status(200, " \n"), openai.Again, openai.ErrEmpty, ""},
		{"F20 204", status(204, ""), openai.Again, openai.ErrEmpty, ""},
		{"F21 half a JSON", body(`{"choices":[{"message":{"content":"ha`), openai.Again,
			openai.ErrTruncated, ""},
		{"F21 no JSON", body("upstream sent nothing " + key), openai.Again, openai.ErrNotJSON, ""},
		{"F22 something behind it", body(aYes + "\n{garbage"), "", nil, "Yes."},
		{"F23 a byte order mark", body("\xef\xbb\xbf" + aYes), "", nil, "Yes."},
		{"F23 a byte order mark before a stream", body("\xef\xbb\xbf" + saysYes), "", nil, "Yes."},
		{"F24 a redirect to a login", agenttest.Answer{Status: 302,
			Header: http.Header{"Location": {"https://login.example.org/?token=abc"}}}, openai.Ask,
			nil, "login.example.org"},

		{"F25 a stream without an end", body(saysHalf), openai.Again, openai.ErrTruncated, ""},
		{"F25 a stream of comments", body(": wait\n\n: wait\n\n"), openai.Again, openai.ErrTruncated, ""},
		{"F25 a stream of nothing", body(doneLine), openai.Again, openai.ErrNoChoice, ""},
		{"F25 an end without a reason", body(saysHalf + doneLine), "", nil, "half"},
		{"F26 an end in a chunk", body(saysHalf + `data: {"choices":[{"ind`), openai.Again,
			openai.ErrTruncated, ""},
		{"F26 an end in a call", body(callBegun + "\n\n"), openai.Again, openai.ErrTruncated, ""},
		{"F26 an end in a call, said to be one", body(callBegun + "\n\n" + doneLine), openai.Again,
			openai.ErrCutCall, ""},
		{"F27 no newline at the end", body(strings.TrimSpace(saysYes)), "", nil, "Yes."},
		{"F28 an error chunk", body(saysHalf +
			`data: {"error":{"message":"overloaded","type":"server_error","code":529}}` + "\n\n"),
			openai.Wait, nil, "overloaded"},
		{"F28 as a string", body(": wait\n\n" + `data: {"error":"overloaded"}` + "\n\n"), openai.Wait,
			nil, "overloaded"},
		{"F28 beside choices", body(saysHalf +
			`data: {"id":"x","choices":[],"error":{"message":"overloaded"}}` + "\n\n" + doneLine),
			openai.Wait, nil, "overloaded"},
		{"F28 and then done", body(saysHalf + `data: {"error":{"message":"overloaded"}}` + "\n\n" + doneLine),
			openai.Wait, nil, "overloaded"},
		{"F28 without data", body(saysHalf + `{"error":{"message":"overloaded"}}` + "\n"), openai.Wait, nil,
			"overloaded"},
		{"F28 as an event", body(saysHalf + "event: error\ndata: {\"message\":\"overloaded\"}\n\n"),
			openai.Wait, nil, "overloaded"},
		{"F28 as a reason to finish", agenttest.Answer{Reply: words, Finish: "error"}, openai.Again,
			openai.ErrBroken, ""},
		{"F29 1000 comments", body(strings.Repeat(": PROCESSING\n\n", 1000) + saysYes), "", nil, "Yes."},
		{"F30 CRLF and data of several lines",
			body("data: {\"choices\":[{\"delta\":\r\ndata: {\"content\":\"Yes.\"},\r\n" +
				"data: \"finish_reason\":\"stop\"}]}\r\n\r\n"), "", nil, "Yes."},
		{"F30 a garbled chunk", body(saysHalf + "data: {\"choices\":7}\n\n" + doneLine), openai.Again,
			openai.ErrNotJSON, ""},

		{"F36 a call at the limit of output",
			agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"})),
				Finish: "length"}, openai.Stop, agent.ErrCut, "limit of output"},
		{"F36 in another spelling", agenttest.Answer{
			Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"})), Finish: "MAX_TOKENS"},
			openai.Stop, agent.ErrCut, "limit of output"},
		{"F37 half a call that is called whole",
			body(
				`{"choices":[{"message":{"tool_calls":[{"function":{"name":"look",` +
					`"arguments":"{\"query\":\"x"}}]},"finish_reason":"tool_calls"}]}`), openai.Stop,
			agent.ErrCut, "calls it whole"},
		{"F39 a reply that was filtered", agenttest.Answer{Reply: agenttest.Words("As I"),
			Finish: "content_filter"}, openai.Stop, agent.ErrFiltered, "content filter"},
		{"F39 in another spelling", agenttest.Answer{Reply: agenttest.Words("As I"), Finish: "SAFETY"},
			openai.Stop, agent.ErrFiltered, "content filter"},
		{"F40 a conversation that is filtered", status(400,
			`{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"},`+
				`"message":"no"}}`), openai.Stop, agent.ErrFiltered, "content filter"},
		{"F40 of another server", status(403, `{"error":{"code":403,"message":"Your input was flagged"}}`),
			openai.Stop, agent.ErrFiltered, "content filter"},

		{"F49 too long for OpenAI", status(400,
			`{"error":{"message":"This model's maximum context length is 8192 `+
				`tokens.","code":"context_length_exceeded"}}`), openai.Compress, agent.ErrTooLong, "8192"},
		{"F49 too long, flat", status(400,
			`{"object":"error","message":"This model's maximum context length is 8192 tokens.","code":400}`),
			openai.Compress, agent.ErrTooLong, "8192"},
		{"F49 too long for Ollama", status(500, `{"error":{"message":"no user query found in messages"}}`),
			openai.Compress, agent.ErrTooLong, "too long"},
		{"F49 too long for llama.cpp",
			status(400,
				`{"error":{"code":400,"message":"the request exceeds the available `+
					`context size","type":"exceed_context_size_error"}}`), openai.Compress, agent.ErrTooLong,
			"too long"},
		{"F49 too long in a stream", body(
			`data: {"error":{"message":"prompt is too long: 9000 tokens > 8192"}}` + "\n\n"), openai.Compress,
			agent.ErrTooLong, "8192"},
		{"F51 a refusal",
			body(`{"choices":[{"message":{"content":null,"refusal":"I can not help ` +
				`with it."},"finish_reason":"stop"}]}`), "", nil, "I can not help with it."},
		{"F52 usage that is none", body(
			`{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}],"usage":"none"}`),
			"", nil, "Yes."},
		{"a request that is refused for good", status(400,
			`{"error":{"message":"temperature is deprecated"}}`), openai.Stop,
			nil, "temperature is deprecated"},
	}
}

const callBegun = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{\"qu"}}]}}]}`

// tries is how often each class is tried with MaxTries 3.
var tries = map[openai.Class]int{openai.Wait: 3, openai.Again: 3, openai.Compress: 1, openai.Ask: 1,
	openai.Stop: 1}

func TestEveryFaultIsOneOfTheList(t *testing.T) {
	for _, r := range rows() {
		for mode, noStream := range modes {
			t.Run(r.name+"/"+mode, func(t *testing.T) {
				server := serve(t, func(agenttest.Request) agenttest.Answer { return r.answer })
				var log bytes.Buffer
				b := brain(t, server.URL, noStream)
				b.MaxTries, b.Log = 3, slog.New(slog.NewTextHandler(&log, nil))
				talk := ask("?")
				waits := heard(talk)
				reply, err := b.Think(t.Context(), talk)
				if r.class == "" {
					require.NoError(t, err)
					assert.Equal(t, r.says, reply.Text)
					assert.Empty(t, reply.Calls)
					assert.Positive(t, reply.Usage.In)
					return
				}
				var e *openai.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, r.class, e.Class)
				if r.err != nil {
					require.ErrorIs(t, err, r.err)
				}
				assert.Contains(t, err.Error(), r.says)
				assert.Len(t, server.Requests(), tries[r.class])
				assert.Empty(t, reply.Text+reply.Thoughts)
				assert.Empty(t, reply.Calls)
				told := err.Error() + log.String()
				for _, w := range waits() {
					told += w.Why
				}
				for _, never := range []string{key, "<script", "token=abc"} {
					assert.NotContains(t, told, never)
				}
				assert.NotContains(t, err.Error(), "half", "what broke off is for the log alone")
			})
		}
	}
}

// After a fault that passes, the right answer is what counts, and nothing of the fault is in it.
func TestAFaultThatPasses(t *testing.T) {
	faults := agenttest.Transient()
	for _, r := range rows() {
		if r.class == openai.Wait || r.class == openai.Again {
			faults[r.name] = func(agenttest.Answer) agenttest.Answer { return r.answer }
		}
	}
	for name, fault := range faults {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				right := agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"}))}
				server := serve(t, agenttest.Faulty(agenttest.Answers(right),
					func(n int, _ agenttest.Request) agenttest.Fault {
						if n < 2 {
							return fault
						}
						return nil
					}))
				talk := ask("?")
				waits := heard(talk)
				reply, err := brain(t, server.URL, noStream).Think(t.Context(), talk)
				require.NoError(t, err)
				require.Len(t, reply.Calls, 1)
				assert.JSONEq(t, `{"query":"x"}`, reply.Calls[0].Args)
				assert.Empty(t, reply.Text)
				assert.Len(t, slices.DeleteFunc(waits(),
					func(w agent.Waiting) bool { return strings.Contains(w.Why, "does not stream") }), 2)
			})
		}
	}
}

// What was begun of a reply and how a bad body begins stand in the log, and the oddities that are put up with
// are told there once.
func TestTheLogSaysWhatCame(t *testing.T) {
	cases := map[string]struct {
		answer agenttest.Answer
		says   string
	}{
		"F14 the beginning of the body": {body(`{"odd":"` + strings.Repeat("x", 300) + `"}`),
			`body="{\"odd\":\"` + strings.Repeat("x", 192) + "…"},
		"F25 the text so far":     {body(saysHalf), "text=half"},
		"F19 no page":             {body(page), `body="a web page"`},
		"F22 something behind it": {body(aYes + "\n{garbage"), "something behind its reply"},
		"F52 another model":       {body(`{"model":"other-1",` + aYes[1:]), "as=other-1"},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				server := serve(t, func(agenttest.Request) agenttest.Answer { return c.answer })
				var log bytes.Buffer
				b := brain(t, server.URL, noStream)
				b.Log = slog.New(slog.NewTextHandler(&log, nil))
				for range 2 {
					if _, err := b.Think(t.Context(), ask("?")); err != nil {
						var e *openai.Error
						require.ErrorAs(t, err, &e)
					}
				}
				assert.Contains(t, log.String(), c.says)
				if strings.HasPrefix(c.answer.Body, aYes) || strings.HasPrefix(name, "F52") {
					assert.Equal(t, 1, strings.Count(log.String(), c.says), "once is enough")
				}
			})
		}
	}
}

// What a try cost that brought no reply is paid for all the same.
func TestWhatIsThrownAwayIsPaidFor(t *testing.T) {
	const used = `,"usage":{"prompt_tokens":100,"completion_tokens":7}`
	const cutCall = `{"choices":[{"message":{"tool_calls":[{"function":{"name":"look","arguments":"{\"query\":\"x"}}]},"finish_reason":"tool_calls"}]` + used + `}`
	cases := map[string]struct {
		answers []agenttest.Answer
		want    agent.Usage
		err     error
	}{
		"F36 at the limit": {[]agenttest.Answer{body(strings.Replace(cutCall, `"tool_calls"}]`,
			`"length"}]`, 1))}, agent.Usage{Calls: 1, In: 100, Out: 7}, agent.ErrCut},
		"F37 half a call": {[]agenttest.Answer{body(cutCall)}, agent.Usage{Calls: 1, In: 100, Out: 7},
			agent.ErrCut},
		"F39 filtered": {[]agenttest.Answer{body(
			strings.Replace(aYes, "stop", "content_filter", 1)[:len(aYes)+9] + used + "}")},
			agent.Usage{Calls: 1, In: 100, Out: 7}, agent.ErrFiltered},
		"F28 and then all right": {[]agenttest.Answer{body(strings.Replace(aYes, `"stop"}]}`, `"error"}]`+
			used+"}", 1)), body(strings.TrimSuffix(aYes, "}") + used + "}")},
			agent.Usage{Calls: 2, In: 200, Out: 14}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := serve(t, agenttest.Answers(c.answers...))
			reply, err := brain(t, server.URL, true).Think(t.Context(), ask("?"))
			require.ErrorIs(t, err, c.err)
			assert.Equal(t, c.want, reply.Usage)
		})
	}
}

// F10: a certificate that does not hold is never worked around.
func TestACertificateThatDoesNotHold(t *testing.T) {
	for mode, noStream := range modes {
		t.Run("F10/"+mode, func(t *testing.T) {
			asked := 0
			server := httptest.NewUnstartedServer(
				http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
			server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
			server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
			server.StartTLS()
			defer server.Close()
			_, err := brain(t, server.URL+"/v1", noStream).Think(t.Context(), ask("?"))
			var e *openai.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, openai.Stop, e.Class)
			assert.Contains(t, err.Error(), "certificate")
			assert.Zero(t, asked)
		})
	}
}

// F9: a name that nobody knows may be known again in a moment.
func TestANameThatIsNotKnown(t *testing.T) {
	for mode, noStream := range modes {
		t.Run("F9/"+mode, func(t *testing.T) {
			b := brain(t, "http://model.invalid/v1", noStream)
			b.MaxTries = 2
			talk := ask("?")
			waits := heard(talk)
			_, err := b.Think(t.Context(), talk)
			var e *openai.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, openai.Wait, e.Class)
			assert.Contains(t, err.Error(), "check the network and OPENAI_BASE_URL")
			assert.Len(t, waits(), 1)
		})
	}
}

// F12: a server that is never silent for long, and never done either, has its time.
func TestADripIsTimedOut(t *testing.T) {
	for mode, noStream := range modes {
		t.Run("F12/"+mode, func(t *testing.T) {
			slow := agenttest.Answer{Reply: agenttest.Words(strings.Repeat("on and on ", 200)),
				Drip: 20 * time.Millisecond}
			server := serve(t, agenttest.Answers(slow, agenttest.Answer{Reply: agenttest.Words("Yes.")}))
			b := brain(t, server.URL, noStream)
			b.Timeout, b.IdleTimeout = 200*time.Millisecond, 10*time.Second
			talk := ask("?")
			waits := heard(talk)
			reply, err := b.Think(t.Context(), talk)
			require.NoError(t, err)
			assert.Equal(t, "Yes.", reply.Text)
			require.Len(t, waits(), 1)
			assert.Contains(t, waits()[0].Why, "within 200ms")
		})
	}
}
