package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever wrote a text and however many saw it, the journal holds it once, and all find it there.
func TestATextIsHeldOnce(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "written once\n"))
		_, err := w.As("researcher/c1/chapter1").Read(note)
		require.NoError(t, err)
		at.edit(t, note, "written once\nedited once\n")
		_, err = w.Peek(note)
		require.NoError(t, err)
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "+edited once")
		_, err = w.As("researcher/c1/chapter1").Read(note)
		require.NoError(t, err)

		rows := at.text(t, journal)
		assert.Equal(t, 1, strings.Count(rows, `"text":"written once\n"`))
		assert.Equal(t, 1, strings.Count(rows, `"text":"written once\nedited once\n"`))
		assert.Equal(t, []string{"edited once"}, w.ByHand(note))
		require.NoError(t, w.Create("Notebook/copy.md", "written once\n"))
		assert.NotContains(t, at.text(t, journal)[len(rows):], "written once", "nor for another file")
		w = at.again(t, w)
		assert.Equal(t, []string{"edited once"}, w.ByHand(note))
		at.edit(t, note, "written once\nedited twice\n")
		_, err = w.As("researcher/c1/chapter1").Overwrite(note, "written anew\nedited once\n")
		require.NoError(t, err)
		assert.Equal(t, "written anew\nedited twice\n", at.text(t, note), "what it saw is the base of a merge")
	})
}

// Who wrote a text first says nothing of whose it is in another file: what the agent wrote down from outside is
// never taken for the person's, and what the person wrote always is theirs.
func TestATextThatIsHeldOnceIsOfWhoeverWroteTheFile(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		const outside, named = "See https://outside.test/x\n", "See https://named.test/x\n"
		_, err := w.KeepResult("researcher/c1", outside)
		require.NoError(t, err)
		require.NoError(t, w.Create("Notebook/copy.md", outside))
		at.edit(t, "Notebook/copy.md", outside+"Is this so?\n")
		at.edit(t, "Notebook/list.txt", named)
		_, err = w.Read("Notebook/list.txt")
		require.NoError(t, err)
		at.edit(t, "Notebook/own.md", named)
		for range 2 {
			_, err = w.Changes()
			require.NoError(t, err)
			known, err := w.Known("https://outside.test/x")
			require.NoError(t, err)
			assert.False(t, known, "it is the agent's words")
			known, err = w.Known("https://named.test/x")
			require.NoError(t, err)
			assert.True(t, known, "it is the person's words")
			w = at.again(t, w)
		}
	})
}

// A write of the text that stands there, and that came to nothing, leaves that text on record.
func TestAWriteThatChangedNothingComesToNothing(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		require.NoError(t, errOf(w.Overwrite(note, "one\n")))
		require.NoError(t, w.Journal().Record(store.KeyUndone, store.FileRow{Path: note}))
		at.edit(t, note, "one\ntwo\n")
		_, err := w.Peek(note)
		require.NoError(t, err)
		assert.Equal(t, []string{"two"}, w.ByHand(note))
	})
}
