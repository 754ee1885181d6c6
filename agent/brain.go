package agent

import (
	"context"
	"errors"
)

// Brain decides what an agent does next.
type Brain interface {
	// Think reads the conversation and replies. It returns only complete replies: if it was cut off, refused
	// or misunderstood, it returns an error, after whatever retries it chooses. With an error it may return
	// the usage of what was thrown away, which is charged, and the model's name; the rest of the reply is
	// ignored.
	Think(ctx context.Context, talk *Conversation) (Reply, error)
}

// Quoter is a Brain that only quotes: it neither writes nor judges.
type Quoter interface {
	Brain
	// OnlyQuotes marks the type.
	OnlyQuotes()
}

// ErrTooLong is wrapped by a Brain's error if the conversation does not fit the model. The loop then drops
// the history and opens again.
var ErrTooLong = errors.New("the conversation is too long for the model")

// ErrCut is wrapped by a Brain's error if its reply was cut off for length. The loop then asks for smaller
// pieces.
var ErrCut = errors.New("the reply was cut off")

// ErrFiltered is wrapped by a Brain's error if a content filter refused the conversation or the reply. The
// loop then withholds the page shown last and asks again.
var ErrFiltered = errors.New("a content filter stopped it")

// Conversation is the input of a Brain: its actions and the messages so far. Within a stretch messages are
// only ever appended, so a Brain needs to encode each only once.
type Conversation struct {
	Actions  []Action
	Messages []Message
	// Must is the action that the Brain has to call now because hardly any room is left; "" leaves the choice
	// free.
	Must string
	// Memo belongs to the Brain, for anything it wants to keep with the conversation, such as its encoding.
	// It starts nil and ends with the conversation.
	Memo any
	// Tell passes an event to the agent's observer, for a Brain that waits or retries.
	Tell func(Event)
}

// Role is the speaker of a message.
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
	Calls  []Call `json:"calls,omitempty"` // that the assistant asked for
	CallID string `json:"call,omitempty"`  // the call that a result answers
	// Warning is the loop's own warning that the call goes in circles; it ends a result's text, after an
	// empty line.
	Warning string `json:"warning,omitempty"`
	// Thoughts is an assistant's reasoning, for servers that want it back. Nobody else sees it.
	Thoughts string `json:"thoughts,omitempty"`
}

// System returns a message that sets the rules.
func System(text string) Message { return Message{Role: RoleSystem, Text: text} }

// User returns a message from outside: the state of the work, or what a person did.
func User(text string) Message { return Message{Role: RoleUser, Text: text} }

// Call is an action that a Brain asked for.
type Call struct {
	ID   string `json:"id"` // set by the loop, unique in an agent
	Name string `json:"name"`
	Args string `json:"args"` // JSON as the Brain wrote it; not yet known to be valid
	// Fault, if set, is what is wrong with the form of the call; it becomes the call's result, and the call
	// is not carried out. Args is then exactly what the Brain wrote.
	Fault string `json:"fault,omitempty"`
}

// Reply is a Brain's answer: words, calls, or both.
type Reply struct {
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	// Thoughts is the reasoning before the reply and not part of it; it is kept only for the server.
	Thoughts string `json:"thoughts,omitempty"`
	Usage    Usage  `json:"usage"`
	Room     Room   `json:"room,omitzero"`
	// Model is the model that gave the reply, as named in the request; "" if unknown.
	Model string `json:"model,omitempty"`
}

// Spent returns the reply's cost, for a [Recorder] that adds up what it records.
func (r Reply) Spent() Usage { return r.Usage }

// Usage is the cost of replies, in tokens as the Brain counts them.
type Usage struct {
	Calls  int `json:"calls"`  // replies asked for
	In     int `json:"in"`     // tokens sent, cached ones included
	Out    int `json:"out"`    // tokens received
	Cached int `json:"cached"` // the part of In that a server took from its prompt cache
	// Prefix is the part of In that begins, byte for byte, like an earlier request of the same kind of agent:
	// all that a prompt cache could have served. Daybook counts it; Cached shows whether the server has such
	// a cache.
	Prefix int `json:"prefix,omitempty"`
	// Cost is in US dollars, by the server's figure or the Brain's price list; 0 if neither is known.
	Cost float64 `json:"cost,omitempty"`
}

// Tokens returns all tokens sent and received.
func (u Usage) Tokens() int { return u.In + u.Out }

// Plus returns the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{Calls: u.Calls + v.Calls, In: u.In + v.In, Out: u.Out + v.Out, Cached: u.Cached + v.Cached,
		Prefix: u.Prefix + v.Prefix, Cost: u.Cost + v.Cost}
}

// Minus returns what was used since v.
func (u Usage) Minus(v Usage) Usage {
	return Usage{Calls: u.Calls - v.Calls, In: u.In - v.In, Out: u.Out - v.Out, Cached: u.Cached - v.Cached,
		Prefix: u.Prefix - v.Prefix, Cost: u.Cost - v.Cost}
}
