package researcher_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// failing is the built-in brain on a day on which it does not think.
type failing struct{ clip.Brain }

func (failing) Think(context.Context, *agent.Conversation) (agent.Reply, error) {
	return agent.Reply{}, errors.New("no thought")
}

// A run that ends right after it looked at the sources again leaves its task to the next, whatever that is asked for.
func TestARefreshThatIsCutOffGoesOn(t *testing.T) {
	docs := folder(t, map[string]string{"tides.md": "# Tides\n\nThe tides of the sea are caused by the moon.\n"})
	c := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{Question: "What causes the tides?", Docs: []string{docs}, Brain: clip.Brain{}}}
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(docs, "tides.md"), []byte("# Tides\n\nThe tides of the sea are caused by the moon and the sun.\n"), 0o644))
	var found account.Refreshed
	c.Refresh = true
	c.Observe = func(e agent.Event) {
		if r, ok := e.(account.Refreshed); ok {
			found = r
			runtime.Goexit() // as near as a test comes to a kill
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := run(t.Context(), c)
		t.Errorf("the run came to its end: %v", err)
	}()
	<-done
	require.NotEmpty(t, found.Claims)

	c.Refresh, c.Observe = false, nil
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	report, err := os.ReadFile(result.Report)
	require.NoError(t, err)
	assert.Contains(t, string(report), "caused by the moon and the sun.” [s2.1]")

	c.Refresh, c.Brain = true, failing{} // which is not asked
	c.Observe = func(e agent.Event) {
		if r, ok := e.(account.Refreshed); ok {
			found = r
		}
	}
	_, err = run(t.Context(), c)
	require.NoError(t, err)
	assert.Empty(t, found.Claims)
	assert.Empty(t, found.Changed)
}
