package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two agents write chapters of their own and read each other's. What a person wrote in one of them, which only the other agent has seen, is
// kept: its own agent has a view of its own. With one view for both the words are lost.
func TestEachWriterHasAView(t *testing.T) {
	for name, own := range map[string]bool{"a view each": true, "one view, the control": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w, err := workspace.Open(dir)
			require.NoError(t, err)
			defer func() { assert.NoError(t, w.Close()) }()
			require.NoError(t, w.Lock())
			first, second := w, w
			if own {
				first, second = w.As("researcher/c1/chapter1", "Notebook/01.md"), w.As("researcher/c1/chapter2", "Notebook/02.md")
				assert.ErrorContains(t, second.Create("Notebook/01.md", "mine"), "not yours")
			}
			require.NoError(t, first.Create("Notebook/01.md", "one\ntwo\nthree\n"))
			file := filepath.Join(dir, "Notebook", "01.md")
			require.NoError(t, os.WriteFile(file, []byte("one\ntwo\nthree\nfour, by hand\n"), 0o600))
			text, err := second.Read("Notebook/01.md")
			require.NoError(t, err)
			require.Contains(t, text, "by hand")

			_, err = first.Overwrite("Notebook/01.md", "ONE\ntwo\nthree\n")
			require.NoError(t, err)
			left, err := os.ReadFile(file)
			require.NoError(t, err)
			if !own {
				assert.NotContains(t, string(left), "by hand", "the control: who shares a view overwrites what it has not seen")
				return
			}
			assert.Equal(t, "ONE\ntwo\nthree\nfour, by hand\n", string(left))
			told, err := first.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "+four, by hand")
			told, err = second.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "Notebook/01.md", "who has seen the file is told of it, too")
		})
	}
}

// A writer knows after a restart what it knew before, and no more.
func TestAViewOutlivesTheProcess(t *testing.T) {
	dir := t.TempDir()
	open := func() *workspace.Workspace {
		w, err := workspace.Open(dir)
		require.NoError(t, err)
		require.NoError(t, w.Lock())
		return w
	}
	w := open()
	chapter := w.As("researcher/c1/chapter1", "Notebook/01.md")
	require.NoError(t, chapter.Create("Notebook/01.md", "one\ntwo\n"))
	require.NoError(t, w.Close())

	w = open()
	defer func() { assert.NoError(t, w.Close()) }()
	_, err := w.Overwrite("Notebook/01.md", "mine\n")
	assert.ErrorContains(t, err, "you have not read it", "the researcher has seen nothing of it")
	_, err = w.As("researcher/c1/chapter1", "Notebook/01.md").Overwrite("Notebook/01.md", "ONE\ntwo\n")
	assert.NoError(t, err)
	w.LearnOf("researcher/c1")
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Empty(t, told, "what a chapter's researcher wrote is no person's change")
}
