package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The file of a client may say null, and may be a link: what it leads to is written, and keeps its mode.
func TestAnEntryIsWrittenWhereTheLinkLeads(t *testing.T) {
	for _, before := range []string{"", "null", `{"mcpServers": null}`, `{"mcpServers": {"a": {}}}`} {
		dir := t.TempDir()
		real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
		require.NoError(t, os.WriteFile(real, []byte(before), 0o644))
		require.NoError(t, os.Symlink(real, link))
		require.NoError(t, client{"Test", link, "mcpServers"}.write(map[string]any{"command": "daybook"}))
		text, err := os.ReadFile(real)
		require.NoError(t, err)
		assert.Contains(t, string(text), `"command": "daybook"`, before)
		info, err := os.Lstat(real)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o644), info.Mode(), before)
	}
}
