// Package agenttest plays the part of the model in tests.
//
// [Script] is the type you want: a model's replies, in turn. It is itself a Brain, and it can supply the
// answers of a [Server], which speaks OpenAI's protocol over real HTTP:
//
//	brain := agenttest.Replies(agenttest.Reply(agenttest.Call("done", map[string]string{"answer": "42"})))
//
// [Faulty] spoils some of a server's answers according to a plan.
//
// The package does not import testing: failures are returned as errors, or by [Script.Err] afterwards. It
// guesses nothing: a question without a matching line is an error that names who asked what.
package agenttest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent"
)

// Script is a Brain with prepared replies. Its exported fields must not be changed after the first question.
type Script struct {
	// Lines are said in turn: the first unsaid one that fits the asking agent.
	Lines []Line
	// Func, if set, replies instead of the lines.
	Func func(ctx context.Context, talk *agent.Conversation) (agent.Reply, error)

	mu    sync.Mutex
	said  map[int]bool
	heard []Heard
	err   error
}

var _ agent.Brain = (*Script)(nil)

// Line is an answer with conditions on who asks.
type Line struct {
	For    string // an action that the asking agent must have; "" for any agent
	When   string // a text that must occur in the conversation; "" for any conversation
	Always bool   // the line may be repeated
	Answer
}

// Heard is a conversation as shown to a Script.
type Heard struct {
	Actions  []string
	Messages []agent.Message
}

// Replies returns a Script with these replies in turn, for any agent.
func Replies(replies ...agent.Reply) *Script {
	s := &Script{}
	for _, r := range replies {
		s.Lines = append(s.Lines, Line{Answer: Answer{Reply: r}})
	}
	return s
}

// Reply returns a reply that makes these calls.
func Reply(calls ...agent.Call) agent.Reply { return agent.Reply{Calls: calls} }

// Words returns a reply of words alone.
func Words(text string) agent.Reply { return agent.Reply{Text: text} }

// Call returns a call of an action. The arguments are encoded as JSON, but a json.RawMessage is used as it
// is, valid or not.
func Call(name string, args any) agent.Call {
	if raw, ok := args.(json.RawMessage); ok {
		return agent.Call{Name: name, Args: string(raw)}
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		encoded = []byte(err.Error()) // not JSON, so the action reports it
	}
	return agent.Call{Name: name, Args: string(encoded)}
}

// Think returns the next reply. An answer that only a server can give, such as a status, is an error here.
func (s *Script) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, context.Cause(ctx)
	}
	n := len(talk.Messages)
	heard := Heard{Messages: talk.Messages[:n:n]} // only appended to, so it needs no copy
	for _, a := range talk.Actions {
		heard.Actions = append(heard.Actions, a.Name)
	}
	s.mu.Lock()
	s.heard = append(s.heard, heard)
	s.mu.Unlock()
	if s.Func != nil {
		return s.Func(ctx, talk)
	}
	answer, err := s.next(heard.Actions, heard.mentions)
	if err != nil {
		return agent.Reply{}, err
	}
	if answer.Stall {
		<-ctx.Done()
		return agent.Reply{}, context.Cause(ctx)
	}
	if answer.fails() {
		return agent.Reply{}, fmt.Errorf("the script answers with status %d: %s", answer.Status, answer.Body)
	}
	reply := answer.Reply
	reply.Usage = cmp.Or(reply.Usage, agent.Usage{Calls: 1})
	return reply, nil
}

// Answer returns the answer to a [Server]'s request.
func (s *Script) Answer(r Request) Answer {
	answer, err := s.next(r.Tools, func(text string) bool {
		return slices.ContainsFunc(r.Messages, func(m Message) bool { return m.mentions(text) })
	})
	if err != nil {
		// A status that no client retries.
		return Answer{Status: http.StatusBadRequest, Body: errorBody(err.Error(), "script")}
	}
	return answer
}

// Heard returns every conversation shown to the script as a Brain, in order.
func (s *Script) Heard() []Heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heard)
}

// Left returns how many lines were not said, apart from those with Always.
func (s *Script) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := 0
	for i, line := range s.Lines {
		if !line.Always && !s.said[i] {
			left++
		}
	}
	return left
}

// Err returns the error for the first question without a line.
func (s *Script) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *Script) next(actions []string, mentioned func(text string) bool) (Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, line := range s.Lines {
		fits := (line.For == "" || slices.Contains(actions, line.For)) &&
			(line.When == "" || mentioned(line.When))
		if s.said[i] || !fits {
			continue
		}
		if !line.Always {
			if s.said == nil {
				s.said = map[int]bool{}
			}
			s.said[i] = true
		}
		return line.Answer, nil
	}
	err := fmt.Errorf("the script ran out: after %d of %d lines none is for an agent with the actions %s",
		len(s.said), len(s.Lines), strings.Join(actions, ", "))
	if s.err == nil {
		s.err = err
	}
	return Answer{}, err
}

func (h Heard) mentions(text string) bool {
	return slices.ContainsFunc(h.Messages, func(m agent.Message) bool {
		return strings.Contains(m.Text, text) ||
			slices.ContainsFunc(m.Calls, func(c agent.Call) bool { return strings.Contains(c.Args, text) })
	})
}
