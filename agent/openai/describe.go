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

// parametersOf reads the schema of an action. What it cannot read it leaves out: the model is told then by
// the action itself.
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

// json is a value as JSON: a text unless the schema says otherwise. What does not fit the schema stays a
// text, about which the action then complains.
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
