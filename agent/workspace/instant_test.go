package workspace_test

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a person saves in the very instant in which the agent replaces their file. A disk in memory makes the instant come when the test
// wants it; the edit war makes it come on a real one.

const note = "Notebook/01.md"

// aside are the texts that are kept aside of the note.
func (p place) aside(t *testing.T) []string {
	t.Helper()
	found, err := afero.Glob(p.fs, ".daybook/trash/*-Notebook%2F01.md")
	require.NoError(t, err)
	return found
}

// inTheInstant lets a person save when the last look at the file is over and its replacement begins.
func inTheInstant(disk *faulty, save func()) {
	disk.beforeRename = func(from, to string) error {
		if from == note && strings.Contains(to, ".daybook-old-") {
			disk.beforeRename = nil
			save()
		}
		return nil
	}
}

func TestASaveInTheInstantOfTheReplacement(t *testing.T) {
	const base = "alpha\nbeta\ngamma\n"
	ways := map[string]func(t *testing.T, at place, text string){
		"renamed over": func(t *testing.T, at place, text string) { at.edit(t, note, text) },
		"in place": func(t *testing.T, at place, text string) {
			require.NoError(t, afero.WriteFile(at.fs, note, []byte(text), 0o644))
		},
	}
	for name, save := range ways {
		t.Run(name+", elsewhere: merged and told", func(t *testing.T) {
			at, disk := onFaulty()
			w := at.begin(t)
			require.NoError(t, w.Create(note, base))
			inTheInstant(disk, func() { save(t, at, "alpha\nbeta\ngamma, by hand\n") })
			require.NoError(t, errOf(w.Overwrite(note, "ALPHA\nbeta\ngamma\n")))
			assert.Equal(t, "ALPHA\nbeta\ngamma, by hand\n", at.text(t, note))
			told, err := w.ChangesIn(note)
			require.NoError(t, err)
			assert.Contains(t, told, "+gamma, by hand")
			assert.NotContains(t, told, "+ALPHA")
		})
		t.Run(name+", on the same line: refused", func(t *testing.T) {
			at, disk := onFaulty()
			w := at.begin(t)
			require.NoError(t, w.Create(note, base))
			inTheInstant(disk, func() { save(t, at, "alpha, by hand\nbeta\ngamma\n") })
			_, err := w.Overwrite(note, "ALPHA\nbeta\ngamma\n")
			var conflict *workspace.ConflictError
			require.ErrorAs(t, err, &conflict)
			assert.Equal(t, "alpha, by hand\nbeta\ngamma\n", at.text(t, note))
			for _, shown := range []string{"as you saw them:\n  > alpha\n", "has them now:\n  > alpha, by hand\n", "you wrote them:\n  > ALPHA\n"} {
				assert.Contains(t, err.Error(), shown)
			}
			require.NoError(t, w.Close())
			assert.Empty(t, at.strays(t))
		})
		t.Run(name+", and killed before the result: not appended twice", func(t *testing.T) {
			at, disk := onFaulty()
			w := at.begin(t)
			require.NoError(t, w.Create(note, base))
			inTheInstant(disk, func() { save(t, at, "by hand\n"+base) })
			require.NoError(t, w.Append(note, "once\n"))
			w = at.lock(t)
			require.NoError(t, w.Append(note, "once\n"))
			assert.Equal(t, "by hand\n"+base+"once\n", at.text(t, note))
		})
	}
	t.Run("the name is taken: theirs stands", func(t *testing.T) {
		at, disk := onFaulty()
		w := at.begin(t)
		disk.write = func(name string, _ []byte) (int, error) {
			if strings.Contains(name, ".daybook-tmp-") {
				disk.write = nil
				at.edit(t, note, "by hand\n")
			}
			return 0, nil
		}
		assert.ErrorContains(t, w.Create(note, "the agent's\n"), "exists already")
		assert.Equal(t, "by hand\n", at.text(t, note))
	})
	t.Run("the file is deleted: not brought back", func(t *testing.T) {
		at, disk := onFaulty()
		w := at.begin(t)
		require.NoError(t, w.Create(note, base))
		inTheInstant(disk, func() { require.NoError(t, at.fs.Remove(note)) })
		assert.ErrorContains(t, w.Append(note, "more\n"), "deleted it")
		exists, err := afero.Exists(at.fs, note)
		require.NoError(t, err)
		assert.False(t, exists)
		copies := at.aside(t)
		require.Len(t, copies, 1)
		assert.Contains(t, at.text(t, copies[0]), "more")
	})
}

// A program opened the file before the agent replaced it, and writes into it after.
func TestAWriteIntoAFileThatWasReplaced(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		theirs, err := at.fs.OpenFile(note, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		require.NoError(t, w.Append(note, "two\n"))
		before := at.text(t, note)
		_, err = theirs.WriteString("late\n")
		require.NoError(t, err)
		require.NoError(t, theirs.Close())
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Contains(t, told, "+late")
		assert.Contains(t, at.text(t, note), "late\n")
		assert.Contains(t, at.text(t, note), "two\n")

		at.edit(t, note, before+"from an editor that had read the file before\n")
		_, err = w.Changes()
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(at.text(t, note), "late\n"), "a save on an older reading does not take it away")
		assert.Contains(t, at.text(t, note), "from an editor")

		require.NoError(t, w.Append(note, "three\n"))
		_, err = w.Overwrite(note, "all of it anew\n")
		require.NoError(t, err)
		_, err = w.Changes()
		require.NoError(t, err)
		assert.Equal(t, "all of it anew\n", at.text(t, note), "the agent, who has seen it, may replace it")
		require.NoError(t, w.Close())
		assert.Empty(t, at.strays(t))
		left, err := afero.Glob(at.fs, "Notebook/.daybook-old-*")
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

// A person saves as the agent replaces a file, and their words are merged in. An editor that loaded the file in the instant before that has
// none of them, and takes them away when it saves.
func TestWordsThatCameOutForAWriteAreNotTakenAway(t *testing.T) {
	at, disk := onFaulty()
	w := at.begin(t)
	require.NoError(t, w.Create(note, "alpha\nbeta\n"))
	loaded := ""
	inTheInstant(disk, func() {
		at.edit(t, note, "alpha\nprecious\nbeta\n")
		inTheInstant(disk, func() { loaded = at.text(t, note) }) // before the words are in it
	})
	require.NoError(t, w.Append(note, "the agent's\n"))
	require.Equal(t, "alpha\nbeta\nthe agent's\n", loaded)
	require.Equal(t, "alpha\nprecious\nbeta\nthe agent's\n", at.text(t, note))
	at.edit(t, note, loaded+"from the editor\n")
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Equal(t, "alpha\nprecious\nbeta\nthe agent's\nfrom the editor\n", at.text(t, note))
	assert.Contains(t, told, "+precious")

	_, err = w.Overwrite(note, "all of it anew\n")
	require.NoError(t, err)
	_, err = w.Changes()
	require.NoError(t, err)
	assert.Equal(t, "all of it anew\n", at.text(t, note), "the agent, who has seen them, may take them out")
}

// A program that has a file open is kept waiting by a busy machine, while the agent writes more often than files are kept. In the bubble no
// time passes.
func TestAWriteIntoAFileThatWasReplacedOftenMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := memory()
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		theirs, err := at.fs.OpenFile(note, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		for range 100 {
			require.NoError(t, w.Append(note, "more\n"))
		}
		_, err = theirs.WriteString("late\n")
		require.NoError(t, errors.Join(err, theirs.Close()))
		require.NoError(t, w.Append(note, "the last\n"))
		assert.Contains(t, at.text(t, note), "late\n")

		<-time.After(time.Second)
		require.NoError(t, w.Append(note, "after a while\n"))
		left, err := afero.Glob(at.fs, "Notebook/.daybook-old-*")
		require.NoError(t, err)
		assert.Less(t, len(left), 20, "only a few are kept longer")
	})
}

// Of a crowd of replaced files not each is looked at each time; none goes without a look.
func TestAWriteIntoOneOfManyReplacedFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := memory()
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		theirs, err := at.fs.OpenFile(note, os.O_WRONLY|os.O_APPEND, 0)
		require.NoError(t, err)
		require.NoError(t, w.Append(note, "more\n"))
		require.NoError(t, w.Create("Notebook/other.md", "other\n"))
		for range 100 {
			require.NoError(t, w.Append("Notebook/other.md", "more\n"))
		}
		_, err = theirs.WriteString("late\n")
		require.NoError(t, errors.Join(err, theirs.Close()))
		require.NoError(t, w.Append("Notebook/other.md", "the last\n"))
		<-time.After(400 * time.Millisecond)
		_, err = w.Changes()
		require.NoError(t, err)
		assert.Contains(t, at.text(t, note), "late\n")
	})
}

// The process ends while a file is out of its place.
func TestAKillInTheInstantOfTheReplacement(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		require.NoError(t, w.Append(note, "two\n"))
		require.NoError(t, w.Close())
		dir := path.Dir(note)
		require.NoError(t, afero.WriteFile(at.fs, dir+"/.daybook-old-AAAA-01.md", []byte("one\n"), 0o644))
		require.NoError(t, afero.WriteFile(at.fs, dir+"/.daybook-old-BBBB-01.md", []byte("one\nPRECIOUS\n"), 0o644))
		w = at.lock(t)
		left, err := afero.Glob(at.fs, dir+"/.daybook-old-*")
		require.NoError(t, err)
		assert.Empty(t, left)
		copies := at.aside(t)
		require.Len(t, copies, 1, "a text that is on record is not kept again")
		assert.Contains(t, at.text(t, copies[0]), "PRECIOUS")
		assert.Contains(t, strings.Join(w.Warnings(), " "), copies[0])
		assert.Equal(t, "one\ntwo\n", at.text(t, note))
	})
	t.Run("out, and nothing in yet", func(t *testing.T) {
		at, disk := onFaulty()
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		out := false
		disk.beforeRename = func(from, _ string) error {
			if out {
				return errKilled
			}
			out = from == note
			return nil
		}
		require.Error(t, w.Append(note, "two\n"))
		disk.beforeRename = nil
		w = at.lock(t)
		assert.Equal(t, "one\n", at.text(t, note), "it is put back")
		require.NoError(t, w.Append(note, "two\n"))
		assert.Equal(t, "one\ntwo\n", at.text(t, note))
	})
}

// An editor empties a file and then writes it. What the agent reads in between is not what the person wrote.
func TestAnEmptyFileIsReadAgain(t *testing.T) {
	const base = "one\ntwo\nthree\n"
	for name, act := range map[string]func(w *workspace.Workspace) error{
		"write":   func(w *workspace.Workspace) error { return w.Append(note, "four\n") },
		"read":    func(w *workspace.Workspace) error { _, err := w.Read(note); return err },
		"changes": func(w *workspace.Workspace) error { _, err := w.Changes(); return err },
		"delete":  func(w *workspace.Workspace) error { return w.Delete(note) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, disk := onFaulty()
			w := at.begin(t)
			require.NoError(t, w.Create(note, base))
			require.NoError(t, afero.WriteFile(at.fs, note, nil, 0o644))
			looks := 0
			disk.open = func(name string) {
				if looks++; name == note && looks == 4 {
					require.NoError(t, afero.WriteFile(at.fs, note, []byte("by hand\n"+base), 0o644))
				}
			}
			err := act(w)
			if name == "delete" {
				assert.ErrorContains(t, err, "+by hand", "it was changed, and not emptied")
			} else {
				require.NoError(t, err)
			}
			assert.Contains(t, at.text(t, note), "by hand\n"+base)
		})
	}
	t.Run("one that stays empty was emptied", func(t *testing.T) {
		at := memory()
		w := at.begin(t)
		require.NoError(t, w.Create(note, base))
		require.NoError(t, afero.WriteFile(at.fs, note, nil, 0o644))
		_, err := w.Overwrite(note, strings.ToUpper(base))
		var conflict *workspace.ConflictError
		require.ErrorAs(t, err, &conflict)
		assert.Empty(t, at.text(t, note))
	})
}
