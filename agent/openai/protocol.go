package openai

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// The text protocol carries the actions if a server has no calls: the system message describes them, calls
// are in the text as [grammar] reads them, and the user gives their results between marks that nothing else
// can write. Neighbouring user messages are joined, as some templates want user and assistant in turn.

// inText writes a conversation for the text protocol.
func (e *encoding) inText(talk []agent.Message) (all []message) {
	names := map[string]string{} // the action of each call, by id
	for i, m := range talk {
		if i == 0 && len(e.actions) > 0 {
			if m.Role != agent.RoleSystem {
				all = e.say(all, agent.RoleSystem, describe(e.actions))
			} else {
				m.Text = strings.TrimSpace(m.Text + "\n\n" + describe(e.actions))
			}
		}
		switch m.Role {
		case agent.RoleSystem:
			all = e.say(all, m.Role, m.Text)
		case agent.RoleAssistant:
			for _, c := range m.Calls {
				names[c.ID] = unreadable
				if nameOnly.MatchString(c.Name) {
					names[c.ID] = c.Name
				}
			}
			all = e.say(all, m.Role, written(m))
		case agent.RoleResult:
			all = e.say(all, agent.RoleUser, fmt.Sprintf("<tool_result action=%q>\n%s\n</tool_result>",
				names[m.CallID], unmarked(m.Text)))
		default:
			all = e.say(all, agent.RoleUser, unmarked(m.Text))
		}
	}
	return all
}

// say adds a text as a message. In the text protocol it adds a user's text to the user's last message.
func (e *encoding) say(all []message, role agent.Role, text string) []message {
	text = cmp.Or(text, "(empty)")
	if role == agent.RoleSystem && e.form.joined {
		role = agent.RoleUser
	}
	last := len(all) - 1
	if e.form.text && last >= 0 && role == agent.RoleUser && all[last].Role == string(role) {
		all[last].Content = new(*all[last].Content + "\n\n" + text)
		return all
	}
	return append(all, message{Role: string(role), Content: &text})
}

// resultMark matches the mark of results: its name after a < and anything that a model would read over.
var resultMark = regexp.MustCompile(`(?i)<([\s/\p{Cc}\p{Cf}]*tool_result)`)

// unmarked keeps a text from ending the result that it is in, or from beginning one.
func unmarked(text string) string {
	return resultMark.ReplaceAllString(text, `<\$1`)
}

// written returns what an assistant said, with its calls in the form in which it must write them.
func written(m agent.Message) string {
	parts := []string{strings.TrimSpace(m.Text)}
	for _, c := range m.Calls {
		parts = append(parts, writeCall(c))
	}
	return joined(parts...)
}

// writeCall writes a call as [readCalls] reads it. A faulty one stays as it came.
func writeCall(c agent.Call) string {
	if c.Fault != "" {
		return strings.TrimSpace(c.Args)
	}
	args, ok := asValues(strings.TrimSpace(c.Args))
	if !ok {
		args = strings.ReplaceAll(arguments(c.Args), "<", `\u003c`) + "\n"
	}
	return fmt.Sprintf("<function=%s>\n%s</function>", c.Name, args)
}

// asValues writes arguments one by one between their marks, if all can be read back unchanged.
func asValues(args string) (string, bool) {
	if args != "" && (args[0] != '{' || !json.Valid([]byte(args))) {
		return "", false
	}
	var out strings.Builder
	written := map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(args))
	for _, _ = dec.Token(); dec.More(); {
		token, _ := dec.Token()
		var raw json.RawMessage
		_ = dec.Decode(&raw) // as it is valid
		name, value := fmt.Sprint(token), string(raw)
		if value[0] == '"' {
			_ = json.Unmarshal(raw, &value)
		}
		if !nameOnly.MatchString(name) || written[name] || strings.Contains(value, closeValue) ||
			strings.HasSuffix(value, "\r") {
			return "", false
		}
		written[name] = true
		if strings.Contains(value, "\n") {
			value = "\n" + value + "\n"
		}
		fmt.Fprintf(&out, "<parameter=%s>%s</parameter>\n", name, value)
	}
	return out.String(), true
}

// findCalls finds the calls in a model's text: in the text protocol after its words, otherwise only if the
// whole reply is calls of known actions. A short reply has none.
func (x *exchange) findCalls(reply *agent.Reply, short bool) error {
	if len(reply.Calls) > 0 || len(x.to.actions) == 0 {
		return nil
	}
	words, calls, rest := readCalls(reply.Text, x.to.actions)
	if !x.to.form.text && words != "" {
		return nil
	}
	if len(calls) > 0 && short {
		return unusable(errLength)
	}
	isNone := func(c agent.Call) bool { return c.Fault != "" || !isOne(x.to.actions, c.Name) }
	if !x.to.form.text && (rest != "" || slices.ContainsFunc(calls, isNone)) {
		return nil
	}
	reply.Text, reply.Calls = words, calls
	return nil
}

// howToAct explains the protocol to a model, with places for an example and the end of a call.
//
//go:embed describe.md
var howToAct string

// describe returns a text that tells a model how to call actions, and which there are.
func describe(actions []agent.Action) string {
	var out strings.Builder
	fmt.Fprintf(&out, howToAct, example(actions, ""), closeCall)
	for _, a := range actions {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", a.Name, strings.TrimSpace(a.Doc))
		if len(parametersOf(actions, a.Name).Properties) > 0 {
			fmt.Fprintf(&out, "\nIts parameters, as a JSON schema: %s\n", a.Schema)
		}
	}
	return strings.TrimSpace(out.String())
}

// example returns a call of the action of that name with all that it requires. If there is no such action, it
// takes the first that requires something.
func example(actions []agent.Action, name string) string {
	if !isOne(actions, name) {
		at := slices.IndexFunc(actions, func(a agent.Action) bool {
			return len(parametersOf(actions, a.Name).Required) > 0
		})
		name = actions[max(0, at)].Name
	}
	call := fmt.Sprintf("<function=%s>\n", name)
	all := parametersOf(actions, name)
	for _, required := range all.Required {
		call += fmt.Sprintf("<parameter=%s>\n%s\n</parameter>\n", required,
			all.Properties[required].sample(required))
	}
	return call + closeCall
}

func isOne(actions []agent.Action, name string) bool {
	return slices.ContainsFunc(actions, func(a agent.Action) bool { return a.Name == name })
}

// parameters holds what the protocol needs of an action's schema.
type parameters struct {
	Properties map[string]parameter
	Required   []string
}

type parameter struct {
	Type any // the name of a type, or a list of some; nil for any
	Enum []any
}

// parametersOf reads the schema of the action of that name, as far as it can.
func parametersOf(actions []agent.Action, name string) (all parameters) {
	for _, a := range actions {
		if a.Name == name {
			_ = json.Unmarshal(a.Schema, &all) // what cannot be read is not known
		}
	}
	return all
}

func (p parameter) isText() bool {
	return p.Type == nil || strings.Contains(fmt.Sprint(p.Type), "string")
}

// sample returns a value for an example.
func (p parameter) sample(name string) string {
	switch {
	case len(p.Enum) > 0:
		return fmt.Sprint(p.Enum[0])
	case p.isText():
		return "the " + strings.ReplaceAll(name, "_", " ")
	case p.Type == "array":
		return `["…"]`
	}
	return cmp.Or(map[any]string{"boolean": "true", "object": "{…}"}[p.Type], "1")
}

// json returns a value as JSON: a text unless it fits the schema; the action complains of others.
func (p parameter) json(value string) string {
	for _, bare := range []string{strings.TrimSpace(value), strings.ToLower(strings.TrimSpace(value))} {
		if !p.isText() && json.Valid([]byte(bare)) { // some write True
			return bare
		}
	}
	return plainJSON(value)
}
