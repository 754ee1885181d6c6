package agenttest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/daybook-agent/daybook/agent"
)

// Answer is a [Server]'s answer to one request. The zero value is a reply without words.
type Answer struct {
	Reply  agent.Reply // its Usage, if set, replaces the server's count
	Finish string      // replaces the right finish_reason; "none" sends neither it nor [DONE]

	Status int         // of the HTTP answer; 0 is 200
	Header http.Header // additional headers
	// the exact answer instead of a reply; with an error Status it may be ""
	Body  string
	Cut   int  // if not 0, the connection breaks after so many bytes of the body
	Half  bool // the same, after half of the body
	Reset bool // the connection is reset instead of closed
	Stall bool // after Cut bytes, or before the first, nothing more comes until the client leaves

	Drip time.Duration // the body comes in pieces of 32 bytes, each after this delay
}

// Answers gives these answers in turn, and then an error.
func Answers(answers ...Answer) func(Request) Answer {
	s := &Script{}
	for _, a := range answers {
		s.Lines = append(s.Lines, Line{Answer: a})
	}
	return s.Answer
}

func (a Answer) fails() bool { return a.Status >= 300 || a.Body != "" }

// finishReason returns the answer's own finish_reason, or the right one.
func (a Answer) finishReason() any {
	switch {
	case a.Finish == "none":
		return nil
	case a.Finish != "":
		return a.Finish
	case len(a.Reply.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

type object = map[string]any

// whole encodes a reply in one piece.
func (a Answer) whole(model string, used agent.Usage) []byte {
	message := object{"role": "assistant", "content": a.Reply.Text}
	if a.Reply.Thoughts != "" {
		message["reasoning_content"] = a.Reply.Thoughts
	}
	if len(a.Reply.Calls) > 0 {
		message["tool_calls"] = a.calls(false)
		if a.Reply.Text == "" {
			message["content"] = nil
		}
	}
	return encoded(object{
		"id": "chatcmpl-script", "object": "chat.completion", "model": model, "usage": usageOf(used),
		"choices": []object{{"index": 0, "message": message, "finish_reason": a.finishReason()}},
	})
}

// stream encodes a reply as server-sent events, in pieces like a model's.
func (a Answer) stream(model string, used *agent.Usage) []byte {
	var out bytes.Buffer
	send := func(fields object) {
		fields["id"], fields["object"], fields["model"] = "chatcmpl-script", "chat.completion.chunk", model
		fmt.Fprintf(&out, "data: %s\n\n", encoded(fields))
	}
	say := func(delta object, finish any) {
		send(object{"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})
	}
	say(object{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(a.Reply.Thoughts) {
		say(object{"reasoning_content": piece}, nil)
	}
	for _, piece := range pieces(a.Reply.Text) {
		say(object{"content": piece}, nil)
	}
	for i, c := range a.calls(true) {
		say(object{"tool_calls": []object{c}}, nil)
		for _, piece := range pieces(a.Reply.Calls[i].Args) {
			say(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	if a.Finish == "none" {
		return out.Bytes()
	}
	say(object{}, a.finishReason())
	if used != nil {
		send(object{"choices": []object{}, "usage": usageOf(*used)})
	}
	out.WriteString("data: [DONE]\n\n")
	return out.Bytes()
}

// calls encodes the calls; those of a stream begin with an index and no arguments.
func (a Answer) calls(stream bool) []object {
	calls := make([]object, len(a.Reply.Calls))
	for i, c := range a.Reply.Calls {
		id := cmp.Or(c.ID, fmt.Sprintf("call_%d", i))
		function := object{"name": c.Name, "arguments": c.Args}
		calls[i] = object{"id": id, "type": "function", "function": function}
		if stream {
			calls[i]["index"] = i
			function["arguments"] = ""
		}
	}
	return calls
}

func usageOf(u agent.Usage) object {
	return object{
		"prompt_tokens": u.In, "completion_tokens": u.Out, "total_tokens": u.Tokens(),
		"prompt_tokens_details": object{"cached_tokens": u.Cached},
	}
}

// pieces splits a text into parts of 24 characters, about six tokens: less than a server sends at a time.
func pieces(text string) []string {
	var parts []string
	for piece := range slices.Chunk([]rune(text), 24) {
		parts = append(parts, string(piece))
	}
	return parts
}

func encoded(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("unreachable, since texts and numbers have a JSON: %v", err))
	}
	return bytes.TrimSpace(out.Bytes())
}

func errorBody(message, code string) string {
	return string(encoded(
		object{"error": object{"message": message, "type": "invalid_request_error", "code": code}}))
}
