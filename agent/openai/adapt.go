package openai

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// adapt learns from an error what the server cannot do, and says whether the request, made without it, is
// worth sending at once.
func (b *Brain) adapt(e *Error) bool {
	if b.suspectStream(e) || !e.maybeField() {
		return false
	}
	return b.discover(func(c *Capabilities) { b.giveUp(c, e.said, e.isPlain()) })
}

// adapted tries, and tries again without what the server turns out not to take.
func (b *Brain) adapted(talk *agent.Conversation, try func() (agent.Reply, error)) (agent.Reply, error) {
	for {
		before := b.can()
		reply, err := try()
		var e *Error
		if !errors.As(err, &e) {
			return reply, err
		}
		again := b.adapt(e)
		now := b.can()
		if again || now.Stream == No && before.Stream != No {
			b.tell(talk, errors.New(changed(before, now, b.server())), 0)
		}
		if !again && (now == before || !e.maybeField()) { // else another agent found it out meanwhile
			return reply, err
		}
	}
}

// giveUp gives up the one thing that a complaint names, of those that are still asked for. What was seen to
// work is given up only for a plain word.
func (b *Brain) giveUp(c *Capabilities, said string, plain bool) {
	for _, field := range strings.Fields(b.extraNames(*c)) {
		if names(said, field) {
			c.Refused = strings.TrimSpace(c.Refused + " " + field)
			return
		}
	}
	switch {
	case c.Roles != No &&
		mentions(said, "roles must alternate", "system role not supported", "system role is not supported"):
		c.Roles = No
	case c.Options != No && mentions(said, "stream_options", "include_usage"):
		c.Options = No
	case c.Parallel != No && mentions(said, "parallel_tool_calls", "parallel tool calls", "single tool call",
		"single tool-call", "one tool call"):
		c.Parallel = No
	case c.Calls != No && lacksCalls(said):
		c.Calls = No
	case c.Choice != No && mentions(said, "tool_choice", "tool choice"):
		c.Choice = No
	case c.Strict != No && names(said, "strict"):
		c.Strict = No
	case (c.Stream == Unknown || c.Stream == Yes && plain) && names(said, "stream", "streaming"):
		c.Stream = No
	case (c.Calls == Unknown || c.Calls == Yes && plain) &&
		names(said, "tools", "tool", "functions", "function"):
		c.Calls = No
	}
}

// lacksCalls knows the ways in which servers say that a model, or they themselves, have no calls: Ollama,
// llama.cpp without its templates, vLLM without a parser, routers without a server that fits.
func lacksCalls(said string) bool {
	return mentions(said, "support tools", "support tool use", "support tool call", "support function call",
		"tools is not supported", "tools are not supported",
		"tools param requires", "enable-auto-tool-choice", "tool-call-parser", "tool calling is not",
		"tool use is not", "function calling is not")
}

// maybeField says whether an error may be a complaint about a field of the request. A refusal may say so in
// many ways; a 500, or an error inside a reply, has to say it plainly, for those are mostly about something
// else.
func (e *Error) maybeField() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
		http.StatusNotImplemented:
		return e.isPlain() || e.Err == nil && e.Class != Compress &&
			mentions(e.said, "unknown", "unexpected", "extra", "invalid", "disabled", "deprecated",
				"not available", "cannot be used", "can not be used", "can't be used")
	case http.StatusInternalServerError, 0:
		return e.isPlain()
	}
	return false
}

// isPlain says whether an error says in so many words that something is not known or taken. A call of the
// model's that a server could not read, which some quote, is another matter.
func (e *Error) isPlain() bool {
	return e.Err == nil && e.Class != Compress && !mentions(e.said, "parsing tool call", "parse tool call") &&
		mentions(e.said, "support", "unrecognized", "unknown field", "unknown parameter", "unknown argument",
			"not permitted", "not allowed", "not implemented", "requires", "must alternate")
}

// names says whether a text holds one of the names as a word of its own.
func names(text string, words ...string) bool {
	isPart := func(r byte) bool { return r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
	for _, word := range words {
		for from := 0; ; {
			at := strings.Index(text[from:], strings.ToLower(word))
			if at < 0 {
				break
			}
			begin, end := from+at, from+at+len(word)
			if (begin == 0 || !isPart(text[begin-1])) && (end == len(text) || !isPart(text[end])) {
				return true
			}
			from = end
		}
	}
	return false
}

// suspectStream gives streaming up when two streams in a row brought no whole reply, and none ever did. It
// says whether the error is of that kind at all; such a reply is asked for again in any case.
func (b *Brain) suspectStream(e *Error) bool {
	if e.Class != Again || !slices.ContainsFunc([]error{ErrTruncated, ErrNotJSON, ErrNoChoice, ErrEmpty,
		ErrCutCall}, func(of error) bool { return errors.Is(e, of) }) {
		return false
	}
	b.found.mu.Lock()
	b.found.broken++
	bad := !b.found.streamed && b.found.broken == 2
	b.found.mu.Unlock()
	if bad && !b.NoStream {
		b.discover(func(c *Capabilities) { c.Stream = No })
	}
	return true
}

// ignored notices that a server takes the actions and never has one called: the model was asked for a call in
// this very conversation, answers in words again, and no call was ever seen from it. The actions are then
// offered in the text.
func (b *Brain) ignored(talk *agent.Conversation, reply agent.Reply) bool {
	inWords := func(m agent.Message) bool { return m.Role == agent.RoleAssistant && len(m.Calls) == 0 }
	before := b.can()
	if len(reply.Calls) > 0 || len(talk.Actions) == 0 || before.Calls != Unknown || before.Roles == No ||
		!slices.ContainsFunc(talk.Messages, inWords) {
		return false
	}
	if !b.discover(func(c *Capabilities) { c.Calls = No }) {
		return false
	}
	b.tell(talk, errors.New(changed(before, b.can(), b.server())), 0)
	return true
}

// changed says in words what is done differently from now on.
func changed(before, now Capabilities, server string) string {
	switch {
	case before.Calls != now.Calls:
		return fmt.Sprintf(
			"%s has no calls of actions for this model: they are written in the text from now on", server)
	case before.Roles != now.Roles:
		return fmt.Sprintf("%s has no system message for this model, or wants user and assistant in turn: "+
			"messages are joined, and calls written in the text, from now on", server)
	case before.Options != now.Options:
		return fmt.Sprintf("%s does not take stream_options: asking without it", server)
	case before.Parallel != now.Parallel:
		return fmt.Sprintf("%s does not take several calls in one reply: telling them one by one", server)
	case before.Choice != now.Choice:
		return fmt.Sprintf("%s does not take tool_choice: saying it in words", server)
	case before.Stream != now.Stream:
		return fmt.Sprintf("%s does not stream whole replies: asking for them in one piece", server)
	case before.Refused != now.Refused:
		return fmt.Sprintf("%s does not take %s: asking without it", server,
			strings.TrimSpace(strings.TrimPrefix(now.Refused, before.Refused)))
	}
	return fmt.Sprintf("%s does not take a field of the request: asking without it", server)
}
