package workspace_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onCrashDisk is a workspace on a disk whose power can be cut, with a file that a person saved.
func onCrashDisk(t *testing.T, plain bool) (*crashDisk, *workspace.Workspace) {
	disk := newCrashDisk(0)
	disk.plain = plain
	w := workspace.OpenFs(disk)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
	require.NoError(t, w.Create("Notebook/other.md", "other\n")) // which makes the folders safe
	disk.save(note, "by hand\n")
	return disk, w
}

// allOf is what stands in any of the files, those of the trash included.
func (d *crashDisk) allOf() string {
	var all strings.Builder
	for _, text := range d.files() {
		all.WriteString(text)
	}
	if trash, err := d.find(".daybook/trash"); err == nil {
		for _, n := range trash.names {
			all.Write(n.data)
		}
	}
	return all.String()
}

// What a delete moved can be taken back after a power cut, also when it was the first.
func TestAPowerCutAfterADelete(t *testing.T) {
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			disk, w := onCrashDisk(t, plain)
			require.NoError(t, w.Delete(note))
			assert.Contains(t, disk.afterCut(nothing).allOf(), "by hand")
		})
	}
}

// What comes out for a write and is no text goes back, and what a person saves in the instant of that is theirs as well.
func TestASaveWhileAFileGoesBack(t *testing.T) {
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			disk, w := onCrashDisk(t, plain)
			_, err := w.Read(note)
			require.NoError(t, err)
			disk.inTheInstant(note, func() {
				disk.save(note, strings.Repeat("x", workspace.MaxRead+1))
				disk.inTheInstant(note, func() { disk.save(note, "precious\n") })
			})
			require.Error(t, errOf(w.Overwrite(note, "the agent's\n")))
			assert.Contains(t, disk.allOf(), "precious")
			require.NoError(t, w.Close())
			assert.Contains(t, disk.allOf(), "precious")
			assert.Empty(t, disk.hidden())
		})
	}
}

// A move or a delete that failed is not on record as one that a kill came into.
func TestWhatFailedIsNotUnderWay(t *testing.T) {
	for name, act := range map[string]func(w *workspace.Workspace) error{
		"move":          func(w *workspace.Workspace) error { return w.Move(note, "Notebook/b.md") },
		"delete":        func(w *workspace.Workspace) error { return w.Delete(note) },
		"delete folder": func(w *workspace.Workspace) error { return w.Delete("deep") },
	} {
		t.Run(name, func(t *testing.T) {
			at, disk := onFaulty()
			w := at.begin(t)
			require.NoError(t, w.Create(note, "one\n"))
			require.NoError(t, w.Create("deep/01.md", "one\n"))
			disk.beforeRename = func(_, to string) error {
				if strings.HasSuffix(to, "b.md") || strings.Contains(to, "trash") {
					return errKilled
				}
				return nil
			}
			require.ErrorIs(t, act(w), errKilled)
			disk.beforeRename = nil
			require.NoError(t, w.Journal().Record("researcher/c00000100 result", "it failed"))
			require.NoError(t, w.Journal().Sync())

			w = at.lock(t)
			assert.Empty(t, w.Warnings())
			told, err := w.Changes()
			require.NoError(t, err)
			assert.Empty(t, told)
			assert.Equal(t, "one\n", at.text(t, note))
			_, err = at.fs.Stat("Notebook/b.md")
			assert.Error(t, err)
		})
	}
}

// A folder that a move or Mkdir made is there after a power cut, with those above it.
func TestAPowerCutAfterANewFolder(t *testing.T) {
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			disk, w := onCrashDisk(t, plain)
			require.NoError(t, w.Move(note, "Notebook/new/deep/02.md"))
			assert.Contains(t, disk.copy(1).afterCut(nothing).allOf(), "by hand")
			require.NoError(t, w.Mkdir("a/b/c"))
			_, err := disk.afterCut(nothing).find("a/b/c")
			assert.NoError(t, err)
		})
	}
}
