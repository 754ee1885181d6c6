package workspace_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const chapterFile = "Notebook/01.md"

// deeds is what a story tells of a file.
func deeds(t *testing.T, w *workspace.Workspace, p string) (all []history.FileChange) {
	t.Helper()
	damage, err := w.History().Story().Read(func(_ store.Entry, c *history.FileChange) error {
		if c != nil && c.Path == p {
			if c.To != "" {
				assert.Equal(t, c.To, store.Hash([]byte(c.Text)), "the text is on record")
			}
			c.FileRow = store.FileRow{Path: c.Path, Kept: c.Kept}
			all = append(all, *c)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Zero(t, damage)
	return all
}

func became(deed history.Deed, isNew bool, added, taken int) history.FileChange {
	return history.FileChange{FileEntry: history.FileEntry{FileRow: store.FileRow{Path: chapterFile}, Deed: deed}, New: isNew, Added: added, Taken: taken}
}

func TestAStoryTellsWhatBecameOfAFile(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(chapterFile, "# One\n\nTwo three.\n"))
		require.NoError(t, w.Append(chapterFile, "潮汐 four\n"))
		require.NoError(t, afero.WriteFile(at.fs, chapterFile, []byte("# One\n\nTwo four.\n潮汐 four\n"), 0o644))
		_, err := w.Changes()
		require.NoError(t, err)
		_, err = w.Read(chapterFile) // what was met before is told once
		require.NoError(t, err)
		kept, err := w.Overwrite(chapterFile, "# One\n")
		require.NoError(t, err)
		require.NotEmpty(t, kept)
		require.NoError(t, w.Delete(chapterFile))
		told := deeds(t, w, chapterFile)
		for i := range told {
			told[i].Met, told[i].Shown = false, false
		}
		dropping := became(history.Wrote, false, 0, 5)
		dropping.Kept = kept
		assert.Equal(t, []history.FileChange{
			became(history.Wrote, true, 3, 0),
			became(history.Wrote, false, 3, 0),
			became(history.Edited, false, 1, 1),
			dropping,
			became(history.Deleted, false, 0, 1),
		}, told)
	})
}

func TestAStoryEndsWithAnErrorOfWhoHearsIt(t *testing.T) {
	w := disk(t).begin(t)
	enough := errors.New("enough")
	n := 0
	_, err := w.History().Story().Read(func(store.Entry, *history.FileChange) error { n++; return enough })
	assert.ErrorIs(t, err, enough)
	assert.Equal(t, 1, n)
}

// before says yes to the reply of a step.
func before(step string) func(store.Entry) bool {
	return func(e store.Entry) bool { return e.Key == "researcher#"+step+" reply" }
}

func TestFilesAsTheyStood(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		texts := []string{"first\n", "second\n", strings.Repeat("long ", 300_000)}
		for i, text := range texts {
			require.NoError(t, w.Journal().Record("researcher#"+string(rune('1'+i))+" reply", agent.Reply{}))
			_, err := w.Overwrite(chapterFile, text)
			require.NoError(t, err)
		}
		standing := func(step string) history.Standing {
			all, err := w.History().AsOf(before(step), chapterFile)
			require.NoError(t, err)
			return all[0]
		}
		assert.Equal(t, history.Standing{Path: chapterFile}, standing("1"))
		assert.Equal(t, history.Standing{Path: chapterFile, Exists: true, Text: texts[0]}, standing("2"))
		assert.Equal(t, history.Standing{Path: chapterFile, Exists: true, Text: texts[1]}, standing("3"))
		assert.Equal(t, texts[2], standing("4").Text, "too long for the journal, and in the file itself")
		require.NoError(t, w.Delete(chapterFile))
		require.NoError(t, w.Journal().Record("researcher#5 reply", agent.Reply{}))
		require.NoError(t, at.fs.RemoveAll(".daybook/trash"))
		_, err := w.History().AsOf(before("4"), chapterFile)
		require.NoError(t, err, "by then it is deleted")
		_, err = w.History().AsOf(func(e store.Entry) bool {
			f, ok := history.FileOf(e)
			return ok && f.Deed == history.Deleted
		}, chapterFile)
		assert.ErrorIs(t, err, history.ErrNotOnRecord)
	})
}

func TestPuttingBackIsAPersonsChange(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(chapterFile, "first\n"))
		_, err := w.Overwrite(chapterFile, "second\n")
		require.NoError(t, err)
		kept, err := w.PutBack(chapterFile, "first\n", 1)
		require.NoError(t, err)
		text, err := afero.ReadFile(at.fs, kept)
		require.NoError(t, err)
		assert.Equal(t, "second\n", string(text))
		require.NoError(t, w.Close())

		w = at.lock(t)
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "-second\n+first\n")
		kept, err = w.PutBack(chapterFile, "first\n", 1)
		require.NoError(t, err)
		assert.Empty(t, kept, "it stands so already")
		require.NoError(t, at.fs.Remove(chapterFile))
		kept, err = w.PutBack(chapterFile, "first\n", 1)
		require.NoError(t, err)
		assert.Empty(t, kept)
		assert.True(t, exists(t, at, chapterFile))
		for _, refused := range []string{"Sources/s01.md", ".daybook/journal.jsonl", "daybook.yaml", "../out.md", "Notebook"} {
			_, err := w.PutBack(refused, "x", 1)
			assert.Error(t, err, refused)
		}
	})
}

func exists(t *testing.T, at place, p string) bool {
	t.Helper()
	there, err := afero.Exists(at.fs, p)
	require.NoError(t, err)
	return there
}

// What is held for a call outlives a kill, and goes when the result is on record, when a stretch opens, or when it is released.
func TestWhatIsHeld(t *testing.T) {
	for name, end := range map[string]func(w *workspace.Workspace) error{
		"result":  func(w *workspace.Workspace) error { return w.Journal().Record("researcher/c1 result", agent.Say("x")) },
		"opening": func(w *workspace.Workspace) error { return w.Journal().Record(agent.KeyOpen, agent.Mark{}) },
		"release": func(w *workspace.Workspace) error { w.Release("researcher/c1"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, w.Journal().Record(agent.KeyOpen, agent.Mark{}))
				w.Hold("researcher/c1", "page", "text")
				w.Hold("researcher/c1", "other", "text")
				require.NoError(t, w.Close())
				w = at.lock(t)
				var got string
				assert.False(t, w.Held("researcher/c2", "page", &got))
				assert.False(t, w.Held("researcher/c1", "pages", &got))
				require.True(t, w.Held("researcher/c1", "page", &got))
				assert.Equal(t, "text", got)
				require.NoError(t, end(w))
				assert.False(t, w.Held("researcher/c1", "page", &got))
				left, err := afero.ReadDir(at.fs, ".daybook/held")
				require.NoError(t, err)
				assert.Empty(t, left)
				assert.Empty(t, w.Warnings())
			})
		})
	}
	t.Run("a kill between the result and its end", func(t *testing.T) {
		at := disk(t)
		w := at.begin(t)
		w.Hold("researcher/c1", "page", "text")
		held, err := afero.ReadDir(at.fs, ".daybook/held")
		require.NoError(t, err)
		file := ".daybook/held/" + held[0].Name()
		text, err := afero.ReadFile(at.fs, file)
		require.NoError(t, err)
		require.NoError(t, w.Journal().Record("researcher/c1 result", agent.Say("x")))
		require.NoError(t, w.Close())
		require.NoError(t, afero.WriteFile(at.fs, file, text, 0o644))
		at.lock(t)
		assert.False(t, exists(t, at, file))
	})
	t.Run("by the Daybook before", func(t *testing.T) {
		at := disk(t)
		w := at.begin(t)
		w.Hold("researcher/c1", "page", "text")
		held, err := afero.ReadDir(at.fs, ".daybook/held")
		require.NoError(t, err)
		file := ".daybook/held/" + held[0].Name()
		require.NoError(t, at.fs.Remove(file))
		before := file[:len(file)-48]
		for said, known := range map[string]bool{
			`{"call":"researcher/c1","name":"page","value":"text"}`: true,
			`{"call":"researcher/c1","name":"pale","value":"text"}`: false,
		} {
			require.NoError(t, afero.WriteFile(at.fs, before, []byte(said), 0o644))
			var got string
			assert.Equal(t, known, w.Held("researcher/c1", "page", &got))
			w.Release("researcher/c1")
			assert.False(t, exists(t, at, before))
		}
	})
	t.Run("where a person's folder stands in its place", func(t *testing.T) {
		at := disk(t)
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "words\n"))
		held, err := at.fs.(*afero.BasePathFs).RealPath(".daybook/held")
		require.NoError(t, err)
		require.NoError(t, os.Symlink("../Notebook", held))
		require.NoError(t, w.Journal().Record(agent.KeyOpen, agent.Mark{}))
		assert.Equal(t, "words\n", at.text(t, "Notebook/01.md"))
	})
	t.Run("half of it", func(t *testing.T) {
		at := disk(t)
		w := at.begin(t)
		w.Hold("researcher/c1", "page", "text")
		held, err := afero.ReadDir(at.fs, ".daybook/held")
		require.NoError(t, err)
		require.NoError(t, afero.WriteFile(at.fs, ".daybook/held/"+held[0].Name(), []byte(`{"call":"resea`), 0o644))
		var got string
		assert.False(t, w.Held("researcher/c1", "page", &got))
	})
}
