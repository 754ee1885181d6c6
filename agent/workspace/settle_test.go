package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a power cut makes of a chapter that was not safe yet is written again from the journal; a text of a person's is not touched, and is
// told as theirs.
func TestWhatAPowerCutMayLeave(t *testing.T) {
	const path = "Notebook/01.md"
	first := strings.Repeat("The moon draws the water.\n", 40)
	more := strings.Repeat("The sun draws it, too.\n", 60)
	zeros := strings.Repeat("\x00", 600)
	for name, c := range map[string]struct {
		found    string // "-" for no file
		restored bool
	}{
		"whole":                   {first + more, true},
		"the text before":         {first, true},
		"no file":                 {"-", true},
		"empty":                   {"", true},
		"cut at a sector":         {(first + more)[:1536], true},
		"zeros":                   {zeros, true},
		"zeros in the middle":     {(first + more)[:512] + zeros[:512] + (first + more)[1024:], true},
		"a person's last words":   {first + more + "By hand.\n", false},
		"a person's shorter text": {(first + more)[:1500], false},
		"a person's own":          {"Nothing of it is true.\n", false},
		"longer, and zeros":       {first + more + zeros, false},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, w.Create(path, first))
				require.NoError(t, w.Journal().Record("researcher/c00000000 result", "done"))
				require.NoError(t, w.Close())
				w = at.lock(t)
				require.NoError(t, w.Append(path, more))
				require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
				loose := at.text(t, journal)
				require.NoError(t, w.Close())

				at.edit(t, journal, restarted(loose)) // nothing was made safe
				if at.edit(t, path, c.found); c.found == "-" {
					require.NoError(t, at.fs.Remove(path))
				}
				w = at.lock(t)
				told, err := w.Changes()
				require.NoError(t, err)
				if c.restored {
					assert.Equal(t, first+more, at.text(t, path))
					assert.Empty(t, told)
					assert.Equal(t, c.found == first+more, len(w.Warnings()) == 0, "%v", w.Warnings())
				} else {
					assert.Equal(t, c.found, at.text(t, path))
					assert.Contains(t, told, path)
				}
				require.NoError(t, w.Close())
				at.edit(t, path, first)
				w = at.lock(t)
				assert.Equal(t, first, at.text(t, path), "what was safe and is otherwise now, a person changed")
			})
		})
	}
}

// A run that was killed loses nothing that it wrote, for the machine goes on. What differs then is a person's doing, and stays: also what
// a power cut could have left.
func TestAKillIsNoPowerCut(t *testing.T) {
	at := disk(t)
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	require.NoError(t, w.Append("Notebook/01.md", "two\n"))
	require.NoError(t, w.Create("Notebook/02.md", "one\n"))
	require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
	loose := at.text(t, journal)
	require.NoError(t, w.Close())
	at.edit(t, journal, loose) // killed before anything was made safe
	at.edit(t, "Notebook/01.md", "one\n")
	require.NoError(t, at.fs.Remove("Notebook/02.md"))
	w = at.lock(t)
	assert.Equal(t, "one\n", at.text(t, "Notebook/01.md"))
	assert.Empty(t, w.Warnings())
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Contains(t, told, "-two")
	assert.Contains(t, told, "Notebook/02.md was deleted")
}

// A write that failed is not taken for one that a power cut lost.
func TestAFailedWriteIsNotRestored(t *testing.T) {
	at, faults := onFaulty()
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	faults.beforeRename = func(_, _ string) error { return errKilled }
	require.Error(t, w.Append("Notebook/01.md", "two\n"))
	faults.beforeRename = nil
	require.NoError(t, w.Journal().Record("researcher/c00000100 result", "it failed"))
	w = at.lock(t)
	assert.Equal(t, "one\n", at.text(t, "Notebook/01.md"))
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Empty(t, told)
}

// Files do not wait for ever to be made safe.
func TestManyWritesAreSettled(t *testing.T) {
	at := memory()
	w := at.begin(t)
	for range 600 {
		require.NoError(t, w.Append("Notebook/01.md", "one\n"))
	}
	assert.Equal(t, 2, strings.Count(at.text(t, journal), `"k":"settled"`))
}

// A write of a text that the journal holds waits for the disk once, for the journal.
func TestAWriteWaitsOnce(t *testing.T) {
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			var synced []string
			disk := newCrashDisk(0)
			disk.plain, disk.deaf = plain, func(name string) bool {
				synced = append(synced, name)
				return false
			}
			w := workspace.OpenFs(disk)
			require.NoError(t, w.Lock())
			require.NoError(t, w.Create(note, "one\n"))
			synced = nil
			require.NoError(t, w.Append(note, "two\n"))
			assert.Equal(t, []string{journal}, synced)
			synced = nil
			require.NoError(t, w.Append(note, "\xff\n"))
			require.Len(t, synced, 6, "what was not safe, the journal, the file and its folder: %s", synced)
			assert.Contains(t, synced[4], ".daybook-tmp-")
			require.NoError(t, w.Close())
		})
	}
}
