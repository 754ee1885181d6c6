package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

func TestProbe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.md"), []byte("mine"), 0o644))
	disk, err := store.Probe(dir)
	require.NoError(t, err)
	assert.True(t, disk.Locks)
	assert.Equal(t, disk.Measured, disk.Free > 0)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing is left behind")

	_, err = store.Probe(filepath.Join(dir, "none"))
	require.Error(t, err)
	_, err = store.Probe(filepath.Join(dir, "mine.md"))
	require.Error(t, err)
}
