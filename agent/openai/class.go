package openai

import (
	"errors"
	"fmt"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// Class says what would help against an error. The list is closed, and the retry loop knows nothing else of
// an error.
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
	Server  string        // the base URL that was asked, without a secret in it; "" when none was
	Key     string        // the name of the variable that its key was to be in
	Status  int           // of the HTTP answer, or of an error inside a reply; 0 if there was none
	Message string        // what happened, where, and what to do
	After   time.Duration // what the server asked to wait; 0 if it did not say
	Window  int           // tokens that the model takes in one request, of an error that says so; else 0
	Err     error         // one of the errors below, or that of the network; nil for a plain refusal

	said      string // the server's own words, in small letters
	announced bool   // another Brain's observer heard of the wait
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
	ErrCutCall   = fmt.Errorf("the reply ends in the middle of a call: %w", agent.ErrCut)
	ErrLength    = fmt.Errorf("the reply reached the model's limit of output: %w", agent.ErrCut)
	ErrBroken    = errors.New("the server says that its reply went wrong")
	errEndless   = errors.New("the reply does not end")
	ErrTooLarge  = errors.New("the reply is too large")
	ErrEmpty     = errors.New("the reply is empty")
	ErrNoChoice  = errors.New("the reply holds no message")
	ErrNotJSON   = errors.New("the reply is not JSON")
	// unless it has answered before
	ErrHTML     = errors.New("the reply is a web page, so this is no model server")
	errFiltered = fmt.Errorf("the reply is not shown: %w", agent.ErrFiltered)
	errQuota    = errors.New("the account has no quota left")
)

// tooLarge is the error for a reply of which nothing is kept.
func tooLarge(format string, with ...any) *Error {
	return unusable(fmt.Errorf("%w to be used: %s", ErrTooLarge, fmt.Sprintf(format, with...)))
}

// unusable is the error for what came instead of a whole reply.
func unusable(err error) *Error {
	switch {
	case errors.Is(err, ErrHTML):
		return &Error{Class: Ask, Err: err}
	case errors.Is(err, ErrLength), errors.Is(err, errFiltered):
		return &Error{Class: Stop, Err: err} // the same words would bring the same
	}
	return &Error{Class: Again, Err: err}
}
