package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// shape is what is known of an action's input type: the schema that a Brain is shown, and the stricter one that arguments are
// checked against.
type shape struct {
	shown json.RawMessage
	check *jsonschema.Resolved
}

// shapes keeps what was worked out for a type, which never changes: the actions of a nested agent are made anew at each call.
var shapes sync.Map // reflect.Type to *shape

// shapeOf works out the shape of a struct. It panics when In has no schema, which only a bug in the caller's type can cause.
func shapeOf[In any]() *shape {
	t := reflect.TypeFor[In]()
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s, err := newShape[In]()
	if err != nil {
		panic(fmt.Sprintf("unreachable unless %s has no schema: %v", t, err))
	}
	shapes.Store(t, s)
	return s
}

func newShape[In any]() (*shape, error) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, err
	}
	check, err := schema.CloneSchemas().Resolve(nil)
	if err != nil {
		return nil, err
	}
	if len(schema.Properties) == 0 {
		return &shape{json.RawMessage(`{"type":"object","properties":{}}`), check}, nil // some servers insist on properties
	}
	slim(schema)
	shown, err := json.Marshal(schema)
	return &shape{shown, check}, err
}

// slim takes out of a schema what costs tokens and tells a model nothing: that there are no other properties, and that a list may be
// null.
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

// decode checks and decodes a call's arguments. No arguments at all are the same as {}, which is how several servers write
// a call without any; the schema then says whether something is missing.
func decode[In any](check *jsonschema.Resolved, args string) (In, error) {
	var in In
	if trimmed := strings.TrimSpace(args); trimmed == "" || trimmed == "null" {
		args = "{}"
	}
	var value any
	if err := json.Unmarshal([]byte(args), &value); err != nil {
		return in, fmt.Errorf("they are not one JSON object: %w", err)
	}
	if err := check.Validate(value); err != nil {
		return in, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "validating root: "))
	}
	if err := json.Unmarshal([]byte(args), &in); err != nil {
		return in, fmt.Errorf("they do not decode: %w", err)
	}
	return in, nil
}
