package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	vendor "github.com/sashabaranov/go-openai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// desk is an agent with a few actions, asked over real HTTP, and what came of it.
type desk struct {
	agent  agent.Agent
	server *agenttest.Server
	done   []string // what was carried out, in order
	events []agent.Event
}

type deskIn struct {
	Path string   `json:"path"`
	Text string   `json:"text"`
	Line int      `json:"line,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

// newDesk has an action that writes, one that reads a page, and one that ends the work.
func newDesk(t *testing.T, noStream bool, answer func(agenttest.Request) agenttest.Answer) *desk {
	d := &desk{server: serve(t, answer)}
	files := map[string]string{}
	end := agent.NewAction("done", "Ends.",
		func(_ context.Context, _ *agent.Turn, _ struct{}) (agent.Outcome, error) {
			d.done = append(d.done, "done")
			return agent.Outcome{Effect: agent.Finish, Text: "all is done"}, nil
		})
	end.Ends = true
	b := brain(t, d.server.URL, noStream)
	d.agent = agent.Agent{
		Name: "desk", Brain: b, Limits: agent.Limits{Steps: 8},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System("Work.")}, nil
		},
		Observe: func(e agent.Event) { d.events = append(d.events, e) },
		Actions: []agent.Action{
			agent.NewAction("write", "Writes.",
				func(_ context.Context, _ *agent.Turn, in deskIn) (agent.Outcome, error) {
					was := files[in.Path]
					files[in.Path] = in.Text
					d.done = append(d.done, fmt.Sprintf("%s=%s", in.Path, in.Text))
					return agent.Say(fmt.Sprintf("wrote %s line %d tags %q, was %q", in.Path, in.Line,
						in.Tags, was)), nil
				}),
			agent.NewAction("read", "Reads.", func(_ context.Context, _ *agent.Turn, in struct {
				URL string `json:"url"`
			}) (agent.Outcome, error) {
				d.done = append(d.done, "read "+in.URL)
				return agent.Say(agent.Outside("page", "the words of "+in.URL, "url", in.URL)), nil
			}),
			end,
		},
	}
	return d
}

// told is all that the model was sent last, but for the rules.
func (d *desk) told() string {
	requests := d.server.Requests()
	var all strings.Builder
	for _, m := range requests[len(requests)-1].Messages[1:] {
		all.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return all.String()
}

func write(path, text string) agent.Call {
	return agenttest.Call("write", map[string]string{"path": path, "text": text})
}

func does(calls ...agent.Call) agenttest.Answer {
	return agenttest.Answer{Reply: agenttest.Reply(calls...)}
}

func raw(name, args string) agent.Call { return agenttest.Call(name, json.RawMessage(args)) }

var finish = does(raw("done", "{}"))

// TestTheLoopUnderFaults plays answers to an agent, with one that ends the work behind them.
func TestTheLoopUnderFaults(t *testing.T) {
	long := agenttest.Answer{Reply: agenttest.Words("one two "), Finish: "length"}
	cutWrite :=
		body(
			`{"choices":[{"message":{"tool_calls":[{"function":{"name":"write",` +
				`"arguments":"{\"path\":\"a\",` +
				`\"text\":\"x"}}]},"finish_reason":"tool_calls"}]}`)
	cases := map[string]struct {
		answers []agenttest.Answer
		done    string // what is carried out
		told    string // to the model
		never   string // told or done
	}{
		"F6 too large once": {[]agenttest.Answer{does(write("a", "1")),
			status(413, ""), finish}, "a=1 done", "", "wrote a"},
		"F17 no content": {[]agenttest.Answer{
			body(`{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}`), finish}, "done",
			"You asked for no action", ""},
		"F18 an empty content and no usage": {[]agenttest.Answer{
			body(`{"choices":[{"message":{"content":""},"finish_reason":"stop"}],"usage":{}}`), finish},
			"done", "You asked for no action", ""},
		"F35 words at the limit": {[]agenttest.Answer{long,
			{Reply: agenttest.Words("three.")}, finish}, "done", "assistant: one two three.\n",
			openai.CutMark},
		"F35 words at the limit twice": {[]agenttest.Answer{long, long, finish}, "done",
			"assistant: one two one two \n\n" + openai.CutMark, ""},
		"F35 words at the limit and then a call": {[]agenttest.Answer{long, does(write("a", "1")), finish},
			"a=1 done", "assistant: one two \ntool: wrote a", openai.CutMark},
		"F36 a call at the limit": {[]agenttest.Answer{
			{Reply: agenttest.Reply(write("a", "1")), Finish: "length"}, finish}, "done",
			"smaller pieces", "a=1"},
		"F37 a call at a limit nobody owns up to": {[]agenttest.Answer{cutWrite, finish}, "done",
			"smaller pieces", "a=x"},
		"F37 half a call and an end": {[]agenttest.Answer{body(callBegun + "\n\n" + doneLine),
			body(callBegun + "\n\n" + doneLine), body(callBegun + "\n\n" + doneLine), finish}, "done",
			"smaller pieces", ""},
		"F38 a call that is said to be words": {[]agenttest.Answer{
			{Reply: agenttest.Reply(write("a", "1")), Finish: "stop"}, finish}, "a=1 done", "wrote a", ""},
		"F39 a reply that is filtered": {[]agenttest.Answer{does(raw("read", `{"url":"u1"}`)),
			{Reply: agenttest.Words("As"), Finish: "content_filter"}, finish}, "read u1 done",
			"[Withheld: the content filter", "the words of u1"},
		"F40 a page that is filtered": {[]agenttest.Answer{does(raw("read", `{"url":"u1"}`)),
			status(400, `{"error":{"code":"content_filter"}}`), finish}, "read u1 done",
			"[Withheld: the content filter", "the words of u1"},
		"F43 an unknown name": {[]agenttest.Answer{
			does(raw("execute_python", `{"path":"a","text":"1"}`)), finish}, "done",
			`there is no action "execute_python", so nothing was done; the actions are write, read, done`,
			""},
		"F43 a prefixed name": {[]agenttest.Answer{
			does(raw("tool:write", `{"path":"a","text":"1"}`)), finish},
			"done", `there is no action "tool:write"`, ""},
		"F43 glued names": {[]agenttest.Answer{
			does(raw("writeread", `{"path":"a","text":"1"}`)), finish}, "done",
			"the actions are write, read, done", ""},
		"F43 another case": {[]agenttest.Answer{
			does(raw("Write", `{"path":"a","text":"1"}`)), finish}, "done",
			"the actions are write, read, done", ""},
		"F43 no name": {[]agenttest.Answer{
			body(
				`{"choices":[{"message":{"tool_calls":[{"function":{"name":null,"arguments":"{}"}}]},` +
					`"finish_reason":"tool_calls"}]}`), finish}, "done",
			"the actions are write, read, done", ""},
		"F46 two writes to one file": {[]agenttest.Answer{does(write("a", "1"),
			write("a", "2")), finish}, "a=1 a=2 done", `was "1"`, ""},
		"F46 sixty calls": {[]agenttest.Answer{does(many(60)...), finish},
			strings.TrimSpace(strings.Repeat("a=1 ", 50)) + " done",
			"only the first 50 were carried out", ""},
		"F47 no index and no id between two calls": {[]agenttest.Answer{
			body(
				`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"write",` +
					`"arguments":"{\"path\":\"a\","}},{"function":{"arguments":"\"text\":\"1\"}"}},` +
					`{"function":{"name":"done","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` +
					"\n\n")}, "a=1 done", "", ""},
		"F47 arguments of no call": {[]agenttest.Answer{
			body(
				`data: {"choices":[{"delta":{"tool_calls":[{"index":3,` +
					`"function":{"arguments":"{\"path\":\"a\",\"text\":\"1\"}"}}]},` +
					`"finish_reason":"tool_calls"}]}` + "\n\n"), finish},
			"done", `there is no action ""`, ""},
		"F48 a thought in an argument": {[]agenttest.Answer{
			does(write("a", "<think>I plan\nit</think>\n\n# A")), finish}, "a=# A done", "wrote a", "I plan"},
		"F49 too long once": {[]agenttest.Answer{does(write("a", "1")),
			status(400, `{"error":{"code":"context_length_exceeded"}}`), finish}, "a=1 done", "", "wrote a"},
		"F51 a refusal": {[]agenttest.Answer{
			body(`{"choices":[{"message":{"content":null,"refusal":"I can not."},"finish_reason":"stop"}]}`),
			finish}, "done", "assistant: I can not.\nuser: You asked for no action", ""},
		"F51 an end before other calls": {[]agenttest.Answer{does(raw("done", "{}"), write("a", "1"))},
			"a=1 done", "", ""},
		"F51 an end beside a call that fails": {[]agenttest.Answer{does(raw("done", "{}"),
			raw("write", "{}")), finish}, "done", "done was not carried out", ""},
		"duplicate and empty ids": {[]agenttest.Answer{does(withID("x", write("a", "1")),
			withID("x", write("a", "2")), withID(" ", write("a", "3"))), finish}, "a=1 a=2 a=3 done",
			"was \"2\"", ""},
	}
	for name, c := range cases {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				d := newDesk(t, noStream, agenttest.Answers(c.answers...))
				result, err := d.agent.Run(t.Context())
				require.NoError(t, err)
				assert.Equal(t, agent.Finished, result.Reason)
				assert.Equal(t, c.done, strings.Join(d.done, " "))
				assert.Contains(t, d.told(), c.told)
				if c.never != "" {
					assert.NotContains(t, d.told(), c.never)
					assert.NotContains(t, strings.Join(d.done, " "), c.never)
				}
				ids := map[string]bool{}
				for _, r := range d.server.Requests() {
					clear(ids)
					for _, m := range r.Messages {
						for _, call := range m.ToolCalls {
							assert.False(t, ids[call.ID], "an id came twice")
							assert.Regexp(t, `^[a-zA-Z0-9]{9}$`, call.ID)
							assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, call.Function.Name,
								"servers refuse a history with other names")
							ids[call.ID] = true
						}
					}
				}
			})
		}
	}
}

func withID(id string, c agent.Call) agent.Call {
	c.ID = id
	return c
}

func many(n int) []agent.Call {
	calls := make([]agent.Call, n)
	for i := range calls {
		calls[i] = write("a", "1")
		calls[i].Args = strings.Replace(calls[i].Args, "}", fmt.Sprintf(`,"line":%d}`, i+1), 1)
	}
	return calls
}

// F37: what was asked for at most was said, so it was cut off, whatever the server calls it.
func TestAsMuchWasSaidAsWasAskedFor(t *testing.T) {
	for mode, noStream := range modes {
		t.Run("F37/"+mode, func(t *testing.T) {
			full := does(write("a", ""))
			full.Reply.Usage = agent.Usage{In: 10, Out: 300}
			d := newDesk(t, noStream, agenttest.Answers(full, finish))
			d.agent.Brain.(*openai.Brain).Extra = map[string]any{"max_tokens": 300}
			_, err := d.agent.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{"done"}, d.done)
			assert.Contains(t, d.told(), "smaller pieces")
		})
	}
}

// F40: a filter that refuses whatever it is shown ends the run with an error that says so; one that refuses a
// page that was read before is met by withholding more, and then by opening again.
func TestAFilterThatIsNeverContent(t *testing.T) {
	refused := status(400, `{"error":{"code":"content_filter"}}`)
	for mode, noStream := range modes {
		t.Run("from the start/"+mode, func(t *testing.T) {
			d := newDesk(t, noStream, func(agenttest.Request) agenttest.Answer { return refused })
			_, err := d.agent.Run(t.Context())
			require.ErrorIs(t, err, agent.ErrFiltered)
			assert.Len(t, d.server.Requests(), 1)
		})
		t.Run("of an earlier page/"+mode, func(t *testing.T) {
			d := newDesk(t, noStream, func(r agenttest.Request) agenttest.Answer {
				all := fmt.Sprint(r.Messages)
				switch {
				case strings.Contains(all, "the words of bad"):
					return refused
				case len(r.Messages) > 1:
					return finish
				}
				return does(raw("read", `{"url":"bad"}`), raw("read", `{"url":"good"}`))
			})
			result, err := d.agent.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, 2, strings.Count(d.told(), "[Withheld"))
		})
		t.Run("of everything that was read/"+mode, func(t *testing.T) {
			opened := 0
			d := newDesk(t, noStream, func(r agenttest.Request) agenttest.Answer {
				if len(r.Messages) > 1 {
					return refused
				}
				if opened++; opened > 1 {
					return finish
				}
				return does(raw("read", `{"url":"1"}`), raw("read", `{"url":"2"}`),
					raw("read", `{"url":"3"}`), raw("read", `{"url":"4"}`))
			})
			result, err := d.agent.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, 2, opened)
		})
	}
}

// F34: a reply that is cut at any byte, closed well or badly, executes only when it is whole. With
// DAYBOOK_FULL=1 it is cut at each byte, and otherwise at each of the last and some of the others.
func TestNothingIsDoneFromACutReply(t *testing.T) {
	reply := agenttest.Reply(write("a", "two tides a day"), write("b", "月亮"))
	stride := 5
	if testing.Short() {
		stride = 50
	}
	if os.Getenv("DAYBOOK_FULL") != "" {
		stride = 1
	}
	for mode, noStream := range modes {
		sent := recording(t, reply, noStream)
		whole := len(strings.TrimRight(string(sent), "\n"))
		if !noStream {
			at := strings.Index(string(sent), `"finish_reason":"tool_calls"`)
			whole = at + strings.Index(string(sent[at:]), "}\n") + 1
		}
		for end, how := range map[string]func(at int) agenttest.Answer{
			"closed": func(at int) agenttest.Answer { return status(200, string(sent[:at])) },
			"broken": func(at int) agenttest.Answer { return agenttest.Answer{Body: string(sent), Cut: at} },
			"reset": func(at int) agenttest.Answer {
				return agenttest.Answer{Body: string(sent), Cut: at, Reset: true}
			},
		} {
			t.Run("F34/"+mode+"/"+end, func(t *testing.T) {
				at := 0
				d := newDesk(t, noStream, func(r agenttest.Request) agenttest.Answer {
					if len(r.Messages) > 1 {
						return finish
					}
					return how(at)
				})
				d.agent.Brain.(*openai.Brain).MaxTries = 1
				d.agent.Observe = nil
				for at = 1; at < len(sent); at++ {
					if at%stride != 0 && at < whole-5 {
						continue
					}
					d.done = nil
					_, err := d.agent.Run(t.Context())
					got := strings.Join(d.done, " ")
					switch {
					case at < whole:
						require.Error(t, err, "cut after %d bytes", at)
						require.Empty(t, got, "cut after %d bytes", at)
					case err == nil: // after the last of it, a break that is noticed may still cost a try
						require.Equal(t, "a=two tides a day b=月亮 done", got, "cut after %d bytes", at)
					default:
						require.Empty(t, got, "cut after %d bytes", at)
						require.NotEqual(t, "closed", end)
					}
				}
			})
		}
	}
}

// The control of the test above: a client that trusts go-openai to tell a stream that broke off acts on half
// a call.
func TestABareClientActsOnACutReply(t *testing.T) {
	sent := recording(t, agenttest.Reply(write("a", "two tides a day"), write("b", "月亮")), false)
	at, acted := 0, 0
	server := serve(t, func(agenttest.Request) agenttest.Answer { return status(200, string(sent[:at])) })
	config := vendor.DefaultConfig(key)
	config.BaseURL = server.URL
	client := vendor.NewClientWithConfig(config)
	for at = 1; at < len(sent)/2; at += 7 {
		stream, err := client.CreateChatCompletionStream(t.Context(),
			vendor.ChatCompletionRequest{Model: "m"})
		require.NoError(t, err)
		calls := 0
		for {
			chunk, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				acted += calls // it looks like the end
			}
			if err != nil {
				break
			}
			for _, c := range chunk.Choices {
				calls += len(c.Delta.ToolCalls)
			}
		}
		require.NoError(t, stream.Close())
	}
	assert.Positive(t, acted)
}

// The control of the strict arguments: encoding/json takes what they refuse, and not for what it seems to be.
func TestPlainDecodingTakesMore(t *testing.T) {
	for _, args := range []string{
		`{"path":"a","PATH":"../../etc/passwd","text":"x"}`,
		`{"path":"a","path":"../../etc/passwd","text":"x"}`,
		`{"path":"../../etc/passwd","text":"x"}{"path":"a","text":"x"}`,
	} {
		decoder := json.NewDecoder(strings.NewReader(args))
		decoder.DisallowUnknownFields()
		var in writeIn
		require.NoError(t, decoder.Decode(&in))
		assert.Equal(t, "../../etc/passwd", in.Path)
		d := newDesk(t, true, agenttest.Answers(does(raw("write", args)), finish))
		_, err := d.agent.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"done"}, d.done)
	}
}
