package openai

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// ability is something that a server may turn out to lack.
type ability struct {
	of      func(*findings) *Finding
	says    []string // in the words of a server that lacks it, in small letters
	names   []string // that a complaint holds as words of their own, which may be about something else
	without string   // what is done without it, behind the server's name
}

// abilities are given up one by one, the first that a complaint names. The words about calls are those of
// Ollama, of llama.cpp without its templates, of vLLM without a parser, and of routers without a server that
// fits.
var abilities = []ability{
	{of: func(c *findings) *Finding { return &c.Roles },
		says: []string{"roles must alternate", "system role not supported", "system role is not supported"},
		without: "has no system message for this model, or wants user and assistant in turn: messages are " +
			"joined, and calls written in the text, from now on"},
	{of: func(c *findings) *Finding { return &c.Options },
		says:    []string{"stream_options", "include_usage"},
		without: "does not take stream_options: asking without it"},
	{of: func(c *findings) *Finding { return &c.Parallel },
		says: []string{"parallel_tool_calls", "parallel tool calls", "single tool call", "single tool-call",
			"one tool call"},
		without: "does not take several calls in one reply: telling them one by one"},
	{of: func(c *findings) *Finding { return &c.Calls },
		says: []string{"support tools", "support tool use", "support tool call", "support function call",
			"tools is not supported", "tools are not supported", "tools param requires",
			"enable-auto-tool-choice", "tool-call-parser", "tool calling is not", "tool use is not",
			"function calling is not"},
		without: "has no calls of actions for this model: they are written in the text from now on"},
	{of: func(c *findings) *Finding { return &c.Choice },
		says:    []string{"tool_choice", "tool choice"},
		without: "does not take tool_choice: saying it in words"},
	{of: func(c *findings) *Finding { return &c.Stream },
		names:   []string{"stream", "streaming"},
		without: "does not stream whole replies: asking for them in one piece"},
	{of: func(c *findings) *Finding { return &c.Calls },
		names: []string{"tools", "tool", "functions", "function"}},
}

// giveUp gives up the one thing that a complaint names, of those that are still asked for. What was seen to
// work is given up only for a plain word.
func (b *Brain) giveUp(c *findings, said string, plain bool) {
	for _, field := range strings.Fields(b.extraNames(*c)) {
		if names(said, field) {
			c.Refused = strings.TrimSpace(c.Refused + " " + field)
			return
		}
	}
	for _, a := range abilities {
		can := a.of(c)
		if *can != No && (mentions(said, a.says...) ||
			(plain || *can == Unknown) && names(said, a.names...)) {
			*can = No
			return
		}
	}
}

// changed says in words what is done differently from now on.
func changed(before, now findings, server string) string {
	for _, a := range abilities {
		if *a.of(&before) != *a.of(&now) {
			return server + " " + a.without
		}
	}
	return fmt.Sprintf("%s does not take %s: asking without it", server,
		strings.TrimSpace(strings.TrimPrefix(now.Refused, before.Refused)))
}

// adapt learns from an error what the server cannot do, and says whether the request, made without it, is
// worth sending at once.
func (b *Brain) adapt(e *Error) bool {
	b.suspectStream(e)
	maybe, plain := e.isOfField()
	return maybe && b.discover(func(c *findings) { b.giveUp(c, e.said, plain) })
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
		maybe, _ := e.isOfField()
		if !again && (now.Capabilities == before.Capabilities || !maybe) { // otherwise another agent found it out meanwhile
			return reply, err
		}
	}
}

// isOfField says whether an error may be a complaint about a field of the request, and whether it is one in
// so many words. A refusal may say so in many ways; a 500, or an error inside a reply, has to say it plainly,
// for those are mostly about something else, such as a call of the model's that a server could not read.
func (e *Error) isOfField() (maybe, plain bool) {
	if e.Err != nil || e.Class == Compress || mentions(e.said, "parsing tool call", "parse tool call") {
		return false, false
	}
	plain = mentions(e.said, "support", "unrecognized", "unknown field", "unknown parameter",
		"unknown argument", "not permitted", "not allowed", "not implemented", "requires", "must alternate")
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
		http.StatusNotImplemented:
		return plain || mentions(e.said, "unknown", "unexpected", "extra", "invalid", "disabled",
			"deprecated", "not available", "cannot be used", "can not be used", "can't be used"), plain
	case http.StatusInternalServerError, 0:
		return plain, plain
	}
	return false, false
}

// names says whether a text holds one of the names as a word of its own.
func names(text string, words ...string) bool {
	isApart := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return slices.ContainsFunc(strings.FieldsFunc(text, isApart), func(word string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, word) })
	})
}

// suspectStream gives streaming up when two streams in a row brought no whole reply, and none ever did.
func (b *Brain) suspectStream(e *Error) {
	if e.Class != Again || b.NoStream {
		return
	}
	b.discover(func(c *findings) {
		if c.broken++; c.broken == 2 && !c.streamed {
			c.Stream = No
		}
	})
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
	if !b.discover(func(c *findings) { c.Calls = No }) {
		return false
	}
	b.tell(talk, errors.New(changed(before, b.can(), b.server())), 0)
	return true
}
