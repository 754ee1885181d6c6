// Package fileagent is the file micro-agent: it takes a request in plain words and carries it out on the
// files of a workspace.
//
//	files := fileagent.Files{Workspace: w, Brain: brain}
//	done, err := files.Operate(ctx, turn, "Read lines 1-40 of Notebook/01-background.md", "")
//
// It has a context of its own and at most ten steps; only its answer comes back. Text that is to be written
// goes by reference: the request carries it beside the words, and the agent writes it by naming it. An action
// that is marked as the answer gives its result back to the letter. So an ordinary read or write costs one
// call of the model, and no model retypes a byte. Of several calls each result comes back under the name of
// its file: of those in the last reply, and before it of what was marked, changed or failed.
package fileagent

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

//go:embed prompts/*.md
var prompts embed.FS

// maxSteps is how many replies a file operation may take.
const maxSteps = 10

// Files carries out file operations in a workspace.
type Files struct {
	Workspace *workspace.Workspace
	Brain     agent.Brain
	// whether the agent may run command lines that read the files, where the machine can confine them
	Shell bool
	// SearchTime is how long one search may take, which then shows what it found; 0 is 30 seconds.
	SearchTime time.Duration
	Tools      []agent.Action // from elsewhere, beside those of files

	most int // bytes of a file that one result holds; 0 for maxPage
}

// Operate runs the file agent inside a call of another agent; content is what the request is about. The facts
// are those of all that it did.
func (f Files) Operate(ctx context.Context, turn *agent.Turn,
	description, content string) (done agent.Outcome, err error) {
	f.most = pageFor(turn.Room())
	brain, steps := f.Brain, maxSteps
	asked, plain := plan(description, content != "")
	if plain {
		brain, steps = planned(asked), len(asked)+1
	}
	result, err := turn.Nest(ctx, agent.Agent{
		Name:    "file",
		Brain:   brain,
		Actions: f.actions(content),
		Answer:  "answer",
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System(prompt("system")),
				agent.User(request(description, content))}, nil
		},
		Limits: agent.Limits{Steps: steps},
	})
	if errors.Is(err, agent.ErrTooLong) {
		return done, fmt.Errorf("%w. What helps is to ask for less at a time, in fewer words; a text that "+
			"is to be written belongs in content, which the file agent is not shown", err)
	}
	if err != nil {
		return done, err
	}
	for _, d := range result.Did {
		done.Facts = append(done.Facts, d.Facts...)
	}
	switch {
	case plain:
		done.Text, err = planned(asked).told(f, result)
	case result.Reason != agent.Finished:
		err = f.unfinished(result, content)
	default:
		done.Text, err = f.report(result, content)
	}
	return done, err
}

// actions are all that the file agent can do, in the order in which it reads them.
func (f Files) actions(content string) []agent.Action {
	w := f.Workspace
	all := []agent.Action{
		readFile(f), writeFile(w, given(content, "write_file")), createFile(w, given(content, "create_file")),
		replaceInFile(w, given(content, "replace_in_file")),
		searchInFile(f), grepFiles(f), fileSearch(f),
		streamReadFile(f), continueStreamRead(f), outline(w),
		listDirectory(w), createDirectory(w), move(w), deleteFile(w),
		answer(),
	}
	if f.Shell && shell.Landlocked() {
		all = append(all, runCommand(w))
	}
	return append(all, f.Tools...)
}

// Reading are the actions that only look into files, for other agents.
func (f Files) Reading() []agent.Action {
	f.most = 0
	return []agent.Action{readFile(f), searchInFile(f), grepFiles(f)}
}

// marked is the part of an action's input that marks its result as the answer.
type marked struct {
	Answer bool `json:"answer,omitempty"`
}

func (m marked) isAnswer() bool { return m.Answer }

// looking makes an action that changes no file.
func looking[In interface{ isAnswer() bool }](name string,
	run func(ctx context.Context, in In) (string, error)) agent.Action {
	return action(name, func(ctx context.Context, in In) (agent.Outcome, error) {
		text, err := run(ctx, in)
		return agent.Say(text), err
	})
}

// action makes a file action: its result goes back to the file agent, or is the answer to the request.
func action[In interface{ isAnswer() bool }](name string,
	run func(ctx context.Context, in In) (agent.Outcome, error)) agent.Action {
	a := agent.NewAction(name, prompt(name),
		func(ctx context.Context, _ *agent.Turn, in In) (agent.Outcome, error) {
			done, err := run(ctx, in)
			if in.isAnswer() {
				done.Effect = agent.Finish
			}
			return done, err
		})
	a.Schema = shown(a.Schema, name)
	strict := a.Run
	a.Run = func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error) {
		written := turn.Call.Args
		defer func() { turn.Call.Args = written }() // the record has what the Brain wrote
		turn.Call.Args = renamed(written, name == "list_directory" || name == "create_directory")
		return strict(ctx, turn)
	}
	return a
}

// links are where the citations of a report lead, which the program lists at its end.
var links = regexp.MustCompile(`(?m)^\[s\d+(?:\.\d+)?\]: .*`)

// filled is a file that was written, as a fact. Its links are no words of its text.
func filled(file, text string) agent.Fact {
	return agent.Fact{Kind: agent.Changed, Path: file, N: prose.Count(links.ReplaceAllString(text, ""))}
}

func answer() agent.Action {
	type input struct {
		Text string `json:"text"`
	}
	return agent.NewAction("answer", prompt("answer"),
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			return agent.Outcome{Effect: agent.Finish, Text: in.Text}, nil
		})
}

func prompt(name string) string {
	text, err := prompts.ReadFile("prompts/" + name + ".md")
	if err != nil {
		panic("unreachable unless a prompt is missing from this package: " + err.Error())
	}
	return strings.TrimSpace(string(text))
}

// otherNames are names that models still use for fields, by the names that they have here.
var otherNames = map[string]string{
	"file_path": "path", "directory_path": "path", "content": "text", "initial_content": "text",
	"name_pattern": "pattern",
}

// renamed are arguments under the names used here; what is unreadable or has both names stays.
func renamed(args string, ofFolder bool) string {
	object, ok := agent.Object(args)
	if !ok {
		return args
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &fields) != nil {
		return args
	}
	names := maps.Clone(otherNames)
	if ofFolder {
		names["directory"] = "path"
	}
	changed := false
	for other, own := range names {
		value, given := fields[other]
		if _, twice := fields[own]; given && !twice {
			fields[own], changed = value, true
			delete(fields, other)
		}
	}
	made, err := json.Marshal(fields)
	if err != nil || !changed {
		return args
	}
	return string(made)
}

// unshown are fields that models fill by themselves, not worth tokens in each prompt.
var unshown = map[string][]string{
	"read_file": {"passages"}, "grep_files": {"context_lines", "options"},
	"file_search":      {"directory", "answer"},
	"stream_read_file": {"chunk_size", "answer"},
	"create_file":      {"answer"}, "outline": {"answer"}, "list_directory": {"answer"},
	"create_directory": {"answer"}, "move": {"answer"}, "delete_file": {"answer"},
}

// shown is an action's schema, one line of JSON, without the fields that are not shown.
func shown(schema json.RawMessage, action string) json.RawMessage {
	for _, field := range unshown[action] {
		schema = regexp.MustCompile(`,?"`+field+`":\{"type":"[a-z]+"\}`).ReplaceAll(schema, nil)
	}
	return schema
}
