package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A copy beside a chapter is no chapter.
func TestACopyIsNoChapter(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create(note, "# One\n"))
		require.NoError(t, w.Create("Notebook/02.conflict-of-interest.md", "# Two\n"))
		require.NoError(t, at.fs.Remove(note))
		require.Error(t, errOf(w.Overwrite(note, "# One again\n")))
		at.edit(t, "Notebook/01.conflict-20260102-150405-person-2.md", "# Theirs\n")
		require.Len(t, at.aside(t), 1)
		all, err := w.Chapters()
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, "Two", all[0].Title)
	})
}

// What an edit takes out of a person's text can be taken back, whether the agent saw it or not.
func TestAnEditKeepsWhatItTakesOut(t *testing.T) {
	change := func(old, text string) func(string) (string, error) {
		return func(whole string) (string, error) { return strings.Replace(whole, old, text, 1), nil }
	}
	for _, read := range []bool{true, false} {
		each(t, func(t *testing.T, at place) {
			w := at.begin(t)
			at.edit(t, note, "head\nprecious\ntail\n")
			if read {
				_, err := w.Read(note)
				require.NoError(t, err)
			}
			kept := func() []string {
				found, err := afero.Glob(at.fs, ".daybook/trash/*")
				require.NoError(t, err)
				return found
			}
			require.NoError(t, w.Amend(note, change("head\n", "head\nneck\n")))
			assert.Empty(t, kept(), "nothing is lost by that")
			require.NoError(t, w.Amend(note, change("precious", "the agent's")))
			require.Len(t, kept(), 1)
			assert.Contains(t, at.text(t, kept()[0]), "precious")
		})
	}
}

// What the program puts into a section in place of a person's words can be taken back, as can what is deleted, and where it is is told.
func TestWhereAPersonsWordsAreKeptIsTold(t *testing.T) {
	replace := func(t *testing.T, w *workspace.Workspace, d workspace.Dashboard, id, text string) {
		t.Helper()
		require.NoError(t, w.AmendSections(d, map[string]func(string) string{id: func(string) string { return text }}))
	}
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		var told []string
		w.OnKept(func(name, kept string) { told = append(told, name, kept) })
		replace(t, w, workspace.Overall, "quality", "the rounds")
		at.edit(t, workspace.OverallFile, at.text(t, workspace.OverallFile)+"\nprecious\n")
		at.edit(t, workspace.CurrentFile, strings.Replace(at.text(t, workspace.CurrentFile), "## Next", "of value\n\n## Next", 1))
		_, err := w.Changes()
		require.NoError(t, err)
		replace(t, w, workspace.Overall, "gaps", "none")
		replace(t, w, workspace.Current, "next", "rest")
		assert.Empty(t, told, "their words stand elsewhere")

		replace(t, w, workspace.Overall, "quality", "the rounds anew")
		replace(t, w, workspace.Current, "task", "another")
		require.Len(t, told, 4)
		assert.Equal(t, []string{workspace.OverallFile, workspace.CurrentFile}, []string{told[0], told[2]})
		assert.Contains(t, at.text(t, told[1]), "precious")
		assert.Contains(t, at.text(t, told[3]), "of value")

		told = nil
		at.edit(t, note, "# Tides\n\n[s1]: Sources/s01-a.md \"My title\"\n")
		_, err = w.Read(note)
		require.NoError(t, err)
		require.NoError(t, errOf(w.Overwrite(note, "# Tides\n\n[s1]: Sources/s01-a.md \"A\"\n")))
		assert.Empty(t, told, "a link is the program's")
		require.NoError(t, w.Delete(note))

		told = nil
		without := strings.Replace(at.text(t, workspace.OverallFile), "the rounds anew", "\n", 1)
		at.edit(t, workspace.OverallFile, without)
		_, err = w.Changes()
		require.NoError(t, err)
		replace(t, w, workspace.Overall, "quality", "the rounds at last")
		assert.Empty(t, told, "they took words away, and wrote none")

		for _, p := range []string{note, "Notebook/deep/02.md"} {
			at.edit(t, p, "by hand\n")
			_, err := w.Read(p)
			require.NoError(t, err)
		}
		require.NoError(t, w.Create("Notebook/03.md", "the agent's\n"))
		for _, p := range []string{note, "Notebook/deep", "Notebook/03.md"} {
			require.NoError(t, w.Delete(p))
		}
		require.Len(t, told, 4)
		assert.Equal(t, "by hand\n", at.text(t, told[1]))
		assert.Equal(t, "by hand\n", at.text(t, told[3]+"/02.md"))
	})
}

// A person's text stays theirs under another name.
func TestAMovedTextIsStillAPersons(t *testing.T) {
	for _, again := range []bool{false, true} {
		each(t, func(t *testing.T, at place) {
			w := at.begin(t)
			at.edit(t, note, "precious\nb\nc\n")
			_, err := w.Read(note)
			require.NoError(t, err)
			require.NoError(t, w.Move(note, "Notebook/02.md"))
			require.NoError(t, w.Journal().Record("c1 result", nil))
			if again {
				require.NoError(t, w.Close())
				w = at.lock(t)
			}
			kept, err := w.Overwrite("Notebook/02.md", "the agent's\nb\nc\n")
			require.NoError(t, err)
			require.NotEmpty(t, kept)
			assert.Contains(t, at.text(t, kept), "precious")
		})
	}
	each(t, func(t *testing.T, at place) { // with an edit that the agent has not seen
		w := at.begin(t)
		at.edit(t, note, "precious\nb\nc\n")
		_, err := w.Read(note)
		require.NoError(t, err)
		at.edit(t, note, "precious\nb\nc\nmore\n")
		require.NoError(t, w.Move(note, "Notebook/02.md"))
		kept, err := w.Overwrite("Notebook/02.md", "the agent's\nb\nc\n")
		require.NoError(t, err)
		require.NotEmpty(t, kept)
		assert.Contains(t, at.text(t, kept), "precious")
		assert.Equal(t, "the agent's\nb\nc\nmore\n", at.text(t, "Notebook/02.md"))
	})
}

// A folder with what no listing shows is not the agent's to delete.
func TestAFolderWithHiddenThingsStays(t *testing.T) {
	for name, put := range map[string]func(dir string) error{
		"hidden folder": func(dir string) error { return os.MkdirAll(filepath.Join(dir, "a/.git"), 0o755) },
		"hidden file":   func(dir string) error { return os.WriteFile(filepath.Join(dir, ".env"), []byte("x"), 0o644) },
		"link":          func(dir string) error { return os.Symlink("/dev/null", filepath.Join(dir, "link")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, w := onDisk(t)
			require.NoError(t, w.Create("deep/01.md", "one\n"))
			require.NoError(t, put(filepath.Join(dir, "deep")))
			assert.ErrorContains(t, w.Delete("deep"), "only a person")
			assert.FileExists(t, filepath.Join(dir, "deep/01.md"))
		})
	}
}
