package openai

import (
	"encoding/json"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// object reads a call that is one JSON object.
func (g *grammar) object() agent.Call {
	raw, ok := g.json()
	if !ok {
		return g.faulty("", "behind "+openWrap+" comes neither "+openCall+"=…> nor one JSON object")
	}
	call, ok := callOf(raw)
	if !ok {
		return g.faulty("", `the JSON object does not hold a "name" and "arguments" and nothing else`)
	}
	return call
}

// alone is the call that a text is which is one JSON object.
func (g *grammar) alone() (agent.Call, bool) {
	text := strings.TrimSpace(g.text)
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return agent.Call{}, false
	}
	return callOf(json.RawMessage(text))
}

// callOf reads {"name": …, "arguments": …}, where some models say parameters.
func callOf(raw json.RawMessage) (agent.Call, bool) {
	fields, ok := fieldsOf(string(raw))
	if !ok || len(fields) != 2 {
		return agent.Call{}, false
	}
	var call agent.Call
	for _, f := range fields {
		switch f.name {
		case "name":
			if json.Unmarshal(f.raw, &call.Name) != nil {
				return agent.Call{}, false
			}
		case "arguments", "parameters":
			var args rawText
			if json.Unmarshal(f.raw, &args) != nil {
				return agent.Call{}, false
			}
			call.Args = string(args)
		default:
			return agent.Call{}, false
		}
	}
	return call, isName(call.Name) && strings.HasPrefix(strings.TrimSpace(call.Args), "{") &&
		json.Valid([]byte(call.Args))
}

// json reads one JSON object.
func (g *grammar) json() (json.RawMessage, bool) {
	g.space()
	if !strings.HasPrefix(g.text[g.at:], "{") {
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(g.text[g.at:]))
	var raw json.RawMessage
	if dec.Decode(&raw) != nil {
		return nil, false
	}
	g.at += int(dec.InputOffset())
	return raw, true
}
