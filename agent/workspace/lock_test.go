package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of two runs of which one lost its lock file, one writes and the other says why it does not.
func TestARemovedLockIsNoticed(t *testing.T) {
	remove := map[string]func(t *testing.T, dir string){
		"removed": func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, ".daybook/lock"))) },
		"replaced": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "new"), nil, 0o644))
			require.NoError(t, os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, ".daybook/lock")))
		},
	}
	for name, remove := range remove {
		t.Run(name, func(t *testing.T) {
			dir, first := onDisk(t)
			require.NoError(t, first.Create("Notebook/01.md", "one\n"))
			require.NoError(t, first.Journal().Record("c1 result", nil)) // of the action that created it
			remove(t, dir)
			second, err := workspace.Open(dir)
			require.NoError(t, err)
			require.NoError(t, second.Lock(), "nothing tells it of the first")
			err = first.Append("Notebook/01.md", "of the first\n")
			require.ErrorIs(t, err, store.ErrLocked)
			assert.ErrorContains(t, err, "writes no more")
			assert.ErrorIs(t, first.Journal().Record("x result", 1), store.ErrLocked)
			require.NoError(t, second.Append("Notebook/01.md", "of the second\n"))
			require.NoError(t, first.Close())
			require.NoError(t, second.Append("Notebook/01.md", "again\n"))
			require.NoError(t, second.Close())
			text, err := os.ReadFile(filepath.Join(dir, "Notebook/01.md"))
			require.NoError(t, err)
			assert.Equal(t, "one\nof the second\nagain\n", string(text))
		})
	}
}

// A run that finds its lock file gone before anybody else did takes it again.
func TestARemovedLockIsTakenAgain(t *testing.T) {
	dir, first := onDisk(t)
	for range 3 {
		require.NoError(t, os.Remove(filepath.Join(dir, ".daybook/lock")))
		require.NoError(t, first.Append("Notebook/01.md", "one\n"))
	}
	second, err := workspace.Open(dir)
	require.NoError(t, err)
	defer second.Close()
	require.ErrorIs(t, second.Lock(), store.ErrLocked)
	assert.True(t, second.Running())
}

// The program's own files are no part of a person's repository.
func TestTheStateIsKeptOutOfGit(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		assert.Equal(t, "*\n", at.text(t, ".daybook/.gitignore"))
		require.NoError(t, afero.WriteFile(at.fs, ".daybook/.gitignore", []byte("mine\n"), 0o644))
		at.again(t, w)
		assert.Equal(t, "mine\n", at.text(t, ".daybook/.gitignore"))
	})
}

// unremovable is a disk from which some files cannot be removed.
type unremovable struct {
	afero.Fs
	name string
}

func (u unremovable) Remove(name string) error {
	if strings.Contains(name, u.name) {
		return errors.New("input/output error")
	}
	return u.Fs.Remove(name)
}

// An old copy that cannot be removed ends no run, and begins none with an error.
func TestAnOldCopyThatStays(t *testing.T) {
	fs := afero.NewMemMapFs()
	at := place{fs: fs, open: func() *workspace.Workspace { return workspace.OpenFs(unremovable{fs, ".daybook-old-"}) }}
	w := at.begin(t)
	for range 40 {
		require.NoError(t, w.Append("Notebook/01.md", "one\n"))
		_, err := w.Changes()
		require.NoError(t, err)
	}
	require.NoError(t, w.Journal().Record("c1 result", nil))
	w = at.again(t, w)
	assert.Contains(t, strings.Join(w.Warnings(), "\n"), "An old copy could not be removed")
	require.NoError(t, w.Append("Notebook/01.md", "two\n"))
	assert.Equal(t, strings.Repeat("one\n", 40)+"two\n", at.text(t, "Notebook/01.md"))
}

// A write that took place is no error, whatever fails after it: told as one, it would be made twice.
func TestAWriteThatLandedIsNoError(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	errs, long := 0, strings.Repeat("a long text is not in the journal\n", 40_000)
	for n := range 40 {
		at, disk := onFaulty()
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", long))
		opened := 0
		disk.openErr = func(string) error {
			if opened++; opened == n {
				return errors.New("input/output error")
			}
			return nil
		}
		err := w.Append("Notebook/01.md", "two\n")
		disk.openErr = nil
		if opened < n { // it opens no more than that
			require.NoError(t, err)
			break
		}
		text := at.text(t, "Notebook/01.md")
		if err == nil {
			assert.True(t, text == long+"two\n", "open %d", n)
			continue
		}
		errs++
		if text != long {
			assert.ErrorContains(t, err, "may be written or not", "open %d", n)
		}
	}
	assert.NotZero(t, errs, "those before the write fail")
}
