package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// prose is a text of about n bytes, each line of which is another.
func prose(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b,
			"Line %d of the harbour master's book says when the water was high, and by how much.\n", i)
	}
	return b.String()
}

func yes(agenttest.Request) agenttest.Answer { return agenttest.Answer{Reply: agenttest.Words("yes")} }

func tooLong(t *testing.T, err error) *openai.Error {
	t.Helper()
	require.ErrorIs(t, err, agent.ErrTooLong)
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Compress, e.Class)
	return e
}

// A server that reads a part of the conversation and does not say so is found out by what it counts, its
// reply is not used, and from then on nothing is sent that it would not read.
func TestASilentTruncationIsNoticed(t *testing.T) {
	for name, noStream := range modes {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, at a later step: %t", name, later), func(t *testing.T) {
				server := serve(t, agenttest.Truncating(4096, yes))
				b := brain(t, server.URL, noStream)
				talk := ask("How high is the tide? " + prose(2000))
				if later {
					reply, err := b.Think(t.Context(), talk)
					require.NoError(t, err)
					assert.Equal(t, openai.DefaultWindow-8192, reply.Room.Window)
					assert.InDelta(t, len(server.Requests()[0].Raw)/4, reply.Room.Used, 1)
				}
				talk.Messages = append(talk.Messages, agent.User(prose(24_000)))
				sent := len(server.Requests())
				_, err := b.Think(t.Context(), talk)
				e := tooLong(t, err)
				assert.Equal(t, 4096, e.Window)
				for _, part := range []string{"read only 2051 of about", "did not say so",
					"window seems to be 4096", "OLLAMA_CONTEXT_LENGTH="} {
					assert.Contains(t, err.Error(), part)
				}
				assert.Len(t, server.Requests(), sent+1, "it is not asked the same again")

				_, err = b.Think(t.Context(), talk)
				assert.Equal(t, 4096, tooLong(t, err).Window)
				assert.Len(t, server.Requests(), sent+1, "what is known not to fit is not sent")
				reply, err := b.Think(t.Context(), ask("shorter"))
				require.NoError(t, err)
				assert.Equal(t, 4096-512, reply.Room.Window)
			})
		}
	}
}

// The window of a server that leaves out whole messages is a power of two at least as large as what it read;
// one that cuts again shows that it is less.
func TestAWindowThatIsGuessedTooLargeShrinks(t *testing.T) {
	var reads atomic.Int64
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Reply: agent.Reply{Text: "yes",
			Usage: agent.Usage{In: int(reads.Load()), Out: 1}}}
	})
	b := brain(t, server.URL, true)
	reads.Store(2900)
	_, err := b.Think(t.Context(), ask(prose(40_000)))
	assert.Equal(t, 4096, tooLong(t, err).Window)
	reads.Store(1500)
	_, err = b.Think(t.Context(), ask(prose(9_000)))
	assert.Equal(t, 2048, tooLong(t, err).Window)
	reads.Store(1100)
	_, err = b.Think(t.Context(), ask(prose(7_000)))
	assert.Equal(t, 1100, tooLong(t, err).Window, "a power of two would be what was thought before")
}

// Servers count in ways of their own. None of these read less than was sent, though each counts less than 0.7
// of what is estimated.
func TestNoTruncationIsSeenWhereThereIsNone(t *testing.T) {
	spaces := "A table:\n" + strings.Repeat(strings.Repeat(" ", 70)+"|\n", 400)
	counted, err := codec.NewO200kBase().Count(spaces)
	require.NoError(t, err)
	many := make([]agent.Action, 40)
	for i := range many {
		many[i] = agent.NewAction(fmt.Sprintf("look%d", i), prose(400),
			func(context.Context, *agent.Turn, lookIn) (agent.Outcome, error) { return agent.Outcome{}, nil })
	}
	page := prose(8000)
	inPage, err := codec.NewO200kBase().Count(page)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		talk  *agent.Conversation
		usage agent.Usage
	}{
		"a text of few tokens": {ask(spaces), agent.Usage{In: max(1100, counted), Out: 1}},
		"actions are not counted": {&agent.Conversation{Actions: many,
			Messages: []agent.Message{agent.User(page)}}, agent.Usage{In: inPage, Out: 1}},
		"what was cached is apart": {ask(prose(20_000)), agent.Usage{In: 1200, Out: 1, Cached: 4000}},
		"too few to be a window":   {ask(prose(20_000)), agent.Usage{In: 300, Out: 1}},
		"nothing is counted":       {ask(prose(20_000)), agent.Usage{Out: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				return agenttest.Answer{Reply: agent.Reply{Text: "yes", Usage: c.usage}}
			})
			reply, err := brain(t, server.URL, true).Think(t.Context(), c.talk)
			require.NoError(t, err)
			assert.Equal(t, "yes", reply.Text)
			estimate := agent.EstimateTokens(string(server.Requests()[0].Raw))
			assert.Less(t, c.usage.In, estimate*7/10, "the estimate alone would cry")
			assert.Greater(t, reply.Room.Used, 0)
		})
	}
}

// A server that counts only what its cache did not have tells of each step what was added to it, and is
// believed to have read the rest.
func TestAServerThatCountsOnlyWhatIsNew(t *testing.T) {
	before := 0
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		fresh := len(r.Raw)/4 - before
		before = len(r.Raw) / 4
		return agenttest.Answer{Reply: agent.Reply{Text: "yes", Usage: agent.Usage{In: fresh, Out: 1}}}
	})
	b, talk := brain(t, server.URL, true), ask(prose(9000))
	for range 5 {
		reply, err := b.Think(t.Context(), talk)
		require.NoError(t, err)
		sent := server.Requests()[len(server.Requests())-1]
		assert.InEpsilon(t, len(sent.Raw)/4, reply.Room.Used, 0.2)
		talk.Messages = append(talk.Messages, agent.User(prose(5000)))
	}
}

// What servers say when a conversation is too long, with the window that each names.
func TestTheWindowIsReadFromErrors(t *testing.T) {
	for said, window := range map[string]int{
		`{"error":{"message":"This model's maximum context length is 8192 tokens. However, your ` +
			`messages resulted in 10,031 ` +
			`tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}`: 8192,
		`{"object":"error","message":"This model's maximum context length is 4096 tokens. However, ` +
			`you requested 5100 tokens (4100 in the messages, 1000 in the completion).","code":400}`: 4096,
		`{"error":{"message":"The decoder prompt (length 9000) is longer than the maximum model length of ` +
			`4096. Make sure that it is no smaller.","code":400}}`: 4096,
		`{"error":{"message":"prompt is too long: 21000 tokens > 20000 maximum"}}`: 20000,
		`{"error":{"code":400,"message":"the request exceeds the available context ` +
			`size. try increasing the ` +
			`context size","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}`: 8192,
		`{"error":{"code":400,"message":"request (5012 tokens) exceeds the available context size ` +
			`(4096 tokens), try increasing it","type":"exceed_context_size_error"}}`: 4096,
		`{"error":{"message":"The input token count (150000) exceeds the maximum number of tokens ` +
			`allowed (13107).","status":"INVALID_ARGUMENT"}}`: 13107,
		`{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the ` +
			`model is loaded with context length of only 4096 tokens"}`: 4096,
		`{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192"}}`: 8192,
		`{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length ` +
			`should be [1, ` +
			`30720]"}}`: 30720,
		`{"message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with ` +
			`32768 maximum ` +
			`context length"}`: 32768,
		`{"error":{"message":"Your input exceeds the context window of this model. Please adjust ` +
			`your input ` +
			`and try again."}}`: -1,
		`{"error":{"message":"Please reduce the length of the messages ` +
			`or completion.","code":"context_length_exceeded"}}`: -1,
	} {
		t.Run(said, func(t *testing.T) {
			server := serve(t, agenttest.Answers(agenttest.Answer{Status: 400, Body: said}))
			b := brain(t, server.URL, true)
			_, err := b.Think(t.Context(), ask(prose(60_000)))
			e := tooLong(t, err)
			if window < 0 { // it is less than what was sent
				assert.InEpsilon(t, 0.9*float64(agent.EstimateTokens(string(server.Requests()[0].Raw))),
					e.Window, 0.05)
			} else {
				assert.Equal(t, window, e.Window)
			}
			_, err = b.Think(t.Context(), ask(prose(max(90_000, 5*window))))
			tooLong(t, err)
			assert.Len(t, server.Requests(), 1, "what the server must refuse is not sent")
		})
	}
}

// A window that the person names holds, room for the reply is kept, and before a conversation is held back
// for an estimate alone it is counted.
func TestAConversationThatDoesNotFitIsHeldBack(t *testing.T) {
	server := serve(t, yes)
	b := brain(t, server.URL, true)
	b.Window = 8192
	_, err := b.Think(t.Context(), ask(prose(40_000)))
	e := tooLong(t, err)
	assert.Contains(t, e.Error(), "takes 8192, of which 1024 are kept for its reply: it was set so")
	assert.Empty(t, server.Requests())

	// 9,000 tokens by the estimate, 1,000 really
	wide := ask("A table:\n" + strings.Repeat(strings.Repeat(" ", 70)+"|\n", 450))
	_, err = b.Think(t.Context(), wide)
	require.NoError(t, err)
	assert.Len(t, server.Requests(), 1)
}

// Who cannot start the server with more is not told to.
func TestAHostedModelIsWhatItIs(t *testing.T) {
	for base, says := range map[string]string{"https://api.groq.com/openai/v1": "choose another model",
		"http://127.0.0.1:11434/v1": "start the server with more"} {
		b := &openai.Brain{Model: "test", BaseURL: base, Known: openai.Capabilities{Window: 8192}}
		_, err := b.Think(t.Context(), ask(prose(90_000))) // held back before anything is sent
		assert.Contains(t, tooLong(t, err).Error(), "For a larger one "+says)
	}
}

// A person who starts a server with more says so, and need not wait until what was found before is forgotten.
func TestAPersonsWindowIsNewerThanAnOldFinding(t *testing.T) {
	server := serve(t, agenttest.Truncating(16_384, yes))
	b := brain(t, server.URL, true)
	b.Known.Window, b.Window = 4096, 32_768
	_, err := b.Think(t.Context(), ask(prose(24_000)))
	require.NoError(t, err, "the server was started with more since")
	_, err = b.Think(t.Context(), ask(prose(90_000)))
	assert.Equal(t, 16_384, tooLong(t, err).Window, "what it shows now is believed")
	_, err = b.Think(t.Context(), ask(prose(90_000)))
	tooLong(t, err)
	assert.Equal(t, 2, len(server.Requests()), "and kept to")
}

// Where no server counts, what is near the window is counted by the tokenizer.
func TestTheTokenizerCountsWhereNoServerDoes(t *testing.T) {
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return agenttest.Answer{Reply: agent.Reply{Text: "yes", Usage: agent.Usage{Out: 1}}}
	})
	b := brain(t, server.URL, true)
	b.Window = 16_384
	text := strings.Repeat("潮汐随着月亮的位置每天涨落两次，海港的引水员查阅潮汐表。", 500)
	real, err := codec.NewO200kBase().Count(text)
	require.NoError(t, err)
	reply, err := b.Think(t.Context(), ask(text))
	require.NoError(t, err)
	assert.InEpsilon(t, real, reply.Room.Used, 0.05)
	assert.Equal(t, 16_384-2048, reply.Room.Window)
}

// A server's list of models names the window, each in its own way. It is asked once, and only when a
// conversation grows.
func TestTheServerIsAskedForItsWindow(t *testing.T) {
	for name, c := range map[string]struct {
		list   string
		window int
	}{
		"vLLM": {`{"data":[{"id":"other","max_model_len":1},{"id":"scripted","max_model_len":32768}]}`,
			32768},
		"LM Studio":  {`{"data":[{"id":"scripted","max_context_length":131072,"loaded_context_length":8192}]}`, 8192},
		"Groq":       {`{"data":[{"id":"scripted","context_window":65536}]}`, 65536},
		"OpenRouter": {`{"data":[{"id":"scripted","context_length":200000,"top_provider":{"context_length":100000}}]}`, 100000},
		"OpenAI":     {`{"data":[{"id":"scripted","object":"model"}]}`, 0},
		"a stranger": {`{"data":[{"id":"scripted","context_length":-5,"max_model_len":"many"}]}`, 0},
		"none":       {`not here`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			script, err := agenttest.Serve(yes)
			require.NoError(t, err)
			defer script.Close()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/models" {
					script.ServeHTTP(w, r)
					return
				}
				assert.Equal(t, "Bearer "+key, r.Header.Get("Authorization"))
				asked.Add(1)
				fmt.Fprint(w, c.list)
			}))
			defer server.Close()
			b := brain(t, server.URL+"/v1", true)
			_, err = b.Think(t.Context(), ask("hello"))
			require.NoError(t, err)
			assert.Zero(t, asked.Load())
			for range 2 {
				reply, err := b.Think(t.Context(), ask(prose(40_000)))
				if c.window == 8192 {
					require.ErrorIs(t, err, agent.ErrTooLong)
					continue
				}
				require.NoError(t, err)
				if c.window == 0 {
					c.window = openai.DefaultWindow
				}
				assert.Equal(t, c.window-min(c.window/8, 8192), reply.Room.Window)
			}
			assert.EqualValues(t, 1, asked.Load())
		})
	}
}

// What a prompt cache could serve is what the server finds of it, when it keeps all that it was sent: within
// a stretch and over openings.
func TestThePrefixIsWhatACacheCouldServe(t *testing.T) {
	server := serve(t, yes)
	b := brain(t, server.URL, true)
	b.Known.Calls = openai.Yes // it answers in words all the time
	for stretch := range 3 {
		talk := ask("Overall: " + prose(3000))
		talk.Messages = append(talk.Messages, agent.User(fmt.Sprintf("Current %d: %s", stretch, prose(2000))))
		for step := range 4 {
			reply, err := b.Think(t.Context(), talk)
			require.NoError(t, err)
			if stretch+step > 0 {
				assert.InDelta(t, reply.Usage.Cached, reply.Usage.Prefix, 1, "stretch %d, step %d",
					stretch, step)
				assert.Greater(t, reply.Usage.Prefix, reply.Usage.In/3)
			} else {
				assert.Zero(t, reply.Usage.Prefix)
			}
			talk.Messages = append(talk.Messages, agent.Message{Role: agent.RoleAssistant, Text: reply.Text},
				agent.User(prose(1500)))
		}
	}
	other :=
		&agent.Conversation{Messages: []agent.Message{agent.System("Be brief."), agent.User("Who are you?")}}
	reply, err := b.Think(t.Context(), other)
	require.NoError(t, err)
	assert.Zero(t, reply.Usage.Prefix, "an agent of another kind")
}

// A limit of tokens a minute is no window, whatever its words.
func TestALimitOfTokensAMinuteIsNoWindow(t *testing.T) {
	server := serve(t, agenttest.Answers(
		agenttest.Answer{Status: 429,
			Body: `{"error":{"message":"You reached your model token limit of 8192 tokens per minute ` +
				`for this context length. Try again later."}}`},
		agenttest.Answer{Reply: agenttest.Words("yes")},
	))
	reply, err := brain(t, server.URL, true).Think(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, openai.DefaultWindow-8192, reply.Room.Window)
}

// A server that takes four letters for a token tells a third of what Chinese has, and has cut nothing, from
// the first conversation on. The control tells as few because it cut the text, at half of its window as
// Ollama does.
func TestWhoCountsLettersHasNotCut(t *testing.T) {
	chinese := strings.Repeat("潮汐每日涨落两次，港口的记录写明了水位的高低与时刻。", 300)
	for name, c := range map[string]struct {
		told int
		cut  bool
	}{"counts letters": {len([]rune(chinese)) / 4, false}, "cut": {2050, true}} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(agenttest.Request) agenttest.Answer {
				return agenttest.Answer{Reply: agent.Reply{Text: "yes",
					Usage: agent.Usage{In: c.told, Out: 1}}}
			})
			_, err := brain(t, server.URL, true).Think(t.Context(), ask(chinese))
			assert.Equal(t, c.cut, errors.Is(err, agent.ErrTooLong), "%v", err)
		})
	}
}
