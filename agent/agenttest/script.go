// Package agenttest plays the part of the model in tests.
//
// [Script] is the type you want: what a model says, reply by reply. It is a Brain itself, and it tells a
// [Server], which speaks OpenAI's protocol over real HTTP, what to answer:
//
//	brain := agenttest.Replies(agenttest.Reply(agenttest.Call("done", map[string]string{"answer": "42"})))
//
// [Faulty] spoils some of a server's answers by a plan.
//
// The package does not import testing: what goes wrong is returned as an error, or told by [Script.Err]
// afterwards. It guesses nothing: a script that has no line for a question is an error that says who asked
// what.
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

// Script is a Brain that says what it was told to. Its exported fields must not be changed once it was asked.
type Script struct {
	// Lines are said in turn: of those not yet said, the first that fits who asks.
	Lines []Line
	// Func, when set, replies in place of the lines.
	Func func(ctx context.Context, talk *agent.Conversation) (agent.Reply, error)

	mu    sync.Mutex
	said  map[int]bool
	heard []Heard
	err   error
}

var _ agent.Brain = (*Script)(nil)

// Line is something to say, and to whom.
type Line struct {
	For    string // an action that the agent which asks must have; "" is any agent
	When   string // a text that must occur in the conversation; "" is any conversation
	Always bool   // the line may be said again and again
	Answer
}

// Heard is a conversation as a Script was shown it.
type Heard struct {
	Actions  []string
	Messages []agent.Message
}

// Replies is a Script that gives these replies in turn, whoever asks.
func Replies(replies ...agent.Reply) *Script {
	s := &Script{}
	for _, r := range replies {
		s.Lines = append(s.Lines, Line{Answer: Answer{Reply: r}})
	}
	return s
}

// Reply is a reply that asks for these calls.
func Reply(calls ...agent.Call) agent.Reply { return agent.Reply{Calls: calls} }

// Words is a reply of words alone.
func Words(text string) agent.Reply { return agent.Reply{Text: text} }

// Call is a call of an action. The arguments are encoded as JSON, but a json.RawMessage stands for itself,
// valid or not.
func Call(name string, args any) agent.Call {
	if raw, ok := args.(json.RawMessage); ok {
		return agent.Call{Name: name, Args: string(raw)}
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		encoded = []byte(err.Error()) // not JSON, so the action that gets it says so
	}
	return agent.Call{Name: name, Args: string(encoded)}
}

// Think gives the next reply. An answer that only a server can give, such as a status, is an error here.
func (s *Script) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, context.Cause(ctx)
	}
	n := len(talk.Messages)
	heard := Heard{Messages: talk.Messages[:n:n]} // only ever appended to, so no copy is needed
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

// Answer tells a [Server] what to answer.
func (s *Script) Answer(r Request) Answer {
	answer, err := s.next(r.Tools, func(text string) bool {
		return slices.ContainsFunc(r.Messages, func(m Message) bool { return m.mentions(text) })
	})
	if err != nil {
		// A status that no client tries again.
		return Answer{Status: http.StatusBadRequest, Body: errorBody(err.Error(), "script")}
	}
	return answer
}

// Heard is every conversation that was shown to the script as a Brain, in the order of asking.
func (s *Script) Heard() []Heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heard)
}

// Left is how many lines were not said yet, those that may be said always not counted.
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

// Err is the first question for which there was no line.
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
