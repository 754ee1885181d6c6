package openai

import "github.com/daybook-agent/daybook/agent"

// What the tests see of the inside.
const (
	CutMark         = cutMark
	DefaultMaxTries = defaultMaxTries
	DefaultWindow   = defaultWindow
)

var (
	ErrTruncated = errTruncated
	ErrCutCall   = errCutCall
	ErrLength    = errLength
	ErrBroken    = errBroken
	ErrTooLarge  = errTooLarge
	ErrEmpty     = errEmpty
	ErrNoChoice  = errNoChoice
	ErrNotJSON   = errNotJSON
	ErrHTML      = errHTML
	WriteCall    = writeCall
)

// ReadCalls is readCalls without what stands behind the calls.
func ReadCalls(text string, actions []agent.Action) (words string, calls []agent.Call) {
	words, calls, _ = readCalls(text, actions)
	return words, calls
}
