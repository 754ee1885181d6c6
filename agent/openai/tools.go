package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/daybook-agent/daybook/agent"
)

// encodeTools writes the actions as the server's "tools".
func encodeTools(actions []agent.Action) ([]byte, error) {
	type toolFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type tool struct {
		Type     string       `json:"type"`
		Function toolFunction `json:"function"`
	}
	tools := make([]tool, len(actions))
	for i, a := range actions {
		parameters, err := parameters(a.Schema)
		if err != nil {
			return nil, fmt.Errorf("encoding the schema of %s: %w", a.Name, err)
		}
		tools[i] = tool{Type: "function", Function: toolFunction{Name: a.Name, Description: a.Doc, Parameters: parameters}}
	}
	encoded, err := plainJSON(tools)
	if err != nil {
		return nil, fmt.Errorf("encoding the actions: %w", err)
	}
	return encoded, nil
}

// parameters is a schema as a model should read it: an object that has properties, which some servers insist on, and none of
// what costs tokens without telling anything. The full schema is still what arguments are checked against.
func parameters(schema json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	slim, err := slimmed(schema)
	if err != nil {
		return nil, err
	}
	fields, err := fieldsOf(slim)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if f.name == "properties" {
			return slim, nil
		}
	}
	return written(append(fields, field{"properties", json.RawMessage("{}")}))
}

// slimmed drops additionalProperties:false and the null in ["null", X] from a schema and those inside it. Fields keep their
// order: a model fills arguments in the order in which it sees them.
func slimmed(schema json.RawMessage) (json.RawMessage, error) {
	fields, err := fieldsOf(schema)
	if err != nil {
		return schema, nil // true, false: a schema too
	}
	kept := fields[:0]
	for _, f := range fields {
		switch f.name {
		case "additionalProperties":
			if string(f.value) == "false" {
				continue
			}
			f.value, err = slimmed(f.value)
		case "type":
			f.value = withoutNull(f.value)
		case "items", "not":
			f.value, err = slimmed(f.value)
		case "properties", "$defs", "definitions":
			f.value, err = slimmedFields(f.value)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			f.value, err = slimmedList(f.value)
		}
		if err != nil {
			return nil, err
		}
		kept = append(kept, f)
	}
	return written(kept)
}

func slimmedFields(schemas json.RawMessage) (json.RawMessage, error) {
	fields, err := fieldsOf(schemas)
	if err != nil {
		return nil, err
	}
	for i := range fields {
		if fields[i].value, err = slimmed(fields[i].value); err != nil {
			return nil, err
		}
	}
	return written(fields)
}

func slimmedList(schemas json.RawMessage) (json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(schemas, &list); err != nil {
		return nil, err
	}
	for i := range list {
		slim, err := slimmed(list[i])
		if err != nil {
			return nil, err
		}
		list[i] = slim
	}
	return plainJSON(list)
}

func withoutNull(types json.RawMessage) json.RawMessage {
	var names []string
	if json.Unmarshal(types, &names) != nil || len(names) != 2 {
		return types
	}
	for i, name := range names {
		if other, err := plainJSON(names[1-i]); name == "null" && err == nil {
			return other
		}
	}
	return types
}

// field is a member of a JSON object, in its place.
type field struct {
	name  string
	value json.RawMessage
}

func fieldsOf(object json.RawMessage) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil {
		return nil, err
	} else if open != json.Delim('{') {
		return nil, fmt.Errorf("%s is not an object", head(object, 40))
	}
	var fields []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		f := field{name: fmt.Sprint(name)}
		if err := d.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	if _, err := d.Token(); err != nil && err != io.EOF {
		return nil, err
	}
	return fields, nil
}

func written(fields []field) (json.RawMessage, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := plainJSON(f.name)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		if err := json.Compact(&out, f.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
