package researcher_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless is a way in which a researcher never comes to an end by itself, and how it has to end.
type endless struct {
	reply  func(n int) agent.Reply // the n-th of the researcher, from 0
	files  func(request string) agent.Call
	limit  func(*job)
	usage  agent.Usage
	reason agent.Reason
	steps  int
}

// letters is another word for each number, without a digit in it.
func letters(n int) string { return fmt.Sprintf("%c%c", 'a'+n/26%26, 'a'+n%26) }

func ever(calls ...agent.Call) func(int) agent.Reply {
	return func(int) agent.Reply { return agenttest.Reply(calls...) }
}

func inTurn(calls ...agent.Call) func(int) agent.Reply {
	return func(n int) agent.Reply { return agenttest.Reply(calls[n%len(calls)]) }
}

func searching(query string) agent.Call { return agenttest.Call("web_search", args{"query": query}) }

func writing(path, text string) agent.Call {
	return agenttest.Call("file_operation", args{"operation_description": "Write the content to " + path + " as it is", "content": text})
}

func endlessShapes() map[string]endless {
	finish := agenttest.Call("all_finished", args{"result": "report.md"})
	visit := func(page string) agent.Call { return agenttest.Call("visit_url", args{"url": page}) }
	next := func(text string) agent.Call {
		return agenttest.Call("update_current_dashboard", args{"section": "next", "text": text})
	}
	wrong := "# Tides\n\nThe moon weighs 17 tonnes [s9].\n"
	read := func(string) agent.Call { return agenttest.Call("list_directory", args{"path": "."}) }
	return map[string]endless{
		"the same search": {reply: ever(searching("tides")), reason: agent.Looping, steps: 6},
		"the same page":   {reply: ever(visit("doc:tides1.md")), reason: agent.Looping, steps: 6},
		"A-B-A-B":         {reply: inTurn(searching("moon"), searching("sun")), reason: agent.Looping, steps: 6},
		"A-B-C":           {reply: inTurn(searching("moon"), searching("sun"), searching("harbours")), reason: agent.Looping, steps: 10},
		"a chapter rewritten with a counter": {reply: func(n int) agent.Reply {
			return agenttest.Reply(writing("Notebook/01.md", fmt.Sprintf("# Tides\n\nThe moon pulls, version %d.\n", n+100)))
		}, reason: agent.Looping, steps: 7},
		"a counter in the arguments":   {reply: func(n int) agent.Reply { return agenttest.Reply(searching(fmt.Sprint("volcano ", n+100))) }, reason: agent.Looping, steps: 6},
		"the same call thrice":         {reply: ever(searching("tides"), searching("tides"), searching("tides")), reason: agent.Looping, steps: 2},
		"searches that find nothing":   {reply: func(n int) agent.Reply { return agenttest.Reply(searching("volcano" + letters(n))) }, reason: agent.Idle, steps: researcher.DefaultIdle},
		"an unknown action":            {reply: ever(agenttest.Call("search_web", args{"q": "tides"})), reason: agent.Looping, steps: 6},
		"unknown actions":              {reply: func(n int) agent.Reply { return agenttest.Reply(agenttest.Call("search_"+letters(n), args{})) }, reason: agent.Stuck, steps: 10},
		"bad arguments":                {reply: ever(agenttest.Call("web_search", json.RawMessage(`{"query":`))), reason: agent.Looping, steps: 6},
		"a monologue":                  {reply: func(n int) agent.Reply { return agenttest.Words("Hm, " + letters(n)) }, reason: agent.Stuck, steps: 3},
		"the same update":              {reply: ever(next("Search.")), reason: agent.Looping, steps: 7},
		"only updates":                 {reply: func(n int) agent.Reply { return agenttest.Reply(next("Search " + letters(n))) }, reason: agent.Idle, steps: researcher.DefaultIdle},
		"a finish without a report":    {reply: ever(finish), reason: agent.Looping, steps: 6},
		"a finish with a wrong report": {reply: inTurn(writing("report.md", wrong), finish), reason: agent.Finished, steps: 6},
		"a finish with a wrong report that changes": {reply: func(n int) agent.Reply {
			if n%2 == 1 {
				return agenttest.Reply(finish)
			}
			return agenttest.Reply(writing("report.md", wrong+"\nIt is so, "+letters(n)+".\n"))
		}, reason: agent.Finished, steps: 14},
		"the same chapter again and again": {reply: ever(writing("Notebook/01-moon.md", "# The moon\n\nIt pulls.\n")), reason: agent.Looping, steps: 6},
		"a chapter that changes a word": {reply: func(n int) agent.Reply {
			return agenttest.Reply(writing("Notebook/01-moon.md", "# The moon\n\nIt pulls, "+letters(n)+".\n"))
		}, limit: func(c *job) { c.MaxSteps = 30 }, reason: agent.OutOfSteps, steps: 30},
		"very long replies": {reply: func(n int) agent.Reply {
			return agenttest.Reply(writing("Notebook/"+letters(n)+".md", strings.Repeat("long ", 2000)))
		},
			usage: agent.Usage{In: 1000, Out: 10_000}, limit: func(c *job) { c.MaxTokens = 100_000 }, reason: agent.OutOfTokens, steps: 5},
		"money": {reply: func(n int) agent.Reply {
			return agenttest.Reply(writing("Notebook/"+letters(n)+".md", "# More\n\nMore.\n"))
		},
			usage: agent.Usage{In: 10, Out: 10, Cost: 0.3}, limit: func(c *job) { c.MaxCost = 2 }, reason: agent.OutOfMoney, steps: 4},
		"time": {reply: func(n int) agent.Reply {
			return agenttest.Reply(writing("Notebook/"+letters(n)+".md", "# More\n\nMore.\n"))
		},
			limit: func(c *job) { c.MaxTime = 8 * time.Minute }, reason: agent.OutOfTime, steps: 4},
		"a file agent that loops": {reply: func(n int) agent.Reply {
			return agenttest.Reply(agenttest.Call("file_operation", args{"operation_description": "Find what is " + letters(n)}))
		}, files: read, reason: agent.Stuck, steps: 10},
	}
}

// run performs the shape, and is cut off at the n-th thing that happens, when there are so many. It says how many there were.
func (e endless) run(t *testing.T, config job, p *play, n int) (result researcher.Result, happened int, err error) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	config.Brain = slow{p, time.Minute}
	config.Observe = func(agent.Event) {
		if happened++; happened == n {
			cancel(errCutOff)
		}
	}
	result, err = run(ctx, config)
	return result, happened, err
}

var errCutOff = errors.New("cut off")

func (e endless) stage(t *testing.T) (*play, job) {
	t.Helper()
	p := &play{usage: e.usage, files: e.files, research: func(p *play, _ *agent.Conversation) agent.Reply { return e.reply(p.replies[account.Name]) }}
	config := stage(t, p, rounds.Judging{Fixed: 1})
	if e.limit != nil {
		e.limit(&config)
	}
	return p, config
}

// Each shape ends by its rule within its bound, and the dashboard, the status and an unfinished report say why:
// straight through, and when it is cut off after some reply and run again: with DAYBOOK_FULL=1 at five places, and
// otherwise at one or two of them, by turns.
func TestEndlessResearchEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	shapes := endlessShapes()
	for i, name := range slices.Sorted(maps.Keys(shapes)) {
		e := shapes[name]
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, config := e.stage(t)
				want, happened, err := e.run(t, config, p, -1)
				require.NoError(t, err)
				e.endsWell(t, config.Dir, want)
				asked := p.total()
				from, stride := 2, max(3, happened/5)
				if os.Getenv("DAYBOOK_FULL") == "" {
					from, stride = from+i%3*stride, 3*stride
				}
				for n := from; n < happened; n += stride {
					p, config := e.stage(t)
					got, _, err := e.run(t, config, p, n)
					if err != nil || n < happened-4 { // so near the end it may come to it all the same
						require.ErrorIs(t, err, errCutOff, "at %d", n)
						got, _, err = e.run(t, config, p, -1)
						require.NoError(t, err, "cut off at %d", n)
					}
					e.endsWell(t, config.Dir, got)
					assert.Equal(t, want.Reason, got.Reason, "cut off at %d", n)
					assert.Equal(t, want.Steps, got.Steps, "cut off at %d", n)
					assert.Equal(t, asked, p.total(), "cut off at %d: no reply is asked for twice", n)
				}
			})
		})
	}
}

func (e endless) endsWell(t *testing.T, dir string, got researcher.Result) {
	t.Helper()
	assert.Equal(t, e.reason, got.Reason, got.Text)
	assert.Equal(t, e.steps, got.Steps)
	status, err := researcher.Open(dir).Status()
	require.NoError(t, err)
	why := string(e.reason)
	if e.reason == agent.Finished {
		why = "not sound: the report does not pass citations"
		assert.Equal(t, "not sound", status.State)
		assert.Contains(t, strings.Join(status.Unsound, "\n"), "citations: what report.md cites does not all hold")
		assert.NotEmpty(t, got.Unsound)
		assert.Zero(t, got.Score)
	}
	assert.Contains(t, status.Ended, why)
	quality, _ := workspace.Section(readFile(t, dir, workspace.OverallFile), "quality")
	assert.Contains(t, quality, status.Ended)
	if got.Report != "" && e.reason != agent.Finished {
		assert.Contains(t, readFile(t, got.Report), status.Ended)
	}
	accountsAddUp(t, status)
}
