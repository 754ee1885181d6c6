package intake_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/intake"
)

// clear is a judgement by which nothing has to be asked.
func clear(topic string, confidence float64, assumptions ...string) intake.Judgement {
	return intake.Judgement{
		Topic: topic, TopicClear: true, Scope: "its usual sides", ScopeClear: true, Goal: "an overview",
		GoalClear: true, Confidence: confidence,
		Focus: []intake.Focus{{Name: "What it is", Queries: []string{topic}},
			{Name: "What is new", Queries: []string{topic + " 2026"}},
			{Name: "Disputes", Queries: []string{topic + " debate"}}},
		Assumptions: assumptions,
	}
}

// but changes a judgement.
func but(j intake.Judgement, change func(*intake.Judgement)) intake.Judgement {
	j.Terms = slices.Clone(j.Terms)
	change(&j)
	return j
}

// vague is a judgement by which one dimension is not clear, and the question that it asks.
func vague(topic, what string, confidence float64, question string, options ...string) intake.Judgement {
	return but(clear(topic, confidence), func(j *intake.Judgement) {
		switch what {
		case "topic":
			j.TopicClear, j.Topic = false, ""
		case "scope":
			j.ScopeClear = false
		case "goal":
			j.GoalClear = false
		}
		j.Question, j.Options, j.Missing = question, options, what
	})
}

// unsure is a judgement with a term that the model does not know.
func unsure(topic, term string) intake.Judgement {
	return but(clear(topic, 0.6), func(j *intake.Judgement) { j.Terms = []intake.Term{{Term: term}} })
}

// judged is what a model replies.
func judged(j intake.Judgement) agent.Reply { return agenttest.Reply(agenttest.Call("judge", j)) }

func script(judgements ...intake.Judgement) *agenttest.Script {
	var replies []agent.Reply
	for _, j := range judgements {
		replies = append(replies, judged(j))
	}
	return agenttest.Replies(replies...)
}

// person answers as told, and is gone when there is nothing more to say.
type person struct {
	answers  []string
	verdicts []intake.Verdict
	heard    []intake.Question
	shown    []intake.Plan
	trace    func(format string, args ...any)
}

func (p *person) note(format string, args ...any) {
	if p.trace != nil {
		p.trace(format, args...)
	}
}

func (p *person) Answer(_ context.Context, q intake.Question) (string, error) {
	p.heard = append(p.heard, q)
	p.note("ask %s", q.Text)
	if len(p.heard) > len(p.answers) {
		return "", io.EOF
	}
	return p.answers[len(p.heard)-1], nil
}

func (p *person) Confirm(_ context.Context, plan intake.Plan) (intake.Verdict, error) {
	p.shown = append(p.shown, plan)
	p.note("show %d chapters", len(plan.Chapters))
	if len(p.shown) > len(p.verdicts) {
		return intake.Verdict{}, io.EOF
	}
	return p.verdicts[len(p.shown)-1], nil
}

// memory is a Recorder that can be killed: once it holds so many records it takes no more.
type memory struct {
	mu     sync.Mutex
	values map[string][]byte
	dieAt  int
	synced int
}

var errKilled = errors.New("killed")

func (m *memory) Recall(key string, into any) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.values[key]
	return ok && json.Unmarshal(data, into) == nil
}

func (m *memory) Record(key string, value any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	m.values[key] = data
	if len(m.values) == m.dieAt {
		return errKilled
	}
	return nil
}

func (m *memory) Sync() error {
	m.synced++
	return nil
}

// opening is all that an agent of the intake was shown at its n-th opening, from 0.
func opening(t *testing.T, brain *agenttest.Script, n int) string {
	t.Helper()
	var openings []string
	for _, h := range brain.Heard() {
		if len(h.Messages) == 2 {
			openings = append(openings, h.Messages[1].Text)
		}
	}
	require.Greater(t, len(openings), n)
	return openings[n]
}

// play runs an intake and writes down what happened, as "look up X; ask Q; start".
func play(
	t *testing.T,
	i intake.Intake,
	question, purpose string,
	p *person,
	found map[string]string,
) (intake.Brief, string) {
	t.Helper()
	var steps []string
	trace := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	if p != nil {
		p.trace = trace
		i.Person = p
	}
	if found != nil {
		i.LookUp = func(_ context.Context, term string) (string, error) {
			trace("look up %s", term)
			return agent.Outside("results", found[term]), nil
		}
	}
	brief, err := i.Brief(t.Context(), question, purpose)
	require.NoError(t, err)
	switch {
	case brief.Refusal != "":
		trace("refuse")
	case len(brief.Assumptions) > 0:
		trace("assume")
	default:
		trace("start")
	}
	if script, ok := i.Brain.(*agenttest.Script); ok {
		require.NoError(t, script.Err())
		assert.Zero(t, script.Left(), "judgements that were not asked for")
	}
	assert.Equal(t, question, brief.Question)
	return brief, strings.Join(steps, "; ")
}
