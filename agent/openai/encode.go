package openai

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	vendor "github.com/sashabaranov/go-openai"

	"github.com/daybook-agent/daybook/agent"
)

// encoding is a conversation as it is sent. The last one is kept as the conversation's memo.
type encoding struct {
	brain   *Brain
	form    shape
	actions []agent.Action
	whole   []byte
	tokens  int  // an estimate of it
	common  int  // how many of its bytes began an earlier request
	counted bool // the server has counted its tokens, or those of an earlier part
}

// shape is the form of a request, by what is known of the server.
type shape struct {
	text    bool // actions and calls are in the text
	joined  bool // system messages become the user's, too
	stream  bool
	options bool   // stream_options
	choice  bool   // tool_choice
	single  bool   // one call in a message
	extra   string // the names of more fields
}

func (b *Brain) shape() shape {
	can := b.can()
	stream := !b.NoStream && can.Stream != No
	return shape{
		text: can.Calls == No || can.Roles == No, joined: can.Roles == No, stream: stream,
		options: stream && can.Options != No && !b.Quirks.NoStreamOptions,
		choice:  can.Choice != No, single: can.Parallel == No, extra: b.extraNames(can),
	}
}

// encode writes the request. While the form stays, each request of a conversation begins like the last one.
func (b *Brain) encode(talk *agent.Conversation) *encoding {
	e := &encoding{brain: b, form: b.shape(), actions: talk.Actions}
	e.form.text = e.form.text && len(e.actions) > 0 || e.form.joined
	messages, field := e.messages(talk), ""
	switch {
	case talk.Must == "":
	case e.form.choice && !e.form.text:
		field = fmt.Sprintf(`,"tool_choice":{"type":"function","function":{"name":%s}}`, plainJSON(talk.Must))
	default: // after all that a prompt cache keeps
		messages = e.say(messages, agent.RoleUser, "Your next reply must be a call of "+talk.Must+
			" and nothing else.")
	}
	head := e.head()
	e.tokens = agent.EstimateTokens(head)
	written := make([]string, len(messages))
	for i, m := range messages {
		written[i] = plainJSON(m)
		e.tokens += agent.EstimateTokens(written[i])
	}
	e.whole = []byte(head + strings.Join(written, ",") + "]" + field + "}")
	before, again := talk.Memo.(*encoding)
	switch again = again && before.brain == b && before.form == e.form; {
	case again && bytes.Equal(before.whole, e.whole):
		return before
	case again:
		e.common, e.counted = commonPrefix(before.whole, e.whole), before.counted
	default:
		last, _ := b.openings.Swap(head, e.whole)
		opened, _ := last.([]byte)
		e.common = commonPrefix(opened, e.whole)
	}
	talk.Memo = e
	return e
}

// shared returns the part of a request, from 0 to 1, that also began an earlier one.
func (e *encoding) shared() float64 { return float64(e.common) / float64(len(e.whole)) }

// head writes what comes before the messages, with the actions in their own order.
func (e *encoding) head() string {
	head := fmt.Sprintf(`{"model":%s,"stream":%t,`, plainJSON(e.brain.Model), e.form.stream)
	if e.form.options {
		head += `"stream_options":{"include_usage":true},`
	}
	for _, name := range strings.Fields(e.form.extra) {
		value, given := e.brain.Extra[name]
		if !given {
			value = e.cacheKey()
		}
		head += fmt.Sprintf("%s:%s,", plainJSON(name), plainJSON(value))
	}
	if len(e.actions) > 0 && !e.form.text {
		head += fmt.Sprintf(`"tools":%s,`, plainJSON(tools(e.actions)))
	}
	return head + `"messages":[`
}

// cacheKeyField names the field that tells some servers which prompts begin alike.
const cacheKeyField = "prompt_cache_key"

// cacheKey returns the same for all conversations of a kind of agent, known by its model and its actions.
func (e *encoding) cacheKey() string {
	kind := e.brain.Model
	for _, a := range e.actions {
		kind += " " + a.Name
	}
	return fmt.Sprintf("daybook-%.8x", sha256.Sum256([]byte(kind)))
}

type (
	tool struct {
		Type     vendor.ToolType           `json:"type"`
		Function vendor.FunctionDefinition `json:"function"`
	}
	message struct {
		Role       string  `json:"role"`
		Content    *string `json:"content"`
		ToolCalls  []call  `json:"tool_calls,omitempty"`
		ToolCallID string  `json:"tool_call_id,omitempty"`
		Thoughts   string  `json:"reasoning_content,omitempty"`
	}
	call struct {
		vendor.ToolCall
		Extra json.RawMessage `json:"extra_content,omitempty"`
	}
)

func tools(actions []agent.Action) (all []tool) {
	for _, a := range actions {
		parameters := a.Schema
		if len(parameters) == 0 {
			parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		all = append(all, tool{vendor.ToolTypeFunction, vendor.FunctionDefinition{
			Name: a.Name, Description: a.Doc, Parameters: parameters}})
	}
	return all
}

// messages writes what was said in the form that the server takes.
func (e *encoding) messages(talk *agent.Conversation) (all []message) {
	if e.form.text {
		return e.inText(talk.Messages)
	}
	var held agent.Message // its calls are sent one by one, each before its result
	for _, m := range talk.Messages {
		if e.form.single && len(m.Calls) > 1 {
			held = m
			continue
		}
		i := slices.IndexFunc(held.Calls, func(c agent.Call) bool { return c.ID == m.CallID })
		if m.Role == agent.RoleResult && i >= 0 {
			one := held
			// Its thoughts go with each: a server that wants them back wants them with every call
			one.Calls, held.Text = one.Calls[i:i+1], ""
			all = append(all, e.message(one))
		}
		all = append(all, e.message(m))
	}
	return all
}

// message converts a message. Its content is null only if it has calls: several servers refuse an empty text,
// and some a missing one.
func (e *encoding) message(m agent.Message) message {
	out := message{Role: string(m.Role), ToolCallID: m.CallID}
	if e.brain.Quirks.ReasoningBack {
		out.Thoughts = m.Thoughts
	}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, call{
			vendor.ToolCall{ID: c.ID, Type: vendor.ToolTypeFunction,
				Function: vendor.FunctionCall{Name: sendable(c.Name), Arguments: arguments(c.Args)}},
			json.RawMessage(e.brain.Quirks.CallExtra)})
	}
	if m.Text != "" || len(m.Calls) == 0 {
		out.Content = new(cmp.Or(m.Text, "(empty)"))
	}
	return out
}

// sendable returns a call's name as servers accept it; they would refuse every later request with another.
func sendable(name string) string {
	name = unsendable.ReplaceAllString(name, "_")
	return cmp.Or(name[:min(len(name), 64)], "unnamed")
}

var unsendable = regexp.MustCompile(`[^\w-]`)

// arguments returns arguments as the model wrote or meant them. What is not an object is wrapped in one:
// servers parse them again, and would refuse this request and every later one.
func arguments(args string) string {
	trimmed := strings.TrimSpace(args)
	if trimmed == "" {
		return "{}"
	}
	if trimmed[0] == '{' && json.Valid([]byte(trimmed)) {
		return args
	}
	if mended, ok := agent.Object(args); ok { // as it was carried out, and no bad example
		return mended
	}
	return plainJSON(map[string]string{"not_an_object": args})
}

// plainJSON encodes a value without escaping <, > and &, which would cost tokens.
func plainJSON(v any) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func commonPrefix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
