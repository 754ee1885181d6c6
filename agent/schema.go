package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	generate "github.com/google/jsonschema-go/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// shape is what is known of an action's input type: the schema that a Brain is shown, and the stricter one that arguments are
// checked against.
type shape struct {
	shown json.RawMessage
	check func() (*validate.Schema, error)
}

// shapes keeps what was worked out for a type, which never changes: the actions of a nested agent are made anew at each call.
var shapes sync.Map // reflect.Type to *shape

// shapeOf works out the shape of a struct. It panics when In has no schema, which only a bug in the caller's type can cause.
func shapeOf[In any]() *shape {
	t := reflect.TypeFor[In]()
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	schema, err := generate.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless %s has no schema: %v", t, err))
	}
	strict, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless the schema of %s does not marshal: %v", t, err))
	}
	slim(schema)
	shown, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless the schema of %s does not marshal: %v", t, err))
	}
	if len(schema.Properties) == 0 {
		shown = json.RawMessage(`{"type":"object","properties":{}}`) // some servers insist on properties
	}
	s := &shape{shown: shown, check: sync.OnceValues(func() (*validate.Schema, error) { return compile(strict) })}
	shapes.Store(t, s)
	return s
}

// slim takes out of a schema what costs tokens and tells a model nothing: that there are no other properties, and that a list may be
// null.
func slim(s *generate.Schema) {
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

func compile(schema []byte) (*validate.Schema, error) {
	doc, err := validate.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := validate.NewCompiler()
	if err := c.AddResource("arguments.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("arguments.json")
}

// decode checks and decodes a call's arguments. No arguments at all are the same as {}, which is how several servers write
// a call without any; the schema then says whether something is missing.
func decode[In any](schema *validate.Schema, args json.RawMessage) (In, error) {
	var in In
	if trimmed := bytes.TrimSpace(args); len(trimmed) == 0 || string(trimmed) == "null" {
		args = json.RawMessage("{}")
	}
	value, err := validate.UnmarshalJSON(bytes.NewReader(args))
	if err != nil {
		return in, fmt.Errorf("they are not one JSON object: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return in, plainly(err)
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return in, fmt.Errorf("they do not decode: %w", err)
	}
	return in, nil
}

// plainly turns a validation error into one line a fault, which a model can act on.
func plainly(err error) error {
	var invalid *validate.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	var faults []string
	var walk func(e *validate.ValidationError)
	walk = func(e *validate.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 {
			faults = append(faults, fault(e))
		}
	}
	walk(invalid)
	return errors.New(strings.Join(faults, "; "))
}

func fault(e *validate.ValidationError) string {
	at := "at the top"
	if len(e.InstanceLocation) > 0 {
		at = fmt.Sprintf("%q", strings.Join(e.InstanceLocation, "."))
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return fmt.Sprintf("%s is missing", strings.Join(k.Missing, ", "))
	case *kind.Type:
		return fmt.Sprintf("%s is %s where %s is wanted", at, k.Got, strings.Join(k.Want, " or "))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("there is no argument %s", strings.Join(k.Properties, ", "))
	case *kind.FalseSchema:
		return fmt.Sprintf("there is no argument %s", at)
	default:
		return fmt.Sprintf("%s: %v", at, e)
	}
}
