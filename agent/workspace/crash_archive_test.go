package workspace_test

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The power is cut at each call of the file system while a research is moved aside, and after the last: the next start finds each of its
// files, all in their places or all in the archive, and there when that was acknowledged. In the controls, the folders above the archive,
// its own, or the journal are not synced.
func TestPowerCutsWhileAResearchIsMovedAside(t *testing.T) {
	cuts, lost := cutArchive(t, nil)
	require.NoError(t, lost)
	assert.Greater(t, cuts, 40)
	for name, deaf := range map[string]func(name string) bool{
		"folders above": func(name string) bool { return name == "Archive" || name == "." },
		"folders":       func(name string) bool { return strings.HasPrefix(name, "Archive/1") },
		"the journal":   func(name string) bool { return path.Base(name) == "journal.jsonl" },
	} {
		_, lost = cutArchive(t, deaf)
		assert.Error(t, lost, name)
	}
}

// cutArchive moves a research aside, and cuts the power, on copies of the disk, before each call. It returns how often, and the first thing
// that is wrong after one.
func cutArchive(t *testing.T, deaf func(name string) bool) (cuts int, fault error) {
	disk := newCrashDisk(1)
	w := workspace.OpenFs(disk)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current}))
	for _, name := range []string{"Notebook/01.md", "Notebook/02.md", "report.md"} {
		require.NoError(t, w.Create(name, name+", and what was found\n"))
	}
	require.NoError(t, w.Close())

	w = workspace.OpenFs(disk)
	require.NoError(t, w.Lock())
	before := disk.texts()
	disk.deaf = deaf
	cut := func(done bool) {
		for i, left := range []remains{nothing, scattered, inOrder, all, scattered} {
			if fault == nil {
				fault = survivesArchive(disk.copy(10*disk.calls+i).afterCut(left), before, done)
				if fault != nil {
					fault = fmt.Errorf("cut at call %d, keeping %s: %w", disk.calls+1, left, fault)
				}
				cuts++
			}
		}
	}
	disk.before = func() { cut(false) }
	_, err := w.Archive("report.md")
	require.NoError(t, err)
	disk.before = nil
	cut(true)
	return cuts, fault
}

func survivesArchive(disk *crashDisk, before map[string]string, done bool) error {
	w := workspace.OpenFs(disk)
	if err := w.Lock(); err != nil {
		return fmt.Errorf("opening again: %w", err)
	}
	found := disk.texts()
	_, moved := found["Archive/1/"+workspace.OverallFile]
	if done && !moved {
		return errors.New("it is not in the archive")
	}
	for p, text := range before {
		here, there := p, "Archive/1/"+p
		if moved {
			here, there = there, here
		}
		if _, twice := found[there]; found[here] != text || twice {
			return fmt.Errorf("%s is not at %s alone", p, here)
		}
	}
	return w.Close()
}
