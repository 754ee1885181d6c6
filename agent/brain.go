package agent

import (
	"context"
	"errors"
)

// Brain decides what an agent does next.
type Brain interface {
	// Think reads the conversation and replies. It returns a reply only when it is whole: a Brain that was
	// cut off, refused or misunderstood returns an error, after whatever retries it thinks right. With an
	// error it may return the usage of what was thrown away, which is charged, and the model's name;
	// everything else beside an error is not looked at.
	Think(ctx context.Context, talk *Conversation) (Reply, error)
}

// Quoter is a Brain that only quotes: it writes nothing of its own, and judges nothing.
type Quoter interface {
	Brain
	// OnlyQuotes marks the type.
	OnlyQuotes()
}

// ErrTooLong is what a Brain's error wraps when the conversation does not fit the model. The loop then drops
// the history and opens again.
var ErrTooLong = errors.New("the conversation is too long for the model")

// ErrCut is what a Brain's error wraps when its reply was cut off because it was too long. The loop then asks
// for smaller pieces.
var ErrCut = errors.New("the reply was cut off")

// ErrFiltered is what a Brain's error wraps when a content filter refused the conversation, or the reply to
// it. The loop then withholds the page that it showed last and asks again.
var ErrFiltered = errors.New("a content filter stopped it")

// Conversation is what a Brain is shown: the actions it may call and the messages so far. Within a stretch
// messages are only ever appended, so that a Brain needs to encode each of them once.
type Conversation struct {
	Actions  []Action
	Messages []Message
	// Must is the action that the Brain has to call now, since there is hardly room for anything else; ""
	// leaves it free.
	Must string
	// Memo belongs to the Brain: whatever it wants to keep beside the conversation, such as its encoding. It
	// starts nil and goes with the conversation.
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
	// Warning is what stands at the end of a result's text, behind an empty line, and is the loop's: that the
	// call goes in circles.
	Warning string `json:"warning,omitempty"`
	// Thoughts is an assistant's reasoning, for servers that want it back. It is said to nobody else.
	Thoughts string `json:"thoughts,omitempty"`
}

// System is a message that sets the rules.
func System(text string) Message { return Message{Role: RoleSystem, Text: text} }

// User is a message from outside: the state of the work, or what a person did.
func User(text string) Message { return Message{Role: RoleUser, Text: text} }

// Call is an action that a Brain asked for.
type Call struct {
	ID   string `json:"id"` // set by the loop, unique in an agent
	Name string `json:"name"`
	Args string `json:"args"` // JSON as the Brain wrote it; not yet known to be valid
	// Fault, when set, says what is wrong with the form of the call, which is then told as its result and not
	// carried out. Args is then what was written, to the letter.
	Fault string `json:"fault,omitempty"`
}

// Reply is what a Brain says: words, calls, or both.
type Reply struct {
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	// Thoughts is the reasoning that came before, which is no part of what was said: it is kept for the
	// server, and for nothing else.
	Thoughts string `json:"thoughts,omitempty"`
	Usage    Usage  `json:"usage"`
	Room     Room   `json:"room,omitzero"`
	// Model is the name of the model that gave the reply, as it was asked for; "" for a Brain that does not
	// say.
	Model string `json:"model,omitempty"`
}

// Spent is what the reply cost, for a [Recorder] that adds up what it records.
func (r Reply) Spent() Usage { return r.Usage }

// Usage is what replies cost, in tokens as the Brain counts them.
type Usage struct {
	Calls  int `json:"calls"`  // replies asked for
	In     int `json:"in"`     // tokens sent, cached ones included
	Out    int `json:"out"`    // tokens received
	Cached int `json:"cached"` // the part of In that a server took from its prompt cache
	// Prefix is the part of In that begins, byte for byte, like what the same kind of agent sent before: all
	// that a prompt cache could have served. Daybook counts it; whether a server has such a cache, Cached
	// tells.
	Prefix int `json:"prefix,omitempty"`
	// Cost is in US dollars, as the server says or by the prices that the Brain was given; 0 when neither is
	// known.
	Cost float64 `json:"cost,omitempty"`
}

// Tokens is all that was sent and received.
func (u Usage) Tokens() int { return u.In + u.Out }

// Plus is the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{Calls: u.Calls + v.Calls, In: u.In + v.In, Out: u.Out + v.Out, Cached: u.Cached + v.Cached,
		Prefix: u.Prefix + v.Prefix, Cost: u.Cost + v.Cost}
}

// Minus is what was used since v.
func (u Usage) Minus(v Usage) Usage {
	return Usage{Calls: u.Calls - v.Calls, In: u.In - v.In, Out: u.Out - v.Out, Cached: u.Cached - v.Cached,
		Prefix: u.Prefix - v.Prefix, Cost: u.Cost - v.Cost}
}
