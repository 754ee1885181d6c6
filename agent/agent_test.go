package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

type noteIn struct {
	Text string   `json:"text" jsonschema:"what to note"`
	Tags []string `json:"tags,omitempty"`
	Nth  int      `json:"nth,omitempty"`
}

// note is an action that says what it was given.
func note() agent.Action {
	return agent.NewAction("note", "Notes something.",
		func(_ context.Context, _ *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Say("noted: "+in.Text, agent.Fact{Kind: agent.Changed, Path: "notes.md"}), nil
		})
}

func ending(name string, effect agent.Effect) agent.Action {
	return agent.NewAction(name, "",
		func(_ context.Context, _ *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Outcome{Effect: effect, Text: in.Text}, nil
		})
}

func acting(
	name string,
	run func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error),
) agent.Action {
	return agent.NewAction(name, "",
		func(ctx context.Context, turn *agent.Turn, _ struct{}) (agent.Outcome, error) {
			return run(ctx, turn)
		})
}

func call(name, text string) agent.Call { return agenttest.Call(name, noteIn{Text: text}) }

// open opens with one message that counts the openings.
func open() func(context.Context) ([]agent.Message, error) {
	var times atomic.Int64 // agents side by side share it
	return func(context.Context) ([]agent.Message, error) {
		return []agent.Message{agent.System(fmt.Sprint("opening ", times.Add(1)))}, nil
	}
}

func newAgent(brain agent.Brain, more ...agent.Action) agent.Agent {
	actions := append([]agent.Action{note(), ending("reset", agent.Restart),
		ending("done", agent.Finish)}, more...)
	return agent.Agent{Name: "tester", Brain: brain, Actions: actions, Open: open(),
		Limits: agent.Limits{Steps: 20}}
}

// results are the texts of the results in a conversation.
func results(messages []agent.Message) []string {
	var texts []string
	for _, m := range messages {
		if m.Role == agent.RoleResult {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

func last(t *testing.T, brain *agenttest.Script) []agent.Message {
	t.Helper()
	heard := brain.Heard()
	require.NotEmpty(t, heard)
	return heard[len(heard)-1].Messages
}

func TestARunContinuesUntilItIsFinished(t *testing.T) {
	brain := agenttest.Replies(
		agent.Reply{Text: "first", Calls: []agent.Call{call("note", "a"), call("note", "b")},
			Usage: agent.Usage{Calls: 1, In: 100, Out: 10, Cached: 7}},
		agent.Reply{Calls: []agent.Call{call("done", "the end")},
			Usage: agent.Usage{Calls: 1, In: 200, Out: 20, Cached: 90}},
	)
	result, err := newAgent(brain).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Result{Reason: agent.Finished, Text: "the end",
		Steps: 2, Usage: agent.Usage{Calls: 2, In: 300, Out: 30, Cached: 97}}, result)

	messages := last(t, brain)
	require.Len(t, messages, 4)
	assert.Equal(t, agent.System("opening 1"), messages[0])
	assert.Equal(t, "first", messages[1].Text)
	for i, want := range []string{"noted: a", "noted: b"} {
		assert.Equal(t, agent.Message{Role: agent.RoleResult, CallID: messages[1].Calls[i].ID, Text: want},
			messages[2+i])
	}
	assert.NotEqual(t, messages[1].Calls[0].ID, messages[1].Calls[1].ID)
	assert.Len(t, messages[1].Calls[0].ID, 9)
}

func TestRestartOpensAgain(t *testing.T) {
	brain := agenttest.Replies(
		agenttest.Reply(call("note", "a")),
		agenttest.Reply(call("reset", ""), call("note", "runs all the same")),
		agenttest.Reply(call("done", "")),
	)
	result, err := newAgent(brain).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, result.Steps)
	talk := last(t, brain)
	require.Len(t, talk, 3, "the history is dropped")
	assert.Equal(t, agent.System("opening 2"), talk[0])
	require.Len(t, talk[1].Calls, 1, "but for what the same reply brought, which nobody has seen")
	assert.Equal(t, "note", talk[1].Calls[0].Name)
	assert.Equal(t, agent.Message{Role: agent.RoleResult, CallID: talk[1].Calls[0].ID,
		Text: "noted: runs all the same"}, talk[2])
}

// An action that ends the work, and opens another round of it instead, lets go of no result either.
func TestAnotherRoundSeesWhatItsReplyBrought(t *testing.T) {
	brain := agenttest.Replies(
		agenttest.Reply(call("note", "seen"), call("propose", "")),
		agenttest.Reply(call("done", "")),
	)
	propose := ending("propose", agent.Restart)
	propose.Ends = true
	_, err := newAgent(brain, propose).Run(t.Context())
	require.NoError(t, err)
	talk := last(t, brain)
	require.Len(t, talk, 3)
	assert.Equal(t, "noted: seen", talk[2].Text)
}

func TestTheStrongestEffectWins(t *testing.T) {
	brain := agenttest.Replies(agenttest.Reply(call("reset", ""), call("done", "both"), call("note", "")))
	result, err := newAgent(brain).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, "both", result.Text)
}

func TestWordsAloneAreNudgedAndThenStuck(t *testing.T) {
	t.Run("three in a row", func(t *testing.T) {
		brain := agenttest.Replies(agenttest.Words("one"), agenttest.Words("two"), agenttest.Words("three"),
			agenttest.Words("never"))
		result, err := newAgent(brain).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Stuck, result.Reason)
		assert.Equal(t, "three", result.Text)
		messages := last(t, brain)
		require.Len(t, messages, 5)
		assert.Equal(t, agent.RoleUser, messages[2].Role)
		assert.Equal(t, messages[2], messages[4])
	})
	t.Run("not in a row", func(t *testing.T) {
		brain := agenttest.Replies(agenttest.Words("1"), agenttest.Words("2"),
			agenttest.Reply(call("note", "")), agenttest.Words("3"), agenttest.Words("4"),
			agenttest.Reply(call("done", "")))
		result, err := newAgent(brain).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Finished, result.Reason)
	})
}

func TestFaultsAreToldToTheBrain(t *testing.T) {
	breaking := acting("break", func(context.Context, *agent.Turn) (agent.Outcome, error) {
		var pages []string
		return agent.Say(pages[3]), nil
	})
	failing := acting("fail", func(context.Context, *agent.Turn) (agent.Outcome, error) {
		return agent.Outcome{}, errors.New("no such page")
	})
	silent := acting("silent", func(context.Context, *agent.Turn) (agent.Outcome, error) {
		return agent.Outcome{}, nil
	})
	type aspect struct {
		Name    string   `json:"name"`
		Queries []string `json:"queries,omitempty"`
	}
	type aspects struct {
		Focus []aspect `json:"focus"`
		First *aspect  `json:"first,omitempty"`
	}
	plan := agent.NewAction("plan", "Plans.",
		func(context.Context, *agent.Turn, aspects) (agent.Outcome, error) {
			return agent.Say("planned"), nil
		})
	const holds = `an object {name (a string), and if wanted queries (a list)}`
	raw := func(name, args string) agent.Call { return agenttest.Call(name, json.RawMessage(args)) }
	cases := map[string]struct {
		call agent.Call
		says []string
	}{
		"unknown action": {raw("web_serach", `{}`),
			[]string{`"web_serach"`, "note, reset, done, break, fail, silent"}},
		"no name": {raw("", `{}`), []string{"note, reset, done"}},
		"wrong type": {raw("note", `{"text":"a","nth":1.5}`),
			[]string{
				"the arguments of note do not fit: nth is the number 1.5, and has to be a whole number"}},
		"unknown argument": {raw("note", `{"text":"a","textt":"y"}`),
			[]string{
				`there is no field "textt". The arguments are one JSON object with text (a string), and ` +
					`if wanted tags (a list), nth (a whole number)`}},
		"a word for an item": {raw("plan", `{"focus":["costs"]}`),
			[]string{`focus[0] is the string "costs", and has to be ` + holds}},
		"no object": {raw("plan", `{"focus":[],"first":3}`),
			[]string{"first is the number 3, and has to be " + holds}},
		"half an item": {raw("plan", `{"focus":[{}]}`),
			[]string{"focus[0].name is missing. The arguments are one JSON object with focus (a list, each " +
				"item of it " + holds + "), and if wanted first (" + holds}},
		"not JSON": {raw("note", `{"text":`),
			[]string{"they end before their JSON does; they have to be one JSON object"}},
		"two objects": {raw("note", `{"text":"a"}{"text":"b"}`),
			[]string{"they go on behind the JSON"}},
		"not an object": {raw("note", `["a"]`), []string{"they are a list", "one JSON object"}},
		"wrong case": {raw("note", `{"TEXT":"a"}`),
			[]string{`text is missing; there is no field "TEXT"`}},
		"nothing": {raw("note", ``), []string{`text is missing`}},
		"null":    {raw("note", `null`), []string{`text is missing`}},
		"a panic": {raw("break", `{}`),
			[]string{"break broke on this input", "index out of range"}},
		"an error":     {raw("fail", ``), []string{"Error: no such page"}},
		"no arguments": {raw("silent", ``), []string{""}},
		"more than it takes": {raw("silent", `{"x":1}`),
			[]string{`there is no field "x". The arguments are one JSON object with no fields`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			brain := agenttest.Replies(agenttest.Reply(c.call), agenttest.Reply(call("done", "")))
			a := newAgent(brain, breaking, failing, silent, plan)
			var acted []agent.Acted
			a.Observe = func(e agent.Event) {
				if e, ok := e.(agent.Acted); ok {
					acted = append(acted, e)
				}
			}
			result, err := a.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, agent.Finished, result.Reason)
			told := results(last(t, brain))
			require.Len(t, told, 1)
			for _, says := range c.says {
				assert.Contains(t, told[0], says)
			}
			require.Len(t, acted, 2)
			assert.Equal(t, c.says[0] != "", acted[0].Failed)
		})
	}
}

func TestFatalEndsTheRun(t *testing.T) {
	full := errors.New("the disk is full")
	brain := agenttest.Replies(agenttest.Reply(call("note", ""), agenttest.Call("write", struct{}{})),
		agenttest.Reply(call("done", "")))
	write := acting("write", func(context.Context, *agent.Turn) (agent.Outcome, error) {
		return agent.Outcome{}, fmt.Errorf("writing: %w", agent.Fatal(full))
	})
	_, err := newAgent(brain, write).Run(t.Context())
	assert.ErrorIs(t, err, full)
	assert.ErrorContains(t, err, "running write")
	assert.Len(t, brain.Heard(), 1)
}

func TestTheBrainsErrorEndsTheRun(t *testing.T) {
	down := errors.New("the server is down")
	brain := &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		return agent.Reply{}, down
	}}
	result, err := newAgent(brain).Run(t.Context())
	assert.ErrorIs(t, err, down)
	assert.ErrorContains(t, err, "step 1 of tester")
	assert.Zero(t, result.Steps)
}

func TestTheCauseOfACancelIsTold(t *testing.T) {
	enough := errors.New("the person pressed Ctrl-C")
	for _, where := range []string{"in the brain", "in an action", "before a step", "in turn"} {
		t.Run(where, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			stop := acting("stop", func(ctx context.Context, _ *agent.Turn) (agent.Outcome, error) {
				cancel(enough)
				if where == "before a step" {
					return agent.Say("stopped"), nil
				}
				<-ctx.Done()
				return agent.Outcome{}, ctx.Err()
			})
			after := acting("after", func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error) {
				return agent.Say(""), turn.InTurn(ctx)
			})
			stop.Parallel, after.Parallel = true, true
			brain := &agenttest.Script{
				Func: func(ctx context.Context, _ *agent.Conversation) (agent.Reply, error) {
					switch where {
					case "in the brain":
						cancel(enough)
						return agent.Reply{}, context.Cause(ctx)
					case "in turn":
						return agenttest.Reply(agenttest.Call("stop", struct{}{}),
							agenttest.Call("after", struct{}{})), nil
					}
					return agenttest.Reply(agenttest.Call("stop", struct{}{})), nil
				}}
			_, err := newAgent(brain, stop, after).Run(ctx)
			assert.ErrorIs(t, err, enough)
			assert.Len(t, brain.Heard(), 1)
		})
	}
}

func TestAnActionsTimeoutIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := acting("slow", func(ctx context.Context, _ *agent.Turn) (agent.Outcome, error) {
			<-ctx.Done()
			return agent.Outcome{}, ctx.Err()
		})
		slow.Timeout = time.Minute
		brain := agenttest.Replies(agenttest.Reply(agenttest.Call("slow", struct{}{})),
			agenttest.Reply(call("done", "")))
		var took time.Duration
		a := newAgent(brain, slow)
		a.Observe = func(e agent.Event) {
			if e, ok := e.(agent.Acted); ok && e.Call.Name == "slow" {
				took = e.Took
			}
		}
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Finished, result.Reason)
		assert.Contains(t, results(last(t, brain))[0], "slow took longer than 1m0s")
		assert.Equal(t, time.Minute, took)
	})
}

func TestNotice(t *testing.T) {
	news := []string{"", "a.md was changed by hand", ""}
	changed := []agent.Fact{{Kind: agent.Changed, Path: "a.md"}}
	brain := agenttest.Replies(agenttest.Reply(call("note", "1")), agenttest.Reply(call("note", "2")),
		agenttest.Reply(call("done", "")))
	a := newAgent(brain)
	a.Notice = func(context.Context) (agent.Notice, error) {
		text := news[0]
		news = news[1:]
		return agent.Notice{Text: text, Facts: changed}, nil
	}
	var noticed []string
	a.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Noticed); ok {
			noticed = append(noticed, e.Text)
			assert.Equal(t, changed, e.Facts)
		}
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"a.md was changed by hand"}, noticed)
	messages := last(t, brain)
	assert.Equal(t, agent.User("a.md was changed by hand"), messages[3])
	assert.Equal(t, 1, strings.Count(fmt.Sprint(messages), "by hand"))
}

// A journal holds what a notice told as facts; an older one holds its text alone.
func TestANoticeOnRecord(t *testing.T) {
	told := agent.Notice{Text: "a.md was changed", Facts: []agent.Fact{{Kind: agent.Changed, Path: "a.md"}}}
	encoded, err := json.Marshal(told)
	require.NoError(t, err)
	for value, want := range map[string]agent.Notice{
		string(encoded):      told,
		`"a.md was changed"`: {Text: "a.md was changed"},
	} {
		var got agent.Notice
		require.NoError(t, json.Unmarshal([]byte(value), &got))
		assert.Equal(t, want, got)
	}
}

func TestAnAgentMayBeRunManyTimes(t *testing.T) {
	brain := &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		return agenttest.Reply(call("done", "again")), nil
	}}
	a := newAgent(brain)
	for range 3 {
		result, err := a.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 1, result.Steps)
	}
}
