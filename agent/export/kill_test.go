//go:build unix

package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program that is killed while a browser prints for it leaves neither the browser nor a child of it, also
// one that left its parent.
func TestAKillLeavesNoBrowser(t *testing.T) {
	if browser := os.Getenv("DAYBOOK_TEST_BROWSER"); browser != "" {
		_, err := export.PDF(t.Context(), printable(), export.A4, browser)
		require.NoError(t, err) // it hangs until it is killed
		return
	}
	dir := t.TempDir()
	pids := filepath.Join(dir, "pids")
	require.NoError(t, syscall.Mkfifo(pids, 0o600))
	cmd := exec.Command(os.Args[0], "-test.run=^TestAKillLeavesNoBrowser$")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "DAYBOOK_TEST_BROWSER="+
		script(t, "(sleep 300 & echo $! >"+dir+"/orphan)\nsleep 300 & echo $$ $! `cat "+dir+"/orphan` >"+
			pids+"; wait"))
	require.NoError(t, cmd.Start())
	said, err := os.ReadFile(pids) // waits until the children are there
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Len(t, strings.Fields(string(said)), 3)
	for pid := range strings.FieldsSeq(string(said)) {
		n, err := strconv.Atoi(pid)
		require.NoError(t, err)
		assert.Eventually(t, func() bool { return isGone(n) }, time.Minute, 10*time.Millisecond,
			"process %s", pid)
	}
}
