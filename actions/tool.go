package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Tool is an action from elsewhere, such as a tool of an MCP server, or of the Go program that runs the
// research.
type Tool struct {
	// its name for the model: letters, digits, _ and -, at most 64
	Name   string          `json:"name"`
	From   string          `json:"from"`             // its server
	Doc    string          `json:"doc,omitempty"`    // what the model reads about it
	Schema json.RawMessage `json:"schema,omitempty"` // of its arguments
	// ReadOnly: it changes nothing, so it may run in parallel, and again if a kill came before its result
	ReadOnly bool `json:"read_only,omitempty"`
	ForFiles bool `json:"for_files,omitempty"` // the file agent may call it, not the researcher
	// Call runs it. It must bound its own time and bytes.
	Call func(ctx context.Context, args string) (Brought, error) `json:"-"`
}

// Brought is the result of a tool call.
type Brought struct {
	Type   string `json:"type"` // MIME type, according to the tool
	Body   []byte `json:"body"`
	Failed bool   `json:"failed,omitempty"` // it is an error, in the tool's words
}

const (
	// toolTime bounds a call, including the wait for earlier ones.
	toolTime = 2 * time.Hour
	// maxArgs bounds what leaves the machine in one call of a tool, in bytes.
	maxArgs = 2000
	// leastDocument is how many characters from a tool that changes something make a document: fewer are a
	// status message.
	leastDocument = 200
	// toolScheme begins the addresses of tool results.
	toolScheme = "mcp://"
)

// tools returns the joined actions of one of the two agents.
func (k Kit) tools(forFiles bool) []agent.Action {
	var all []agent.Action
	for _, t := range k.Tools {
		if t.ForFiles == forFiles {
			all = append(all, k.tool(t))
		}
	}
	return all
}

func (k Kit) tool(t Tool) agent.Action {
	what := "What it brings is kept as a source that you can cite, and shown in numbered blocks."
	if !t.ReadOnly {
		what = "It may change things outside this research: call it only where the question asks for that."
	}
	a := agent.Action{
		Name: t.Name, Schema: t.Schema, Parallel: t.ReadOnly, Explores: t.ReadOnly, Timeout: toolTime,
		Doc: fmt.Sprintf(doc("tool"), t.From, what, agent.Outside("material", t.Doc)),
		Run: func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error) {
			args, ok := agent.Object(turn.Call.Args)
			if !ok {
				return agent.Outcome{}, fmt.Errorf("the arguments of %s have to be one JSON object", t.Name)
			}
			if err := k.mayCarry(t, args); err != nil {
				return agent.Outcome{}, err
			}
			b, err := k.callOnce(ctx, turn, t, args)
			if err != nil {
				return agent.Outcome{}, err
			}
			if err := turn.InTurn(ctx); err != nil {
				return agent.Outcome{}, err
			}
			return k.keepBrought(ctx, turn, t, args, b)
		},
	}
	if k.Again != nil {
		a.Run = k.fromRecord
	}
	return a
}

// callOnce calls a tool, so that a kill loses no answer already received. A call that may have changed
// something, and whose answer is unknown, is not repeated.
func (k Kit) callOnce(ctx context.Context, turn *agent.Turn, t Tool, args string) (Brought, error) {
	return heldOr(k.Workspace, turn.Path(), "brought", func() (b Brought, err error) {
		if called, journal := turn.Path()+" called", k.Workspace.Journal(); !t.ReadOnly {
			if journal.Recall(called, new(bool)) {
				return b, fmt.Errorf(
					"the run was cut off while %s was at work, so what came of this call is not known, "+
						"and it is not made again by itself. See what came of it, if another action can "+
						"tell; call it again only if it did nothing", t.Name)
			}
			if err := errors.Join(journal.Record(called, true), journal.Sync()); err != nil {
				return b, agent.Fatal(err)
			}
		}
		return t.Call(ctx, args)
	})
}

// keepBrought keeps a tool's result as a source, if it is a document, and shows it.
func (k Kit) keepBrought(
	ctx context.Context,
	turn *agent.Turn,
	t Tool,
	args string,
	b Brought,
) (agent.Outcome, error) {
	text := strings.TrimSpace(string(b.Body))
	switch {
	case b.Failed:
		shown := agent.Outside("results", prose.Shorten(text, leastDocument*10), "of", t.Name)
		k.outside.show(turn.Step(), shown)
		return agent.Outcome{}, fmt.Errorf("%s says that it failed:\n%s", t.Name, shown)
	case text == "":
		return agent.Say(t.Name + " is done, and brought nothing."), nil
	case !t.ReadOnly && utf8.RuneCountInString(text) < leastDocument:
		shown := agent.Outside("results", text, "of", t.Name)
		k.outside.show(turn.Step(), shown)
		return agent.Say(shown), nil
	}
	tool := strings.TrimPrefix(t.Name, t.From+"__")
	address := fmt.Sprintf("%s%s/%s?%s", toolScheme, t.From, tool, store.Hash([]byte(args))[:8])
	p, err := k.readRaw(ctx, page.Raw{URL: address, ContentType: b.Type, Body: b.Body})
	if err != nil {
		return agent.Outcome{}, err
	}
	r := readNow(p, address, address)
	r.source.Title = fmt.Sprintf("%s of %s: %s", tool, t.From,
		prose.Shorten(agent.Literal(prose.OneLine(args)), maxNamed))
	r.take(false)
	if r.source, err = k.Workspace.AddSource(r.source, r.text); err != nil {
		return agent.Outcome{}, agent.Fatal(err)
	}
	shown, err := r.showPart(opening{}, partFor(turn.Room()))
	if err != nil {
		return agent.Outcome{}, err
	}
	if err := k.recordShown(&r, true); err != nil {
		return agent.Outcome{}, err
	}
	k.outside.visited(k.Workspace, turn.Step(), r.source.ID, shown)
	return agent.Say(shown, asFact(r.source)), nil
}

// mayCarry refuses arguments that contain what looks like a secret, as mayLeave does for queries. Words that
// the same server brought may go back to it.
func (k Kit) mayCarry(t Tool, args string) error {
	if len(args) > maxArgs {
		return fmt.Errorf("the arguments have %d bytes and may have %d: say it shorter", len(args), maxArgs)
	}
	var value any
	if err := bounds.JSON([]byte(args), &value); err != nil {
		return fmt.Errorf("reading the arguments of %s: %w", t.Name, err)
	}
	for _, word := range k.secretsIn(strings.Join(textsIn(value), " ")) {
		if !k.broughtBy(t.From, word) {
			return fmt.Errorf("the arguments hold %q, which looks like a key or an encoded text, and such "+
				"words are not sent out. Say it in other words", prose.Shorten(word, 6))
		}
	}
	return nil
}

// textsIn returns all strings and numbers in a JSON value.
func textsIn(value any) (found []string) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			found = append(append(found, name), textsIn(inner)...)
		}
	case []any:
		for _, inner := range value {
			found = append(found, textsIn(inner)...)
		}
	case string:
		found = []string{value}
	case float64:
		found = []string{fmt.Sprintf("%.0f", value)}
	}
	return found
}

// broughtBy reports whether one of the last sources from a server contains a word.
func (k Kit) broughtBy(server, word string) bool {
	for _, s := range k.Workspace.LastSources(maxRemembered) {
		if !strings.HasPrefix(s.URL, toolScheme+server+"/") {
			continue
		}
		if text, intact, err := k.Workspace.SourceText(s.ID); err == nil && intact &&
			strings.Contains(text, word) {
			return true
		}
	}
	return false
}
