package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
)

var errKilled = errors.New("killed")

// memory is a Recorder that can die: once it holds so many records it takes no more, and says so.
type memory struct {
	mu      sync.Mutex
	records []record
	dieAt   int // 0 for never
	old     int // when not 0, only so many are recalled: a journal recalls what a run before recorded
}

type record struct {
	key   string
	value []byte
}

func (m *memory) Recall(key string, into any) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := len(m.records) - 1; i >= 0; i-- {
		if m.records[i].key == key && (m.old == 0 || i < m.old) {
			return json.Unmarshal(m.records[i].value, into) == nil
		}
		if m.records[i].key == agent.KeyOpen {
			break
		}
	}
	return false
}

func (m *memory) Record(key string, value any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dieAt > 0 && len(m.records) >= m.dieAt {
		return errKilled
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	m.records = append(m.records, record{key, encoded})
	if len(m.records) == m.dieAt {
		return errKilled
	}
	return nil
}

func (m *memory) Sync() error { return nil }

// world is what a run works on: a Brain that knows by the conversation alone what comes next, and a person
// who changes a file once.
type world struct {
	asked   map[string]int
	final   []agent.Message
	edits   int
	mu      sync.Mutex
	nesting bool
}

func (w *world) think(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	said := 0
	for _, m := range talk.Messages {
		if m.Role == agent.RoleAssistant {
			said++
		}
	}
	who := talk.Messages[0].Text
	w.asked[fmt.Sprint(who, said)]++
	var reply agent.Reply
	switch fmt.Sprint(who, " ", said) {
	case "root 0":
		reply = agenttest.Reply(call("side", "a"), call("side", "b"), call("note", "c"),
			agenttest.Call("note", json.RawMessage(`{}`)))
	case "root 1":
		reply = agenttest.Reply(call("nest", ""), call("note", "after the helper"))
		if !w.nesting {
			reply = agenttest.Reply(call("note", "no helper"))
		}
	case "root 2":
		reply = agenttest.Words("I wonder.")
	case "root 3":
		reply = agenttest.Reply(call("side", "beside the reset"), call("reset", ""))
	case "again 1": // what the reset's reply brought counts as said
		reply = agenttest.Reply(call("note", "d"))
	case "again 2":
		w.final = talk.Messages
		reply = agenttest.Reply(call("done", "the end"))
	case "helper 0":
		reply = agenttest.Reply(call("note", "inside"), call("side", "too"))
	case "helper 1":
		reply = agenttest.Reply(call("done", "helped"))
	default:
		return reply, fmt.Errorf("nothing to say as %s %d", who, said)
	}
	reply.Usage = agent.Usage{Calls: 1, In: 10, Out: 1}
	return reply, nil
}

// agent builds the agent afresh, as a program does that was started again. Whether it was compressed is all
// that its files say.
func (w *world) agent(recorder agent.Recorder, compressed *bool) agent.Agent {
	brain := &agenttest.Script{Func: w.think}
	side := agent.NewAction("side", "",
		func(_ context.Context, _ *agent.Turn, in noteIn) (agent.Outcome, error) {
			return agent.Say("side: " + in.Text), nil
		})
	side.Parallel = true
	helper := newAgent(brain, side)
	helper.Name = "helper"
	helper.Open = func(context.Context) ([]agent.Message, error) {
		return []agent.Message{agent.System("helper")}, nil
	}
	root := newAgent(brain, side, nesting(helper))
	for i, a := range root.Actions {
		if a.Name != "reset" {
			continue
		}
		root.Actions[i].Run = func(context.Context, *agent.Turn) (agent.Outcome, error) {
			*compressed = true
			return agent.Outcome{Effect: agent.Restart}, nil
		}
	}
	root.Open = func(context.Context) ([]agent.Message, error) {
		if *compressed {
			return []agent.Message{agent.System("again")}, nil
		}
		return []agent.Message{agent.System("root")}, nil
	}
	root.Notice = func(context.Context) (agent.Notice, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.edits == 0 || len(w.asked) < 2 {
			return agent.Notice{}, nil
		}
		w.edits--
		return agent.Notice{Text: "a file was changed"}, nil
	}
	root.Recorder = recorder
	return root
}

func newWorld(nesting bool) *world {
	return &world{asked: map[string]int{}, edits: 1, nesting: nesting}
}

// A run that is killed after any of its records ends, when it is run again, as if nothing had been: nothing
// is asked twice.
func TestResumeAfterEveryRecord(t *testing.T) {
	for _, nesting := range []bool{false, true} {
		whole, compressed, all := newWorld(nesting), false, &memory{}
		want, err := whole.agent(all, &compressed).Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, agent.Finished, want.Reason)
		require.Greater(t, len(all.records), 10)
		for n := 1; n <= len(all.records); n++ {
			t.Run(fmt.Sprintf("nesting %t, %d records", nesting, n), func(t *testing.T) {
				w, compressed, recorder := newWorld(nesting), false, &memory{dieAt: n}
				_, err := w.agent(recorder, &compressed).Run(t.Context())
				require.ErrorIs(t, err, errKilled)
				if n == len(all.records) {
					return // it was over already
				}
				result, err := w.agent(&memory{records: recorder.records}, &compressed).Run(t.Context())
				require.NoError(t, err)
				assert.Equal(t, whole.asked, w.asked, "each step is asked for once")
				assert.Equal(t, whole.final, w.final)
				assert.Equal(t, want.Reason, result.Reason)
				assert.Equal(t, want.Text, result.Text)
				assert.Equal(t, want.Steps, result.Steps)
				assert.Equal(t, want.Usage, result.Usage)
			})
		}
	}
}
