package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// reading is an agent that looks things up, with a window of so many tokens. A look brings 400 tokens, and
// clear clears its memory.
type reading struct {
	window int
	calls  func(d *reading, talk *agent.Conversation) []agent.Call

	looked, cleared, opened int
	musts                   []string
	told                    []string // what it was told by no action
	results                 []string // what its actions said
}

var longPage = strings.Repeat("A page of words. ", 85) // 400 tokens as estimated

func (d *reading) think(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
	d.musts = append(d.musts, talk.Must)
	used := 0
	for i, m := range talk.Messages {
		used += agent.EstimateTokens(m.Text)
		if m.Role == agent.RoleUser && i > 0 {
			d.told = append(d.told, m.Text)
		}
		if m.Role == agent.RoleResult {
			d.results = append(d.results, m.Text)
		}
	}
	if used > d.window {
		return agent.Reply{}, fmt.Errorf("%d tokens: %w", used, agent.ErrTooLong)
	}
	return agent.Reply{Calls: d.calls(d, talk), Usage: agent.Usage{Calls: 1},
		Room: agent.Room{Used: used, Window: d.window}}, nil
}

func (d *reading) agent(compresses bool) agent.Agent {
	clears := agent.NewAction("clear", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
		d.cleared++
		return agent.Outcome{Effect: agent.Restart}, nil
	})
	clears.Compresses = compresses
	look := agent.NewAction("look", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
		d.looked++
		return agent.Say(longPage), nil
	})
	look.Explores = true
	return agent.Agent{
		Name: "desk", Brain: &agenttest.Script{Func: d.think},
		Actions: []agent.Action{
			look,
			clears,
			agent.NewAction("done", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
				return agent.Outcome{Effect: agent.Finish, Text: "done"}, nil
			}),
		},
		Open: func(context.Context) ([]agent.Message, error) {
			d.opened++
			return []agent.Message{agent.System("rules")}, nil
		},
		Limits: agent.Limits{Steps: 40},
	}
}

// asksFor is a reply's calls, each with words of its own: who asks the same again and again goes in circles.
func asksFor(talk *agent.Conversation, names ...string) []agent.Call {
	var calls []agent.Call
	for _, name := range names {
		calls = append(calls, call(name, word(len(talk.Messages)+len(calls))))
	}
	return calls
}

func holds(texts []string, part string) bool {
	for _, text := range texts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// What a reply brings that clears the memory opens the next stretch, and is let go where it does not fit the
// model.
func TestWhatTheClearingReplyBroughtIsSeen(t *testing.T) {
	for name, looks := range map[string]int{"it fits": 2, "it is too long": 12} {
		t.Run(name, func(t *testing.T) {
			d := &reading{window: 4000, calls: func(d *reading, talk *agent.Conversation) []agent.Call {
				if d.cleared > 0 {
					return asksFor(talk, "done")
				}
				names := []string{"clear"}
				for range looks {
					names = append(names, "look")
				}
				return asksFor(talk, names...)
			}}
			result, err := d.agent(true).Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, 1, d.cleared)
			assert.True(t, holds(d.results, longPage))
			assert.Equal(t, looks == 12, holds(d.told, "no longer fitted"))
		})
	}
}

// Of what such a reply wrote, the next stretch holds the beginning: the whole is where it was written.
func TestWhatWasWrittenIsCarriedInBrief(t *testing.T) {
	long := strings.Repeat("What the agent wrote. ", 100)
	var carried string
	d := &reading{window: 4000, calls: func(d *reading, talk *agent.Conversation) []agent.Call {
		if d.cleared == 0 {
			return []agent.Call{call("look", long), call("clear", "now")}
		}
		for _, m := range talk.Messages {
			for _, c := range m.Calls {
				carried += c.Args
			}
		}
		return asksFor(talk, "done")
	}}
	_, err := d.agent(true).Run(t.Context())
	require.NoError(t, err)
	assert.Contains(t, carried, "What the agent wrote. What")
	assert.Contains(t, carried, "…")
	assert.Less(t, len(carried), 400)
}

// A model that looks and looks is asked to clear its memory when the window is three quarters full, and must
// when nine tenths are: what else it calls is not done. With a brain that says nothing of a window the same
// model looks on.
func TestAnUpdateIsAskedForAndThenRequired(t *testing.T) {
	looks := func(d *reading, talk *agent.Conversation) []agent.Call {
		switch {
		case d.cleared > 0:
			return asksFor(talk, "done")
		case talk.Must != "" && holds(d.results, "look was not done"):
			return asksFor(talk, "look", talk.Must) // clears, though the first fails again
		}
		return asksFor(talk, "look")
	}
	d := &reading{window: 4000, calls: looks}
	a := d.agent(true)
	var warned []string
	a.Observe = func(e agent.Event) {
		if w, ok := e.(agent.Warned); ok {
			warned = append(warned, w.Text)
		}
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, 9, d.looked)
	assert.Equal(t, 1, d.cleared)
	assert.Equal(t, 2, d.opened, "its memory was cleared by itself")
	assert.Equal(t, []string{"clear", "clear", ""}, d.musts[len(d.musts)-3:])
	assert.True(t, holds(d.results, "Call clear first"))
	require.Len(t, warned, 2)
	assert.Contains(t, warned[0], "of 4000 tokens). Write down now what you found and what comes "+
		"next, detail elsewhere, then call clear")
	assert.Contains(t, warned[1], "Call clear now")

	d = &reading{window: 4000, calls: looks}
	a = d.agent(true)
	silent := a.Brain
	a.Brain =
		&agenttest.Script{Func: func(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
			reply, err := silent.Think(ctx, talk)
			reply.Room = agent.Room{}
			if d.opened > 1 {
				return agenttest.Reply(asksFor(talk, "done")...), nil
			}
			return reply, err
		}}
	_, err = a.Run(t.Context())
	require.NoError(t, err)
	assert.Zero(t, d.cleared)
	assert.Equal(t, 10, d.looked)
}

// An agent that cannot clear its memory is told to come to an answer, and when it does not, all that it did
// is dropped, and it is told so.
func TestAnAgentWithoutAWayToClearItsMemory(t *testing.T) {
	d := &reading{window: 2000, calls: func(d *reading, talk *agent.Conversation) []agent.Call {
		if d.opened > 1 {
			return asksFor(talk, "done")
		}
		return asksFor(talk, "look")
	}}
	a := d.agent(false)
	var dropped []string
	a.Observe = func(e agent.Event) {
		if w, ok := e.(agent.Warned); ok {
			dropped = append(dropped, w.Text)
		}
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	for _, part := range []string{"Come to an answer", "Answer now with what you have",
		"All that you did was dropped"} {
		assert.True(t, holds(d.told, part), part)
	}
	assert.True(t, holds(dropped, "the conversation is too long for the model"), "the person is told")
	for _, must := range d.musts {
		assert.Empty(t, must)
	}
}

// What an agent opens with is not what it is asked to clear: it would never come to anything else. When that
// alone does not fit, the error says what window it takes.
func TestAnOpeningThatIsLarge(t *testing.T) {
	d := &reading{window: 2000, calls: func(d *reading, talk *agent.Conversation) []agent.Call {
		if d.looked == 0 {
			return asksFor(talk, "look")
		}
		return asksFor(talk, "done")
	}}
	a := d.agent(true)
	a.Open = func(context.Context) ([]agent.Message, error) {
		// 1,800 tokens
		return []agent.Message{agent.System(strings.Repeat(longPage, 4) + longPage[:700])}, nil
	}
	result, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, 1, d.looked)

	d.window = 1000
	_, err = a.Run(t.Context())
	require.ErrorIs(t, err, agent.ErrTooLong)
	assert.Contains(t, err.Error(),
		"What desk begins with is too long by itself: it takes a window of at least 3072 tokens")
}

// A result that would take more than an eighth of the window is kept elsewhere, whole; the model is shown its
// beginning, in marks that are closed, and where the rest is.
func TestALargeResultIsKeptElsewhere(t *testing.T) {
	whole := agent.Outside("page", strings.Repeat("A line of a page.\n", 2000), "title", "Tides")
	for name, c := range map[string]struct {
		window, least, most int // of what is shown, in tokens
		keep                bool
	}{
		"a window of 16,000":  {16_000, 1500, 2100, true},
		"an unknown window":   {0, 7000, 8100, true},
		"a tiny window":       {1000, 350, 620, true},
		"nowhere to keep it":  {16_000, 1500, 2100, false},
		"a very large window": {1_000_000, 7000, 8100, true},
	} {
		t.Run(name, func(t *testing.T) {
			var shown string
			kept := map[string]string{}
			a := agent.Agent{
				Name: "a",
				Brain: &agenttest.Script{
					Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
						reply := agenttest.Reply(asksFor(talk, "look")...)
						switch last := talk.Messages[len(talk.Messages)-1]; {
						case strings.Contains(last.Text, "A line"):
							shown = last.Text
							reply = agenttest.Reply(asksFor(talk, "done")...)
						case len(talk.Messages) == 1:
							reply = agenttest.Reply(asksFor(talk, "wait")...) // to hear of the window
						}
						reply.Room.Window = c.window
						return reply, nil
					}},
				Actions: []agent.Action{
					agent.NewAction("wait", "", func(context.Context, *agent.Turn,
						noteIn) (agent.Outcome, error) {
						return agent.Say("ready"), nil
					}),
					agent.NewAction("look", "", func(context.Context, *agent.Turn,
						noteIn) (agent.Outcome, error) {
						return agent.Say(whole), nil
					}),
					agent.NewAction("done",
						"", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
							return agent.Outcome{Effect: agent.Finish, Text: whole}, nil
						}),
				},
				Open: func(context.Context) ([]agent.Message, error) {
					return []agent.Message{agent.System("rules")}, nil
				},
			}
			if c.keep {
				a.Keep = func(call, text string) (string, error) {
					kept[call] = text
					return "Sources/" + call + ".md", nil
				}
			}
			result, err := a.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, whole, result.Text, "an answer is not cut")
			tokens := agent.EstimateTokens(shown)
			assert.GreaterOrEqual(t, tokens, c.least)
			assert.LessOrEqual(t, tokens, c.most)
			assert.Equal(t, 1, strings.Count(shown, "</page>"))
			assert.Contains(t, shown, fmt.Sprintf("of %d bytes. The whole is too much for one result.",
				len(whole)))
			if !c.keep {
				assert.Contains(t, shown, "Ask for less.")
				return
			}
			assert.Equal(t, map[string]string{"c00000200": whole}, kept)
			lines := strings.Count(shown, "A line")
			assert.Contains(t, shown, fmt.Sprintf(
				"It stands in Sources/c00000200.md: read on from its line %d, %d lines at a time.",
				lines+2, lines+1))
		})
	}
}

// What cannot be kept would be lost, so the run ends.
func TestALargeResultThatCanNotBeKept(t *testing.T) {
	a := agent.Agent{
		Name: "a", Brain: agenttest.Replies(agenttest.Reply(call("look", "a"))),
		Actions: []agent.Action{agent.NewAction("look",
			"", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
				return agent.Say(strings.Repeat(longPage, 100)), nil
			})},
		Open: func(context.Context) ([]agent.Message, error) { return nil, nil },
		Keep: func(string, string) (string, error) { return "", errors.New("the disk is full") },
	}
	_, err := a.Run(t.Context())
	require.ErrorContains(t, err, "running look: the disk is full")
}

// A run that is killed at any moment goes on with the window as full as it was: the model is asked to clear
// its memory where it would have been, and once.
func TestTheWindowIsKnownAfterAKill(t *testing.T) {
	for dieAt := 1; dieAt <= 24; dieAt++ {
		d := &reading{window: 4000, calls: func(d *reading, talk *agent.Conversation) []agent.Call {
			switch {
			case d.cleared > 0:
				return asksFor(talk, "done")
			case talk.Must != "":
				return asksFor(talk, talk.Must)
			}
			return asksFor(talk, "look")
		}}
		a, records := d.agent(true), &memory{dieAt: dieAt}
		a.Recorder = records
		_, err := a.Run(t.Context())
		if dieAt < 22 {
			require.ErrorIs(t, err, errKilled, "killed at %d", dieAt)
		}
		records.dieAt = 0
		result, err := a.Run(t.Context())
		require.NoError(t, err, "killed at %d", dieAt)
		assert.Equal(t, agent.Finished, result.Reason)
		// one whose outcome was not on record yet is done again
		assert.InDelta(t, 9, d.looked, 1, "killed at %d", dieAt)
		asked := 0
		for _, text := range d.told {
			if strings.Contains(text, "Call clear now") {
				asked++
			}
		}
		assert.LessOrEqual(t, asked, 2, "killed at %d", dieAt) // again when the reply to it was lost
		assert.Positive(t, asked, "killed at %d", dieAt)
		assert.InDelta(t, 1, d.cleared, 1)
	}
}

// What several tries cost together is not how full the window is.
func TestWhatSeveralTriesCostFillsNoWindow(t *testing.T) {
	var musts []string
	a := agent.Agent{
		Name: "a",
		Brain: &agenttest.Script{
			Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
				musts = append(musts, talk.Must)
				switch len(musts) {
				case 1:
					return agent.Reply{Calls: asksFor(talk, "look"),
						Room: agent.Room{Used: 400, Window: 1000}}, nil
				case 2:
					return agent.Reply{Usage: agent.Usage{Calls: 3, In: 1500}}, agent.ErrCut
				}
				return agenttest.Reply(asksFor(talk, "clear")...), nil
			}},
		Actions: []agent.Action{
			agent.NewAction("look", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
				return agent.Say("seen"), nil
			}),
			agent.NewAction("clear", "", func(context.Context, *agent.Turn, noteIn) (agent.Outcome, error) {
				return agent.Outcome{Effect: agent.Finish}, nil
			}),
		},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System("rules")}, nil
		},
	}
	a.Actions[1].Compresses = true
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"", "", ""}, musts)
}

// A nested agent's memory that was dropped is dropped again by a run that is resumed: what it sends is what
// the one before sent.
func TestADroppedMemoryOfANestedAgentStaysDropped(t *testing.T) {
	run := func(records *memory, sent map[string]bool) error {
		d := &reading{window: 2000, calls: func(_ *reading, talk *agent.Conversation) []agent.Call {
			for _, m := range talk.Messages {
				if strings.Contains(m.Text, "was dropped") && len(talk.Messages) > 5 {
					return asksFor(talk, "done")
				}
			}
			return asksFor(talk, "look")
		}}
		inner := d.agent(false)
		think := inner.Brain
		inner.Brain = &agenttest.Script{
			Func: func(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
				sent[fmt.Sprint(talk.Messages)] = true
				return think.Think(ctx, talk)
			}}
		outer := newAgent(agenttest.Replies(agenttest.Reply(call("nest", "")),
			agenttest.Reply(call("done", ""))), nesting(inner))
		if records.dieAt == 0 && len(records.records) > 0 { // the first reply is on record
			outer.Brain = agenttest.Replies(agenttest.Reply(call("done", "")))
		}
		outer.Recorder = records
		_, err := outer.Run(t.Context())
		return err
	}
	uncut, want := &memory{}, map[string]bool{}
	require.NoError(t, run(uncut, want))
	assert.Contains(t, fmt.Sprint(want), "was dropped")
	for dieAt := 3; dieAt < len(uncut.records)-3; dieAt++ { // while the nested one works
		records := &memory{dieAt: dieAt, old: 1}
		require.ErrorIs(t, run(records, map[string]bool{}), errKilled)
		records.dieAt, records.old = 0, len(records.records)
		sent := map[string]bool{}
		require.NoError(t, run(records, sent), "killed at %d", dieAt)
		for messages := range sent {
			assert.True(t, want[messages], "killed at %d, it is sent what it was not before: %s",
				dieAt, messages)
		}
	}
}
