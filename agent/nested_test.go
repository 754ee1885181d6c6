package agent_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// costing is a Brain that calls one action for ever, for 10 tokens a step.
func costing(name string) *agenttest.Script {
	return &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		return agent.Reply{Calls: []agent.Call{call(name, "x")},
			Usage: agent.Usage{Calls: 1, In: 8, Out: 2}}, nil
	}}
}

// nesting is an action that runs an agent inside its call and says how that ended.
func nesting(inner agent.Agent) agent.Action {
	return agent.NewAction("nest", "",
		func(ctx context.Context, turn *agent.Turn, _ noteIn) (agent.Outcome, error) {
			result, err := turn.Nest(ctx, inner)
			return agent.Say(fmt.Sprintf("%s after %d", result.Reason, result.Steps)), err
		})
}

func TestLimits(t *testing.T) {
	t.Run("steps", func(t *testing.T) {
		a := newAgent(costing("note"))
		a.Limits = agent.Limits{Steps: 3}
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Result{Reason: agent.OutOfSteps, Steps: 3,
			Usage: agent.Usage{Calls: 3, In: 24, Out: 6}}, result)
	})
	t.Run("steps are counted over stretches", func(t *testing.T) {
		a := newAgent(costing("reset"))
		a.Limits = agent.Limits{Steps: 3}
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.OutOfSteps, result.Reason)
	})
	t.Run("tokens are exceeded by one reply at most", func(t *testing.T) {
		a := newAgent(costing("note"))
		a.Limits = agent.Limits{Tokens: 25}
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.OutOfTokens, result.Reason)
		assert.Equal(t, 30, result.Usage.Tokens())
	})
}

func TestLimitsUpATreeOfAgents(t *testing.T) {
	leaf := newAgent(costing("note"))
	cases := map[string]struct {
		leaf, branch, root agent.Limits
		reason             agent.Reason
		steps              int
		tokens             int
	}{
		// Each step of the root is one of the branch's whole life, each of the branch's one of the leaf's.
		"steps are each agent's own": {agent.Limits{Steps: 3}, agent.Limits{Steps: 2},
			agent.Limits{Steps: 2}, agent.OutOfSteps, 2, 10 * (2 + 2*2 + 2*2*3)},
		"the root's tokens stop the leaf": {agent.Limits{}, agent.Limits{}, agent.Limits{Tokens: 75},
			agent.OutOfTokens, 1, 80},
		"the branch's tokens are its own": {agent.Limits{}, agent.Limits{Tokens: 50}, agent.Limits{Steps: 2},
			agent.OutOfSteps, 2, 2 * (10 + 50)},
		"the leaf's tokens are its own": {agent.Limits{Tokens: 30}, agent.Limits{Steps: 2},
			agent.Limits{Steps: 1}, agent.OutOfSteps, 1, 10 + 2*10 + 2*30},
		"the root's limit is above others": {agent.Limits{Tokens: 30}, agent.Limits{Tokens: 60},
			agent.Limits{Tokens: 100}, agent.OutOfTokens, 2, 100},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			leaf.Limits = c.leaf
			branch := newAgent(costing("nest"), nesting(leaf))
			branch.Limits = c.branch
			root := newAgent(costing("nest"), nesting(branch))
			root.Limits = c.root
			result, err := root.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.reason, result.Reason)
			assert.Equal(t, c.steps, result.Steps)
			assert.Equal(t, c.tokens, result.Usage.Tokens())
		})
	}
}

func TestANestedAgentHasAContextOfItsOwn(t *testing.T) {
	inner := agenttest.Replies(agenttest.Reply(call("note", "inside")),
		agenttest.Reply(call("done", "inner")))
	outer := agenttest.Replies(agenttest.Reply(call("note", "outside")), agenttest.Reply(call("nest", "")),
		agenttest.Reply(call("done", "outer")))
	nested := newAgent(inner)
	nested.Name = "helper"
	nested.Observe = func(agent.Event) { t.Error("a nested agent's own observer is not used") }
	a := newAgent(outer, nesting(nested))
	var where []string
	a.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Replied); ok {
			where = append(where, fmt.Sprintf("%s %d", e.Agent, e.Step))
		}
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "outer", result.Text)
	assert.Equal(t, 5, result.Usage.Calls)
	assert.Equal(t, []string{"noted: outside", "finished after 2"}, results(last(t, outer)))
	assert.Equal(t, []string{"noted: inside"}, results(last(t, inner)))
	assert.Equal(t, []string{"tester 1", "tester 2", "tester/c00000200/helper 1", "tester/c00000200/helper 2",
		"tester 3"}, where)
}

func TestParallelCallsKeepTheBrainsOrder(t *testing.T) {
	const n = 8
	var together sync.WaitGroup
	together.Add(n)
	var shared []int // no lock: InTurn is what keeps it whole
	mark := agent.NewAction("mark", "",
		func(ctx context.Context, turn *agent.Turn, in noteIn) (agent.Outcome, error) {
			together.Done()
			together.Wait() // ends only if all of them run at the same time
			if err := turn.InTurn(ctx); err != nil {
				return agent.Outcome{}, err
			}
			shared = append(shared, in.Nth)
			return agent.Say(fmt.Sprint("mark ", in.Nth)), nil
		})
	mark.Parallel = true
	var calls []agent.Call
	var want []int
	for i := range n {
		calls = append(calls, agenttest.Call("mark", noteIn{Nth: i + 1}))
		want = append(want, i+1)
	}
	brain := agenttest.Replies(agenttest.Reply(calls...), agenttest.Reply(call("done", "")))
	_, err := newAgent(brain, mark).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, shared)
	for i, text := range results(last(t, brain)) {
		assert.Equal(t, fmt.Sprint("mark ", i+1), text)
	}
}

// Calls that may not run side by side wait for those before them, and those after them wait too.
func TestACallThatIsNotParallelRunsAlone(t *testing.T) {
	var running, most atomic.Int32
	var order []string
	var mu sync.Mutex
	watched := func(name string, parallel bool) agent.Action {
		a := acting(name, func(context.Context, *agent.Turn) (agent.Outcome, error) {
			now := running.Add(1)
			defer running.Add(-1)
			if !parallel {
				most.Store(max(most.Load(), now))
			}
			mu.Lock()
			defer mu.Unlock()
			order = append(order, name)
			return agent.Say(name), nil
		})
		a.Parallel = parallel
		return a
	}
	one := func(name string) agent.Call { return agenttest.Call(name, struct{}{}) }
	brain := agenttest.Replies(agenttest.Reply(one("side"), one("side"), one("alone"), one("alone"),
		one("side")), agenttest.Reply(call("done", "")))
	_, err := newAgent(brain, watched("side", true), watched("alone", false)).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"side", "side", "alone", "alone", "side"}, order)
	assert.Equal(t, int32(1), most.Load())
}

func TestEventsAreSerialised(t *testing.T) {
	helper := func() agent.Agent {
		a := newAgent(agenttest.Replies(agenttest.Reply(call("note", "a")),
			agenttest.Reply(call("done", ""))))
		a.Name = "helper"
		return a
	}
	nest := agent.NewAction("nest", "",
		func(ctx context.Context, turn *agent.Turn, _ noteIn) (agent.Outcome, error) {
			result, err := turn.Nest(ctx, helper())
			return agent.Say(string(result.Reason)), err
		})
	nest.Parallel = true
	var calls []agent.Call
	for i := range 10 {
		calls = append(calls, call("nest", string(rune('a'+i))))
	}
	var inside atomic.Int32
	kinds := map[string]int{} // no lock
	a := newAgent(agenttest.Replies(agenttest.Reply(calls...), agenttest.Reply(call("done", ""))), nest)
	a.Observe = func(e agent.Event) {
		assert.Equal(t, int32(1), inside.Add(1))
		kinds[fmt.Sprintf("%T", e)]++
		inside.Add(-1)
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 22, result.Usage.Calls)
	want := map[string]int{"agent.Opened": 11, "agent.Thinking": 22, "agent.Replied": 22, "agent.Acting": 31,
		"agent.Acted": 31, "agent.Ended": 11}
	assert.Equal(t, want, kinds)
}

// What an action charges to its call is charged to the run, and once more to one that takes the call from the
// record: not twice.
func TestACallIsCharged(t *testing.T) {
	paid := agent.NewAction("paid", "",
		func(_ context.Context, turn *agent.Turn, _ noteIn) (agent.Outcome, error) {
			turn.Charge(agent.Usage{Calls: 3, In: 30})
			return agent.Say("paid"), nil
		})
	for _, dieAt := range []int{0, 3, 4} { // never, when the result is on record, and after the next reply
		recorder := &memory{dieAt: dieAt}
		brain := agenttest.Replies(agenttest.Reply(call("paid", "")), agenttest.Reply(call("done", "")),
			agenttest.Reply(call("done", "")))
		a := newAgent(brain, paid)
		a.Recorder = recorder
		result, err := a.Run(t.Context())
		if dieAt > 0 {
			require.ErrorIs(t, err, errKilled)
			a.Recorder = &memory{records: recorder.records}
			result, err = a.Run(t.Context())
		}
		require.NoError(t, err)
		assert.Equal(t, agent.Usage{Calls: 5, In: 30}, result.Usage, "two replies, and what was charged")
	}
}

// A nested agent that begins with more than its model takes ends the run only when it could not be asked for
// less: when its rules are what is too long. Otherwise the call fails, and its result says what helps.
func TestANestedAgentThatIsAskedAtLength(t *testing.T) {
	for name, c := range map[string]struct {
		opening []agent.Message
		fatal   bool
	}{
		"a long request": {[]agent.Message{agent.System("rules"), agent.User(longPage)}, false},
		"long rules":     {[]agent.Message{agent.System(longPage), agent.User("Read the file.")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			inner := newAgent(&agenttest.Script{
				Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
					return agent.Reply{}, agent.ErrTooLong
				}})
			inner.Name = "helper"
			inner.Open = func(context.Context) ([]agent.Message, error) { return c.opening, nil }
			brain := agenttest.Replies(agenttest.Reply(call("nest", "")), agenttest.Reply(call("done", "")))
			_, err := newAgent(brain, nesting(inner)).Run(t.Context())
			if c.fatal {
				require.ErrorIs(t, err, agent.ErrTooLong)
				return
			}
			require.NoError(t, err)
			told := results(last(t, brain))
			require.Len(t, told, 1)
			assert.Contains(t, told[0], "What helper begins with is too long by itself")
		})
	}
}
