package openai

import (
	"errors"
	"fmt"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// Class says what would help against an error. The list is closed, and the retry loop knows nothing else of an error.
type Class string

// The five classes.
const (
	Wait     Class = "wait and retry" // the server is busy, broken or out of reach
	Again    Class = "retry at once"  // what came is not a whole reply
	Compress Class = "compress"       // the conversation is too long for the model
	Ask      Class = "ask the person" // a key, a model's name, an address or an account has to be put right
	Stop     Class = "stop"           // nothing helps
)

// Error is why there is no reply. The first two classes were tried again before they are returned.
type Error struct {
	Class   Class
	Status  int           // of the HTTP answer, or of an error inside a reply; 0 if there was none
	Message string        // what happened, where, and what to do
	After   time.Duration // what the server asked to wait; 0 if it did not say
	Err     error         // one of the errors below, or that of the network; nil for a plain refusal
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Message == "" && e.Err != nil {
		return e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// What a reply that is not used may be. Each comes inside an [Error].
var (
	ErrTruncated = errors.New("the reply broke off")
	ErrCutCall   = errors.New("the reply broke off in the middle of a call")
	ErrLength    = fmt.Errorf("the reply reached the model's limit of output in the middle of a call: %w", agent.ErrCut)
	ErrEndless   = errors.New("the reply does not end")
	ErrEmpty     = errors.New("the reply is empty")
	ErrNoChoice  = errors.New("the reply holds no message")
	ErrNotJSON   = errors.New("the reply is not JSON")
	ErrHTML      = errors.New("the reply is a web page, so this is no model server")
	ErrFiltered  = errors.New("the server's content filter refused")
)

// unusable is the error for what came instead of a whole reply.
func unusable(err error) *Error {
	switch {
	case errors.Is(err, ErrHTML):
		return &Error{Class: Ask, Err: err}
	case errors.Is(err, agent.ErrCut):
		return &Error{Class: Stop, Err: err} // the same words would bring the same length
	}
	return &Error{Class: Again, Err: err}
}
