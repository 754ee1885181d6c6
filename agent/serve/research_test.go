package serve_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/agent/serve"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// client is one of a server of these researches.
func client(t *testing.T, h serve.Home) func(tool string, args map[string]any) string {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	_, err := serve.New(h).Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return func(tool string, args map[string]any) string {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return err.Error()
		}
		var said strings.Builder
		for _, content := range result.Content {
			if text, ok := content.(*mcp.TextContent); ok {
				said.WriteString(text.Text)
			}
		}
		return said.String()
	}
}

// Notes that come at once are all written, and one that is too long is refused.
func TestNotesAreNotLost(t *testing.T) {
	h := serve.Home{Dir: t.TempDir()}
	dir := filepath.Join(h.Dir, "tides")
	require.NoError(t, os.Mkdir(dir, 0o755))
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	require.NoError(t, w.Begin(map[string]string{
		workspace.OverallFile: sections("question", "blueprint", "findings", "gaps", "decisions", "quality"),
		workspace.CurrentFile: sections("task", "next", "plan", "learned", "notes"),
	}))
	require.NoError(t, w.Close())
	call := client(t, h)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			said := call("note", map[string]any{"research": "tides", "text": fmt.Sprintf("note %d.", n)})
			assert.Contains(t, said, "It is noted")
		})
	}
	all.Wait()
	board, err := os.ReadFile(filepath.Join(dir, workspace.CurrentFile))
	require.NoError(t, err)
	for n := range 8 {
		assert.Contains(t, string(board), fmt.Sprintf("note %d.", n))
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*.saved"))
	require.NoError(t, err)
	assert.Empty(t, left)
	long := map[string]any{"research": "tides", "text": strings.Repeat("x", 2001)}
	assert.Contains(t, call("note", long), "may have 2000")
}

// A run that died before it recorded its question is not waited for.
func TestARunThatEndedBeforeItBegan(t *testing.T) {
	h := serve.Home{Dir: t.TempDir()}
	dir := filepath.Join(h.Dir, "tides")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(h.Dir, "tides.log"), []byte("no key is set\n"), 0o600))
	said := client(t, h)("state", map[string]any{"research": "tides", "wait": 3600}) // and is told at once
	assert.Contains(t, said, `"state": "not begun"`)
	assert.Contains(t, said, `"its_run_said_last": "no key is set"`)

	w, err := workspace.Open(dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	call := client(t, h)
	assert.Contains(t, call("state", map[string]any{"research": "tides"}), `"state": "running"`)
	assert.Contains(t, call("start", map[string]any{"research": "tides"}), "is running already")
	require.NoError(t, w.Close())
	assert.Contains(t, call("stop", map[string]any{"research": "tides"}), "is not running")
}

func sections(ids ...string) string {
	var all strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&all, "## %s {#%s}\n\n", id, id)
	}
	return all.String()
}
