package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
)

// player is a model without memory that leads a research, and its actions.
type player interface {
	agent.Brain
	actions(w *workspace.Workspace) []agent.Action
	counted() *counts
}

// counts are how often a player was asked for replies, and for each page and query.
type counts struct {
	mu      sync.Mutex
	replies int
	fetched map[string]int
}

func (c *counts) counted() *counts { return c }

// askedFor is how many replies were asked for so far.
func (c *counts) askedFor() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.replies
}

func (c *counts) reply() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replies++
}

func (c *counts) fetch(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fetched == nil {
		c.fetched = map[string]int{}
	}
	c.fetched[what]++
}

// leader is a model without memory that leads a small research with the real actions: in which stretch it is it reads off the current
// dashboard, and at which step off the number of its own words. So it says the same to the same conversation, however often the power was
// cut in between. It is also the person's documents.
type leader struct {
	short bool // it is as small a research as does all of this
	counts
}

func (l *leader) actions(w *workspace.Workspace) []agent.Action {
	kit := actions.Kit{Workspace: w, Files: fileagent.Files{Workspace: w, Brain: l}, Documents: l}
	return rounds.Reviewer{Kit: kit, Judging: rounds.Judging{Fixed: 1, Without: rounds.NoChecker}}.Actions()
}

func (l *leader) stretches() int {
	if l.short {
		return 2
	}
	return 5
}

// lines is a text of many lines, or of one.
func (l *leader) lines(line string, n int) string {
	if l.short {
		n = 1
	}
	return strings.Repeat(line, n)
}

var (
	nextStretch = regexp.MustCompile(`stretch (\d+) is next`)
	pathsInside = regexp.MustCompile(`\S+\.md`)
)

// Think implements agent.Brain.
func (l *leader) Think(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
	l.reply()
	step := 0
	for _, m := range talk.Messages {
		if m.Role == agent.RoleAssistant {
			step++
		}
	}
	if strings.HasPrefix(talk.Messages[1].Text, "Operation: ") {
		return said(fileWork(talk.Messages[1].Text, step)), nil
	}
	stretch := 1
	if m := nextStretch.FindStringSubmatch(talk.Messages[2].Text); m != nil {
		stretch, _ = strconv.Atoi(m[1]) // digits
	}
	return said(l.calls(stretch, step)...), nil
}

func said(calls ...agent.Call) agent.Reply {
	r := agenttest.Reply(calls...)
	r.Usage = agent.Usage{Calls: 1, In: 100, Out: 10}
	return r
}

// Addresses implements actions.Documents.
func (l *leader) Addresses(context.Context) ([]string, error) { return nil, nil }

// Outside implements actions.Documents.
func (l *leader) Outside(context.Context, string) (bool, error) { return false, nil }

// Page implements actions.Documents.
func (l *leader) Page(_ context.Context, address string) (page.Page, error) {
	l.fetch(address)
	name := strings.TrimPrefix(address, "doc:")
	text := fmt.Sprintf("# Of %s\n\n", name) + l.lines(fmt.Sprintf("Page %s says that the tide follows the moon 潮.\n", name), 8+len(name)*3)
	return page.Page{Title: "Of " + name, Type: "markdown", Markdown: text}, nil
}

type given map[string]any

// calls is what the researcher does at a step of a stretch.
func (l *leader) calls(stretch, step int) []agent.Call {
	visit := func(n int) agent.Call {
		return agenttest.Call("visit_url", given{"url": fmt.Sprintf("doc:%d-%d.md", stretch, n)})
	}
	file := func(what string, content ...string) agent.Call {
		return agenttest.Call("file_operation", given{"operation_description": what, "content": strings.Join(content, "")})
	}
	update := func(dashboard, section, text string) agent.Call {
		return agenttest.Call("update_"+dashboard+"_dashboard", given{"section": section, "text": text})
	}
	chapter, lines := fmt.Sprintf("Notebook/%02d.md", (stretch-1)%3+1), l.lines(fmt.Sprintf("Line of stretch %d, after the moon.\n", stretch), 20+stretch)
	if stretch == l.stretches() {
		last := [][]agent.Call{
			{file("Write the content to report.md", "# Tides\n\nThe tide follows the moon [s1].\n\n"+lines)},
			{agenttest.Call("all_finished", given{"result": "The report is report.md"})},
		}
		return last[min(step, 1)]
	}
	tidying := []agent.Call{
		file("Replace the first line in " + chapter),
		file(fmt.Sprintf("Move Notebook/side-1.md to Notebook/%02d-side.md", stretch)),
		file("Delete Notebook/02-side.md"),
		file("Overwrite report.md", "# A first try\n\nOf the report.\n"),
	}
	if l.short {
		tidying[0] = file("Delete Notebook/side-1.md")
	}
	next := update("current", "next", fmt.Sprintf("stretch %d is next", stretch+1))
	ends := []agent.Call{next}
	if stretch%2 == 0 {
		ends = []agent.Call{update("overall", "findings", fmt.Sprintf("The tide follows the moon, says stretch %d [s%d].", stretch, stretch)), next}
	}
	return [][]agent.Call{
		{visit(0)},
		{file("Append the content to "+chapter, lines)},
		{visit(1), visit(2)},
		{file(fmt.Sprintf("Write the content to Notebook/side-%d.md", stretch), lines+"At the side.\n"), file("Insert the content before line 2 of "+chapter, "Put between.\n")},
		{file("Look at "+chapter+" and append the content", "It was looked at.\n")},
		tidying[stretch-1 : stretch],
		ends,
	}[min(step, 6)]
}

// fileWork is what the file agent does for a request.
func fileWork(request string, step int) agent.Call {
	paths := pathsInside.FindAllString(request, -1)
	write := given{"path": paths[0], "text": "@content", "answer": true}
	switch verb := strings.Fields(request)[1]; {
	case verb == "Look" && step == 0:
		return agenttest.Call("read_file", given{"path": paths[0]})
	case verb == "Append", verb == "Look":
		write["mode"] = "append"
	case verb == "Insert":
		write["mode"], write["line"] = "insert", 2
	case verb == "Replace":
		return agenttest.Call("replace_in_file", given{"path": paths[0], "old": "Put between.\n", "text": "Replaced.\n", "answer": true})
	case verb == "Move":
		return agenttest.Call("move", given{"path": paths[0], "to": paths[1], "answer": true})
	case verb == "Delete":
		return agenttest.Call("delete_file", given{"path": paths[0], "answer": true})
	}
	return agenttest.Call("write_file", write)
}

// lead runs the research on a disk, or goes on with it, to its end.
func (l *leader) lead(disk *crashDisk, observe func(agent.Event)) error {
	return lead(l, disk, observe)
}

// lead has a player lead its research. opened, when it is set, looks at what was found.
func lead(l player, disk *crashDisk, observe func(agent.Event), opened ...func() error) (err error) {
	w := workspace.OpenFs(disk)
	if err := w.Lock(); err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for _, look := range opened {
		if err := look(); err != nil {
			return fmt.Errorf("opened: %w", err)
		}
	}
	if err := begun(w); err != nil {
		return fmt.Errorf("beginning: %w", err)
	}
	var end agent.Mark
	if w.Journal().Recall(agent.KeyEnd, &end) && end.Reason == agent.Finished {
		return nil
	}
	a := agent.Agent{
		Name: "researcher", Brain: l, Actions: l.actions(w), Limits: agent.Limits{Steps: 200, Idle: 50}, Observe: observe,
		Open:     func(context.Context) ([]agent.Message, error) { return leadersOpening(w) },
		Notice:   func(context.Context) (agent.Notice, error) { return w.News() },
		Progress: w.Progress, Recorder: w.Journal(),
	}
	result, err := a.Run(context.Background())
	if err == nil && result.Reason != agent.Finished {
		err = fmt.Errorf("it ended since %s: %s", result.Reason, result.Text)
	}
	return err
}

// begun begins a workspace that is not, or in which nothing had come of it yet when the power was cut.
func begun(w *workspace.Workspace) error {
	opened := w.Journal().Recall(agent.KeyOpen, new(agent.Mark))
	if w.Exists() && (opened || len(w.Sources()) > 0) {
		return w.Baseline()
	}
	return errors.Join(w.Ask("Why do tides rise?"), w.Begin(map[string]string{
		workspace.OverallFile: overall, workspace.CurrentFile: current, workspace.SettingsFile: "# none\n",
	}))
}

func leadersOpening(w *workspace.Workspace) ([]agent.Message, error) {
	overall, current, err := w.Dashboards()
	if err != nil {
		return nil, err
	}
	fresh, err := w.Fresh()
	if err != nil {
		return nil, err
	}
	return []agent.Message{agent.System("Research."), agent.User(overall), agent.User(fmt.Sprintf("%s\n(%d not used)", current, len(fresh)))}, nil
}
