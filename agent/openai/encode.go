package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
)

// encoding is a conversation as it is sent. It is kept as the conversation's memo, and only ever grows: a
// request is the bytes of the one before it, less its tail, and what was said since.
type encoding struct {
	brain   *Brain
	form    shape
	actions []agent.Action
	sent    []byte // the request up to the last message
	whole   []byte // sent and the tail
	must    string // what the tail says must be called
	told    int    // how many messages are in it
	tokens  int    // an estimate of it
	common  int    // how many bytes of whole stood at the beginning of a request before
	counted counted

	inText *inText       // how messages are written where there are no calls; nil where there are
	held   agent.Message // whose calls are told one by one, each before its result
}

// shape is what a request looks like, by what is known of the server.
type shape struct {
	text    bool // actions and calls stand in the text
	joined  bool // what stands in a system message is the user's, too
	stream  bool
	options bool // stream_options
	choice  bool // tool_choice
	single  bool // one call in a message
	strict  bool
	extra   string // the names of more fields
}

func (b *Brain) shape() shape {
	can := b.can()
	stream := !b.NoStream && can.Stream != No
	return shape{
		text: can.Calls == No || can.Roles == No, joined: can.Roles == No, stream: stream, options: stream &&
			can.Options != No && !b.Quirks.NoStreamOptions, choice: can.Choice != No,
		single: can.Parallel == No,
		strict: b.strict && can.Strict != No, extra: b.extraNames(can),
	}
}

// encode adds to the conversation's encoding what was said since the last time. It begins anew when the
// server turned out to want another form.
func (b *Brain) encode(talk *agent.Conversation) (*encoding, error) {
	e, ok := talk.Memo.(*encoding)
	if form := b.shape(); !ok || e.brain != b || e.form != form || e.told > len(talk.Messages) {
		e = &encoding{brain: b, form: form, actions: talk.Actions}
		if form.text && len(talk.Actions) > 0 || form.joined {
			e.inText = &inText{names: map[string]string{}}
		}
		head, err := e.head()
		if err != nil {
			return nil, err
		}
		e.sent, e.tokens = head, agent.EstimateTokens(string(head))
		talk.Memo = e
	}
	if e.told == len(talk.Messages) && e.whole != nil && e.must == talk.Must {
		return e, nil
	}
	e.common = len(e.sent)
	for ; e.told < len(talk.Messages); e.told++ {
		if err := e.add(talk.Messages[e.told]); err != nil {
			return nil, err
		}
	}
	e.must = talk.Must
	tail, err := e.tail()
	if err != nil {
		return nil, err
	}
	first := e.whole == nil
	// Never written to again: a server may still be reading it when it has answered
	e.whole = slices.Concat(e.sent, []byte(tail))
	if first {
		e.common = b.openings.shared(string(e.whole[:e.common]), e.whole)
	}
	return e, nil
}

// tail closes a request. What changes from step to step belongs here, behind everything that a prompt cache
// keeps: which action must be called, as a field, or in words where the server has no such field.
func (e *encoding) tail() (string, error) {
	switch {
	case e.must == "":
		return e.closing() + "]}", nil
	case e.inText == nil && e.form.choice:
		name, err := plainJSON(e.must)
		return fmt.Sprintf(`],"tool_choice":{"type":"function","function":{"name":%s}}}`, name), err
	}
	words, err := plainJSON(message{Role: string(agent.RoleUser),
		Content: new("Your next reply must be a call of " + e.must + " and nothing else.")})
	if e.inText != nil && e.inText.open {
		words, err = inside("\n\nYour next reply must be a call of " + e.must + " and nothing else.")
		return string(words) + e.closing() + "]}", err
	}
	return "," + string(words) + "]}", err
}

// shared is the part of a request that stood at the beginning of one before it.
func (e *encoding) shared() float64 { return float64(e.common) / float64(len(e.whole)) }

// head writes what comes before the messages. The actions stand before the conversation, in their own order,
// as most servers lay out a prompt.
func (e *encoding) head() ([]byte, error) {
	var head bytes.Buffer
	head.WriteByte('{')
	model, err := plainJSON(e.brain.Model)
	if err != nil {
		return nil, fmt.Errorf("encoding the model's name: %w", err)
	}
	fmt.Fprintf(&head, `"model":%s,"stream":%t,`, model, e.form.stream)
	if e.form.options {
		head.WriteString(`"stream_options":{"include_usage":true},`)
	}
	for _, name := range strings.Fields(e.form.extra) {
		value, given := e.brain.Extra[name]
		if !given {
			value = e.cacheKey()
		}
		field, err := plainJSON(map[string]any{name: value})
		if err != nil {
			return nil, fmt.Errorf("encoding the extra fields of the request: %w", err)
		}
		head.Write(field[1 : len(field)-1])
		head.WriteByte(',')
	}
	if len(e.actions) > 0 && !e.form.text {
		tools, err := encodeTools(e.actions, e.form.strict)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&head, `"tools":%s,`, tools)
	}
	head.WriteString(`"messages":[`)
	return head.Bytes(), nil
}

// cacheKeyField names, for servers that want it, whose prompts begin alike.
const cacheKeyField = "prompt_cache_key"

// cacheKey is the same for all conversations of a kind of agent, which is told by its model and its actions,
// also when a run is resumed.
func (e *encoding) cacheKey() string {
	kind := e.brain.Model
	for _, a := range e.actions {
		kind += " " + a.Name
	}
	sum := sha256.Sum256([]byte(kind))
	return "daybook-" + hex.EncodeToString(sum[:8])
}

type (
	message struct {
		Role       string  `json:"role"`
		Content    *string `json:"content"`
		ToolCalls  []call  `json:"tool_calls,omitempty"`
		ToolCallID string  `json:"tool_call_id,omitempty"`
		Thoughts   string  `json:"reasoning_content,omitempty"`
	}
	call struct {
		ID       string          `json:"id"`
		Type     string          `json:"type"`
		Function function        `json:"function"`
		Extra    json.RawMessage `json:"extra_content,omitempty"`
	}
	function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
)

// add appends one message.
func (e *encoding) add(m agent.Message) error {
	if e.inText != nil {
		return e.addInText(m)
	}
	if e.form.single && len(m.Calls) > 1 {
		e.held = m
		return nil
	}
	if i := slices.IndexFunc(e.held.Calls, func(c agent.Call) bool { return c.ID == m.CallID }); m.Role == agent.RoleResult && i >= 0 {
		one := e.held
		// But its thoughts with each: who wants them back wants them with every call
		one.Calls, e.held.Text = one.Calls[i:i+1], ""
		if err := e.write(one); err != nil {
			return err
		}
	}
	return e.write(m)
}

// write appends one message as it is. Its content is null only beside calls: several servers refuse an empty
// text, and some a missing one.
func (e *encoding) write(m agent.Message) error {
	out := message{Role: string(m.Role), ToolCallID: m.CallID}
	if e.brain.Quirks.ReasoningBack {
		out.Thoughts = m.Thoughts
	}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls,
			call{ID: c.ID, Type: "function", Function: function{Name: sendable(c.Name),
				Arguments: arguments(c.Args)}, Extra: json.RawMessage(e.brain.Quirks.CallExtra)})
	}
	if m.Text != "" || len(m.Calls) == 0 {
		text := or(m.Text, "(empty)")
		out.Content = &text
	}
	encoded, err := plainJSON(out)
	if err != nil {
		return fmt.Errorf("encoding a message of %s: %w", m.Role, err)
	}
	if e.sent[len(e.sent)-1] != '[' {
		e.sent = append(e.sent, ',')
	}
	e.sent = append(e.sent, encoded...)
	e.tokens += agent.EstimateTokens(string(encoded))
	return nil
}

// sendable is a name of an action as servers accept it. A model may call whatever it likes, and a name that a
// server refuses would have it refuse every later request as well.
func sendable(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-') {
			return r
		}
		return '_'
	}, name)
	return or(name[:min(len(name), 64)], "unnamed")
}

// arguments are sent back as the model wrote them if they are an object, or as they were read if they can be.
// Servers parse them again, and one that finds anything else refuses this request and every later one, so the
// rest is wrapped in an object.
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
	wrapped, err := plainJSON(map[string]string{"not_an_object": args})
	if err != nil {
		return "{}"
	}
	return string(wrapped)
}

// plainJSON encodes without escaping <, > and &, which would cost tokens and make pages unreadable to the
// model.
func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
