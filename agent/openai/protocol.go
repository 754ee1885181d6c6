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

// The text protocol carries the actions where a server has no calls: the system message describes them, calls
// stand in the text as [grammar] reads them, and the user tells their results between marks that nothing else
// can write. Neighbouring messages of the user are one, as some templates want user and assistant in turn.

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

// say adds a text as a message, or in the text protocol to the user's last one.
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

// resultMark is the name by which results are marked, behind a < and whatever a model would read over.
var resultMark = regexp.MustCompile(`(?i)<([\s/\p{Cc}\p{Cf}]*tool_result)`)

// unmarked keeps a text from ending the result that it stands in, or from beginning one.
func unmarked(text string) string {
	return resultMark.ReplaceAllString(text, `<\$1`)
}

// written is what an assistant said, with its calls in the form in which it has to write them.
func written(m agent.Message) string {
	parts := []string{strings.TrimSpace(m.Text)}
	for _, c := range m.Calls {
		parts = append(parts, writeCall(c))
	}
	return joined(parts...)
}

// writeCall writes a call as [readCalls] reads it, one of which nothing could be made as it came.
func writeCall(c agent.Call) string {
	if c.Fault != "" {
		return strings.TrimSpace(c.Args)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<function=%s>\n", c.Name)
	fields, ok := fieldsOf(c.Args)
	for _, f := range fields {
		value, plain := f.plain()
		if !plain {
			ok = false
			break
		}
		fmt.Fprintf(&out, "<parameter=%s>%s</parameter>\n", f.name, value)
	}
	if ok {
		return out.String() + "</function>"
	}
	return fmt.Sprintf("<function=%s>\n%s\n</function>", c.Name,
		strings.ReplaceAll(arguments(c.Args), "<", `\u003c`))
}

type field struct {
	name string
	raw  json.RawMessage
}

// fieldsOf takes an object of arguments apart, in its own order.
func fieldsOf(args string) ([]field, bool) {
	if strings.TrimSpace(args) == "" {
		return nil, true
	}
	dec := json.NewDecoder(strings.NewReader(args))
	if begin, err := dec.Token(); err != nil || begin != json.Delim('{') {
		return nil, false
	}
	var fields []field
	for dec.More() {
		var f field
		name, err := dec.Token()
		if err != nil || dec.Decode(&f.raw) != nil {
			return nil, false
		}
		f.name, _ = name.(string) // the name of a field is one
		if slices.ContainsFunc(fields, func(other field) bool { return other.name == f.name }) {
			return nil, false
		}
		fields = append(fields, f)
	}
	_, err := dec.Token()
	return fields, err == nil && strings.TrimSpace(args[dec.InputOffset():]) == ""
}

// plain is the value as it stands between its marks, if it can stand there and be read again to the letter.
func (f field) plain() (string, bool) {
	if !nameOnly.MatchString(f.name) {
		return "", false
	}
	var text string
	if f.raw[0] != '"' || json.Unmarshal(f.raw, &text) != nil {
		text = string(f.raw)
	}
	switch {
	case strings.Contains(text, closeValue), strings.HasSuffix(text, "\r"):
		return "", false
	case strings.Contains(text, "\n"):
		return "\n" + text + "\n", true
	}
	return text, true
}

// findCalls finds the calls in a model's text: in the text protocol behind its words, otherwise only where
// the whole reply is calls of known actions. A short reply has none.
func (d *draft) findCalls(reply *agent.Reply, short bool) error {
	if len(reply.Calls) > 0 || len(d.to.actions) == 0 {
		return nil
	}
	words, calls, rest := readCalls(reply.Text, d.to.actions)
	if !d.to.form.text && words != "" {
		return nil
	}
	if len(calls) > 0 && short {
		return unusable(errLength)
	}
	isNone := func(c agent.Call) bool {
		return c.Fault != "" ||
			!slices.ContainsFunc(d.to.actions, func(a agent.Action) bool { return a.Name == c.Name })
	}
	if !d.to.form.text && (rest != "" || slices.ContainsFunc(calls, isNone)) {
		return nil
	}
	reply.Text, reply.Calls = words, calls
	return nil
}

// howToAct is what a model reads of it, with an example and the end of a call.
//
//go:embed describe.md
var howToAct string

// describe tells a model how to call actions in its text, and which there are.
func describe(actions []agent.Action) string {
	var out strings.Builder
	fmt.Fprintf(&out, howToAct, example(exampleOf(actions)), closeCall)
	for _, a := range actions {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", a.Name, strings.TrimSpace(a.Doc))
		parameters := parametersOf(a)
		if len(parameters) > 0 {
			out.WriteString("\nParameters:\n")
		}
		for _, p := range parameters {
			out.WriteString(p.line())
		}
	}
	return strings.TrimSpace(out.String())
}

// exampleOf chooses the action to show a call with: the first that wants something, or the first.
func exampleOf(actions []agent.Action) agent.Action {
	at := slices.IndexFunc(actions, func(a agent.Action) bool {
		return slices.ContainsFunc(parametersOf(a), func(p parameter) bool { return p.required })
	})
	if len(actions) == 0 {
		return agent.Action{Name: "NAME"}
	}
	return actions[max(0, at)]
}

// example is a call of an action with all that it requires.
func example(a agent.Action) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<function=%s>\n", a.Name)
	for _, p := range parametersOf(a) {
		if p.required {
			fmt.Fprintf(&out, "<parameter=%s>\n%s\n</parameter>\n", p.name, p.sample())
		}
	}
	return out.String() + closeCall
}

// parameter is what a schema says of an argument.
type parameter struct {
	name     string
	required bool
	kind     string // the type in the schema, or "texts" for a list of them
	about    string
	choices  []string
	schema   json.RawMessage
}

// kinds are the types of a schema: what a model reads of each, "" for its schema, and a value for an example.
var kinds = map[string]struct{ words, sample string }{
	"string":  {words: "text"},
	"integer": {"whole number", "1"},
	"number":  {"number", "1"},
	"boolean": {"true or false", "true"},
	"texts":   {`list, such as ["a", "b"]`, `["…"]`},
	"array":   {sample: "[…]"},
	"object":  {sample: "{…}"},
}

// parametersOf reads the schema of an action, as far as it can.
func parametersOf(a agent.Action) (all []parameter) {
	var schema struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(a.Schema, &schema) != nil {
		return nil
	}
	fields, _ := fieldsOf(string(schema.Properties))
	for _, f := range fields {
		var about struct {
			Type        json.RawMessage   `json:"type"`
			Description string            `json:"description"`
			Enum        []json.RawMessage `json:"enum"`
			Items       struct {
				Type string `json:"type"`
			} `json:"items"`
		}
		if json.Unmarshal(f.raw, &about) != nil {
			continue
		}
		p := parameter{name: f.name, required: slices.Contains(schema.Required, f.name),
			kind: kindOf(about.Type), about: about.Description, schema: f.raw}
		if p.kind == "array" && about.Items.Type == "string" {
			p.kind = "texts"
		}
		for _, choice := range about.Enum {
			p.choices = append(p.choices, strings.Trim(string(choice), `"`))
		}
		all = append(all, p)
	}
	return all
}

// kindOf is the type in a schema, which may be a list of them. What may be a text is one.
func kindOf(raw json.RawMessage) string {
	var several []string
	if json.Unmarshal(raw, &several) != nil {
		several = []string{strings.Trim(string(raw), `"`)}
	}
	several = slices.DeleteFunc(several, func(kind string) bool { return kind == "null" || kind == "" })
	if len(several) == 0 || slices.Contains(several, "string") {
		return "string"
	}
	return several[0]
}

// line is a parameter in the list of them.
func (p parameter) line() string {
	kind := kinds[p.kind].words
	about := ": " + p.about
	switch {
	case kind == "":
		kind, about = "JSON by the schema "+string(p.schema), ""
	case len(p.choices) > 0:
		kind = "one of " + strings.Join(p.choices, ", ")
	}
	if p.about == "" {
		about = ""
	}
	if !p.required {
		kind += ", may be left out"
	}
	return fmt.Sprintf("- %s (%s)%s\n", p.name, kind, about)
}

// sample stands for a value in an example.
func (p parameter) sample() string {
	if len(p.choices) > 0 {
		return p.choices[0]
	}
	return cmp.Or(kinds[p.kind].sample, "the "+strings.ReplaceAll(p.name, "_", " "))
}

// json is a value as JSON: a text unless it fits the schema; the action complains of others.
func (p parameter) json(value string) string {
	bare := strings.TrimSpace(value)
	if p.kind == "boolean" {
		bare = strings.ToLower(bare)
	}
	if p.kind != "" && p.kind != "string" && json.Valid([]byte(bare)) {
		return bare
	}
	return plainJSON(value)
}
