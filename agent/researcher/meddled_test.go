package researcher_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// meddled is a play during which a person changes files while a Brain thinks: after the agent was told of changes, and before it acts.
type meddled struct {
	*play
	meddle map[string]func() // by part and reply, such as "researcher 5", counted from 1
}

// Think implements agent.Brain.
func (m meddled) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	reply, err := m.play.Think(ctx, talk)
	part := partOf(talk)
	if act := m.meddle[part+" "+string(rune('0'+m.replies[part]))]; act != nil {
		act()
	}
	return reply, err
}

// What the program finds in its own work decides what comes of a call, whether the agent is told of it then, later or never.
func TestAReplayOfWhatTheAgentWasNotTold(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	const chapter, renamed = "Notebook/01-part.md", "Notebook/renamed.md"
	long := strings.Repeat("A long line that a person wrote.\n", 300) // more than is shown of a change
	type folder func(name string) (path string)
	put := func(t *testing.T, path, text string) { assert.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	for name, c := range map[string]struct {
		meddle map[string]func(t *testing.T, in folder)
		files  func(request string) agent.Call
		steps  int
		end    agent.Reason
		met    string // what the journal is to hold, so that the case is what it says
	}{
		"a note, before the report is proposed": {
			meddle: map[string]func(*testing.T, folder){"researcher 5": func(t *testing.T, in folder) {
				amend(t, in(workspace.CurrentFile), func(text string) string { return text + "\nSay more of the sun.\n" })
			}},
			met: "Say more of the sun",
		},
		"the report taken away, before it is proposed": {
			meddle: map[string]func(*testing.T, folder){
				"researcher 5": func(t *testing.T, in folder) { assert.NoError(t, os.Rename(in("report.md"), in("kept.txt"))) },
				"researcher 6": func(t *testing.T, in folder) { assert.NoError(t, os.Rename(in("kept.txt"), in("report.md"))) },
			},
			met: "there is no report",
		},
		"a dashboard taken away, before the notes on it are looked at": {
			meddle: map[string]func(*testing.T, folder){
				"researcher 4": func(t *testing.T, in folder) {
					amend(t, in(workspace.CurrentFile), func(text string) string { return text + "\nSay more of the sun.\n" })
				},
				"researcher 5": func(t *testing.T, in folder) { assert.NoError(t, os.Remove(in(workspace.CurrentFile))) },
			},
			met: `"path":"current_dashboard.md","found":true`,
		},
		"a chapter of theirs, where one is written": {
			meddle: map[string]func(*testing.T, folder){
				"file 1": func(t *testing.T, in folder) { put(t, in(chapter), long) },
				"file 2": func(t *testing.T, in folder) { assert.NoError(t, os.Remove(in(chapter))) },
			},
			met: "it exists and you have not read it",
		},
		"a long edit, where all is written anew": {
			meddle: map[string]func(*testing.T, folder){
				"file 2": func(t *testing.T, in folder) { put(t, in(chapter), long) },
				"file 3": func(t *testing.T, in folder) { assert.NoError(t, os.Remove(in(chapter))) },
			},
			files: func(request string) agent.Call {
				return fileCall(strings.ReplaceAll(request, "report.md", chapter))
			},
			steps: 6, end: agent.OutOfSteps,
			met: "a person changed the same lines",
		},
		"a chapter taken away, before it is read": {
			meddle: map[string]func(*testing.T, folder){
				"file 2": func(t *testing.T, in folder) { assert.NoError(t, os.Rename(in(chapter), in("kept.txt"))) },
				"file 3": func(t *testing.T, in folder) { assert.NoError(t, os.Rename(in("kept.txt"), in(chapter))) },
			},
			files: func(request string) agent.Call {
				if strings.Contains(request, "report.md") {
					return agenttest.Call("read_file", args{"path": chapter, "answer": true})
				}
				return fileCall(request)
			},
			steps: 6, end: agent.OutOfSteps,
			met: "does not exist",
		},
		"a chapter taken away, before a limit": {
			meddle: map[string]func(*testing.T, folder){"file 2": func(t *testing.T, in folder) { assert.NoError(t, os.Remove(in(chapter))) }},
			files: func(request string) agent.Call {
				if strings.Contains(request, "report.md") { // there is none, so that one is made of the chapters
					return agenttest.Call("read_file", args{"path": workspace.OverallFile, "answer": true})
				}
				return fileCall(request)
			},
			steps: 4, end: agent.OutOfSteps,
			met: `"path":"Notebook/01-part.md","found":true`,
		},
		"a dashboard changed, before a limit": {
			meddle: map[string]func(*testing.T, folder){"file 1": func(t *testing.T, in folder) {
				amend(t, in(workspace.OverallFile), func(text string) string { return text + "\nBy hand.\n" })
			}},
			steps: 3, end: agent.OutOfSteps,
			met: "By hand.",
		},
		"a cited source taken away, before the report is proposed": {
			meddle: map[string]func(*testing.T, folder){
				"researcher 5": func(t *testing.T, in folder) {
					assert.NoError(t, os.Rename(in("Sources/s01-tides.md"), in("kept.txt")))
				},
				"researcher 6": func(t *testing.T, in folder) {
					assert.NoError(t, os.Rename(in("kept.txt"), in("Sources/s01-tides.md")))
				},
			},
			steps: 7, end: agent.OutOfSteps,
			met: "Sources/s01-tides.md was deleted since it was read",
		},
		"a chapter renamed for the judge, and gone when the agent is told": {
			meddle: map[string]func(*testing.T, folder){
				"researcher 5": func(t *testing.T, in folder) { assert.NoError(t, os.Rename(in(chapter), in(renamed))) },
				"evaluator 1":  func(t *testing.T, in folder) { assert.NoError(t, os.Remove(in(renamed))) },
			},
			met: `"path":"Notebook/renamed.md","found":true`,
		},
		"a chapter changed for the judge, and back when the agent is told": {
			meddle: map[string]func(*testing.T, folder){
				"researcher 5": func(t *testing.T, in folder) {
					put(t, in("kept.txt"), readFile(t, in(chapter)))
					put(t, in(chapter), long)
				},
				"evaluator 1": func(t *testing.T, in folder) { put(t, in(chapter), readFile(t, in("kept.txt"))) },
			},
			met: "A long line that a person wrote",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{scores: []judged{{4, openGaps, false}, {score: 7.2}}, files: c.files}
			conf := stage(t, p, rounds.Judging{})
			m := meddled{p, map[string]func(){}}
			for when, act := range c.meddle {
				m.meddle[when] = func() { act(t, func(name string) string { return filepath.Join(conf.Dir, filepath.FromSlash(name)) }) }
			}
			conf.Brain, conf.MaxSteps = m, c.steps
			result, err := run(t.Context(), conf)
			require.NoError(t, err)
			if c.end == "" {
				c.end = agent.Finished
			}
			require.Equal(t, c.end, result.Reason, result.Text)
			require.True(t, strings.Contains(readFile(t, conf.Dir, ".daybook", "journal.jsonl"), c.met), "the case is another than it says")
			replayed(t, conf.Dir)
		})
	}
}

// Dashboards that a person deletes at any moment of a run are brought back, the run ends as it would have, and a replay follows it.
func TestDashboardsDeletedInARun(t *testing.T) {
	for _, when := range []string{"researcher 1", "researcher 4", "evaluator 1", "researcher 6"} {
		for _, gone := range [][]string{{workspace.OverallFile}, {workspace.CurrentFile}, {workspace.OverallFile, workspace.CurrentFile}} {
			t.Run(when+" "+strings.Join(gone, ", "), func(t *testing.T) {
				t.Parallel() // each waits for an editor that might be at work
				p := &play{scores: []judged{{4, openGaps, false}, {score: 7.2}}}
				c := stage(t, p, rounds.Judging{})
				c.Brain = meddled{p, map[string]func(){when: func() {
					for _, name := range gone {
						assert.NoError(t, os.Remove(filepath.Join(c.Dir, name)))
					}
				}}}
				runTo(t, c, agent.Finished)
				for _, name := range gone {
					assert.Contains(t, readFile(t, c.Dir, ".daybook", "journal.jsonl"), name+" was deleted, and was written again")
				}
				replayed(t, c.Dir)
				runTo(t, c, agent.Finished)
			})
		}
	}
}

// The report of a run that stopped is a part of its last step, whatever a person changed meanwhile, and their later changes are not.
func TestAStepHasTheReportThatWasMadeOfIt(t *testing.T) {
	p := &play{files: func(request string) agent.Call {
		if strings.Contains(request, "report.md") {
			return agenttest.Call("read_file", args{"path": workspace.OverallFile, "answer": true})
		}
		return fileCall(request)
	}}
	c := stage(t, p, rounds.Judging{})
	chapter, report := filepath.Join(c.Dir, "Notebook", "01-part.md"), filepath.Join(c.Dir, "report.md")
	c.MaxSteps, c.Brain = 4, meddled{p, map[string]func(){"file 2": func() {
		amend(t, chapter, func(text string) string { return text + "\nBy hand.\n" })
	}}}
	runTo(t, c, agent.OutOfSteps)
	made := readFile(t, report)
	require.Contains(t, made, "By hand.")
	for range 2 {
		amend(t, report, func(text string) string { return text + "\nMore by hand.\n" })
		all, err := researcher.Open(c.Dir).At(4, "report.md")
		require.NoError(t, err)
		assert.Equal(t, made, all[0].Text)
		done, err := researcher.Open(c.Dir).Restore(4, "report.md")
		require.NoError(t, err)
		assert.False(t, done[0].New)
		assert.Equal(t, made, readFile(t, report))
	}
}

// What a person puts back after a limit was no part of the report that was made there.
func TestAReplayOfWhatWasPutBackAfterALimit(t *testing.T) {
	p := &play{scores: []judged{{score: 8}}}
	c := stage(t, p, rounds.Judging{})
	chapter := filepath.Join(c.Dir, "Notebook", "01-part.md")
	c.Brain, c.MaxSteps = meddled{p, map[string]func(){"researcher 4": func() {
		amend(t, chapter, func(text string) string { return text + "\nBy hand.\n" })
	}}}, 4
	p.files = func(request string) agent.Call {
		if strings.Contains(request, "report.md") && p.replies["file"] == 1 {
			return agenttest.Call("read_file", args{"path": workspace.OverallFile, "answer": true})
		}
		return fileCall(request)
	}
	runTo(t, c, agent.OutOfSteps)
	require.Contains(t, readFile(t, c.Dir, "report.md"), "By hand.")
	_, err := researcher.Open(c.Dir).Restore(3, "Notebook/01-part.md")
	require.NoError(t, err)
	require.NotContains(t, readFile(t, chapter), "By hand.")
	replayed(t, c.Dir)
	c.MaxSteps = 20
	_, err = run(t.Context(), c)
	require.NoError(t, err)
	replayed(t, c.Dir)
}
