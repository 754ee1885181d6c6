package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	generate "github.com/google/jsonschema-go/jsonschema"
	validate "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Action is something a Brain can do. Make one with [NewAction].
type Action struct {
	Name   string
	Doc    string          // what the Brain reads about it
	Schema json.RawMessage // JSON schema of the arguments
	// Parallel says that calls which follow each other in a reply may run side by side.
	Parallel bool
	// Timeout bounds one call; 0 is no bound but the run's own context.
	Timeout time.Duration
	// Run carries a call out. An error is told to the Brain as the call's result, unless it is [Fatal] or ctx has ended.
	Run func(ctx context.Context, turn *Turn) (Outcome, error)
}

// Effect is what the loop does after an action.
type Effect string

// The three effects.
const (
	Continue Effect = "continue" // append the text to the history
	Restart  Effect = "restart"  // drop the history and open again
	Finish   Effect = "finish"   // end the run with the text as its result
)

// Outcome is what an action returns.
type Outcome struct {
	Effect Effect `json:"effect"`
	Text   string `json:"text"`
}

// Say is the ordinary outcome: the text becomes the call's result.
func Say(text string) Outcome { return Outcome{Effect: Continue, Text: text} }

// NewAction makes an action from a function with a typed input. The schema comes from In's fields: their json names, their
// types, a jsonschema tag as description; a field is required unless its json tag says omitempty. The Brain's arguments
// are checked against it before run is called, and what is wrong with them is told to the Brain, all at once.
//
// It panics when In is not a struct that has a JSON schema, which only a bug in the caller's type can cause.
func NewAction[In any](name, doc string, run func(ctx context.Context, turn *Turn, in In) (Outcome, error)) Action {
	schema, err := generate.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless %T has no schema: %v", *new(In), err))
	}
	encoded, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("unreachable unless the schema of %T does not marshal: %v", *new(In), err))
	}
	check := sync.OnceValues(func() (*validate.Schema, error) { return compile(encoded) })
	return Action{
		Name:   name,
		Doc:    strings.TrimSpace(doc),
		Schema: encoded,
		Run: func(ctx context.Context, turn *Turn) (Outcome, error) {
			checker, err := check()
			if err != nil {
				return Outcome{}, Fatal(fmt.Errorf("reading the schema of %s: %w", name, err))
			}
			in, err := decode[In](checker, turn.Call.Args)
			if err != nil {
				return Outcome{}, fmt.Errorf("the arguments of %s do not fit: %w. Its schema is %s", name, err, encoded)
			}
			return run(ctx, turn, in)
		},
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

// Fatal marks an action's error as one that ends the run: going on would lose or spoil something.
func Fatal(err error) error { return &fatalError{err} }

type fatalError struct{ err error }

func (e *fatalError) Error() string { return e.err.Error() }
func (e *fatalError) Unwrap() error { return e.err }

func isFatal(err error) bool {
	var f *fatalError
	return errors.As(err, &f)
}
