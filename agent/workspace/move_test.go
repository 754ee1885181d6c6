package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMove(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		require.NoError(t, w.Create("Notebook/02.md", "two\n"))
		assert.ErrorContains(t, w.Move("Notebook/01.md", "Notebook/02.md"), "exists already")
		require.NoError(t, w.Move("Notebook/01.md", "Notebook/deep/03.md"))
		assert.Equal(t, "one\n", at.text(t, "Notebook/deep/03.md"))
		assert.ErrorContains(t, w.Move("Notebook/01.md", "Notebook/04.md"), "does not exist")
		assert.Empty(t, at.strays(t))
	})
}

// A run that is killed between a move and the record of its result does the move again, and finds it done.
func TestAMoveIsDoneOnce(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		require.NoError(t, w.Journal().Record("c1 result", nil)) // of the action that created it
		require.NoError(t, w.Move("Notebook/01.md", "Notebook/02.md"))
		require.NoError(t, w.Close())

		w = at.lock(t)
		require.NoError(t, w.Move("Notebook/01.md", "Notebook/02.md"))
		assert.Equal(t, "one\n", at.text(t, "Notebook/02.md"))
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told)
		assert.ErrorContains(t, w.Move("Notebook/01.md", "Notebook/02.md"), "does not exist", "once")
	})
}

// The new name is there before the old one is gone; a run that is killed between the two finds both, and finishes.
func TestAMoveIsFinished(t *testing.T) {
	dir := t.TempDir()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Create("01.md", "one\n"))
	require.NoError(t, w.Journal().Record("c1 result", nil))
	require.NoError(t, w.Move("01.md", "02.md"))
	require.NoError(t, w.Close())
	require.NoError(t, os.Link(filepath.Join(dir, "02.md"), filepath.Join(dir, "01.md")))

	w, err = workspace.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	require.NoError(t, w.Lock())
	require.NoError(t, w.Move("01.md", "02.md"))
	assert.NoFileExists(t, filepath.Join(dir, "01.md"))
	assert.FileExists(t, filepath.Join(dir, "02.md"))
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Empty(t, told)
}

func TestListAfter(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for i := range 25 {
			at.edit(t, fmt.Sprintf("many/%02d.md", (i*7)%25), "x")
		}
		at.edit(t, "many/.hidden", "x")
		var names []string
		after, pages := "", 0
		for {
			entries, more, err := w.ListAfter("many", after, 10)
			require.NoError(t, err)
			for _, e := range entries {
				names, after = append(names, e.Name()), e.Name()
			}
			assert.Equal(t, 25-len(names), more)
			if pages++; more == 0 {
				break
			}
		}
		assert.Equal(t, 3, pages)
		assert.True(t, strings.HasPrefix(strings.Join(names, " "), "00.md 01.md 02.md "))
		var walked []string
		skipped, err := w.Walk("many", func(p string) error { walked = append(walked, p); return nil })
		require.NoError(t, err)
		assert.Empty(t, skipped)
		assert.Len(t, walked, 25)
	})
}

// A link of a person's leads a move no further than any other write, and a new name is one that a new file may have.
func TestAMoveKeepsToTheRulesOfAWrite(t *testing.T) {
	dir, w := onDisk(t)
	at := place{fs: afero.NewBasePathFs(afero.NewOsFs(), dir)}
	require.NoError(t, os.Symlink("../.daybook", filepath.Join(dir, "Notebook/state")))
	require.NoError(t, os.Symlink("../Sources", filepath.Join(dir, "Notebook/pages")))
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	at.edit(t, "Notebook/Notes.md", "notes\n")
	at.edit(t, "Sources/s01-page.md", "page\n")
	for to, why := range map[string]string{
		"Notebook/CON.md":                              "device",
		"Notebook/notes.md":                            "do not tell the two apart",
		strings.Repeat("d/", 30) + "x.md":              "folders deep",
		"Notebook/" + strings.Repeat("n", 230) + ".md": "bytes",
		"Notebook/pages/mine.md":                       "as they were read",
		"Notebook/state/mine.md":                       "hidden",
	} {
		assert.ErrorContains(t, w.Move("Notebook/01.md", to), why, to)
	}
	assert.ErrorContains(t, w.Move("Notebook/state/journal.jsonl", "Notebook/j.md"), "hidden")
	assert.ErrorContains(t, w.Move("Notebook/pages/s01-page.md", "Notebook/s.md"), "as they were read")
	assert.Equal(t, "one\n", at.text(t, "Notebook/01.md"))
}
