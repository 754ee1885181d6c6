package researcher_test

import (
	"context"
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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planned is the part of a researcher that plans two chapters, writes the first, then does what takes long, and ends when it has the room.
func planned(_ *play, talk *agent.Conversation) agent.Reply {
	if step(talk) == 0 && !mentions(talk, "**The moon**") {
		return agenttest.Reply(agenttest.Call("update_overall_dashboard", args{"section": "blueprint", "text": "- [x] **The moon** — what does it pull? File: Notebook/01-moon.md\n- [ ] **The sun** — what does it pull? File: Notebook/02-sun.md"}))
	}
	calls := []agent.Call{
		agenttest.Call("web_search", args{"query": "tides"}),
		agenttest.Call("visit_url", args{"url": "doc:tides1.md"}),
		agenttest.Call("file_operation", args{"operation_description": "Write the content to Notebook/01-moon.md as it is", "content": "# The moon\n\nThe moon pulls the water of the sea [s1].\n"}),
		agenttest.Call("web_search", args{"query": "sun"}),
		agenttest.Call("visit_url", args{"url": "doc:tides2.md"}),
		agenttest.Call("web_search", args{"query": "harbours"}),
		agenttest.Call("visit_url", args{"url": "doc:tides3.md"}),
		agenttest.Call("file_operation", args{"operation_description": "Write the content to Notebook/02-sun.md as it is", "content": "# The sun\n\nThe sun pulls at the sea too [s2].\n"}),
		agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# Tides\n\nThe moon pulls the water of the sea [s1].\n\nThe sun pulls at the sea too [s2].\n"}),
		agenttest.Call("all_finished", args{"result": "report.md"}),
	}
	return agenttest.Reply(calls[min(step(talk), len(calls)-1)])
}

func mentions(talk *agent.Conversation, text string) bool {
	return slices.ContainsFunc(talk.Messages, func(m agent.Message) bool { return strings.Contains(m.Text, text) })
}

// slow takes its time to think.
type slow struct {
	agent.Brain
	takes time.Duration
}

// Think implements agent.Brain.
func (s slow) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	pause, cancel := context.WithTimeout(ctx, s.takes)
	defer cancel()
	<-pause.Done()
	return s.Brain.Think(ctx, talk)
}

// Each limit leaves a report that says what ended the work and what is not covered, and the next run goes on and finishes it.
func TestALimitLeavesAnHonestReport(t *testing.T) {
	for name, c := range map[string]struct {
		limit func(*job)
		why   agent.Reason
	}{
		"steps":  {func(c *job) { c.MaxSteps = 6 }, agent.OutOfSteps},
		"tokens": {func(c *job) { c.MaxTokens = 7000 }, agent.OutOfTokens},
		"money":  {func(c *job) { c.MaxCost = 0.7 }, agent.OutOfMoney},
		"time":   {func(c *job) { c.MaxTime = 7 * time.Minute }, agent.OutOfTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &play{research: planned, scores: []judged{{score: 8}}, usage: agent.Usage{In: 900, Out: 100, Cost: 0.1}}
				config := stage(t, p, rounds.Judging{})
				config.Brain = slow{p, time.Minute}
				whole := config
				c.limit(&config)
				result, err := run(t.Context(), config)
				require.NoError(t, err)
				require.Equal(t, c.why, result.Reason)
				require.NotEmpty(t, result.Report)
				status, err := researcher.Open(config.Dir).Status()
				require.NoError(t, err)
				assert.Equal(t, "stopped at a limit: "+string(c.why), status.State)
				agreeOn(t, status, config.Dir, string(c.why))
				report := readFile(t, result.Report)
				assert.Contains(t, report, "This report is not finished")
				assert.Contains(t, report, "The moon pulls the water of the sea [s1].")
				assert.Contains(t, report, "## Not covered\n\n- **The sun**")
				accountsAddUp(t, status)

				result, err = run(t.Context(), whole)
				require.NoError(t, err)
				require.Equal(t, agent.Finished, result.Reason)
				report = readFile(t, result.Report)
				assert.NotContains(t, report, "not finished")
				assert.NotContains(t, report, "Not finished")
				assert.Contains(t, report, "The sun pulls at the sea too [s2")
				status, err = researcher.Open(config.Dir).Status()
				require.NoError(t, err)
				assert.Equal(t, "finished", status.State)
				agreeOn(t, status, config.Dir, "good enough")
				accountsAddUp(t, status)
			})
		})
	}
}

// A second run that comes to a limit binds the chapters anew, and what the program bound is not taken for the report of a researcher
// that proposes to finish with it.
func TestAnUnfinishedReportIsBoundAnew(t *testing.T) {
	p := &play{research: planned}
	config := stage(t, p, rounds.Judging{Fixed: 1})
	config.MaxSteps = 6
	_, err := run(t.Context(), config)
	require.NoError(t, err)
	config.MaxSteps = 3
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.OutOfSteps, result.Reason)
	report := readFile(t, result.Report)
	assert.Contains(t, report, "The sun pulls at the sea too [s2].", "the second chapter is new")
	assert.Contains(t, report, "Not finished: it stopped after 9 steps, out of steps")
	assert.NotContains(t, report, "after 6 steps")
	assert.Equal(t, 1, strings.Count(report, "{#references}"))

	lazy := &play{research: func(p *play, talk *agent.Conversation) agent.Reply {
		if p.replies[account.Name] == 0 {
			return agenttest.Reply(agenttest.Call("all_finished", args{"result": "report.md"}))
		}
		return agenttest.Reply([]agent.Call{writing("report.md", "# Tides\n\nThe moon pulls the water of the sea [s1].\n"), agenttest.Call("all_finished", args{"result": "report.md"})}[(p.replies[account.Name]-1)%2])
	}}
	config.Brain, config.MaxSteps = lazy, 20
	result, err = run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, lazy.heard[account.Name][1], "report.md is not yours")
	assert.NotContains(t, readFile(t, result.Report), "not finished")
}

// A Chinese research is told why it stopped in Chinese, in the same words everywhere.
func TestALimitIsToldInChinese(t *testing.T) {
	p := &play{research: planned, usage: agent.Usage{In: 900, Out: 100}}
	config := stage(t, p, rounds.Judging{})
	config.Question, config.MaxSteps = "潮汐为什么会涨落？", 6
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.OutOfSteps, result.Reason)
	status, err := researcher.Open(config.Dir).Status()
	require.NoError(t, err)
	agreeOn(t, status, config.Dir, "尚未完成：第 6 步后停止，原因是步数用完。")
	assert.Contains(t, readFile(t, result.Report), "## 尚未涉及\n\n- **The sun**")
}
