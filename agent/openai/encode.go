package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/daybook-agent/daybook/agent"
)

// encoding is a conversation as it is sent. It is kept as the conversation's memo, and only ever grows: a request is the bytes of
// the one before it, less its tail, and what was said since. All of it lies in one piece, which net/http sends in one write.
type encoding struct {
	brain  *Brain
	sent   []byte // the request up to the last message
	whole  []byte // sent and the tail; the same memory
	told   int    // how many messages are in it
	tokens int    // an estimate of it, for servers that report no usage

	// readers counts who may still be reading whole. A server that answers before it has read everything leaves one behind.
	readers *atomic.Int32
}

// tail closes a request. What changes from step to step would belong here, behind everything a prompt cache keeps.
const tail = "]}"

// encode adds to the conversation's encoding what was said since the last time.
func (b *Brain) encode(talk *agent.Conversation) (*encoding, error) {
	e, ok := talk.Memo.(*encoding)
	if !ok || e.brain != b || e.told > len(talk.Messages) {
		head, err := b.head(talk.Actions)
		if err != nil {
			return nil, err
		}
		e = &encoding{brain: b, sent: slices.Grow(head, 3*len(head)), tokens: agent.EstimateTokens(string(head)), readers: new(atomic.Int32)}
		talk.Memo = e
	}
	if e.told == len(talk.Messages) && e.whole != nil {
		return e, nil
	}
	if e.readers.Load() > 0 { // the tail must not be written over while it is read
		e.sent, e.readers = slices.Clone(e.sent), new(atomic.Int32)
	}
	for ; e.told < len(talk.Messages); e.told++ {
		if err := e.add(talk.Messages[e.told]); err != nil {
			return nil, err
		}
	}
	e.whole = append(e.sent, tail...)
	e.sent = e.whole[:len(e.sent)]
	return e, nil
}

// request makes the encoding the body of a request, and minds when it has been read.
func (e *encoding) request(req *http.Request) *http.Request {
	readers := e.readers
	body := func() io.ReadCloser {
		readers.Add(1)
		return io.NopCloser(bytes.NewReader(e.whole)) // of a kind that net/http knows to be in memory
	}
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { readers.Add(-1) },
	}))
	req.Body = body()
	req.GetBody = func() (io.ReadCloser, error) { return body(), nil }
	req.ContentLength = int64(len(e.whole))
	return req
}

// head writes what comes before the messages. The actions stand before the conversation, in their own order, as most servers
// lay out a prompt.
func (b *Brain) head(actions []agent.Action) ([]byte, error) {
	var head bytes.Buffer
	head.WriteByte('{')
	model, err := plainJSON(b.Model)
	if err != nil {
		return nil, fmt.Errorf("encoding the model's name: %w", err)
	}
	fmt.Fprintf(&head, `"model":%s,"stream":%t,`, model, !b.NoStream)
	if !b.NoStream {
		head.WriteString(`"stream_options":{"include_usage":true},`)
	}
	if len(b.Extra) > 0 {
		extra, err := plainJSON(b.Extra)
		if err != nil {
			return nil, fmt.Errorf("encoding the extra fields of the request: %w", err)
		}
		head.Write(extra[1 : len(extra)-1])
		head.WriteByte(',')
	}
	if len(actions) > 0 {
		tools, err := encodeTools(actions)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&head, `"tools":%s,`, tools)
	}
	head.WriteString(`"messages":[`)
	return head.Bytes(), nil
}

type (
	message struct {
		Role       string  `json:"role"`
		Content    *string `json:"content"`
		ToolCalls  []call  `json:"tool_calls,omitempty"`
		ToolCallID string  `json:"tool_call_id,omitempty"`
	}
	call struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
)

// add appends one message. Its content is null only beside calls: several servers refuse an empty text, and some a missing one.
func (e *encoding) add(m agent.Message) error {
	out := message{Role: string(m.Role), ToolCallID: m.CallID}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, call{ID: c.ID, Type: "function", Function: function{Name: c.Name, Arguments: arguments(c.Args)}})
	}
	if m.Text != "" || len(m.Calls) == 0 {
		text := or(m.Text, "(empty)")
		out.Content = &text
	}
	encoded, err := plainJSON(out)
	if err != nil {
		return fmt.Errorf("encoding a message of %s: %w", m.Role, err)
	}
	if e.told > 0 {
		e.sent = append(e.sent, ',')
	}
	e.sent = append(e.sent, encoded...)
	e.tokens += agent.EstimateTokens(string(encoded))
	return nil
}

// arguments are sent back as the model wrote them if they are an object. Servers parse them again, and one that finds anything
// else refuses this request and every later one, so the rest is wrapped in an object.
func arguments(args string) string {
	trimmed := strings.TrimSpace(args)
	if trimmed == "" {
		return "{}"
	}
	if trimmed[0] == '{' && json.Valid([]byte(trimmed)) {
		return args
	}
	wrapped, err := plainJSON(map[string]string{"not_an_object": args})
	if err != nil {
		return "{}"
	}
	return string(wrapped)
}

// plainJSON encodes without escaping <, > and &, which would cost tokens and make pages unreadable to the model.
func plainJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
