package researcher_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// The model answers its second request when a follower has told of its first reply, so a follower that told only
// of what was over would wait for ever.
func TestARunIsFollowed(t *testing.T) {
	begun, told := make(chan struct{}), make(chan struct{})
	step := 0
	brain := &agenttest.Script{Func: func(ctx context.Context, _ *agent.Conversation) (agent.Reply, error) {
		if step++; step == 1 {
			return agenttest.Reply(agenttest.Call("file_operation",
				args{"operation_description": "Write the content to report.md", "content": "# Tides\n\nThe moon.\n"})), nil
		}
		close(begun)
		select {
		case <-told:
		case <-ctx.Done():
		}
		return agenttest.Reply(agenttest.Call("all_finished", args{"result": "report.md"})), context.Cause(ctx)
	}}
	c := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{
		Profile: anyReport, Judging: oneRound, NoIntake: true, Question: "How do tides work?", Brain: brain}}
	var seen, logged []agent.Fact
	c.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Acted); ok {
			seen = append(seen, e.Facts...)
		}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := run(t.Context(), c)
		ended <- err
	}()
	<-begun
	var all []account.Row
	err := researcher.Open(c.Dir).Follow(t.Context(), 0, func(r account.Row) error {
		if acted, ok := r.Event.(agent.Acted); ok && acted.Step == 1 && acted.Agent == account.Name {
			close(told)
		}
		if acted, ok := r.Event.(agent.Acted); ok {
			logged = append(logged, acted.Facts...)
		}
		all = append(all, r)
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, <-ended)
	assert.NotEmpty(t, seen)
	assert.Equal(t, seen, logged, "what was done is on record as facts")
	require.IsType(t, account.Ended{}, all[len(all)-1].Event)

	// From any row on the rest is the same, which is what a page that lost its connection asks for.
	half := all[len(all)/2].N
	var rest, wanted []account.Row
	require.NoError(t, researcher.Open(c.Dir).Log(half, func(r account.Row) error {
		rest = append(rest, r)
		return nil
	}))
	for _, r := range all {
		if r.N > half {
			wanted = append(wanted, r)
		}
	}
	assert.Equal(t, wanted, rest)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, researcher.Open(c.Dir).Follow(ctx, 0, func(account.Row) error { return nil }),
		"nothing is waited for when no run is at work")
}
