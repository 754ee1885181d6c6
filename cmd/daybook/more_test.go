package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bureau is a model that has chapters researched side by side, run after run.
type bureau struct {
	proposer
	mu     sync.Mutex        // held by who answers: chapters are researched side by side
	read   int               // pages that the researcher of a chapter reads before it writes
	texts  map[string]string // of chapters, by their files
	opened map[string]string // what their researchers were told last
	passes []string          // tasks of the pass over the bound report
}

func (b *bureau) answer(r agenttest.Request) agenttest.Answer {
	b.mu.Lock()
	defer b.mu.Unlock()
	say := func(name string, args any) agenttest.Answer {
		return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call(name, args))}
	}
	if len(r.Messages) == 3 && strings.Contains(r.Messages[2].Content, "One voice: report.md") {
		_, task, _ := strings.Cut(r.Messages[2].Content, "One voice: ")
		task, _, _ = strings.Cut(task, "\n")
		b.passes = append(b.passes, task)
	}
	if !slices.Contains(r.Tools, "chapter_finished") {
		return b.proposer.answer(r)
	}
	_, file, _ := strings.Cut(r.Messages[1].Content, ", in ")
	file, _, _ = strings.Cut(file, "\n")
	if last := r.Messages[len(r.Messages)-1]; last.Role != "tool" {
		b.opened[file] = r.Messages[2].Content + "\n" + last.Content
	}
	switch done := strings.Count(string(r.Raw), `"role":"tool"`); {
	case done == 0:
		return say("file_operation", object{"operation_description": "Read " + file})
	case done <= b.read:
		return say("visit_url", object{"url": fmt.Sprintf("doc:book%d.md", done)})
	case done == b.read+1:
		return say("file_operation", object{"operation_description": "Write the content to " + file, "content": b.texts[file]})
	}
	return say("chapter_finished", object{"summary": "Written."})
}

// A finished research gets a further chapter and a deeper one, because a note asks for them, and has one brought up to date after its source
// changed: by the action that gave the first away. Each time the pass of one voice is about the chapters that are new, and the others stay.
func TestAFinishedResearchIsAskedForMore(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	c := newCourtroom(t)
	dir := filepath.Join(t.TempDir(), "r")
	b := &bureau{proposer: proposer{dir: dir}, read: 1, opened: map[string]string{}, texts: map[string]string{
		"Notebook/01-moon.md": "## The moon\n\nThe moon pulls at the water of the harbour [s1.1].\n",
		"Notebook/02-sun.md":  "## The sun\n\nThe sun pulls at the water of the harbour, too [s1.1].\n"}}
	server, err := agenttest.Serve(b.answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	t.Setenv("OPENAI_BASE_URL", server.URL)
	t.Setenv("DAYBOOK_HARSH", "false")
	give := func(files ...string) agent.Reply {
		var all []object
		for _, f := range files {
			all = append(all, object{"file": f, "title": filepath.Base(f), "question": "What of " + f + "?"})
		}
		return agenttest.Reply(agenttest.Call("research_chapters", object{"chapters": all}))
	}
	bind := func() agent.Reply {
		report := "# Tides\n\nThe moon and the sun make them.\n"
		for _, f := range []string{"Notebook/01-moon.md", "Notebook/02-sun.md", "Notebook/03-pilots.md"} {
			report += "\n" + b.texts[f]
		}
		return agenttest.Reply(agenttest.Call("file_operation", object{"operation_description": "Write the content to report.md", "content": report}))
	}
	research := func(more ...string) (code int, stderr string) {
		code, _, stderr = carriedOut(t, append([]string{"run", "--docs", c.docs, "--profile", "plain", "--parallel", "3", "--max-steps", "20"}, append(more, dir)...)...)
		assert.NotContains(t, stderr, "words of a person's", "what a chapter's researcher wrote is no person's for the next")
		assert.NotContains(t, stderr, "you changed dashboards/")
		return code, stderr
	}
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "daybook.yaml"), []byte("profiles:\n  plain:\n    guide: As you like.\n    words: {min: 5}\n    abstract: {min: 1}\n    sources: 1\n"), 0o600))
	report := func() string {
		text, err := os.ReadFile(filepath.Join(dir, workspace.ReportFile))
		require.NoError(t, err)
		return string(text)
	}

	b.steps = []agent.Reply{give("Notebook/01-moon.md", "Notebook/02-sun.md"), bind()}
	code, stderr := research("-q", "Why do tides rise?")
	require.Equal(t, exitFinished, code, stderr)
	require.Len(t, b.passes, 1)
	assert.Contains(t, b.passes[0], "(Notebook/01-moon.md, Notebook/02-sun.md)")
	assert.NotContains(t, b.opened["Notebook/01-moon.md"], "is there, with")

	note := filepath.Join(dir, workspace.CurrentFile)
	text, err := os.ReadFile(note)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(note, append(text, "\nAdd a chapter on pilots, and say more of the moon.\n"...), 0o600))
	b.read = 5
	b.texts["Notebook/01-moon.md"] += "\nIts pull is felt on both sides of every pier [s4.1].\n"
	b.texts["Notebook/03-pilots.md"] = "## Pilots\n\nPilots wait for the moon and the sun to pull at the water [s5.1].\n"
	b.steps = []agent.Reply{give("Notebook/03-pilots.md", "Notebook/01-moon.md"), bind(),
		agenttest.Reply(agenttest.Call("update_current_dashboard", object{"sections": object{"answers": "- Add a chapter on pilots: done."}}))}
	code, stderr = research()
	require.Equal(t, exitFinished, code, stderr)
	require.Len(t, b.passes, 2)
	assert.Contains(t, b.passes[1], "(Notebook/03-pilots.md, Notebook/01-moon.md)", "the chapter that nobody touched is not asked about again")
	assert.Contains(t, b.opened["Notebook/01-moon.md"], "Notebook/01-moon.md is there, with 13 words. Read it")
	assert.Contains(t, report(), "Pilots wait")
	assert.Contains(t, report(), "both sides of every pier")
	assert.Contains(t, report(), "The sun pulls")

	require.NoError(t, os.WriteFile(filepath.Join(c.docs, "book4.md"), []byte("# Book 4\n\nThe moon alone pulls at the water of the quay.\n"), 0o600))
	b.read = 9 // which are more steps than would be left if those of the runs before counted
	b.texts["Notebook/01-moon.md"] = "## The moon\n\nThe moon pulls at the water of the harbour [s1.1].\n\nIt alone pulls at the quay [s6.1].\n"
	b.steps = []agent.Reply{give("Notebook/01-moon.md"), bind()}
	code, stderr = research("--refresh")
	require.Equal(t, exitFinished, code, stderr)
	require.Len(t, b.passes, 3)
	assert.Contains(t, b.passes[2], "(Notebook/01-moon.md)")
	assert.Contains(t, stderr, "Notebook/01-moon.md: finished after 12 of its")
	assert.Contains(t, report(), "It alone pulls at the quay [s6.1]")
	assert.NotContains(t, report(), "every pier")
	assert.Contains(t, report(), "Pilots wait")
}
