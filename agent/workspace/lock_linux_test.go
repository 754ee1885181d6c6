package workspace_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// withoutLocks has the kernel answer each flock of this process as a network drive does that has none.
func withoutLocks() error {
	const number, equal, allow = 0, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, 0x7fff0000
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: equal, K: unix.SYS_FLOCK, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0x00050000 | uint32(unix.ENOLCK)},
		{Code: unix.BPF_RET | unix.BPF_K, K: allow},
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const mode, onAllThreads = 1, 1
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, mode, onAllThreads, uintptr(unsafe.Pointer(&filter))); err != 0 {
		return err
	}
	return nil
}

// Where the disk knows no locks a file keeps the second run out, and one that was killed keeps nobody out.
func TestADriveWithoutLocks(t *testing.T) {
	if dir := os.Getenv("DAYBOOK_TEST_LOCKS"); dir != "" {
		require.NoError(t, withoutLocks())
		first, err := workspace.Open(dir)
		require.NoError(t, err)
		require.NoError(t, first.Lock())
		require.Len(t, first.Warnings(), 1)
		assert.Contains(t, first.Warnings()[0], "knows no locks")
		second, err := workspace.Open(dir)
		require.NoError(t, err)
		err = second.Lock()
		require.ErrorIs(t, err, store.ErrLocked)
		assert.ErrorContains(t, err, fmt.Sprintf("process %d", os.Getpid()))
		assert.ErrorContains(t, err, "lock.held")
		assert.True(t, second.Running())
		require.NoError(t, first.Create("Notebook/01.md", "one\n"))
		require.NoError(t, first.Close())
		assert.False(t, second.Running())
		require.NoError(t, second.Lock())
		os.Exit(0) // as by a kill: nothing is given back
	}
	dir := t.TempDir()
	for range 2 { // the second takes over from one that is gone
		cmd := exec.Command(os.Args[0], "-test.run=^TestADriveWithoutLocks$")
		cmd.Env = append(os.Environ(), "DAYBOOK_TEST_LOCKS="+dir)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		assert.FileExists(t, filepath.Join(dir, ".daybook/lock.held"))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "Notebook")))
	}
	host, err := os.Hostname()
	require.NoError(t, err)
	for _, holder := range []string{"process 1 on " + host + "-elsewhere\nx\n", "no such line", ""} { // of these nobody here knows
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".daybook/lock.held"), []byte(holder), 0o644))
		w, err := workspace.Open(dir)
		require.NoError(t, err)
		assert.True(t, w.Running())
		require.NoError(t, w.Close())
	}
}
