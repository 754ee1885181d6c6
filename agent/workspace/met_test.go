package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// met are the texts of a file, as the program came upon them, that the journal holds; "-" for none.
func met(t *testing.T, w *workspace.Workspace, p string) (texts []string) {
	t.Helper()
	record, err := w.History().Record()
	require.NoError(t, err)
	_, err = w.History().Entries(func(e store.Entry) {
		if f, ok := history.FileOf(e); ok && f.Found && f.Path == p {
			text, _ := record.Text("", f.To) // in a row, this or another
			texts = append(texts, text)
			if f.Deed == history.Removed {
				texts[len(texts)-1] = "-"
			}
		}
	})
	require.NoError(t, err)
	return texts
}

// Whatever looks at a file and goes by what it finds has that on record, once, and the agent is still told of it.
func TestWhatTheProgramFindsIsOnRecord(t *testing.T) {
	peek := func(w *workspace.Workspace) error { _, err := w.Peek(note); return err }
	for name, look := range map[string]func(w *workspace.Workspace) error{
		"for a check": peek,
		"for a write": func(w *workspace.Workspace) error { return errOf(w.Overwrite(note, "a\nB\n")) },
		"for an edit": func(w *workspace.Workspace) error {
			return w.Amend(note, func(string) (string, error) { return "", assert.AnError })
		},
		"for deletion": func(w *workspace.Workspace) error { return w.Delete(note) },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, w.Create(note, "a\nb\n"))
				require.NoError(t, peek(w))
				assert.Empty(t, met(t, w, note), "the agent's own")
				by := strings.Repeat("by hand\n", 1000) // more than is shown of a change
				at.edit(t, note, by)
				for range 2 {
					err := look(w)
					assert.Equal(t, name == "for a check", err == nil, err)
				}
				assert.Equal(t, []string{by}, met(t, w, note))
				told, err := w.Changes()
				require.NoError(t, err)
				assert.Contains(t, told, note)
			})
		})
	}
}

// So are a file that is gone, one that is back as the agent knows it, and the notes.
func TestWhatTheProgramMissesIsOnRecord(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, note, "theirs\n")
		_, err := w.Chapters()
		require.NoError(t, err)
		_, err = w.Peek(note)
		require.NoError(t, err)
		require.NoError(t, at.fs.Remove(note))
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told, "the agent never knew of it")
		require.NoError(t, w.Create(note, "agent's\n"))
		require.NoError(t, at.fs.Remove(note))
		for range 2 {
			_, err = w.Chapters()
			require.NoError(t, err)
			_, err = w.Open(note)
			require.Error(t, err)
		}
		at.edit(t, note, "agent's\n")
		told, err = w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told)
		assert.Equal(t, []string{"theirs\n", "-", "-", "agent's\n"}, met(t, w, note))

		at.edit(t, workspace.CurrentFile, current+"\nmore\n")
		assert.Len(t, w.Notes(), 2)
		require.NoError(t, at.fs.Remove(workspace.CurrentFile))
		assert.Empty(t, w.Notes())
		assert.Empty(t, w.Notes())
		assert.Equal(t, []string{current + "\nmore\n", "-"}, met(t, w, workspace.CurrentFile))
	})
}

// What is not the agent's to write is looked at without a record, and so is everything in a folder that is only read.
func TestWhatNobodyActsOnIsNotOnRecord(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		for _, p := range []string{workspace.SettingsFile, "rules/mine.md", "Sources/s01-x.md", "Notebook/01.conflict-20260102-150405-person.md"} {
			at.edit(t, p, "theirs\n")
			_, err := w.Peek(p)
			require.NoError(t, err)
			assert.Empty(t, met(t, w, p), p)
		}
		at.edit(t, note, "theirs\n")
		require.NoError(t, w.Close())
		w = at.open()
		_, err := w.Peek(note)
		require.NoError(t, err)
		assert.Empty(t, met(t, w, note))
	})
}

// What was met after a write shows that the write took place, though a person then took it out again and a kill came before its result.
func TestAWriteThatWasMetEditedStands(t *testing.T) {
	for _, peeked := range []bool{true, false} {
		each(t, func(t *testing.T, at place) {
			w := at.begin(t)
			require.NoError(t, w.Create(note, "a\nb\n"))
			require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
			require.NoError(t, w.Append(note, "c\n"))
			at.edit(t, note, "a\nb\n")
			if peeked {
				_, err := w.Peek(note)
				require.NoError(t, err)
			}
			cut := at.text(t, journal)
			require.NoError(t, w.Close())
			at.edit(t, journal, cut)
			w = at.lock(t)
			require.NoError(t, w.Append(note, "c\n"))
			told, err := w.Changes()
			require.NoError(t, err)
			if peeked {
				assert.Equal(t, "a\nb\n", at.text(t, note), "they took it out")
				assert.Contains(t, told, "-c")
				return
			}
			assert.Equal(t, "a\nb\nc\n", at.text(t, note), "nothing says that it stood there")
			assert.Empty(t, told)
		})
	}
}
