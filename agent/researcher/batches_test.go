package researcher_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Claims are judged side by side, a batch to a request. A run that is killed while the first is on its way, and the others have come,
// asks for the first alone; and a replay asks the same as the run did, whatever came first.
func TestABatchOfClaimsIsNotPaidForTwice(t *testing.T) {
	var report strings.Builder
	report.WriteString("# Tides\n")
	for i := range 40 {
		fmt.Fprintf(&report, "\nIn harbour %s the boats are lifted by what the moon does [s1.1].\n", strings.Repeat("x", i+1))
	}
	steps := slices.Clone(oneByOne)
	steps[5] = []agent.Call{agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": report.String()})}

	dir, left := filepath.Join(t.TempDir(), "research"), filepath.Join(t.TempDir(), "left")
	k := &till{}
	c := shop(t, k, steps, func(string) {})
	var batches []string
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if !slices.Contains(r.Tools, "verdicts") {
			return customer(r, steps)
		}
		claims := r.Messages[1].Content
		k.mu.Lock()
		batches = append(batches, claims)
		first := strings.Contains(claims, "In harbour x the") && c.Dir == dir
		k.mu.Unlock()
		if first {
			assert.Eventually(t, func() bool { return kept(t, dir, "checker1002#1 reply") && kept(t, dir, "checker1003#1 reply") }, time.Minute, 5*time.Millisecond)
			assert.NoError(t, os.CopyFS(left, os.DirFS(dir)))
		}
		var all []args
		for n := range strings.Count(claims, `what="claim"`) {
			all = append(all, args{"claim": n + 1, "verdict": "supported"})
		}
		return say(agenttest.Call("verdicts", args{"verdicts": all}))
	})
	c.Brain = &openai.Brain{Model: "test", BaseURL: server.URL}
	c.Judging.Without = rounds.NoChecklist | rounds.NoComparison | rounds.NoOpponent | rounds.NoMending
	c.Dir = dir
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason, result.Text)
	require.Len(t, batches, 3)
	replayed(t, dir)

	batches, c.Dir = nil, left
	result, err = run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason, result.Text)
	require.Len(t, batches, 1, "what had come is not asked for again")
	assert.Contains(t, batches[0], "In harbour x the")
	assert.Equal(t, snapshot(t, dir), snapshot(t, left))
}

// kept reports whether something is on record in a folder.
func kept(t *testing.T, dir, key string) bool {
	data, err := os.ReadFile(filepath.Join(dir, ".daybook", "journal.jsonl"))
	return assert.NoError(t, err) && strings.Contains(string(data), key)
}
