package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// The timeout of an action is told like any other error of it, also when an agent nested in the action hears
// of it first.
func TestATimeoutOfANestingActionIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck :=
			&agenttest.Script{Func: func(ctx context.Context, _ *agent.Conversation) (agent.Reply, error) {
				<-ctx.Done()
				return agent.Reply{}, context.Cause(ctx)
			}}
		nest := nesting(newAgent(stuck))
		nest.Timeout = time.Minute
		brain := agenttest.Replies(agenttest.Reply(call("nest", "")), agenttest.Reply(call("done", "")))
		result, err := newAgent(brain, nest).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Finished, result.Reason)
		assert.Contains(t, results(last(t, brain))[0], "nest took longer than 1m0s")
	})
}

func TestAWaitSaysWhere(t *testing.T) {
	brain := &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		talk.Tell(agent.Waiting{Why: "busy"})
		return agenttest.Reply(call("done", "")), nil
	}}
	a := newAgent(brain)
	var at agent.At
	a.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Waiting); ok {
			at = e.Where()
		}
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.At{Agent: "tester", Stretch: 1, Step: 1}, at)
}

// A resumed run sends the bytes that it sent before, so that the server's prompt cache still fits.
func TestArgumentsAreResumedToTheLetter(t *testing.T) {
	for _, args := range []string{`{"te`, ``, `null`, `{ "text":  "<b> & c" }`, `{"text":"plain"}`, "[\n1]"} {
		t.Run(fmt.Sprintf("%q", args), func(t *testing.T) {
			run := func(recorder *memory) []agent.Message {
				var seen []agent.Message
				brain := &agenttest.Script{
					Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
						if seen = talk.Messages; len(seen) == 1 {
							return agenttest.Reply(agenttest.Call("note", json.RawMessage(args))), nil
						}
						return agenttest.Reply(call("done", "")), nil
					}}
				a := newAgent(brain)
				a.Recorder = recorder
				_, err := a.Run(t.Context())
				if recorder.dieAt > 0 {
					require.ErrorIs(t, err, errKilled)
				} else {
					require.NoError(t, err)
				}
				return seen
			}
			killed := &memory{dieAt: 2} // right after the reply was recorded
			run(killed)
			want := run(&memory{})
			got := run(&memory{records: killed.records})
			require.Len(t, got, len(want))
			for i := range want {
				assert.Equal(t, want[i].Text, got[i].Text)
				for j, c := range want[i].Calls {
					assert.Equal(t, c.Args, got[i].Calls[j].Args)
				}
			}
		})
	}
}

// What was paid for replies that were of no use is paid for after a kill as well.
func TestWhatWasWastedIsChargedAfterAResume(t *testing.T) {
	records, used := &memory{}, agent.Usage{Calls: 1, In: 10, Out: 1}
	for n := range 3 {
		asked := 0
		brain :=
			&agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
				asked++
				switch {
				case len(talk.Messages) == 1:
					return agent.Reply{Calls: []agent.Call{call("note", "a")}, Usage: used}, nil
				case n < 2:
					return agent.Reply{Usage: used}, fmt.Errorf("the server is down")
				}
				return agent.Reply{Calls: []agent.Call{call("done", "")}, Usage: used}, nil
			}}
		a := newAgent(brain)
		a.Recorder = records
		result, err := a.Run(t.Context())
		assert.Equal(t, n < 2, err != nil)
		assert.Equal(t, n+2, result.Usage.Calls, "run %d", n)
		assert.Equal(t, 10*(n+2), result.Usage.In, "run %d", n)
	}
}
