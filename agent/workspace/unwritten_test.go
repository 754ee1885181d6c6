package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A run is killed around a write, before its result is on record, and a person edits the file before the next run makes the write again.
// Whether the first came to the disk shows only in what they edited.
func TestAnEditAfterAKillAroundAWrite(t *testing.T) {
	const before = "alpha\nbeta\ngamma\ndelta\n"
	overwrite := func(text string) func(*workspace.Workspace) error {
		return func(w *workspace.Workspace) error { return errOf(w.Overwrite(note, text)) }
	}
	tests := map[string]struct {
		write        func(*workspace.Workspace) error
		edited, want string
		conflict     bool
	}{
		"not written, they added a line":      {write: overwrite("ALPHA\nbeta\ngamma\ndelta\n"), edited: before + "by hand\n", want: "ALPHA\nbeta\ngamma\ndelta\nby hand\n"},
		"written, they added a line":          {write: overwrite("ALPHA\nbeta\ngamma\ndelta\n"), edited: "ALPHA\nbeta\ngamma\ndelta\nby hand\n", want: "ALPHA\nbeta\ngamma\ndelta\nby hand\n"},
		"written, they took most of it out":   {write: overwrite(before + "epsilon\n"), edited: "epsilon\n", want: "epsilon\n"},
		"not written, they changed the line":  {write: overwrite("ALPHA\nbeta\ngamma\ndelta\n"), edited: "alpha, by hand\nbeta\ngamma\ndelta\n", want: "alpha, by hand\nbeta\ngamma\ndelta\n", conflict: true},
		"not written, an append":              {write: func(w *workspace.Workspace) error { return w.Append(note, "epsilon\n") }, edited: "by hand\n" + before, want: "by hand\n" + before + "epsilon\n"},
		"written, an append":                  {write: func(w *workspace.Workspace) error { return w.Append(note, "epsilon\n") }, edited: "by hand\n" + before + "epsilon\n", want: "by hand\n" + before + "epsilon\n"},
		"not written, lines that were to go":  {write: overwrite("alpha\ndelta\n"), edited: before + "by hand\n", want: "alpha\ndelta\nby hand\n"},
		"written, lines that went":            {write: overwrite("alpha\ndelta\n"), edited: "alpha\ndelta\nby hand\n", want: "alpha\ndelta\nby hand\n"},
		"not written, a box was to be ticked": {write: overwrite("[x] alpha\nbeta\ngamma\ndelta\n"), edited: "alpha\nbeta\ngamma\n[x] delta\n", want: "[x] alpha\nbeta\ngamma\n[x] delta\n"},
		"not written, Windows line ends":      {write: overwrite("ALPHA\nbeta\ngamma\ndelta\n"), edited: strings.ReplaceAll(before, "\n", "\r\n") + "手写\r\n", want: "ALPHA\r\nbeta\r\ngamma\r\ndelta\r\n手写\r\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, w.Create(note, before))
				require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
				require.NoError(t, test.write(w))
				cut := at.text(t, journal)
				require.NoError(t, w.Close())
				at.edit(t, journal, cut) // killed: the write is on record, and neither its result nor that it is safe
				at.edit(t, note, test.edited)
				w = at.lock(t)
				err := test.write(w)
				assert.Equal(t, test.want, at.text(t, note))
				if test.conflict {
					var conflict *workspace.ConflictError
					require.ErrorAs(t, err, &conflict)
					assert.Contains(t, err.Error(), "ALPHA", "its own words are told, not lost")
					return
				}
				require.NoError(t, err)
				told, err := w.Changes()
				require.NoError(t, err)
				assert.Contains(t, told, note, "the agent learns of the person's edit")
			})
		})
	}
}

// The same for a chapter that was being created, where a person then wrote one of that name.
func TestAChapterWrittenAfterAKillBeforeItsCreation(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "the agent's\n"))
		cut := at.text(t, journal)
		require.NoError(t, w.Close())
		at.edit(t, journal, cut)
		at.edit(t, note, "by hand\n")
		w = at.lock(t)
		_, err := w.Overwrite(note, "the agent's\n")
		assert.ErrorContains(t, err, "have not read it", "a person's chapter is no older text of the agent's")
		assert.Equal(t, "by hand\n", at.text(t, note))
	})
}
