package openai_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

var down = agenttest.Answer{Status: 503, Body: `{"error":{"message":"overloaded"}}`}

func words(text string) agenttest.Answer {
	return agenttest.Answer{Reply: agent.Reply{Text: text, Usage: agent.Usage{In: 1_000_000, Out: 1_000_000}}}
}

// pair is a Brain with another behind it, over servers that give these answers.
func pair(
	t *testing.T,
	noStream bool,
	first, second func(agenttest.Request) agenttest.Answer,
) (f *openai.Fallback, one, two *agenttest.Server) {
	t.Helper()
	one, two = serve(t, first), serve(t, second)
	f = &openai.Fallback{First: brain(t, one.URL, noStream), Second: brain(t, two.URL, noStream)}
	f.First.Model, f.Second.Model = "great", "small"
	f.First.MaxTries = 2
	// words in a row say nothing of what they can do
	f.First.Known.Calls, f.Second.Known.Calls = openai.Yes, openai.Yes
	f.First.Price, f.Second.Price = &openai.Price{In: 10, Out: 10}, &openai.Price{In: 1, Out: 2}
	return f, one, two
}

func always(a agenttest.Answer) func(agenttest.Request) agenttest.Answer {
	return func(agenttest.Request) agenttest.Answer { return a }
}

// The second is asked while the first is down, without asking that again, at its own price.
func TestAFallback(t *testing.T) {
	for name, why := range map[string]agenttest.Answer{
		"down": down,
		"no quota": {Status: 429,
			Body: `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`},
		"no money": {Status: 402, Body: `{"error":{"message":"Insufficient Balance"}}`},
	} {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				f, one, two := pair(t, noStream, always(why), always(words("from the second")))
				talk := ask("Why?")
				waits := heard(talk)
				reply, err := f.Think(t.Context(), talk)
				require.NoError(t, err)
				assert.Equal(t, "from the second", reply.Text)
				assert.InDelta(t, 3, reply.Usage.Cost, 1e-9)
				last := waits()[len(waits())-1]
				assert.Contains(t, last.Why, "asking the fallback model small at "+two.URL)
				asked := len(one.Requests())
				_, err = f.Think(t.Context(), ask("And why not?"))
				require.NoError(t, err)
				assert.Len(t, one.Requests(), asked, "the first was asked again at once")
				assert.Len(t, two.Requests(), 2)
			})
		}
	}
}

// What another model would not help against is not hidden behind one.
func TestNoFallback(t *testing.T) {
	for name, c := range map[string]struct {
		answer agenttest.Answer
		class  openai.Class
		says   string
	}{
		"a wrong key": {agenttest.Answer{Status: 401, Body: `{"error":{"message":"Incorrect API key"}}`},
			openai.Ask, "the fallback model small was not asked, since this is for you to put right"},
		"no such model": {agenttest.Answer{Status: 404,
			Body: `{"error":{"message":"model great not found"}}`}, openai.Ask, "for you to put right"},
		"a bad request": {agenttest.Answer{Status: 400, Body: `{"error":{"message":"what?"}}`}, openai.Stop,
			"refused the request"},
		"too long": {agenttest.Answer{Status: 400,
			Body: `{"error":{"message":"maximum context length","code":"context_length_exceeded"}}`},
			openai.Compress, "too long"},
		"an empty reply": {agenttest.Answer{Body: `{}`}, openai.Again, "holds no message"},
	} {
		t.Run(name, func(t *testing.T) {
			f, _, two := pair(t, false, always(c.answer), always(words("from the second")))
			_, err := f.Think(t.Context(), ask("Why?"))
			var e *openai.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.class, e.Class)
			assert.ErrorContains(t, err, c.says)
			assert.Empty(t, two.Requests())
		})
	}
}

// Each model is told the whole conversation, whoever said what of it.
func TestAFallbackAndBack(t *testing.T) {
	f, one, two := pair(t, false,
		agenttest.Answers(words("first"), down, down, words("third"), words("fourth")),
		agenttest.Answers(words("second")))
	f.Rest = time.Nanosecond
	talk := ask("Why?")
	for _, want := range []string{"first", "second", "third", "fourth"} {
		reply, err := f.Think(t.Context(), talk)
		require.NoError(t, err)
		require.Equal(t, want, reply.Text)
		talk.Messages = append(talk.Messages, agent.Message{Role: agent.RoleAssistant, Text: reply.Text},
			agent.User("Go on."))
	}
	said := func(r agenttest.Request) (all []string) {
		for _, m := range r.Messages {
			if m.Role == "assistant" {
				all = append(all, m.Content)
			}
		}
		return all
	}
	require.Len(t, two.Requests(), 1)
	assert.Equal(t, "small", two.Requests()[0].Model)
	assert.Equal(t, []string{"first"}, said(two.Requests()[0]))
	requests := one.Requests()
	require.Len(t, requests, 5)
	assert.Equal(t, []string{"first", "second"}, said(requests[3]))
	assert.Equal(t, []string{"first", "second", "third"}, said(requests[4]))
	before, last := requests[3].Raw, requests[4].Raw
	assert.Equal(t, string(before[:len(before)-2]), string(last[:len(before)-2]), "the prefix is kept")
}

func TestBothAreDown(t *testing.T) {
	f, _, _ := pair(t, false, always(down),
		always(agenttest.Answer{Status: 401, Body: `{"error":{"message":"no"}}`}))
	_, err := f.Think(t.Context(), ask("Why?"))
	require.ErrorContains(t, err, "asking the fallback model small")
	assert.ErrorContains(t, err, "overloaded")
	_, err = f.Think(t.Context(), ask("Why?"))
	require.ErrorContains(t, err, "model great at http")
	assert.ErrorContains(t, err, "was down a short while ago")
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, openai.Ask, e.Class)
}

// A run that is being stopped asks nobody else.
func TestAFallbackHearsTheContext(t *testing.T) {
	f, _, two := pair(t, false, always(down), always(words("from the second")))
	f.First.MaxWait = time.Hour
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	talk := ask("Why?")
	talk.Tell = func(agent.Event) { cancel(enough) }
	_, err := f.Think(ctx, talk)
	assert.ErrorIs(t, err, enough)
	assert.Empty(t, two.Requests())
}

// When its rest is over one agent asks the first model again, and the others do not wait for what comes of
// that.
func TestOneAsksAgain(t *testing.T) {
	probed, release := make(chan bool), make(chan bool)
	first := true
	f, one, two := pair(t, false, func(agenttest.Request) agenttest.Answer {
		if first {
			first = false
			return down
		}
		probed <- true
		<-release
		return words("from the first")
	}, always(words("from the second")))
	f.First.MaxTries, f.Rest = 1, time.Second
	replies := make(chan string)
	think := func() {
		reply, err := f.Think(t.Context(), ask("Why?"))
		assert.NoError(t, err)
		replies <- reply.Text
	}
	for again := false; !again; {
		go think()
		select {
		case text := <-replies:
			require.Equal(t, "from the second", text)
		case again = <-probed:
		}
	}
	asked := len(two.Requests())
	go think()
	require.Equal(t, "from the second", <-replies)
	assert.Len(t, two.Requests(), asked+1)
	assert.Len(t, one.Requests(), 2)
	close(release)
	assert.Equal(t, "from the first", <-replies)
}

// A first model that is up again, though it can do nothing with this very conversation, is asked by the next
// one: it does not rest once more. The error goes to the loop, which asks for smaller pieces or clears the
// memory. The control is down at its trial.
func TestATrialThatFindsTheServerUp(t *testing.T) {
	for name, c := range map[string]struct {
		trial agenttest.Answer
		err   error
		next  string
	}{
		"a call that is cut off": {agenttest.Answer{
			Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"})), Finish: "length"},
			agent.ErrCut, "from the first"},
		"too long": {agenttest.Answer{Status: 400,
			Body: `{"error":{"message":"maximum context length","code":"context_length_exceeded"}}`},
			agent.ErrTooLong, "from the first"},
		"a page is refused": {agenttest.Answer{Status: 400, Body: `{"error":{"code":"content_filter"}}`},
			agent.ErrFiltered, "from the first"},
		"the control: down": {down, nil, "from the second"},
	} {
		for mode, noStream := range modes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				f, one, _ := pair(t, noStream, agenttest.Answers(down, c.trial, words("from the first")),
					always(words("from the second")))
				f.First.MaxTries, f.Rest = 1, time.Nanosecond
				_, err := f.Think(t.Context(), ask("Why?"))
				require.NoError(t, err)
				f.Rest = time.Hour
				_, err = f.Think(t.Context(), ask("Why?"))
				require.ErrorIs(t, err, c.err)
				require.Len(t, one.Requests(), 2, "it was not tried")
				reply, err := f.Think(t.Context(), ask("Why?"))
				require.NoError(t, err)
				assert.Equal(t, c.next, reply.Text)
			})
		}
	}
}

// A conversation that is held back here says nothing of the server, which the next one asks.
func TestATrialThatWasNotMade(t *testing.T) {
	f, one, _ := pair(t, false, agenttest.Answers(down, words("from the first")),
		always(words("from the second")))
	f.First.MaxTries, f.First.Window, f.Rest = 1, 2048, time.Nanosecond
	_, err := f.Think(t.Context(), ask("Why?"))
	require.NoError(t, err)
	f.Rest = time.Hour
	_, err = f.Think(t.Context(), ask(prose(24_000)))
	require.ErrorIs(t, err, agent.ErrTooLong)
	require.Len(t, one.Requests(), 1)
	reply, err := f.Think(t.Context(), ask("Why?"))
	require.NoError(t, err)
	assert.Equal(t, "from the first", reply.Text)
}

// A reply names the model that gave it, and so does one that was cut off.
func TestAReplyNamesItsModel(t *testing.T) {
	cut := agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("look", lookIn{Query: "x"})),
		Finish: "length"}
	long := agenttest.Answer{Reply: agenttest.Words("one "), Finish: "length"}
	f, _, _ := pair(t, false, agenttest.Answers(words("first"), long, words("two"), down, down),
		agenttest.Answers(words("second"), cut))
	for _, want := range []string{"great", "great", "small"} {
		reply, err := f.Think(t.Context(), ask("Why?"))
		require.NoError(t, err)
		assert.Equal(t, want, reply.Model)
	}
	reply, err := f.Think(t.Context(), ask("Why?"))
	require.ErrorIs(t, err, agent.ErrCut)
	assert.Equal(t, "small", reply.Model)
}
