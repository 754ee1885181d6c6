package agent_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// explorer is an agent that looks for something new at every step, and what it was told of its limits.
func explorer(u agent.Usage, took time.Duration) agent.Agent {
	look := agent.NewAction("look", "",
		func(_ context.Context, turn *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Say(fmt.Sprint("found ", in.Text, ", closing ", turn.Closing())), nil
		})
	look.Explores = true
	n := 0
	brain := &agenttest.Script{Func: func(ctx context.Context, _ *agent.Conversation) (agent.Reply, error) {
		pause, cancel := context.WithTimeout(ctx, took)
		defer cancel()
		<-pause.Done()
		n++
		return agent.Reply{Calls: []agent.Call{call("look", word(n)), call("note", word(n))}, Usage: u}, nil
	}}
	return newAgent(brain, look)
}

func TestALimitWarnsAndClosesBeforeItEnds(t *testing.T) {
	cases := map[string]struct {
		limits        agent.Limits
		usage         agent.Usage
		reason        agent.Reason
		early, closed string
	}{
		"steps": {agent.Limits{Steps: 20}, agent.Usage{Calls: 1}, agent.OutOfSteps,
			"16 of 20 steps are used. Finish what you are at: from 17 on nothing new can be looked for.",
			"17 of 20 steps are used. From now on nothing new can be looked for: finish with " +
				"what you have, and say what is missing."},
		"tokens": {agent.Limits{Tokens: 2000}, agent.Usage{Calls: 1, In: 90, Out: 10}, agent.OutOfTokens,
			"1600 of 2000 tokens are used. Finish what you are at: from 1700 on nothing new can " +
				"be looked for.", "1700 of 2000 tokens are used."},
		"money": {agent.Limits{Cost: 5}, agent.Usage{Calls: 1, Cost: 0.25}, agent.OutOfMoney,
			"$4.00 of $5.00 are used. Finish what you are at: from $4.25 on nothing new can be looked for.",
			"$4.25 of $5.00 are used."},
		"little money": {agent.Limits{Cost: 0.05}, agent.Usage{Calls: 1, Cost: 0.0025}, agent.OutOfMoney,
			"$0.0400 of $0.0500 are used.", "$0.0425 of $0.0500 are used."},
		"time": {agent.Limits{Time: time.Hour}, agent.Usage{Calls: 1}, agent.OutOfTime,
			"48m0s of 1h0m0s running time are used. Finish what you are at: from 51m0s on nothing new can " +
				"be looked for.", "51m0s of 1h0m0s running time are used."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := explorer(c.usage, 3*time.Minute)
				a.Limits = c.limits
				warned, refused := map[int]string{}, map[int]string{}
				a.Observe = func(e agent.Event) {
					switch e := e.(type) {
					case agent.Warned:
						warned[e.Step] = e.Text
					case agent.Acted:
						if e.Failed {
							refused[e.Step] = e.Text
							assert.Equal(t, "what is left is for finishing", e.NotDone)
							assert.Equal(t, "look", e.Call.Name)
						} else if assert.Empty(t, e.NotDone); e.Call.Name == "look" {
							assert.Contains(t, e.Text, "closing false")
						}
					}
				}
				result, err := a.Run(t.Context())
				require.NoError(t, err)
				assert.Equal(t, c.reason, result.Reason)
				assert.True(t, result.Reason.AtLimit())
				assert.Equal(t, 20, result.Steps)
				require.Len(t, warned, 2)
				assert.Contains(t, warned[17], c.early)
				assert.Contains(t, warned[18], c.closed)
				for step := 18; step <= 20; step++ {
					assert.Contains(t, refused[step], "look was not done: ", step)
					assert.Contains(t, refused[step], "is for finishing", step)
				}
				if c.reason == agent.OutOfSteps {
					assert.Len(t, refused, 3)
				} else {
					// a reply is paid for before its calls are carried out
					assert.LessOrEqual(t, len(refused), 4)
				}
			})
		})
	}
}

// The warning is said again in a conversation that opens after it, and only once in each. Without a limit
// nothing is said.
func TestAWarningIsSaidOnceAStretch(t *testing.T) {
	n := 0
	brain := &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		if n++; n%25 == 0 {
			return agenttest.Reply(call("reset", word(n))), nil
		}
		return agenttest.Reply(call("note", word(n))), nil
	}}
	a := newAgent(brain)
	a.Limits = agent.Limits{Steps: 100}
	var warned []string
	a.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Warned); ok {
			warned = append(warned, fmt.Sprint(e.Step, ": ", e.Text))
		}
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{
		"81: 80 of 100 steps are used. Finish what you are at, and come to the end.",
		"86: 85 of 100 steps are used. Finish now, with what you have, and say what is missing.",
	}, warned)
	said := 0
	for _, m := range last(t, brain) {
		said += strings.Count(m.Text, "are used")
	}
	assert.Equal(t, 2, said)

	a.Limits, warned, n = agent.Limits{Steps: 90}, nil, 0
	_, err = a.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, warned, 3)
	assert.Contains(t, warned[0], "73: 72 of 90 steps")
	assert.Contains(t, warned[1], "76: 75 of 90 steps", "after the reset at step 75")
	assert.Contains(t, warned[2], "78: 77 of 90 steps")
}

func TestWhatComesOfNothingIsWarnedAndEnds(t *testing.T) {
	n, done := 0, 0
	a := newAgent(&agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		if n++; n == 7 {
			done++
		}
		return agenttest.Reply(call("note", word(n))), nil
	}})
	a.Limits, a.Progress = agent.Limits{Idle: 10}, func() int { return done }
	var warned []string
	a.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Warned); ok {
			warned = append(warned, fmt.Sprint(e.Step, ": ", e.Text))
		}
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Idle, result.Reason)
	assert.Equal(t, "nothing new came of the last 10 steps", result.Text)
	assert.Equal(t, 17, result.Steps)
	require.Len(t, warned, 2)
	assert.Contains(t, warned[0], "6: Nothing new has come of your last 5 steps; after 5 more")
	assert.Contains(t, warned[1], "13: Nothing new")
}

// A nested agent is warned of its own limits only, and explores no more when the agent around it has to
// finish.
func TestANestedAgentClosesWithTheOneAroundIt(t *testing.T) {
	inner := explorer(agent.Usage{Calls: 1, Cost: 0.10}, 0)
	inner.Name, inner.Limits = "inner", agent.Limits{Steps: 5}
	outer := newAgent(costing("nest"), nesting(inner))
	outer.Limits = agent.Limits{Cost: 1}
	warned, looked := map[string]string{}, []bool{}
	outer.Observe = func(e agent.Event) {
		switch e := e.(type) {
		case agent.Warned:
			warned[fmt.Sprint(e.Agent, " ", e.Step)] = e.Text
		case agent.Acted:
			if e.Call.Name == "look" {
				looked = append(looked, !e.Failed)
			}
		}
	}
	result, err := outer.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.OutOfMoney, result.Reason)
	assert.InDelta(t, 1.0, result.Usage.Cost, 1e-9)
	assert.Equal(t, []bool{true, true, true, true, true, true, true, true, false, false}, looked,
		"after the ninth reply 90 % are spent")
	own := "4 of 5 steps are used. Finish what you are at, and come to the end."
	assert.Equal(t, map[string]string{"tester/c00000100/inner 5": own,
		"tester/c00000200/inner 5": own}, warned)
}

// Agents side by side do not each take the last of the money.
func TestAgentsSideBySideGoOverALimitByOneReply(t *testing.T) {
	const each, most = 0.10, 1.0
	var mu sync.Mutex
	asking, together := 0, 0
	brain :=
		&agenttest.Script{Func: func(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
			mu.Lock()
			asking++
			together = max(together, asking)
			mu.Unlock()
			pause, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			<-pause.Done()
			mu.Lock()
			asking--
			mu.Unlock()
			return agent.Reply{Calls: []agent.Call{call("note", word(len(talk.Messages)))},
				Usage: agent.Usage{Calls: 1, Cost: each}}, nil
		}}
	synctest.Test(t, func(t *testing.T) {
		inner := newAgent(brain)
		nest := nesting(inner)
		nest.Parallel = true
		var calls []agent.Call
		for i := range 8 {
			calls = append(calls, call("nest", word(i)))
		}
		first := agenttest.Reply(calls...)
		first.Usage = agent.Usage{Calls: 1, Cost: each}
		outer := newAgent(agenttest.Replies(first), nest)
		outer.Limits = agent.Limits{Cost: most}
		result, err := outer.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.OutOfMoney, result.Reason)
		assert.LessOrEqual(t, result.Usage.Cost, most+each+1e-9)
		assert.GreaterOrEqual(t, result.Usage.Cost, most-1e-9)
		assert.Equal(t, 8, together, "the test is of nothing unless they do run side by side")
	})
}

// What was paid before the loop is charged once, however often the run is killed.
func TestWhatWasSpentBeforeIsChargedOnce(t *testing.T) {
	run := func(recorder agent.Recorder) (agent.Result, error) {
		a := newAgent(costing("note"))
		a.Actions[0] = agent.NewAction("note", "",
			func(_ context.Context, turn *agent.Turn, _ noteIn) (agent.Outcome, error) {
				return agent.Say(turn.Path()), nil
			})
		a.Limits, a.Recorder = agent.Limits{Tokens: 100}, recorder
		a.Spent = agent.Usage{Calls: 3, In: 60, Cost: 0.5}
		return a.Run(t.Context())
	}
	for n := 1; n < 8; n++ {
		killed := &memory{dieAt: n}
		_, err := run(killed)
		require.ErrorIs(t, err, errKilled)
		result, err := run(&memory{records: killed.records})
		require.NoError(t, err)
		assert.Equal(t, agent.OutOfTokens, result.Reason)
		assert.Equal(t, agent.Usage{Calls: 7, In: 92, Out: 8, Cost: 0.5}, result.Usage)
	}
}

// Somebody who runs it again gives a new allowance of everything, and the Brain hears that it may look for
// new things again.
func TestANewAllowanceIsOfEverything(t *testing.T) {
	limits := map[agent.Reason]agent.Limits{
		agent.OutOfSteps: {Steps: 20}, agent.OutOfTokens: {Tokens: 2000}, agent.OutOfMoney: {Cost: 5},
		agent.OutOfTime: {Time: time.Hour},
	}
	for reason, limit := range limits {
		t.Run(string(reason), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				recorder := &memory{}
				for run := 1; run <= 3; run++ {
					a := explorer(agent.Usage{Calls: 1, In: 90, Out: 10, Cost: 0.25}, 3*time.Minute)
					a.Limits, a.Recorder = limit, recorder
					opened, warned, found := 0, map[int]string{}, 0
					a.Observe = func(e agent.Event) {
						switch e := e.(type) {
						case agent.Opened:
							opened++
							assert.Equal(t, run > 1, e.Resumed)
						case agent.Warned:
							warned[e.Step] = e.Text
						case agent.Acted:
							if e.Call.Name == "look" && !e.Failed {
								found++
							}
						}
					}
					result, err := a.Run(t.Context())
					require.NoError(t, err)
					assert.Equal(t, reason, result.Reason)
					assert.Equal(t, 20*run, result.Steps)
					assert.Equal(t, 1, opened)
					assert.GreaterOrEqual(t, found, 16)
					if run > 1 {
						assert.Contains(t, warned[20*(run-1)+1], "a new allowance")
						assert.Len(t, warned, 3)
					}
					recorder = &memory{records: recorder.records}
					<-time.After(24 * time.Hour) // nobody runs it meanwhile, and that does not count
				}
			})
		})
	}
}
