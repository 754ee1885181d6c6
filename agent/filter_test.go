package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

// filtered is an agent that reads three pages of which the second is refused by a filter, thinks aloud, and
// then ends.
func filtered(recorder agent.Recorder, sent *[][]agent.Message) agent.Agent {
	read := agent.NewAction("read", "",
		func(_ context.Context, _ *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Say(agent.Outside("page", "the words of "+in.Text)), nil
		})
	a := newAgent(&agenttest.Script{
		Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
			*sent = append(*sent, talk.Messages[:len(talk.Messages):len(talk.Messages)])
			said, refused := 0, false
			for _, m := range talk.Messages {
				if m.Role == agent.RoleAssistant {
					said++
				}
				refused = refused || strings.Contains(m.Text, "the words of bad")
			}
			used := agent.Usage{Calls: 1, In: 10, Out: 1}
			switch {
			case refused:
				return agent.Reply{Usage: used}, fmt.Errorf("the server says: %w", agent.ErrFiltered)
			case said == 3:
				return agent.Reply{Calls: []agent.Call{call("done", "")}, Usage: used}, nil
			}
			return agent.Reply{Thoughts: fmt.Sprint("thought ", said),
				Calls: []agent.Call{call("read", []string{"good", "bad", "fine"}[said])}, Usage: used}, nil
		}}, read)
	a.Recorder = recorder
	return a
}

// A page that is refused is withheld and the work goes on; every try is paid for; and a run that was killed
// anywhere sends the same as one that was not, thoughts and all.
func TestAPageThatIsRefusedIsWithheld(t *testing.T) {
	var want [][]agent.Message
	uncut := &memory{}
	result, err := filtered(uncut, &want).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, agent.Usage{Calls: 5, In: 50, Out: 5}, result.Usage)
	final := want[len(want)-1]
	text := fmt.Sprint(final)
	assert.Contains(t, text, "the words of good")
	assert.NotContains(t, text, "the words of bad")
	assert.Contains(t, text, "[Withheld: the content filter")
	assert.Contains(t, text, "thought 2")

	for dieAt := 1; dieAt < len(uncut.records); dieAt++ {
		recorder := &memory{dieAt: dieAt}
		var sent [][]agent.Message
		_, err := filtered(recorder, &sent).Run(t.Context())
		require.ErrorIs(t, err, errKilled, "at record %d", dieAt)
		recorder.dieAt = 0
		sent = nil
		result, err = filtered(recorder, &sent).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, agent.Finished, result.Reason)
		for _, messages := range sent {
			assert.Contains(t, want, messages, "killed at record %d", dieAt)
		}
	}
}

// What is told before a step is told once, though the step is taken twice.
func TestANoticeBeforeAPageIsRefused(t *testing.T) {
	var sent [][]agent.Message
	a := filtered(nil, &sent)
	steps := 0
	a.Notice = func(context.Context) (agent.Notice, error) {
		if steps++; steps == 3 {
			return agent.Notice{Text: "a person edited"}, nil
		}
		return agent.Notice{}, nil
	}
	_, err := a.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(fmt.Sprint(sent[len(sent)-1]), "a person edited"))
}

// A filter that refuses what a nested agent is shown costs the call, and not the run.
func TestANestedAgentThatIsRefused(t *testing.T) {
	refusing := &agenttest.Script{Func: func(context.Context, *agent.Conversation) (agent.Reply, error) {
		return agent.Reply{}, fmt.Errorf("the server says: %w", agent.ErrFiltered)
	}}
	nesting := acting("nest", func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error) {
		result, err := turn.Nest(ctx, agent.Agent{Name: "reader", Brain: refusing, Open: open()})
		return agent.Say(result.Text), err
	})
	brain := agenttest.Replies(agenttest.Reply(agenttest.Call("nest", struct{}{})),
		agenttest.Reply(call("done", "")))
	result, err := newAgent(brain, nesting).Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, results(last(t, brain))[0], "a content filter stopped it")
}

// Two pages of one reply are refused, and the run is killed between the two: the next one withholds both,
// with a journal that recalls only what a run before it recorded.
func TestPagesAreWithheldOverAKill(t *testing.T) {
	records := &memory{old: 1}
	read := agent.NewAction("read", "",
		func(_ context.Context, _ *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Say(agent.Outside("page", "the words of "+in.Text)), nil
		})
	run := func() (agent.Result, int, error) {
		asked := 0
		a := newAgent(&agenttest.Script{
			Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
				asked++
				switch text := fmt.Sprint(talk.Messages); {
				case asked > 10:
					return agent.Reply{}, fmt.Errorf("asked without end")
				case strings.Contains(text, "the words of bad"):
					return agent.Reply{}, agent.ErrFiltered
				case len(talk.Messages) > 1:
					return agenttest.Reply(call("done", "")), nil
				}
				return agenttest.Reply(call("read", "bad"), call("read", "bad too")), nil
			}}, read)
		a.Recorder = records
		result, err := a.Run(t.Context())
		return result, asked, err
	}
	for i := 1; ; i++ { // until it dies right after the first is withheld
		*records = memory{old: 1, dieAt: i}
		_, _, err := run()
		require.ErrorIs(t, err, errKilled)
		if strings.HasSuffix(records.records[i-1].key, " withheld") {
			break
		}
	}
	records.dieAt, records.old = 0, len(records.records)
	result, asked, err := run()
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, 2, asked)
}
