package workspace_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A chapter is given away again: what its first researcher left is no person's change to the second, nor what
// either of them wrote to whoever gave it away.
func TestAChapterIsGivenAwayAgain(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		board := workspace.BoardOf("Notebook/01.md")
		for _, call := range []string{"researcher/c1", "researcher/c2"} {
			chapter := w.As(call+"/chapter1", "Notebook/01.md")
			require.NoError(t, chapter.Begin(map[string]string{board.File: current}))
			require.NoError(t, chapter.AmendSections(board, map[string]func(string) string{
				"task": func(string) string { return "What is it?" }}))
			told, err := chapter.Changes()
			require.NoError(t, err)
			assert.Empty(t, told, call)
			require.NoError(t, w.Close()) // what it knows outlives the process
			w = at.lock(t)
			chapter = w.As(call+"/chapter1", "Notebook/01.md")
			require.NoError(t, chapter.Append("Notebook/01.md", "A line.\n"))
			told, err = chapter.Changes()
			require.NoError(t, err)
			assert.Empty(t, told, call)
			w.LearnOf(call)
			told, err = w.Changes()
			require.NoError(t, err)
			assert.Empty(t, told, call)
			require.NoError(t, w.Journal().Record(call+" result", "done"))
		}
	})
}
