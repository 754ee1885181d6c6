package openai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// A web page in place of a reply says that the address is wrong, but not of a server that has answered: then
// something before it is in the way for a while, such as a gateway that restarts.
func TestAPageOfAServerThatHasAnswered(t *testing.T) {
	page := agenttest.Answer{Body: "<html><h1>Just a moment</h1></html>"}
	for mode, noStream := range modes {
		t.Run(mode, func(t *testing.T) {
			server := serve(t, agenttest.Answers(page, agenttest.Answer{Reply: agenttest.Words("yes")}, page,
				page, agenttest.Answer{Reply: agenttest.Words("again")}))
			b := brain(t, server.URL, noStream)
			_, err := b.Think(t.Context(), ask("?"))
			var e *openai.Error
			require.ErrorAs(t, err, &e, "before it has answered")
			require.Equal(t, openai.Ask, e.Class)
			for _, want := range []string{"yes", "again"} {
				reply, err := b.Think(t.Context(), ask("?"))
				require.NoError(t, err)
				assert.Equal(t, want, reply.Text)
			}
			assert.Len(t, server.Requests(), 5)
		})
	}
}

// A count of more tokens than a text can have does not fill the window.
func TestACountBeyondBeliefIsNoMeasure(t *testing.T) {
	for name, c := range map[string]struct {
		in     int
		filled bool
	}{
		"believed": {90_000, true},
		"not":      {4_000_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, agenttest.Answers(
				agenttest.Answer{Reply: agent.Reply{Text: "yes", Usage: agent.Usage{In: c.in, Out: 1}}}))
			reply, err := brain(t, server.URL, false).Think(t.Context(), ask(prose(60_000)))
			require.NoError(t, err)
			assert.Equal(t, c.filled, reply.Room.Used == c.in, reply.Room.Used)
			assert.Less(t, reply.Room.Used, reply.Room.Window)
			assert.Equal(t, c.in, reply.Usage.In, "it is charged as the server says")
		})
	}
}

// A reply that is not whole is asked for again half as often as a server that does not answer, and twice at
// least.
func TestHowOftenAReplyThatIsNotWholeIsAskedForAgain(t *testing.T) {
	for most, tries := range map[int]int{0: 3, 1: 3, 5: 3, 12: 7} {
		server := serve(t, func(agenttest.Request) agenttest.Answer {
			return agenttest.Answer{Body: `{"choices":[]}`}
		})
		b := brain(t, server.URL, true)
		b.MaxTries = most
		_, err := b.Think(t.Context(), ask("?"))
		require.ErrorIs(t, err, openai.ErrNoChoice)
		assert.Len(t, server.Requests(), tries, most)
	}
}
