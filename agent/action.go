package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Action is something a Brain can do. Make one with [NewAction].
type Action struct {
	Name   string
	Doc    string          // shown to the Brain
	Schema json.RawMessage // JSON schema of the arguments
	// Ends marks an action that proposes to end the work. It runs after the other calls of its reply, and not
	// if one of them failed; its decision holds whatever the other calls did.
	Ends bool
	// Compresses marks an action that clears the history when it succeeds. The last such action is the one
	// that the Brain has to call when the conversation nears the model's window.
	Compresses bool
	// Parallel allows consecutive calls in a reply to run side by side.
	Parallel bool
	// Explores marks an action that gathers something new. It is refused once 85 % of a limit are used: the
	// rest is for finishing.
	Explores bool
	// Timeout bounds one call; 0 leaves only the run's own context.
	Timeout time.Duration
	// Run carries out a call. Its error becomes the call's result, unless it is [Fatal] or ctx has ended.
	Run func(ctx context.Context, turn *Turn) (Outcome, error)
}

// Effect is the loop's next move after an action.
type Effect string

// The three effects.
const (
	Continue Effect = "continue" // append the text to the history
	Restart  Effect = "restart"  // drop the history and open again
	Finish   Effect = "finish"   // end the run with the text as its result; texts from one reply are joined
)

// Outcome is an action's result.
type Outcome struct {
	Effect Effect `json:"effect"`
	Text   string `json:"text"` // for the Brain; programs read Facts instead
	Facts  []Fact `json:"facts,omitempty"`
}

// Fact is one thing that was found, read or changed.
type Fact struct {
	Kind  string `json:"kind"`
	ID    string `json:"id,omitempty"`    // of a search result or a source
	Path  string `json:"path,omitempty"`  // of a file, or the address of a page
	Title string `json:"title,omitempty"` // of a page
	N     int    `json:"n,omitempty"`     // words written, or the number of a round
}

// Kinds of facts.
const (
	Found     = "found"    // a search result
	Read      = "read"     // a page, which is a source now
	Changed   = "changed"  // a file was written
	Deleted   = "deleted"  // a file is no longer there
	Restored  = "restored" // a file was deleted, and was written again
	NextRound = "round"    // the work goes on with another round
)

// Failure begins the text of a failed call; the error follows.
const Failure = "Error: "

// Say returns the ordinary outcome: the text becomes the call's result.
func Say(text string, facts ...Fact) Outcome { return Outcome{Continue, text, facts} }

// Answer ends the run with a value encoded as JSON.
func Answer(value any) (Outcome, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return Outcome{}, fmt.Errorf("writing the answer: %w", err)
	}
	return Outcome{Effect: Finish, Text: string(text)}, nil
}

// Answers decodes the answers that actions gave, in order: a Brain may call several in one reply. It stops at
// the first text that is not such an answer.
func Answers[T any](text string) (all []T) {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var one T
		if d.Decode(&one) != nil {
			return all
		}
		all = append(all, one)
	}
}

// Asked returns an agent that is shown a text and some rules, and answers through one of its actions.
func Asked(name string, brain Brain, rules, shown string, steps int, actions ...Action) Agent {
	return Agent{Name: name, Brain: brain, Actions: actions, Limits: Limits{Steps: steps},
		Open: func(context.Context) ([]Message, error) {
			return []Message{System(strings.TrimSpace(rules)), User(shown)}, nil
		}}
}

// Runner runs an agent inside another's call; a method value of [Turn.Nest] is a Runner.
type Runner func(ctx context.Context, a Agent) (Result, error)

// NewAction makes an action from a function with a typed input. The schema comes from In's fields: their json
// names, their types, a jsonschema tag as description; a field is required unless its json tag says
// omitempty. The Brain's arguments are checked against it before run is called; errors go back to the Brain.
//
// It panics if In is not a struct with a JSON schema, which is a bug in the caller's type.
func NewAction[In any](
	name, doc string,
	run func(ctx context.Context, turn *Turn, in In) (Outcome, error),
) Action {
	shown, strict := schemasOf[In]()
	return Action{
		Name:   name,
		Doc:    strings.TrimSpace(doc),
		Schema: shown,
		Run: func(ctx context.Context, turn *Turn) (Outcome, error) {
			in, err := decode[In](strict, turn.Call.Args)
			if err != nil {
				return Outcome{}, fmt.Errorf("the arguments of %s do not fit: %w", name, err)
			}
			return run(ctx, turn, in)
		},
	}
}

// Fatal marks an action's error as one that ends the run, because going on would lose or damage something.
func Fatal(err error) error { return &fatalError{err} }

type fatalError struct{ err error }

func (e *fatalError) Error() string { return e.err.Error() }
func (e *fatalError) Unwrap() error { return e.err }
