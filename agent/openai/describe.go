package openai

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

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

// exampleOf chooses the action to show the form of a call with: the first that wants something, or else the
// first.
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
	choices  []json.RawMessage
	schema   json.RawMessage
}

// parametersOf reads the schema of an action. What it cannot read it leaves out: the model is told then by
// the action itself.
func parametersOf(a agent.Action) []parameter {
	var schema struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(a.Schema, &schema) != nil {
		return nil
	}
	fields, ok := fieldsOf(string(schema.Properties))
	if !ok {
		return nil
	}
	all := make([]parameter, 0, len(fields))
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
		kind := kindOf(about.Type)
		if kind == "array" && about.Items.Type == "string" {
			kind = "texts"
		}
		all = append(all, parameter{f.name, slices.Contains(schema.Required, f.name), kind, about.Description,
			about.Enum, f.raw})
	}
	return all
}

// kindOf is the type in a schema, which may be a list of them. What may be a text is one.
func kindOf(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return cmp.Or(one, "string")
	}
	var several []string
	if json.Unmarshal(raw, &several) != nil || slices.Contains(several, "string") {
		return "string"
	}
	several = slices.DeleteFunc(several, func(kind string) bool { return kind == "null" })
	if len(several) == 0 {
		return "string"
	}
	return several[0]
}

// kindsOf is the type of each argument of an action.
func kindsOf(actions []agent.Action, name string) map[string]string {
	kinds := map[string]string{}
	for _, a := range actions {
		if a.Name == name {
			for _, p := range parametersOf(a) {
				kinds[p.name] = p.kind
			}
		}
	}
	return kinds
}

// line is a parameter in the list of them.
func (p parameter) line() string {
	kind, simple := map[string]string{"string": "text", "integer": "whole number", "number": "number",
		"boolean": "true or false", "texts": `list, such as ["a", "b"]`}[p.kind]
	if !simple {
		kind = "JSON by the schema " + string(p.schema)
	} else if len(p.choices) > 0 {
		words := make([]string, len(p.choices))
		for i, c := range p.choices {
			words[i] = strings.Trim(string(c), `"`)
		}
		kind = "one of " + strings.Join(words, ", ")
	}
	if !p.required {
		kind += ", may be left out"
	}
	if p.about == "" || !simple {
		return fmt.Sprintf("- %s (%s)\n", p.name, kind)
	}
	return fmt.Sprintf("- %s (%s): %s\n", p.name, kind, p.about)
}

// sample stands for a value in an example.
func (p parameter) sample() string {
	switch {
	case len(p.choices) > 0:
		return strings.Trim(string(p.choices[0]), `"`)
	case p.kind == "integer", p.kind == "number":
		return "1"
	case p.kind == "boolean":
		return "true"
	case p.kind == "texts":
		return `["…"]`
	case p.kind == "array":
		return "[…]"
	case p.kind == "object":
		return "{…}"
	}
	return "the " + strings.ReplaceAll(p.name, "_", " ")
}

// valueOf is a value as JSON: a text unless the schema says otherwise. What does not fit the schema stays a
// text, about which the action then complains.
func valueOf(value, kind string) string {
	bare := strings.TrimSpace(value)
	switch kind {
	case "boolean":
		bare = strings.ToLower(bare)
		fallthrough
	case "integer", "number", "array", "texts", "object", "null":
		if json.Valid([]byte(bare)) {
			return bare
		}
	}
	return plainJSON(value)
}
