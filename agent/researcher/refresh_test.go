package researcher_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// backups are two documents that both answer, and what is asked.
func backups(t *testing.T) (docs string, c job) {
	docs = folder(t, map[string]string{
		"policy.md": "# Backup policy\n\n## Keeping\n\nBackups of the database are kept for 24 months.\n\n## Places\n\nBackups of the database are kept in two places.\n",
		"notes.md":  "# Notes of March\n\nBackups were a topic: they of the database are large.\n",
	})
	c = job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{
		Question: "How long are backups of the database kept?", Docs: []string{docs}, Brain: clip.Brain{}}}
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	return docs, c
}

// What has the place of a passage that answered first is first.
func TestARefreshedSourceKeepsItsRank(t *testing.T) {
	docs, c := backups(t)
	before := read(t, c.Dir, "report.md")
	require.Less(t, strings.Index(before, "kept for 24 months"), strings.Index(before, "a topic"))
	require.Contains(t, before, "a topic")
	policy := filepath.Join(docs, "policy.md")
	require.NoError(t, os.WriteFile(policy, []byte(strings.Replace(read(t, docs, "policy.md"), "24", "36", 1)), 0o644))
	c.Refresh = true
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	before, _, _ = strings.Cut(strings.NewReplacer("for 24 months", "for 36 months", "[s1.", "[s3.").Replace(before), "\n---\n")
	after, _, _ := strings.Cut(read(t, c.Dir, "report.md"), "\n---\n")
	assert.Equal(t, before, after)
}

// The report says that a document is gone on which it rested, until that is there again: then it rests on it again.
func TestADocumentThatIsGoneIsMissed(t *testing.T) {
	docs, c := backups(t)
	before := read(t, c.Dir, "report.md")
	policy, away := filepath.Join(docs, "policy.md"), filepath.Join(t.TempDir(), "policy.md")
	require.NoError(t, os.Rename(policy, away))
	c.Refresh = true
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	const gone = "- Gone since it was read: `policy.md`."
	for range 2 {
		assert.NotContains(t, read(t, c.Dir, "report.md"), "kept for 24 months")
		assert.Contains(t, read(t, c.Dir, "report.md"), gone)
		assert.Contains(t, read(t, c.Dir, "overall_dashboard.md"), gone)
		_, err = run(t.Context(), c)
		require.NoError(t, err)
	}

	require.NoError(t, os.Rename(away, policy))
	var found account.Refreshed
	c.Observe = func(e agent.Event) {
		if r, ok := e.(account.Refreshed); ok {
			found = r
		}
	}
	_, err = run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, []string{"s1 Backup policy"}, found.Returned)
	assert.Equal(t, before, read(t, c.Dir, "report.md"))
	assert.NotContains(t, read(t, c.Dir, "overall_dashboard.md"), gone)
}

// Passages that a person takes out of a line of the blueprint are taken out of its chapter and the report.
func TestAPassageThatIsTakenOutOfTheBlueprintIsQuotedNoMore(t *testing.T) {
	_, c := backups(t)
	before, overall := read(t, c.Dir, "report.md"), read(t, c.Dir, "overall_dashboard.md")
	require.Contains(t, before, "a topic")
	require.Contains(t, overall, " [s2.1]. File: Notebook/01-what")
	without := strings.Replace(overall, " [s2.1]. File: Notebook/01-what", ". File: Notebook/01-what", 1)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "overall_dashboard.md"), []byte(without), 0o644))
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	assert.NotContains(t, read(t, c.Dir, "report.md"), "a topic")
	assert.Contains(t, read(t, c.Dir, "report.md"), "kept for 24 months")
	assert.NotContains(t, read(t, c.Dir, "overall_dashboard.md"), "- [ ]")
}
