package agent

import (
	"bytes"
	"context"
	"encoding/json"
)

// Brain decides what an agent does next.
type Brain interface {
	// Think reads the conversation and replies. It returns a reply only when it is whole: a Brain that was cut off, refused or
	// misunderstood returns an error, after whatever retries it thinks right.
	Think(ctx context.Context, talk *Conversation) (Reply, error)
}

// Conversation is what a Brain is shown: the actions it may call and the messages so far. Within a stretch messages are only
// ever appended, so that a Brain needs to encode each of them once.
type Conversation struct {
	Actions  []Action
	Messages []Message
	// Memo belongs to the Brain: whatever it wants to keep beside the conversation, such as its encoding. It starts nil
	// and goes with the conversation.
	Memo any
	// Tell hands an event to the agent's observer, for a Brain that waits or retries.
	Tell func(Event)
}

// Role says who speaks in a message.
type Role string

// The four roles of a conversation.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleResult    Role = "tool" // an action's result
)

// Message is one message of a conversation.
type Message struct {
	Role   Role   `json:"role"`
	Text   string `json:"text,omitempty"`
	Calls  []Call `json:"calls,omitempty"` // what an assistant asked for
	CallID string `json:"call,omitempty"`  // which call a result answers
}

// System is a message that sets the rules.
func System(text string) Message { return Message{Role: RoleSystem, Text: text} }

// User is a message from outside: the state of the work, or what a person did.
func User(text string) Message { return Message{Role: RoleUser, Text: text} }

// Call is an action that a Brain asked for.
type Call struct {
	ID   string          `json:"id"` // set by the loop, unique in an agent
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // as the Brain gave them; not yet known to be valid, or even JSON
}

// recordedCall is a Call as JSON. Arguments that JSON would change, or that are not JSON at all, stand there as text.
type recordedCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
	Text *string         `json:"args_text,omitempty"`
}

// MarshalJSON implements json.Marshaler, so that a record of a bad call can be written too.
func (c Call) MarshalJSON() ([]byte, error) {
	out := recordedCall{ID: c.ID, Name: c.Name}
	if encoded, err := json.Marshal(c.Args); err == nil && bytes.Equal(encoded, c.Args) {
		out.Args = c.Args
	} else {
		text := string(c.Args)
		out.Text = &text
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler. The call is the same as before, so that a resumed run sends the same bytes.
func (c *Call) UnmarshalJSON(data []byte) error {
	var in recordedCall
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*c = Call{ID: in.ID, Name: in.Name, Args: in.Args}
	if in.Text != nil {
		c.Args = json.RawMessage(*in.Text)
	}
	return nil
}

// Reply is what a Brain says: words, calls, or both.
type Reply struct {
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	Usage Usage  `json:"usage"`
}

// Usage is what replies cost, in tokens as the Brain counts them.
type Usage struct {
	Calls  int `json:"calls"`  // replies asked for
	In     int `json:"in"`     // tokens sent, cached ones included
	Out    int `json:"out"`    // tokens received
	Cached int `json:"cached"` // the part of In that a server took from its prompt cache
}

// Tokens is all that was sent and received.
func (u Usage) Tokens() int { return u.In + u.Out }

// Plus is the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{Calls: u.Calls + v.Calls, In: u.In + v.In, Out: u.Out + v.Out, Cached: u.Cached + v.Cached}
}
