package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/evaluator"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	workspacetemplate "github.com/daybook-agent/daybook/workspace-template"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a judgement counts that could not be read is shown by status and by log; a round that nobody judged shows nothing.
func TestAnUnreadJudgementIsShown(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "r"), 0o755))
	w, err := workspace.Open(filepath.Join(dir, "r"))
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Ask("Why?"))
	files := map[string]string{}
	for _, name := range []string{workspace.OverallFile, workspace.CurrentFile} {
		text, err := workspacetemplate.Files.ReadFile(name)
		require.NoError(t, err)
		files[name] = string(text)
	}
	require.NoError(t, w.Begin(files))
	round := func(n int, unread bool) rounds.Round {
		return rounds.Round{Round: evaluator.Round{N: n}, Unread: unread}
	}
	require.NoError(t, w.Keep(rounds.Key, rounds.State{Rounds: []rounds.Round{round(1, true)}}))
	require.NoError(t, w.Keep(rounds.Key, rounds.State{Rounds: []rounds.Round{round(1, true), round(2, false)}}))
	require.NoError(t, w.Close())
	status, _ := daybook(t, dir, "status", "r")
	assert.Contains(t, status, "2, scored 5.0 (could not be read), – of 10")
	log, _ := daybook(t, dir, "log", "r")
	assert.Contains(t, log, "round 1  5.0 of 10 (could not be read) · goes on")
	assert.Contains(t, log, "round 2  goes on")
}
