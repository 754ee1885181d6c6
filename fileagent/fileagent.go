// Package fileagent implements the file micro-agent: it carries out a request in plain words on the files of
// a workspace.
//
//	files := fileagent.Files{Workspace: w, Brain: brain}
//	done, err := files.Operate(ctx, turn, "Read lines 1-40 of Notebook/01-background.md", "")
//
// It has its own context and at most ten steps; only its answer comes back. Text to be written goes by
// reference: it comes with the request, and the agent writes it by naming it. An action marked as the answer
// returns its result verbatim. So an ordinary read or write costs one model call, and no model retypes a
// byte. The results of several calls are listed by file: those of the last reply, and earlier ones that were
// marked, changed something or failed.
package fileagent

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent/shell"
)

//go:embed prompts/*.md
var prompts embed.FS

// maxSteps bounds the replies of a file operation.
const maxSteps = 10

type Files struct {
	Workspace *workspace.Workspace
	Brain     agent.Brain
	// whether the agent may run command lines to read files, if the machine can confine them
	Shell bool
	// SearchTime limits one search, which then shows what it has found; 0 is 30 seconds.
	SearchTime time.Duration
	Tools      []agent.Action // from elsewhere, besides those for files

	most int // bytes of a file in one result; 0 for maxPage
}

// Operate runs the file agent inside another agent's call; content is the text to be written. The outcome has
// the facts of everything that it did.
func (f Files) Operate(ctx context.Context, turn *agent.Turn,
	description, content string) (done agent.Outcome, err error) {
	f.most = min(maxPage, 3*turn.Room()) // at three bytes per token
	brain, steps := f.Brain, maxSteps
	asked := plan(description, content != "")
	if len(asked) > 0 {
		brain, steps = asked, len(asked)+1
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
	case len(asked) > 0:
		done.Text, err = asked.told(f, result)
	case result.Reason != agent.Finished:
		err = f.unfinished(result, content)
	default:
		done.Text, err = f.report(result, content)
	}
	return done, err
}

// actions returns all actions of the file agent, in the order in which it reads them.
func (f Files) actions(content string) []agent.Action {
	w := f.Workspace
	all := []agent.Action{
		readFile(f), writeFile(w, content), createFile(w, content), replaceInFile(w, content),
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

// Reading returns the actions that only read files, for other agents.
func (f Files) Reading() []agent.Action {
	return []agent.Action{readFile(f), searchInFile(f), grepFiles(f)}
}

// marked is the input field that marks an action's result as the answer.
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

// action makes a file action whose result goes back to the file agent, or is the answer to the request.
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
		defer func() { turn.Call.Args = written }() // the record keeps what the Brain wrote
		turn.Call.Args = renamed(written, name == "list_directory" || name == "create_directory")
		return strict(ctx, turn)
	}
	return a
}

// links finds the targets of a report's citations, which the program lists at its end.
var links = regexp.MustCompile(`(?m)^\[s\d+(?:\.\d+)?\]: .*`)

// filled returns the fact that a file was written. Its links do not count as words.
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

// otherNames maps names that models still use for fields to our names.
var otherNames = map[string]string{
	"file_path": "path", "directory_path": "path", "content": "text", "initial_content": "text",
	"name_pattern": "pattern",
}

// renamed returns arguments under our field names, unchanged if unreadable; a field under both names is kept.
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
	for _, other := range slices.Sorted(maps.Keys(names)) { // of two for one field always the same
		own := names[other]
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

// unshown are fields that models fill in unprompted, so that showing them would waste tokens.
var unshown = map[string][]string{
	"read_file": {"passages"}, "grep_files": {"context_lines", "options"},
	"file_search":      {"directory", "answer"},
	"stream_read_file": {"chunk_size", "answer"},
	"create_file":      {"answer"}, "outline": {"answer"}, "list_directory": {"answer"},
	"create_directory": {"answer"}, "move": {"answer"}, "delete_file": {"answer"},
}

// shown returns an action's schema, one line of JSON, without the unshown fields.
func shown(schema json.RawMessage, action string) json.RawMessage {
	for _, field := range unshown[action] {
		schema = regexp.MustCompile(`,?"`+field+`":\{"type":"[a-z]+"\}`).ReplaceAll(schema, nil)
	}
	return schema
}
