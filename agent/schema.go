package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemasOf returns the schema of a struct as shown to a Brain, and the stricter one for checking arguments.
// It panics if In has no schema, which is a bug in the caller's type.
func schemasOf[In any]() (shown json.RawMessage, strict *jsonschema.Schema) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless %s has no schema: %v", reflect.TypeFor[In](), err))
	}
	strict = schema.CloneSchemas()
	// Some servers insist on properties
	shown = json.RawMessage(`{"type":"object","properties":{}}`)
	if len(schema.Properties) > 0 {
		slim(schema)
		if shown, err = json.Marshal(schema); err != nil {
			panic(fmt.Sprintf("unreachable: %v", err))
		}
	}
	return shown, strict
}

// slim removes from a schema what costs tokens and helps no model: that there are no other properties, and
// that a list may be null.
func slim(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	slim(s.Items)
	for _, p := range s.Properties {
		slim(p)
	}
}

// fit converts the values of an object to their fields' types, and returns a short error for those that do
// not fit: the field, its value and the type wanted. It lists the fields only if one is missing or unknown.
func fit(schema *jsonschema.Schema, object map[string]any) error {
	m := &misfits{}
	m.object("", schema, object)
	if len(m.found) == 0 {
		return nil
	}
	const most = 3
	text := strings.Join(m.found[:min(most, len(m.found))], "; ")
	if more := max(0, len(m.found)-most) + m.alike; more > 0 {
		text += fmt.Sprintf("; and %d more like these", more)
	}
	if m.names {
		text += ". The arguments are one JSON object with " + fieldList(schema)
	}
	return errors.New(text)
}

type misfits struct {
	found []string
	alike int  // further misfits in lists, besides the first item of each
	names bool // the Brain does not know the fields' names
}

// object fits each field. As in strict schemas, null in an optional field means that it is absent.
func (m *misfits) object(at string, schema *jsonschema.Schema, object map[string]any) {
	for _, name := range fieldNames(schema) {
		value, given := object[name]
		needed := slices.Contains(schema.Required, name)
		switch {
		case given && value == nil && !needed:
			delete(object, name)
		case given:
			object[name] = m.value(at+name, schema.Properties[name], value)
		case needed:
			m.names = true
			m.found = append(m.found, fmt.Sprintf("%s is missing", at+name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, known := schema.Properties[name]; !known && schema.AdditionalProperties != nil {
			m.names = true
			m.found = append(m.found, fmt.Sprintf("there is no field %s", quoted(at+name)))
		}
	}
}

func (m *misfits) value(at string, schema *jsonschema.Schema, value any) any {
	want := typeOf(schema)
	value = settled(want, value)
	if want != "" && !isOf(want, value) && !(value == nil && slices.Contains(schema.Types, "null")) {
		m.found = append(m.found, fmt.Sprintf("%s is %s, and has to be %s", at, kindOf(value), named(schema)))
		return value
	}
	switch v := value.(type) {
	case []any:
		if schema.Items != nil {
			m.list(at, schema.Items, v)
		}
	case map[string]any:
		if len(schema.Properties) > 0 {
			m.object(at+".", schema, v)
		}
	}
	return value
}

// list reports only the first item that does not fit: usually all have the same fault, and other fields need
// space.
func (m *misfits) list(at string, schema *jsonschema.Schema, items []any) {
	told := false
	for i, item := range items {
		here := misfits{}
		items[i] = here.value(fmt.Sprintf("%s[%d]", at, i), schema, item)
		m.names = m.names || here.names
		if len(here.found) > 0 && told {
			m.alike++
			continue
		}
		told = told || len(here.found) > 0
		m.found, m.alike = append(m.found, here.found...), m.alike+here.alike
	}
}

func fieldList(schema *jsonschema.Schema) string {
	var needed, others []string
	for _, name := range fieldNames(schema) {
		field := fmt.Sprintf("%s (%s)", name, named(schema.Properties[name]))
		if slices.Contains(schema.Required, name) {
			needed = append(needed, field)
		} else {
			others = append(others, field)
		}
	}
	switch {
	case len(needed)+len(others) == 0:
		return "no fields"
	case len(others) == 0:
		return strings.Join(needed, ", ")
	case len(needed) == 0:
		return strings.Join(others, ", ") + ", each of which may be left out"
	}
	return strings.Join(needed, ", ") + ", and if wanted " + strings.Join(others, ", ")
}

func fieldNames(schema *jsonschema.Schema) []string {
	if len(schema.PropertyOrder) > 0 {
		return schema.PropertyOrder
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

// typeOf returns the type that a value must have, apart from null.
func typeOf(schema *jsonschema.Schema) string {
	for _, t := range schema.Types {
		if t != "null" {
			return t
		}
	}
	return schema.Type
}

// named returns a type in words. For an object it lists the fields: a Brain that gave a string instead cannot
// guess them.
func named(schema *jsonschema.Schema) string {
	switch t := typeOf(schema); t {
	case "":
		return "any value"
	case "integer":
		return "a whole number"
	case "array":
		if schema.Items != nil && len(schema.Items.Properties) > 0 {
			return "a list, each item of it " + named(schema.Items)
		}
		return "a list"
	case "boolean":
		return "true or false"
	case "object":
		if len(schema.Properties) > 0 {
			return "an object {" + fieldList(schema) + "}"
		}
		return "an object"
	default:
		return "a " + t
	}
}

// kindOf describes a value in words.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return "the string " + quoted(v)
	case json.Number:
		return "the number " + v.String()[:min(len(v), 30)]
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(value)
}
