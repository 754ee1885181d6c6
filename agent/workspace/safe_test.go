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

// A run that was killed loses nothing that it wrote, for the machine goes on. What differs then is a person's doing, and stays: also what
// a power cut could have left.
func TestAKillIsNoPowerCut(t *testing.T) {
	at := disk(t)
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	require.NoError(t, w.Append("Notebook/01.md", "two\n"))
	require.NoError(t, w.Create("Notebook/02.md", "one\n"))
	require.NoError(t, w.Journal().Record("researcher/c00000100 result", "done"))
	require.NoError(t, w.Close())
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

// A write that failed is not taken for one that was cut off.
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

// What returned is on the disk, whole and under its name: a cut of the power takes nothing of it. In the control the texts are not synced.
func TestWhatReturnedIsSafe(t *testing.T) {
	for name, plain := range ways {
		for _, syncs := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, synced %t", name, syncs), func(t *testing.T) {
				disk := newCrashDisk(0)
				disk.plain, disk.deaf = plain, func(name string) bool { return !syncs && strings.Contains(name, ".daybook-tmp-") }
				w := workspace.OpenFs(disk)
				require.NoError(t, w.Lock())
				safe := func(name, text string) {
					t.Helper()
					found, err := afero.ReadFile(disk.copy(1).afterCut(nothing), name)
					assert.Equal(t, syncs, err == nil && strings.Contains(string(found), text), name)
				}
				require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
				safe(workspace.OverallFile, overall)
				require.NoError(t, w.Create("Notebook/deep/er/01.md", "one\n"))
				safe("Notebook/deep/er/01.md", "one\n")
				require.NoError(t, w.Append("Notebook/deep/er/01.md", "two\n"))
				safe("Notebook/deep/er/01.md", "one\ntwo\n")
				require.NoError(t, w.Move("Notebook/deep/er/01.md", "Notebook/other/02.md"))
				safe("Notebook/other/02.md", "one\ntwo\n")
				require.NoError(t, source(w, 1, "what was read"))
				safe("Sources/s01-page-1.md", "what was read")
				require.NoError(t, w.Amend("Notebook/other/02.md", func(text string) (string, error) { return text + "three\n", nil }))
				safe("Notebook/other/02.md", "one\ntwo\nthree\n")
				kept, err := w.PutBack("Notebook/other/02.md", "older\n", 1)
				require.NoError(t, err)
				safe("Notebook/other/02.md", "older\n")
				safe(kept, "one\ntwo\nthree\n")
				require.NoError(t, w.Create("Notebook/gone.md", "to be deleted\n"))
				require.NoError(t, w.Delete("Notebook/gone.md"))
				assert.NotContains(t, disk.copy(1).afterCut(nothing).files(), "Notebook/gone.md", "it comes back")
				trash, err := disk.find(".daybook/trash")
				require.NoError(t, err)
				for name := range trash.names {
					if strings.HasSuffix(name, "gone.md") {
						kept = ".daybook/trash/" + name
					}
				}
				safe(kept, "to be deleted\n")
				folder, err := w.Archive("report.md")
				require.NoError(t, err)
				safe(folder+"/"+workspace.OverallFile, overall)
				safe(folder+"/Notebook/other/02.md", "older\n")
				safe(folder+"/Sources/s01-page-1.md", "what was read")
			})
		}
	}
}

// A folder of an older version, which made its files safe later and said so in the journal, is gone on with.
func TestAJournalThatSaysWhatIsSettled(t *testing.T) {
	at := disk(t)
	w := at.begin(t)
	require.NoError(t, w.Create("Notebook/01.md", "one\n"))
	require.NoError(t, w.Journal().Record("settled", nil))
	require.NoError(t, w.Journal().Record("boot", "0b5c3a3e-0000-4000-8000-000000000000"))
	require.NoError(t, w.Append("Notebook/01.md", "two\n"))
	require.NoError(t, w.Close())
	w = at.lock(t)
	assert.Empty(t, w.Warnings())
	assert.Equal(t, "one\ntwo\n", at.text(t, "Notebook/01.md"))
	told, err := w.Changes()
	require.NoError(t, err)
	assert.Empty(t, told)
	assert.False(t, w.Journal().Recall("boot", new(string)), "it is no row of an agent")
}
