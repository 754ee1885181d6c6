package workspace_test

import (
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/spf13/afero"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// killed makes the disk take no more of anything than a number of bytes of the next write of a text that holds some words.
func (f *faulty) killed(words string, bytes int) {
	dead := false
	f.write = func(_ string, p []byte) (int, error) {
		if dead {
			return 0, errKilled
		}
		if dead = strings.HasPrefix(string(p), words); dead {
			return min(bytes, len(p)), errKilled
		}
		return 0, nil
	}
	f.beforeRename = func(string, string) error {
		if dead {
			return errKilled
		}
		return nil
	}
}

// A kill in the midst of keeping a page leaves no half of it under its name, and the page is read again under the same number.
func TestAKillWhileAPageIsKept(t *testing.T) {
	page := workspace.Source{URL: "https://a.test/", Title: "A", Fetched: time.Now().UTC().Truncate(time.Second), Type: "html"}
	for _, bytes := range []int{0, 20} {
		at, disk := onFaulty()
		w := at.begin(t)
		disk.killed("---\n", bytes)
		_, err := w.AddSource(page, "What stands there.")
		require.ErrorIs(t, err, errKilled)
		there, err := afero.Exists(at.fs, "Sources/s01-a.md")
		require.NoError(t, err)
		assert.False(t, there, "killed after %d bytes", bytes)

		disk.write, disk.beforeRename = nil, nil
		w = at.lock(t)
		assert.NotContains(t, strings.Join(w.Warnings(), "\n"), "does not count as read")
		s, err := w.AddSource(page, "What stands there.")
		require.NoError(t, err)
		assert.Equal(t, "s1", s.ID)
		assert.Empty(t, at.strays(t))
	}
}

// A kill in the midst of the beginning leaves no empty settings, and none missing where the next run goes on without being asked.
func TestAKillWhileAWorkspaceBegins(t *testing.T) {
	const settings = "docs: [notes]\n"
	files := map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current, workspace.SettingsFile: settings}
	for _, words := range []string{"docs", "# Overall", "# Current"} {
		at, disk := onFaulty()
		w := at.lock(t)
		disk.killed(words, 0)
		require.ErrorIs(t, w.Begin(files), errKilled, words)
		for name, text := range files {
			if there, err := afero.Exists(at.fs, name); assert.NoError(t, err) && there {
				assert.Equal(t, text, at.text(t, name), "killed at %s", words)
			}
		}
		disk.write, disk.beforeRename = nil, nil
		if w = at.lock(t); w.Exists() {
			assert.Equal(t, settings, at.text(t, workspace.SettingsFile), "killed at %s", words)
		}
	}
}
