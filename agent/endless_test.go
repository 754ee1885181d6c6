package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// shape is a way to go on for ever, and how and when it has to end.
type shape struct {
	reply  func(n int) agent.Reply // the n-th reply of the agent, from 0
	limits agent.Limits
	reason agent.Reason
	steps  int
	cut    bool // every other reply is cut off
}

func calling(call ...agent.Call) func(int) agent.Reply {
	return func(int) agent.Reply { return agenttest.Reply(call...) }
}

func inTurn(calls ...agent.Call) func(int) agent.Reply {
	return func(n int) agent.Reply { return agenttest.Reply(calls[n%len(calls)]) }
}

func costingEach(u agent.Usage) func(int) agent.Reply {
	return func(n int) agent.Reply {
		return agent.Reply{Calls: []agent.Call{call("note", fmt.Sprint("thought ", word(n)))}, Usage: u}
	}
}

// word is another word for each number, without a digit in it.
func word(n int) string { return fmt.Sprintf("%c%c", 'a'+n/26%26, 'a'+n%26) }

func shapes() map[string]shape {
	raw := func(name, args string) agent.Call { return agenttest.Call(name, json.RawMessage(args)) }
	return map[string]shape{
		"the same call": {reply: calling(call("note", "a")),
			reason: agent.Looping, steps: 6},
		"the same call, written another way": {reply: inTurn(raw("note", `{"text":"a","tags":["x"]}`),
			raw("note", ` { "tags" : [ "x" ], "text" : "a" }`)), reason: agent.Looping, steps: 6},
		"the same call, the clock in the result": {reply: calling(call("clock", "")),
			reason: agent.Looping, steps: 6},
		"the same calls in a reply": {reply: calling(call("note", "a"), call("note", "a"), call("note", "a")),
			reason: agent.Looping, steps: 2},
		"two in a reply": {reply: calling(call("note", "a"), call("note", "b")),
			reason: agent.Looping, steps: 3},
		"A-B-A-B": {reply: inTurn(call("note", "a"), call("note", "b")), reason: agent.Looping, steps: 6},
		"A-B-C": {reply: inTurn(call("note", "a"), call("note", "b"), call("echo", "c")),
			reason: agent.Looping, steps: 10},
		"A-B-C-D": {reply: inTurn(call("note", "a"), call("note", "b"), call("note", "c"), call("note", "d")),
			reason: agent.Looping, steps: 13},
		"a counter": {reply: func(n int) agent.Reply {
			return agenttest.Reply(agenttest.Call("note", noteIn{Text: "a", Nth: 100 + n}))
		}, reason: agent.Looping, steps: 6},
		"a counter in the result": {reply: func(n int) agent.Reply {
			return agenttest.Reply(call("note", fmt.Sprint("try ", 8+n)))
		}, reason: agent.Looping, steps: 6},
		"the same result": {reply: func(n int) agent.Reply {
			return agenttest.Reply(call("search", word(n)))
		}, limits: agent.Limits{Idle: 9}, reason: agent.Idle, steps: 9},
		"an unknown action": {reply: calling(call("nto", "a")), reason: agent.Looping, steps: 6},
		"unknown actions": {reply: func(n int) agent.Reply {
			return agenttest.Reply(call("note"+word(n), "a"))
		}, reason: agent.Stuck, steps: 10},
		"bad arguments": {reply: calling(raw("note", `{"text":`)),
			reason: agent.Looping, steps: 6},
		"ever other bad arguments": {reply: func(n int) agent.Reply {
			return agenttest.Reply(raw("note", fmt.Sprintf(`{"text":%d.5}`, n)))
		}, reason: agent.Stuck, steps: 10},
		"monologue": {reply: func(n int) agent.Reply {
			return agenttest.Words(fmt.Sprint("Hm, ", n))
		}, reason: agent.Stuck, steps: 3},
		"the same restart": {reply: calling(call("reset", "a")),
			reason: agent.Looping, steps: 6},
		"two restarts in turn": {reply: inTurn(call("reset", "a"), call("reset", "b")),
			reason: agent.Looping, steps: 6},
		"restarts": {reply: func(n int) agent.Reply {
			return agenttest.Reply(call("reset", word(n)))
		}, limits: agent.Limits{Idle: 9}, reason: agent.Idle, steps: 9},
		"long replies": {reply: costingEach(agent.Usage{Calls: 1, In: 1000, Out: 32000}),
			limits: agent.Limits{Tokens: 200_000}, reason: agent.OutOfTokens, steps: 7},
		"long replies that are cut off": {reply: costingEach(agent.Usage{Calls: 1, In: 1000, Out: 32000}),
			limits: agent.Limits{Tokens: 200_000}, reason: agent.OutOfTokens, steps: 7, cut: true},
		"money": {reply: costingEach(agent.Usage{Calls: 1, Cost: 0.3}),
			limits: agent.Limits{Cost: 2}, reason: agent.OutOfMoney, steps: 7},
		"time": {reply: costingEach(agent.Usage{Calls: 1}),
			limits: agent.Limits{Time: 20 * time.Minute}, reason: agent.OutOfTime, steps: 7},
		"a nested agent that loops": {reply: calling(call("nest", "")), reason: agent.Looping, steps: 6},
		"a refused finish":          {reply: calling(call("refuse", "")), reason: agent.Looping, steps: 6},
		"a failing call with one that works behind it": {reply: func(n int) agent.Reply {
			return agenttest.Reply(call("nto", "a"), call("note", word(n)))
		}, reason: agent.Looping, steps: 6},
		"a failing call among several that work": {reply: func(n int) agent.Reply {
			return agenttest.Reply(call("note", "first "+word(n)), call("nto", "a"),
				call("note", "and "+word(n)), call("echo", word(n)))
		}, reason: agent.Looping, steps: 6},
		"a refused finish, with something tried in between": {reply: func(n int) agent.Reply {
			return agenttest.Reply([]agent.Call{call("refuse", ""), call("note", word(n))}[n%2])
		}, reason: agent.Looping, steps: 11},
	}
}

// endless is a Brain that never comes to an end, and what it works on. It outlives the runs that are killed.
type endless struct {
	shape
	replies    int
	cost       float64
	compressed bool // the history is dropped after every two replies, as by a model with a small window
}

func (e *endless) think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	said := 0
	for _, m := range talk.Messages {
		if m.Role == agent.RoleAssistant {
			said++
		}
	}
	if e.compressed && said >= 2 {
		return agent.Reply{}, agent.ErrTooLong
	}
	pause, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	<-pause.Done()
	reply := e.reply(e.replies)
	e.replies++
	e.cost += reply.Usage.Cost
	if e.cut && e.replies%2 == 0 {
		return agent.Reply{Usage: reply.Usage}, fmt.Errorf("the server says: %w", agent.ErrCut)
	}
	return reply, ctx.Err()
}

func (e *endless) run(ctx context.Context, recorder agent.Recorder) (agent.Result, error) {
	inner :=
		newAgent(&agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
			return agenttest.Reply(call("note", "inside")), nil
		}})
	inner.Name = "inner"
	a := newAgent(&agenttest.Script{Func: e.think}, nesting(inner),
		agent.NewAction("echo", "", func(_ context.Context, _ *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Say(in.Text), nil
		}),
		agent.NewAction("clock", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
			return agent.Say("It is " + time.Now().Format(time.TimeOnly)), nil
		}),
		agent.NewAction("search", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
			return agent.Say("No results."), nil
		}),
		agent.NewAction("refuse", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
			return agent.Outcome{}, errors.New("the report has no references")
		}))
	a.Limits, a.Recorder = e.limits, recorder
	a.Limits.Steps = 60 // far beyond where the rules end it
	a.Progress = func() int { return 3 }
	return a.Run(ctx)
}

// Each shape ends by its rule, whether or not the history is dropped on the way, and wherever the run is
// killed and resumed: with the same reason after the same number of replies.
func TestEndlessBehaviourEnds(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 9
	}
	for name, s := range shapes() {
		for _, compressed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, compressed %t", name, compressed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					whole, all := endless{shape: s, compressed: compressed}, &memory{}
					want, err := whole.run(t.Context(), all)
					require.NoError(t, err)
					require.Equal(t, s.reason, want.Reason)
					require.Equal(t, s.steps, want.Steps)
					require.Equal(t, s.reason == agent.Looping || s.reason == agent.Stuck ||
						s.reason == agent.Idle, want.Text != "")
					require.LessOrEqual(t, whole.cost, s.limits.Cost+0.3, "by one reply at most")
					for n := 1; n < len(all.records); n += every {
						e, killed := endless{shape: s, compressed: compressed}, &memory{dieAt: n}
						_, err := e.run(t.Context(), killed)
						require.ErrorIs(t, err, errKilled, "%d records", n)
						got, err := e.run(t.Context(), &memory{records: killed.records})
						require.NoError(t, err)
						require.Equal(t, want.Reason, got.Reason, "%d records", n)
						require.Equal(t, want.Text, got.Text, "%d records", n)
						require.Equal(t, want.Steps, got.Steps, "%d records", n)
						require.Equal(t, want.Usage.Calls, got.Usage.Calls, "%d records", n)
						require.Equal(t, s.steps, e.replies, "%d records", n)
					}
				})
			})
		}
	}
}

// forgetful keeps replies and results as they came, and nothing of what the loop counts beside them: an agent
// whose counters stand in its history only.
type forgetful struct{ memory }

func (f *forgetful) Record(key string, value any) error {
	if mark, ok := value.(agent.Mark); ok {
		value = agent.Mark{Stretch: mark.Stretch, Step: mark.Step,
			Allowance: agent.Allowance{Steps: mark.Step}}
	}
	return f.memory.Record(key, value)
}

// The control of the test above: without the counters in the marks no shape ends when it should, once its
// history was dropped and the run was killed.
func TestEndlessBehaviourGoesOnWithoutTheMarks(t *testing.T) {
	for name, s := range shapes() {
		if s.steps < 3 {
			continue // it ends before its history is dropped
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opened, all := 0, &memory{}
				_, err := (&endless{shape: s, compressed: true}).run(t.Context(), all)
				require.NoError(t, err)
				for i, r := range all.records {
					if r.key == agent.KeyOpen {
						opened = i + 1
					}
				}
				e, killed := endless{shape: s, compressed: true}, &forgetful{memory{dieAt: opened}}
				_, err = e.run(t.Context(), killed)
				require.ErrorIs(t, err, errKilled)
				got, err := e.run(t.Context(), &forgetful{memory{records: killed.records}})
				require.NoError(t, err)
				assert.Greater(t, got.Steps, s.steps)
			})
		})
	}
}

// A Brain that is told of its circle and leaves it is not ended, however late.
func TestACircleCanBeLeft(t *testing.T) {
	brain := &agenttest.Script{}
	for i := range 30 {
		brain.Lines = append(brain.Lines,
			agenttest.Line{Answer: agenttest.Answer{Reply: agenttest.Reply(call("note", word(i/5)))}})
	}
	brain.Lines = append(brain.Lines,
		agenttest.Line{Answer: agenttest.Answer{Reply: agenttest.Reply(call("done", ""))}})
	carriedOut := 0
	a := newAgent(brain)
	a.Limits = agent.Limits{}
	a.Actions[0].Run = func(context.Context, *agent.Turn) (agent.Outcome, error) {
		carriedOut++
		return agent.Say("noted"), nil
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	told := results(last(t, brain))
	for i, text := range told {
		switch i % 5 {
		case 0, 1:
			assert.Equal(t, "noted", text, i)
		case 2:
			assert.Contains(t, text, "3 times", i)
		default:
			assert.Contains(t, text, "was not done", i)
		}
	}
	assert.Equal(t, 18, carriedOut)
}

// A warning beside a result that a Restart drops is told in the conversation that opens then.
func TestAWarningOutlivesARestart(t *testing.T) {
	brain := &agenttest.Script{}
	for i := range 5 {
		brain.Lines = append(brain.Lines,
			agenttest.Line{
				Answer: agenttest.Answer{Reply: agenttest.Reply(call("reset", []string{"a", "b"}[i%2]))}})
	}
	brain.Lines = append(brain.Lines, agenttest.Line{Answer: agenttest.Answer{Reply: agenttest.Words("Oh.")}},
		agenttest.Line{Answer: agenttest.Answer{Reply: agenttest.Reply(call("done", ""))}})
	_, err := newAgent(brain).Run(t.Context())
	require.NoError(t, err)
	heard := brain.Heard()
	assert.Len(t, heard[3].Messages, 1)
	require.Len(t, heard[4].Messages, 2)
	assert.Contains(t, heard[4].Messages[1].Text, "of reset and reset, are two that you made twice")
	require.Len(t, heard[5].Messages, 2)
	assert.Contains(t, heard[5].Messages[1].Text, "this very call of reset 3 times")
	assert.Len(t, heard[6].Messages, 4, "and only once")
}

// A run that ended for going in circles begins with a clean sheet when somebody runs it again.
func TestACircleIsForgottenAfterItsEnd(t *testing.T) {
	recorder := &memory{}
	for range 2 {
		a := newAgent(costing("note"))
		a.Recorder = recorder
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Looping, result.Reason)
		recorder = &memory{records: recorder.records}
	}
	var end agent.Mark
	require.True(t, recorder.Recall(agent.KeyEnd, &end))
	assert.Equal(t, 12, end.Step)
}
