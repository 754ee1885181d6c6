package openai

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// Finding records whether a server has one ability.
type Finding string

// The findings.
const (
	Unknown Finding = ""
	Yes     Finding = "yes"
	No      Finding = "no"
)

// Capabilities records what server and model can do. If one is unknown, a Brain asks as it would OpenAI.
type Capabilities struct {
	// calls of actions as a part of the protocol; with No they are written in the text
	Calls Finding `json:"calls,omitempty"`
	// several calls in one reply; with No, earlier ones are sent back one by one
	Parallel Finding `json:"parallel,omitempty"`
	// system messages, and several user messages in a row; with No they are joined, with calls in the text
	Roles  Finding `json:"roles,omitempty"`
	Choice Finding `json:"tool_choice,omitempty"` // a request can demand a certain action
	Stream Finding `json:"stream,omitempty"`      // replies in pieces
	Usage  Finding `json:"usage,omitempty"`       // the server says how many tokens a request took
	// the field that asks for the usage of a stream
	Options Finding `json:"stream_options,omitempty"`
	Cache   Finding `json:"cache,omitempty"`  // tokens were taken from a prompt cache
	Window  int     `json:"window,omitempty"` // tokens of one request, reply included; 0 is unknown
	// Refused lists fields that the server does not take, of Extra or a cache's key, separated by spaces.
	Refused string `json:"refused,omitempty"`
}

// findings is what a Brain knows so far. It forgets all but the capabilities when it ends.
type findings struct {
	Capabilities
	begun    bool    // the capabilities hold what was known before
	answered bool    // a whole reply came
	streamed bool    // and as a stream
	broken   int     // streams in a row that brought none, before the first that did
	ratio    float64 // tokens that the server counts for each estimated one; 0 while unknown
	whole    bool    // the server was seen to count what it took from its cache
}

// can returns what is known so far.
func (b *Brain) can() (now findings) {
	b.discover(func(f *findings) { now = *f })
	return now
}

// discover changes what is known, passes it to Learned if it is new, and reports whether it was.
func (b *Brain) discover(change func(*findings)) bool {
	b.finding.Lock()
	defer b.finding.Unlock()
	if !b.found.begun {
		b.found.begun, b.found.Capabilities = true, b.Known
		if b.Window > 0 {
			b.found.Window = 0 // the user's setting is newer than what an earlier process found
		}
	}
	before := b.found.Capabilities
	change(&b.found)
	isNew := b.found.Capabilities != before
	if isNew && b.Learned != nil {
		b.Learned(b.found.Capabilities)
	}
	return isNew
}

// observe notes what a whole reply shows of the server.
func (b *Brain) observe(x *exchange, native int) {
	form := x.to.form
	b.discover(func(c *findings) {
		c.answered = true
		if x.streamed {
			c.streamed, c.broken = true, 0
		}
		if form.stream {
			c.Stream = finding(x.streamed)
		}
		if told := x.usage.PromptTokens > 0; told ||
			c.Usage == Unknown && (!form.stream || form.options) {
			c.Usage = finding(told)
		}
		if native > 0 && c.Calls != No {
			c.Calls = Yes
		}
		if native > 1 && c.Parallel == Unknown {
			c.Parallel = Yes
		}
		if x.usage.cached() > 0 {
			c.Cache = Yes
		}
	})
}

func finding(yes bool) Finding {
	if yes {
		return Yes
	}
	return No
}

// extraNames returns the fields of Extra, and of the cache's key, that are still sent, separated by spaces.
func (b *Brain) extraNames(c findings) string {
	all := slices.Collect(maps.Keys(b.Extra))
	if b.Quirks.CacheKey && !slices.Contains(all, cacheKeyField) {
		all = append(all, cacheKeyField)
	}
	left := slices.DeleteFunc(all, func(name string) bool { return names(c.Refused, name) })
	slices.Sort(left)
	return strings.Join(left, " ")
}

// ability is something that a server may turn out to lack.
type ability struct {
	of      func(*findings) *Finding
	says    []string // phrases of servers that lack it, in lower case
	names   []string // whole words of a complaint, which may be about something else
	without string   // message on what is done instead, with a place for the server's name
}

// abilities are given up one at a time, the first that a complaint names. The phrases about calls come from
// Ollama, llama.cpp without templates, vLLM without a parser, and routers.
var abilities = []ability{
	{of: func(c *findings) *Finding { return &c.Roles },
		says: []string{"roles must alternate", "system role not supported", "system role is not supported"},
		without: "%s has no system message for this model, or wants user and assistant in turn: messages " +
			"are joined, and calls written in the text, from now on"},
	{of: func(c *findings) *Finding { return &c.Options },
		says:    []string{"stream_options", "include_usage"},
		without: "%s does not take stream_options: asking without it"},
	{of: func(c *findings) *Finding { return &c.Parallel },
		says: []string{"parallel_tool_calls", "parallel tool calls", "single tool call", "single tool-call",
			"one tool call"},
		without: "%s does not take several calls in one reply: telling them one by one"},
	{of: func(c *findings) *Finding { return &c.Calls },
		says: []string{"support tools", "support tool use", "support tool call", "support function call",
			"tools is not supported", "tools are not supported", "tools param requires",
			"enable-auto-tool-choice", "tool-call-parser", "tool calling is not", "tool use is not",
			"function calling is not"},
		without: "%s has no calls of actions for this model: they are written in the text from now on"},
	{of: func(c *findings) *Finding { return &c.Choice }, says: []string{"tool_choice", "tool choice"},
		without: "%s does not take tool_choice: saying it in words"},
	{of: func(c *findings) *Finding { return &c.Stream }, names: []string{"stream", "streaming"},
		without: "%s does not stream whole replies: asking for them in one piece"},
	{of: func(c *findings) *Finding { return &c.Calls },
		names: []string{"tools", "tool", "functions", "function"}},
}

// giveUp gives up the first thing that a complaint names. What was seen to work needs a plain complaint.
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

// changed returns a message on what is done differently from now on.
func changed(before, now findings, server string) string {
	for _, a := range abilities {
		if *a.of(&before) != *a.of(&now) {
			return fmt.Sprintf(a.without, server)
		}
	}
	return fmt.Sprintf("%s does not take %s: asking without it", server,
		strings.TrimSpace(strings.TrimPrefix(now.Refused, before.Refused)))
}

// adapts reports whether a refusal was about something that the server turns out not to take, so that the
// Brain can ask again without it. Comparing with before, the findings ahead of the try, shows what another
// agent found out meanwhile.
func (b *Brain) adapts(talk *agent.Conversation, e *Error, before findings) bool {
	if e.Class == Again && !b.NoStream { // two streams in a row brought no whole reply, and none ever did
		b.discover(func(c *findings) {
			if c.broken++; c.broken == 2 && !c.streamed {
				c.Stream = No
			}
		})
	}
	maybe, plain := e.isOfField()
	found := maybe && b.discover(func(c *findings) { b.giveUp(c, e.said, plain) })
	now := b.can()
	if found || now.Stream == No && before.Stream != No {
		b.tell(talk, errors.New(changed(before, now, b.server())), 0)
	}
	return maybe && (found || now.Capabilities != before.Capabilities)
}

// isOfField reports whether an error may be a complaint about a field of the request, and whether it says so
// plainly. A 500 or an error inside a reply must be plain: most of these are about something else.
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

// names reports whether a text contains one of the words as a word of its own.
func names(text string, words ...string) bool {
	isApart := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return slices.ContainsFunc(strings.FieldsFunc(text, isApart), func(word string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, word) })
	})
}

// ignored reports whether a server takes the actions but never has one called: asked for a call, the model
// answered in words again. From then on the actions are offered in the text.
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
