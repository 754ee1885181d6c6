package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a person makes of the places of files while the program is not looking.

func TestADashboardMayBeALink(t *testing.T) {
	dir, w := onDisk(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "vault"), 0o755))
	require.NoError(t, os.Rename(filepath.Join(dir, workspace.OverallFile), filepath.Join(dir, "vault/o.md")))
	require.NoError(t, os.Symlink("vault/o.md", filepath.Join(dir, workspace.OverallFile)))
	require.NoError(t, w.AmendSections(workspace.Overall, map[string]func(string) string{"quality": func(string) string { return "good" }}))
	text, err := os.ReadFile(filepath.Join(dir, "vault/o.md"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "good")
}

// What a cut-off write left beside a file is kept for the person, whatever stands in the file's place now.
func TestWhatIsLeftDoesNotShutTheWorkspace(t *testing.T) {
	for name, put := range map[string]func(t *testing.T, at string){
		"a folder":       func(t *testing.T, at string) { require.NoError(t, os.Mkdir(at, 0o755)) },
		"a large file":   func(t *testing.T, at string) { require.NoError(t, os.WriteFile(at, make([]byte, 9<<20), 0o644)) },
		"a link outside": func(t *testing.T, at string) { require.NoError(t, os.Symlink("/dev/null", at)) },
		"a circle":       func(t *testing.T, at string) { require.NoError(t, os.Symlink(filepath.Base(at), at)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, w := onDisk(t)
			require.NoError(t, w.Close())
			require.NoError(t, os.WriteFile(filepath.Join(dir, "Notebook/.daybook-old-X-01.md"), []byte("by hand\n"), 0o644))
			put(t, filepath.Join(dir, note))
			locked(t, dir)
			found, err := filepath.Glob(filepath.Join(dir, ".daybook/trash/*-Notebook%2F01.md"))
			require.NoError(t, err)
			assert.Len(t, found, 1)
		})
	}
	t.Run("a hidden name", func(t *testing.T) {
		dir, w := onDisk(t)
		require.NoError(t, w.Close())
		left := filepath.Join(dir, ".daybook-old-X-.hidden")
		require.NoError(t, os.WriteFile(left, []byte("by hand\n"), 0o644))
		locked(t, dir)
		assert.FileExists(t, left)
	})
}

// A folder that leads elsewhere now holds nothing that waits for the disk, and the rest goes on.
func TestAFolderThatWasTakenAwayIsNotAFailingDisk(t *testing.T) {
	for name, put := range map[string]func(t *testing.T, folder, elsewhere string){
		"a link outside": func(t *testing.T, folder, elsewhere string) { require.NoError(t, os.Symlink(elsewhere, folder)) },
		"a file":         func(t *testing.T, folder, _ string) { require.NoError(t, os.WriteFile(folder, nil, 0o644)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, w := onDisk(t)
			require.NoError(t, w.Create("deep/01.md", "one\n"))
			folder, elsewhere := filepath.Join(dir, "deep"), filepath.Join(t.TempDir(), "moved")
			require.NoError(t, os.Rename(folder, elsewhere))
			put(t, folder, elsewhere)
			require.NoError(t, w.Create("report.md", "one\n"))
			require.NoError(t, w.Delete("report.md"), "which waits for the disk")
			require.NoError(t, w.Close())
			locked(t, dir)
		})
	}
}

// locked takes a folder for writing.
func locked(t *testing.T, dir string) *workspace.Workspace {
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() }) // a test may have closed it already
	require.NoError(t, w.Lock())
	return w
}

// An error names no path above the workspace, and says what is wrong with one that leads through a file.
func TestAPathThroughAFile(t *testing.T) {
	dir, w := onDisk(t)
	require.NoError(t, w.Create("a.md", "one\n"))
	for name, look := range map[string]func() error{
		"list":    func() error { _, err := w.List("a.md"); return err },
		"walk":    func() error { _, err := w.Walk("a.md/x", nil); return err },
		"read":    func() error { _, err := w.Read("a.md/x"); return err },
		"open":    func() error { _, err := w.Open("a.md/x"); return err },
		"outline": func() error { _, _, err := w.Outline("a.md/x"); return err },
	} {
		err := look()
		require.Error(t, err, name)
		assert.NotContains(t, err.Error(), dir, name)
		assert.Contains(t, err.Error(), "a.md", name)
		assert.Contains(t, err.Error(), "is a file and not a folder", name)
	}
}

// Each new file is read a few times, however many others are gone.
func TestManyFilesThatAreGone(t *testing.T) {
	const many = 60
	at, disk := onFaulty()
	w := at.begin(t)
	for i := range many {
		require.NoError(t, w.Create(fmt.Sprintf("Notebook/%02d.md", i), fmt.Sprintf("old %d\n", i)))
	}
	for i := range many {
		require.NoError(t, at.fs.Remove(fmt.Sprintf("Notebook/%02d.md", i)))
		at.edit(t, fmt.Sprintf("Notebook/new%02d.md", i), fmt.Sprintf("new %d\n", i))
	}
	at.edit(t, "Notebook/new98.md", "old 7\n")
	at.edit(t, "Notebook/new99.md", "old 8\n")
	opened := 0
	disk.open = func(name string) {
		if strings.HasPrefix(name, "Notebook/new") {
			opened++
		}
	}
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Contains(t, told, "Notebook/07.md was renamed to Notebook/new98.md")
	assert.Contains(t, told, "Notebook/08.md was renamed to Notebook/new99.md")
	assert.Less(t, opened, 5*many)
}

// What a program writes late into a file that was replaced is taken in at the end, and nothing is left of it.
func TestALateWriteBeforeTheEnd(t *testing.T) {
	dir, w := onDisk(t)
	require.NoError(t, w.Create(note, "one\ntwo\nthree\n"))
	theirs, err := os.OpenFile(filepath.Join(dir, note), os.O_RDWR, 0)
	require.NoError(t, err)
	require.NoError(t, w.Append(note, "four\n"))
	_, err = theirs.WriteAt([]byte("ONE, by hand\ntwo\nthree\n"), 0)
	require.NoError(t, err)
	require.NoError(t, theirs.Close())
	require.NoError(t, w.Close())
	text, err := os.ReadFile(filepath.Join(dir, note))
	require.NoError(t, err)
	assert.Equal(t, "ONE, by hand\ntwo\nthree\nfour\n", string(text))
	left, err := filepath.Glob(filepath.Join(dir, "Notebook/.daybook-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}
