package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onDisk is a workspace with what only a real disk has.
func onDisk(t *testing.T) (dir string, w *workspace.Workspace) {
	dir = t.TempDir()
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() }) // a test may have closed it already
	require.NoError(t, w.Lock())
	require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
	return dir, w
}

func TestModesAndLinksStay(t *testing.T) {
	dir, w := onDisk(t)
	at := func(p string) string { return filepath.Join(dir, p) }
	read := func(p string) string {
		data, err := os.ReadFile(at(p))
		require.NoError(t, err)
		return string(data)
	}
	for _, mode := range []os.FileMode{0o640, 0o755, 0o666, 0o600} {
		require.NoError(t, os.WriteFile(at(note), []byte("one\n"), 0o644))
		require.NoError(t, os.Chmod(at(note), mode))
		require.NoError(t, w.Append(note, "two\n"))
		info, err := os.Stat(at(note))
		require.NoError(t, err)
		assert.Equal(t, mode, info.Mode())
	}

	require.NoError(t, os.Mkdir(at("chapters"), 0o755))
	require.NoError(t, os.WriteFile(at("chapters/real.md"), []byte("one\n"), 0o644))
	require.NoError(t, os.Symlink("../chapters/real.md", at("Notebook/link.md")))
	require.NoError(t, os.Symlink("../chapters", at("Notebook/folder")))
	_, err := w.Read("Notebook/link.md")
	require.NoError(t, err)
	require.NoError(t, errOf(w.Overwrite("Notebook/link.md", "two\n")))
	require.NoError(t, w.Append("Notebook/folder/real.md", "three\n"))
	info, err := os.Lstat(at("Notebook/link.md"))
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link stays a link")
	assert.Equal(t, "two\nthree\n", read("chapters/real.md"))
	assert.ErrorContains(t, w.Delete("Notebook/link.md"), "symbolic link")
	told, err := w.Changes()
	require.NoError(t, err)
	assert.NotContains(t, told, "link.md", "a link is no file that was deleted")
}

func TestWhatIsNotWritten(t *testing.T) {
	dir, w := onDisk(t)
	at := func(p string) string { return filepath.Join(dir, p) }
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "theirs.md"), []byte("outside\n"), 0o644))
	require.NoError(t, os.WriteFile(at("Notebook/fixed.md"), []byte("fixed\n"), 0o444))
	require.NoError(t, os.WriteFile(at("daybook.yaml"), []byte("# mine\n"), 0o644))
	require.NoError(t, os.MkdirAll(at(".git/hooks"), 0o755))
	require.NoError(t, os.Link(filepath.Join(outside, "theirs.md"), at("Notebook/hard.md")))
	for link, to := range map[string]string{
		"Notebook/settings.md": "../daybook.yaml", "Notebook/hooks": "../.git/hooks", "Notebook/source.md": "../Sources/s01-x.md",
		"Notebook/out.md": filepath.Join(outside, "theirs.md"), "Notebook/up.md": "../../theirs.md", "Notebook/outside": outside,
		"Notebook/dangling.md": filepath.Join(outside, "new.md"), "Notebook/a.md": "b.md", "Notebook/b.md": "a.md",
	} {
		require.NoError(t, os.Symlink(to, at(link)))
	}
	require.NoError(t, exec.CommandContext(t.Context(), "mkfifo", at("Notebook/pipe.md")).Run())
	require.NoError(t, w.Create(note, "one\n"))
	for p, why := range map[string]string{
		"Notebook/pipe.md":            "not a regular file",
		"Notebook/fixed.md":           "made read-only",
		"Notebook/hard.md":            "hard link",
		"Notebook/settings.md":        "belongs to the person",
		"Notebook/hooks/pre-commit":   "hidden",
		"Notebook/source.md":          "as they were read",
		"Notebook/out.md":             "leads out of the workspace",
		"Notebook/up.md":              "leads out of the workspace",
		"Notebook/outside/theirs.md":  "leads out of the workspace",
		"Notebook/outside/new/new.md": "leads out of the workspace",
		"Notebook/dangling.md":        "leads out of the workspace",
		"Notebook/a.md":               "in a circle",
		note + "/below.md":            "is a file and not a folder",
	} {
		for did, err := range map[string]error{
			"append": w.Append(p, "x"), "overwrite": errOf(w.Overwrite(p, "x")), "create": w.Create(p, "x"),
			"amend": w.Amend(p, func(text string) (string, error) { return text + "x", nil }),
		} {
			if assert.ErrorContains(t, err, why, "%s %s", did, p) {
				assert.NotContains(t, err.Error(), dir)
				assert.NotContains(t, err.Error(), outside)
				assert.NotContains(t, err.Error(), "escapes from parent")
			}
		}
	}
	assert.ErrorContains(t, w.Delete("Notebook/fixed.md"), "read-only")
	data, err := os.ReadFile(filepath.Join(outside, "theirs.md"))
	require.NoError(t, err)
	assert.Equal(t, "outside\n", string(data))
	for _, p := range []string{"Notebook/out.md", "Notebook/outside/theirs.md", "Notebook/dangling.md", note + "/below.md"} {
		_, err := w.Read(p)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "escapes from parent")
		assert.NotContains(t, err.Error(), dir)
	}
}

// A person turns a file that the agent knows into a link to somewhere else. The run goes on without it.
func TestAFileThatBecomesALink(t *testing.T) {
	dir, w := onDisk(t)
	outside := filepath.Join(t.TempDir(), "secret.md")
	require.NoError(t, os.WriteFile(outside, []byte("SECRET\n"), 0o644))
	require.NoError(t, w.Create(note, "one\n"))
	require.NoError(t, os.Remove(filepath.Join(dir, note)))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, note)))
	assert.ErrorContains(t, w.Append(note, "x"), "leads out")
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Contains(t, told, "symbolic link")
	assert.NotContains(t, told, "SECRET")
	told, err = w.Changes()
	require.NoError(t, err)
	assert.Empty(t, told)
}

// The same with a folder, between two runs.
func TestAFolderThatBecomesSomethingElse(t *testing.T) {
	for name, make := range map[string]func(p string) error{
		"a link out": func(p string) error { return os.Symlink(os.TempDir(), p) },
		"a file":     func(p string) error { return os.WriteFile(p, []byte("by hand\n"), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, w := onDisk(t)
			require.NoError(t, w.Create("Notebook/sub/01.md", "one\n"))
			require.NoError(t, w.Create("Notebook/other/01.md", "one\n"))
			require.NoError(t, w.Close())
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "Notebook/sub")))
			require.NoError(t, make(filepath.Join(dir, "Notebook/sub")))
			w, err := workspace.Open(dir)
			require.NoError(t, err)
			defer w.Close()
			require.NoError(t, w.Lock())
			_, err = w.Changes()
			require.NoError(t, err)
			assert.Error(t, w.Append("Notebook/sub/01.md", "x"))
			require.NoError(t, w.Append("Notebook/02.md", "x"))
		})
	}
}

// State behind a link would be written outside.
func TestStateBehindALinkIsRefused(t *testing.T) {
	for _, link := range []string{".daybook", ".daybook/lock", ".daybook/journal.jsonl"} {
		dir, outside := t.TempDir(), t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755))
		require.NoError(t, os.Symlink(filepath.Join(outside, "there"), filepath.Join(dir, link)))
		w, err := workspace.Open(dir)
		require.NoError(t, err)
		assert.ErrorContains(t, w.Lock(), "symbolic link")
		require.NoError(t, w.Close())
		entries, err := os.ReadDir(outside)
		require.NoError(t, err)
		assert.Empty(t, entries)
	}
}
