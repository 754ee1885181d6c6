package agenttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// NoCalls returns the ways in which servers without tool calls answer a request that offers some.
func NoCalls() map[string]Answer {
	return map[string]Answer{
		"refused with an object": {Status: http.StatusBadRequest,
			Body: `{"error":{"message":"registry.example/gemma does not ` +
				`support tools","type":"api_error","param":null,"code":null}}`},
		"refused with a string": {Status: http.StatusBadRequest,
			Body: `{"error":"registry.example/gemma does not support tools"}`},
		"refused flat": {Status: http.StatusBadRequest,
			Body: `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and ` +
				`--tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}`},
		"refused as a fault": {Status: http.StatusInternalServerError,
			Body: `{"error":{"code":500,"message":"tools param requires ` +
				`--jinja flag","type":"server_error"}}`},
		"refused by a router": {Status: http.StatusNotFound,
			Body: `{"error":{"message":"No endpoints found that support tool use.","code":404}}`},
		"ignored": {Reply: Words("I would look for it, if I could.")},
	}
}

// TextOnly makes a server behave as if it had no tool calls: a request that offers actions in the protocol
// gets none, and one that offers them in text is answered in text. The function answer sees requests as with
// tool calls.
func TextOnly(none Answer, answer func(Request) Answer) func(Request) Answer {
	return func(r Request) Answer {
		if len(r.Tools) > 0 {
			return none
		}
		told := r
		told.Messages = nil
		for _, m := range r.Messages {
			told.Messages = append(told.Messages, understood(m)...)
		}
		for _, m := range r.Messages[:min(1, len(r.Messages))] {
			if _, list, ok := strings.Cut(m.Content, "\n# The actions\n"); ok {
				for _, name := range regexp.MustCompile(`(?m)^## (\w+)$`).FindAllStringSubmatch(list, -1) {
					told.Tools = append(told.Tools, name[1])
				}
			}
		}
		said := answer(told)
		var parts []string
		if said.Reply.Text != "" {
			parts = append(parts, said.Reply.Text)
		}
		for _, c := range said.Reply.Calls {
			parts = append(parts, inText(c))
		}
		said.Reply.Text, said.Reply.Calls = strings.Join(parts, "\n"), nil
		return said
	}
}

// understood translates a message into the form with calls: results become messages of their own, and an
// assistant's calls become tool calls.
func understood(m Message) []Message {
	if m.Role == "assistant" {
		for _, call := range regexp.MustCompile(`(?s)<function=(\w+)>(.*?)</function>`).FindAllStringSubmatch(
			m.Content, -1) {
			var c ToolCall
			c.Function.Name, c.Function.Arguments = call[1], call[2]
			m.ToolCalls = append(m.ToolCalls, c)
		}
		return []Message{m}
	}
	if m.Role != "user" {
		return []Message{m}
	}
	var all []Message
	rest := m.Content
	for _, at := range regexp.MustCompile(`(?s)<tool_result action="\w*">\n(.*?)\n</tool_result>`).
		FindAllStringSubmatchIndex(m.Content, -1) {
		done := len(m.Content) - len(rest)
		if words := strings.TrimSpace(m.Content[done:at[0]]); words != "" {
			all = append(all, Message{Role: "user", Content: words})
		}
		all = append(all, Message{Role: "tool", Content: m.Content[at[2]:at[3]]})
		rest = m.Content[at[1]:]
	}
	if words := strings.TrimSpace(rest); words != "" || len(all) == 0 {
		all = append(all, Message{Role: "user", Content: words})
	}
	return all
}

// inText writes a call in the form required of models without tool calls.
func inText(c agent.Call) string {
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Args), &args) != nil ||
		strings.Contains(strings.ReplaceAll(c.Args, `\u003c`, "<"), "</parameter") {
		return fmt.Sprintf("<function=%s>\n%s\n</function>", c.Name, c.Args)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<function=%s>\n", c.Name)
	for name, raw := range args {
		value := string(raw)
		var text string
		if json.Unmarshal(raw, &text) == nil {
			value = text
		}
		fmt.Fprintf(&out, "<parameter=%s>\n%s\n</parameter>\n", name, value)
	}
	return out.String() + "</function>"
}
