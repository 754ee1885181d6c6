package rounds_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
	"github.com/stretchr/testify/require"
)

type args map[string]any

// bench is a workspace on the disk with the six actions, the last of which proposes a report.
type bench struct {
	t   *testing.T
	dir string
	w   *workspace.Workspace

	review   rounds.Reviewer
	proposed int          // how often the report was
	facts    []agent.Fact // of the last proposal
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	t.Cleanup(func() { _ = w.Close() }) // a test may have closed it already
	require.NoError(t, w.Begin(map[string]string{
		workspace.OverallFile: sections("question", "blueprint", "findings", "gaps", "decisions", "quality"),
		workspace.CurrentFile: sections("task", "next", "plan", "learned", "notes"),
	}))
	return &bench{t: t, dir: dir, w: w, review: rounds.Reviewer{
		Kit:     actions.Kit{Workspace: w, Files: fileagent.Files{Workspace: w}, Pages: &web.Fetcher{AllowPrivate: true}},
		Judging: rounds.Judging{Fixed: 1},
	}}
}

func sections(ids ...string) string {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, "## %s {#%s}\n\n", id, id)
	}
	return b.String()
}

// do lets an agent ask for the calls in one reply, and gives their results and the effect that was the strongest.
func (b *bench) do(calls ...agent.Call) (results []string, effect agent.Effect) {
	b.t.Helper()
	effect = agent.Continue
	opened := 0
	a := agent.Agent{
		Name:    "test",
		Brain:   agenttest.Replies(agenttest.Reply(calls...), agenttest.Words(""), agenttest.Words(""), agenttest.Words("")),
		Actions: b.review.Actions(),
		Open: func(context.Context) ([]agent.Message, error) {
			if opened++; opened > 1 {
				effect = agent.Restart
			}
			return nil, nil
		},
		Observe: func(e agent.Event) {
			if acted, ok := e.(agent.Acted); ok && !strings.Contains(acted.Agent, "/") {
				results = append(results, acted.Text)
			}
		},
	}
	result, err := a.Run(b.t.Context())
	require.NoError(b.t, err)
	if result.Reason == agent.Finished {
		effect = agent.Finish
	}
	return results, effect
}

func (b *bench) one(name string, a args) string {
	b.t.Helper()
	results, _ := b.do(agenttest.Call(name, a))
	require.Len(b.t, results, 1)
	return results[0]
}

func (b *bench) put(name, text string) {
	b.t.Helper()
	require.NoError(b.t, os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644))
}

// account is why the research ended and what its judging came to, as the status shows it.
func (b *bench) account() string {
	var r rounds.State
	require.True(b.t, b.w.Kept(rounds.Key, &r))
	return r.Ended + r.Broken + "\n" + strings.Join(r.Record, "\n")
}

func (b *bench) text(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, name))
	require.NoError(b.t, err)
	return string(data)
}
