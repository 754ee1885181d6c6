package workspace_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The power is cut at each call of the file system while a research is moved aside: the next start finds each of its files, in its place or
// in the archive. In the control, folders are not synced.
func TestPowerCutsWhileAResearchIsMovedAside(t *testing.T) {
	cuts, lost := cutArchive(t, nil)
	require.NoError(t, lost)
	assert.Greater(t, cuts, 40)
	_, lost = cutArchive(t, func(name string) bool { return !strings.Contains(path.Base(name), ".") || name == "." })
	assert.Error(t, lost)
}

// cutArchive moves a research aside, and cuts the power, on copies of the disk, before each call. It returns how often, and the first thing
// that is wrong after one.
func cutArchive(t *testing.T, deaf func(name string) bool) (cuts int, fault error) {
	disk := newCrashDisk(1)
	w := workspace.OpenFs(disk)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
	for _, name := range []string{"Notebook/01.md", "Notebook/02.md", "Notebook/deep/03.md", "report.md"} {
		require.NoError(t, w.Create(name, name+", and what was found\n"))
	}
	require.NoError(t, w.Close())

	w = workspace.OpenFs(disk)
	require.NoError(t, w.Lock())
	before := disk.texts()
	disk.deaf = deaf
	disk.before = func() {
		for i, left := range []remains{nothing, scattered, inOrder, all, scattered} {
			if fault == nil {
				fault = survivesArchive(disk.copy(10*disk.calls+i).afterCut(left), before)
				if fault != nil {
					fault = fmt.Errorf("cut at call %d, keeping %s: %w", disk.calls+1, left, fault)
				}
				cuts++
			}
		}
	}
	_, err := w.Archive("report.md")
	require.NoError(t, err)
	disk.before = nil
	return cuts, fault
}

func survivesArchive(disk *crashDisk, before map[string]string) error {
	w := workspace.OpenFs(disk)
	if err := w.Lock(); err != nil {
		return fmt.Errorf("opening again: %w", err)
	}
	found := disk.texts()
	for p, text := range before {
		if found[p] != text && found["Archive/1/"+p] != text {
			return fmt.Errorf("%s is gone; there are %v", p, found)
		}
	}
	return w.Close()
}
