package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How a person keeps a text is not the agent's to change.
func TestTheStyleOfATextStays(t *testing.T) {
	const windows = "one\r\ntwo\r\nthree\r\n"
	tests := []struct{ name, byHand, seen, write, want string }{
		{"Windows line ends", windows, windows, "one\nTWO\nthree\n", "one\r\nTWO\r\nthree\r\n"},
		{"and given back", windows, windows, "one\r\nTWO\r\nthree\r\n", "one\r\nTWO\r\nthree\r\n"},
		{"Unix line ends", "one\ntwo\n", "one\ntwo\n", "one\r\nTWO\r\n", "one\nTWO\n"},
		{"mixed line ends", "one\r\ntwo\nthree\r\nfour\r\n", "one\r\ntwo\nthree\r\nfour\r\n", "one\ntwo\nTHREE\nfour\n", "one\r\ntwo\nTHREE\r\nfour\r\n"},
		{"byte order mark", "\ufeffone\ntwo\n", "\ufeffone\ntwo\n", "one\nTWO\n", "\ufeffone\nTWO\n"},
		{"no last line end", "one\ntwo", "one\ntwo", "ONE\ntwo\n", "ONE\ntwo"},
		{"tabs", "\tone\n\t\ttwo\n", "\tone\n\t\ttwo\n", "\tone\n\t\tTWO\n", "\tone\n\t\tTWO\n"},
		{"merged, Windows line ends", "one, by hand\r\ntwo\r\nthree\r\n", windows, "one\ntwo\nTHREE\n", "one, by hand\r\ntwo\r\nTHREE\r\n"},
		{"merged, changed to Windows line ends", windows, "one\ntwo\nthree\n", "one\nTWO\nthree\n", "one\r\nTWO\r\nthree\r\n"},
		{"merged, no last line end", "one, by hand\ntwo", "one\ntwo", "one\nTWO\n", "one, by hand\nTWO"},
		{"merged, both at the end, no last line end", "one\nby hand", "one", "one\nby the agent\n", "one\nby hand\nby the agent"},
		{"marks of a conflict are text", "<<<<<<< a\none\n=======\n>>>>>>> b\n", "<<<<<<< a\none\n=======\n>>>>>>> b\n", "<<<<<<< a\nONE\n=======\n>>>>>>> b\n", "<<<<<<< a\nONE\n=======\n>>>>>>> b\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at := memory()
			w := at.begin(t)
			at.edit(t, note, test.seen)
			_, err := w.Read(note)
			require.NoError(t, err)
			at.edit(t, note, test.byHand)
			require.NoError(t, errOf(w.Overwrite(note, test.write)))
			assert.Equal(t, test.want, at.text(t, note))
		})
	}
	t.Run("appended to a text with Windows line ends", func(t *testing.T) {
		at := memory()
		w := at.begin(t)
		at.edit(t, note, "one\r\ntwo")
		require.NoError(t, w.Append(note, "three\n"))
		assert.Equal(t, "one\r\ntwo\r\nthree\r\n", at.text(t, note))
	})
}

func TestMerging(t *testing.T) {
	const base = "a\nb\nc\nd\ne\n"
	tests := []struct{ name, theirs, ours, want string }{
		{"different lines", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n"},
		{"lines side by side", "a\nB\nc\nd\ne\n", "a\nb\nC\nd\ne\n", "a\nB\nC\nd\ne\n"},
		{"both at the end", base + "theirs\n", base + "ours\n", base + "theirs\nours\n"},
		{"both the same", "a\nb\nX\nd\ne\n", "a\nb\nX\nd\ne\n", "a\nb\nX\nd\ne\n"},
		{"one took away, the other added", "b\nc\nd\ne\n", base + "ours\n", "b\nc\nd\ne\nours\n"},
		{"the same line", "a\nb\nX\nd\ne\n", "a\nb\nY\nd\ne\n", ""},
		{"one took away what the other changed", "a\nb\nd\ne\n", "a\nb\nY\nd\ne\n", ""},
		{"one put a line into what the other replaced", "a\nb\nc\nINTO\nd\ne\n", "a\nNEW\ne\n", ""},
		{"the other way round", "a\nNEW\ne\n", "a\nb\nc\nINTO\nd\ne\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at := memory()
			w := at.begin(t)
			require.NoError(t, w.Create(note, base))
			at.edit(t, note, test.theirs)
			_, err := w.Overwrite(note, test.ours)
			if test.want == "" {
				var conflict *workspace.ConflictError
				require.ErrorAs(t, err, &conflict)
				assert.Equal(t, test.theirs, at.text(t, note))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, at.text(t, note))
		})
	}
}

func TestAFileThatAPersonTookAway(t *testing.T) {
	writes := map[string]func(w *workspace.Workspace) error{
		"overwrite": func(w *workspace.Workspace) error { return errOf(w.Overwrite(note, "mine\n")) },
		"append":    func(w *workspace.Workspace) error { return w.Append(note, "mine\n") },
		"create":    func(w *workspace.Workspace) error { return w.Create(note, "mine\n") },
	}
	for name, write := range writes {
		t.Run(name+" after it was deleted", func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, w.Create(note, "one\n"))
				require.NoError(t, at.fs.Remove(note))
				assert.ErrorContains(t, write(w), "not brought back unasked")
				exists, err := afero.Exists(at.fs, note)
				require.NoError(t, err)
				assert.False(t, exists)
				copies := at.aside(t)
				require.Len(t, copies, 1)
				assert.Equal(t, "mine\n", at.text(t, copies[0]), "its text is not lost")
				told, err := w.Changes()
				require.NoError(t, err)
				assert.Empty(t, told, "told already, and its own copy is no news")

				require.NoError(t, at.fs.Remove(copies[0]))
				require.NoError(t, w.Append("Notebook/02.md", "other\n"))
				assert.Empty(t, at.aside(t), "a copy that a person deleted stays deleted")
				require.NoError(t, w.Create(note, "asked for\n"), "the agent knows now")
			})
		})
		t.Run(name+" after it was renamed", func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, at place) {
				w := at.begin(t)
				require.NoError(t, w.Create(note, "one\n"))
				require.NoError(t, at.fs.Rename(note, "Notebook/better.md"))
				assert.ErrorContains(t, write(w), "renamed it to Notebook/better.md")
				require.NoError(t, errOf(w.Overwrite("Notebook/better.md", "two\n")), "it is known there")
			})
		})
	}
	t.Run("renamed between two steps", func(t *testing.T) {
		each(t, func(t *testing.T, at place) {
			w := at.begin(t)
			require.NoError(t, w.Create(note, "one\n"))
			require.NoError(t, at.fs.Rename(note, "Notebook/00.md"))
			told, err := w.Changes()
			require.NoError(t, err)
			assert.Contains(t, told, "Notebook/01.md was renamed to Notebook/00.md")
			assert.NotContains(t, told, "is new")
			require.NoError(t, w.Journal().Record("researcher#2 notice", told))
			require.NoError(t, errOf(w.Overwrite("Notebook/00.md", "two\n")))
			require.NoError(t, w.Close())
			told, err = at.lock(t).Changes()
			require.NoError(t, err)
			assert.Empty(t, told)
		})
	})
}

func TestACheckoutIsOneMessage(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		long := strings.Repeat("a line of the chapter\n", 100)
		for n := range 100 {
			require.NoError(t, w.Create(fmt.Sprintf("Notebook/%03d.md", n), long))
		}
		for n := range 100 {
			for save := range 3 {
				at.edit(t, fmt.Sprintf("Notebook/%03d.md", n), strings.ReplaceAll(long, "chapter", fmt.Sprintf("branch %d", save)))
			}
		}
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Less(t, len(told), 20_000)
		assert.Contains(t, told, "+a line of the branch 2")
		assert.NotContains(t, told, "branch 1", "what was saved in between is no news")
		assert.Contains(t, told, "not shown: ")
		assert.Contains(t, told, "more. Read them")
		told, err = w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told)
		_, err = w.Overwrite("Notebook/099.md", "unseen\n")
		assert.Error(t, err, "what was only named was not seen")
	})
}

func TestATouchIsNoChange(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		info, err := at.fs.Stat(note)
		require.NoError(t, err)
		later := info.ModTime().AddDate(73, 0, 0)
		require.NoError(t, at.fs.Chtimes(note, later, later))
		told, err := w.Changes()
		require.NoError(t, err)
		assert.Empty(t, told)
		require.NoError(t, errOf(w.Overwrite(note, "two\n")))
	})
}

// Somebody saves whenever the agent is about to write: it gives up after three tries, and keeps its text aside.
func TestGivingUpKeepsTheText(t *testing.T) {
	at, disk := onFaulty()
	w := at.begin(t)
	require.NoError(t, w.Create(note, "one\n"))
	tries := 0
	disk.write = func(name string, _ []byte) (int, error) {
		if strings.Contains(name, "Notebook/.daybook-tmp-") {
			tries++
			at.edit(t, note, at.text(t, note)+"BY HAND\n")
		}
		return 0, nil
	}
	for range 2 { // in the same second, most often
		tries = 0
		assert.ErrorContains(t, w.Append(note, "mine\n"), "kept as .daybook/trash/")
		assert.Equal(t, 3, tries, "three tries, and the text goes elsewhere")
	}
	assert.NotContains(t, at.text(t, note), "mine")
	copies := at.aside(t)
	require.Len(t, copies, 2, "the second has a name of its own")
	assert.Contains(t, at.text(t, copies[0]), "mine")
}

func TestWhatAPersonWroteCanBeTakenBack(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		at.edit(t, note, "PRECIOUS\n")
		_, err := w.Read(note)
		require.NoError(t, err)
		require.NoError(t, w.Append(note, "more\n"))
		require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
		require.NoError(t, w.Close())

		w = at.lock(t)
		kept, err := w.Overwrite(note, "all mine\n")
		require.NoError(t, err)
		require.NotEmpty(t, kept, "also after the agent had added to it, and a resume")
		assert.Contains(t, at.text(t, kept), "PRECIOUS")
		assert.Equal(t, "all mine\n", at.text(t, note), "what stands there is not touched")

		require.NoError(t, w.Create("Notebook/sub/50%.md", "one\n"))
		require.NoError(t, w.Delete("Notebook/sub/50%.md"))
		trash, err := afero.Glob(at.fs, ".daybook/trash/*50*")
		require.NoError(t, err)
		require.Len(t, trash, 1)
		assert.Contains(t, trash[0], "-Notebook%2Fsub%2F50%25.md")
		assert.Equal(t, "one\n", at.text(t, trash[0]))
	})
}

func TestAFolderGoesToTheTrashWhole(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/old/01.md", "one\n"))
		at.edit(t, "Notebook/old/mine.md", "by hand\n")
		assert.ErrorContains(t, w.Delete("Notebook/old"), "holds Notebook/old/mine.md, which you have not seen")
		_, err := w.Read("Notebook/old/mine.md")
		require.NoError(t, err)
		require.NoError(t, w.Delete("Notebook/old"))
		trash, err := afero.Glob(at.fs, ".daybook/trash/*old")
		require.NoError(t, err)
		require.Len(t, trash, 1)
		assert.Equal(t, "by hand\n", at.text(t, trash[0]+"/mine.md"))
	})
}

// A person writes into their notes while the agent makes the dashboard anew.
func TestNotesWrittenDuringAnUpdateSurvive(t *testing.T) {
	at, disk := onFaulty()
	w := at.begin(t)
	disk.write = func(name string, _ []byte) (int, error) {
		if strings.Contains(name, ".daybook-tmp-") {
			disk.write = nil
			at.edit(t, workspace.CurrentFile, strings.Replace(current, "mine\n", "mine\nWRITTEN MEANWHILE\n", 1))
		}
		return 0, nil
	}
	require.NoError(t, setSection(w, workspace.Current, "", strings.Replace(current, "{#task}\n", "{#task}\n\nchapter one\n", 1)))
	assert.Contains(t, at.text(t, workspace.CurrentFile), "WRITTEN MEANWHILE")
	assert.Contains(t, at.text(t, workspace.CurrentFile), "chapter one")
}

func TestWhatAnAgentMayWriteIsBounded(t *testing.T) {
	at := memory()
	w := at.begin(t)
	for p, why := range map[string]string{
		"Notebook/" + strings.Repeat("a/", 9) + "x.md":   "folders deep",
		"Notebook/" + strings.Repeat("long", 60) + ".md": "bytes, and a new one may have 200",
		"Notebook/con.md":  "device",
		"Notebook/COM1":    "device",
		"Notebook/a.md:b":  "every system",
		"Notebook/dot.":    "every system",
		"Notebook/why?.md": "every system",
	} {
		assert.ErrorContains(t, w.Create(p, "x"), why, p)
	}
	assert.ErrorContains(t, w.Mkdir("Notebook/"+strings.Repeat("a/", 12)), "folders deep")
	require.NoError(t, w.Create("Notebook/Notes.md", "x"))
	assert.ErrorContains(t, w.Create("Notebook/notes.md", "x"), "Notes.md is there")
	assert.ErrorContains(t, w.Append("Notebook/large.md", strings.Repeat("x", workspace.MaxWrite+1)), "a file may hold")
}

// What the agent made counts, also what it made in a run before.
func TestAnAgentMakesSoManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	at := memory()
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/Notes.md", "x"))
	for n := range workspace.MaxFiles {
		made := fmt.Sprintf("Notebook/data/%d.md", n)
		require.NoError(t, w.Journal().Record("write", map[string]string{"path": made, "to": "x"}))
		at.fill(t, made)
	}
	w = at.again(t, w)
	assert.ErrorContains(t, w.Create("Notebook/one-more.md", "x"), "no more are made")
	assert.ErrorContains(t, w.Mkdir("Notebook/folder"), "no more are made")
	require.NoError(t, w.Append("Notebook/Notes.md", "y"), "what is there can be written")
	require.NoError(t, at.fs.RemoveAll("Notebook/data"))
	require.NoError(t, w.Create("Notebook/one-more.md", "x"), "what was taken away by hand counts no more")
}

func TestWrongTargets(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "one\n"))
		require.NoError(t, w.Mkdir("Notebook/sub"))
		assert.ErrorContains(t, w.Append("Notebook/sub", "x"), "is a folder")
		for _, p := range []string{"", "../out", "/out"} {
			assert.Error(t, w.Mkdir(p), p)
		}
		require.NoError(t, w.Create("Notebook/new/deep/er.md", "x"), "folders are made")
	})
}
