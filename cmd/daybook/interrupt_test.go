package main

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ctrl-C while a server on this machine is asked for its models, which is before anything of the research stands.
func TestAnInterruptBeforeTheResearchBegins(t *testing.T) {
	asked := make(chan struct{})
	server, err := agenttest.Listen(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Args = []string{"daybook", "run", "-q", "What drops the history?", "--provider", "ollama", "--base-url", server.URL + "/v1", "research"}
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir}
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	<-asked
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	exited, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	require.True(t, ok)
	assert.Equal(t, exitInterrupted, exited.ExitCode())
	assert.Contains(t, said.String(), "daybook: interrupted; nothing was begun\n")
	assert.NoDirExists(t, filepath.Join(dir, "research"))
}
