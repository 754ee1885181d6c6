package researcher_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quick is a brain that writes a report and ends; file agent included.
func quick(report string) agent.Brain {
	return &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		if talk.Actions[0].Name != "file_operation" {
			return agenttest.Reply(agenttest.Call("write_file", args{"path": "report.md", "text": "@content", "answer": true})), nil
		}
		return agenttest.Reply(
			agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": report}),
			agenttest.Call("all_finished", args{"result": "report.md"})), nil
	}}
}

func finishedResearch(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r")
	result, err := run(t.Context(), job{Dir: dir, Config: researcher.Config{Profile: anyReport, Judging: oneRound, NoIntake: true, Question: "How do tides work?", Brain: quick("# Tides\n\nThe moon.\n")}})
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	return dir
}

// A kill in the middle of moving a finished research aside: some files stand in Archive/ already.
func TestAKillWhileAResearchIsMovedAside(t *testing.T) {
	for name, moved := range map[string][]string{
		"after the first dashboard": {"current_dashboard.md"},
		"after both dashboards":     {"current_dashboard.md", "overall_dashboard.md"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := finishedResearch(t)
			w, err := workspace.Open(dir)
			require.NoError(t, err)
			require.NoError(t, w.Lock())
			require.NoError(t, w.Journal().Record("archive", map[string]any{"folder": "Archive/1", "files": []string{"current_dashboard.md", "overall_dashboard.md", "report.md"}}))
			require.NoError(t, w.Close())
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "Archive", "1"), 0o755))
			for _, f := range moved {
				require.NoError(t, os.Rename(filepath.Join(dir, f), filepath.Join(dir, "Archive", "1", f)))
			}
			result, err := run(t.Context(), job{Dir: dir, Config: researcher.Config{Profile: anyReport, Judging: oneRound, NoIntake: true, Question: "What are comets?", Brain: quick("# Comets\n\nIce.\n")}})
			require.NoError(t, err)
			text, err := os.ReadFile(result.Report)
			require.NoError(t, err)
			assert.Contains(t, string(text), "Comets")
		})
	}
}

func TestAnEmptyDashboardIsGoneOnWithAsItWas(t *testing.T) {
	dir := finishedResearch(t)
	path := filepath.Join(dir, "overall_dashboard.md")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	_, err = run(t.Context(), job{Dir: dir, Config: researcher.Config{Profile: anyReport, Judging: oneRound, NoIntake: true, Brain: quick("# Tides again\n\nThe moon.\n")}})
	require.NoError(t, err)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

func TestAKillWhileTheWorkspaceIsMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".daybook"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "current_dashboard.md"), []byte("# Current dashboard\n\n## Task {#task}\n\n## Next {#next}\n\n## Plan {#plan}\n\n## Learned {#learned}\n\n## Notes {#notes}\n"), 0o644))
	_, err := run(t.Context(), job{Dir: dir, Config: researcher.Config{Profile: anyReport, Judging: oneRound, NoIntake: true, Question: "How do tides work?", Brain: quick("# Tides\n\nThe moon.\n")}})
	assert.NoError(t, err)
}

// The model may put the question into words of its own; the same command line must still go on.
func TestTheSameCommandGoesOnAfterTheBriefWasReworded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	c := job{Dir: dir, Config: researcher.Config{Profile: anyReport, Judging: oneRound, NoIntake: true, Question: "how do tides work", MaxSteps: 1, Brain: agenttest.Replies(agenttest.Reply(
		agenttest.Call("update_overall_dashboard", args{"section": "question", "text": "**Question:** What causes the tides, and why twice a day?"})))}}
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	c.Brain = quick("# Tides\n\nThe moon.\n")
	c.MaxSteps = 5
	_, err = run(t.Context(), c)
	assert.NoError(t, err)
}

// A wish that a person wrote into a finished research must not get lost when the next run fails before its first step.
func TestAWishIsNotLostWhenTheRunFailsEarly(t *testing.T) {
	dir := finishedResearch(t)
	report := filepath.Join(dir, "report.md")
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(report, append(text, "\nPlease add a chapter on spring tides.\n"...), 0o644))
	c := job{Dir: dir, Config: researcher.Config{Profile: anyReport, Judging: oneRound, NoIntake: true, Docs: []string{filepath.Join(dir, "not-there")}, Brain: quick("x")}}
	_, err = run(t.Context(), c)
	require.Error(t, err)
	c.Docs = nil
	asked := ""
	c.Brain = &agenttest.Script{Func: func(_ context.Context, talk *agent.Conversation) (agent.Reply, error) {
		asked += talk.Messages[len(talk.Messages)-1].Text
		return agenttest.Words(""), nil
	}}
	_, err = run(t.Context(), c)
	require.NoError(t, err)
	assert.Contains(t, asked, "spring tides")
}

// Who removes both dashboards begins anew, with the same question or another: what is left of the research before, finished or not, is moved
// aside and answers nothing.
func TestBothDashboardsRemovedBetweenRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	for name, steps := range map[string]int{"finished": 0, "not finished": 4} {
		for _, question := range []string{"Why do the tides rise?", "What do harbours keep?"} {
			t.Run(name+" "+question, func(t *testing.T) {
				c := stage(t, &play{scores: []judged{{score: 8}}}, rounds.Judging{})
				c.Question, c.MaxSteps = "Why do the tides rise?", steps
				result, err := run(t.Context(), c)
				require.NoError(t, err)
				require.Equal(t, name == "finished", result.Reason == agent.Finished, result.Text)
				report := readFile(t, c.Dir, "report.md")
				for _, dashboard := range []string{workspace.OverallFile, workspace.CurrentFile} {
					require.NoError(t, os.Remove(filepath.Join(c.Dir, dashboard)))
				}

				worked := false
				c.Question, c.MaxSteps, c.Brain = question, 0, &play{scores: []judged{{score: 8}}}
				c.Observe = func(agent.Event) { worked = true }
				runTo(t, c, agent.Finished)
				assert.True(t, worked, "the report before is no answer")
				assert.Equal(t, report, readFile(t, c.Dir, "Archive", "1", "report.md"))
				assert.FileExists(t, filepath.Join(c.Dir, "Archive", "1", "Notebook", "01-part.md"))
				assert.Contains(t, readFile(t, c.Dir, workspace.OverallFile), question)
				assert.NoDirExists(t, filepath.Join(c.Dir, "Archive", "2"))
				replayed(t, c.Dir)
			})
		}
	}
}
