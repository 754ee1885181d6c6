package researcher_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// renaming is the built-in brain beside a person who renames the first chapter as soon as it is ticked.
type renaming struct {
	clip.Brain
	rename func()
}

// Think implements agent.Brain.
func (r renaming) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	reply, err := r.Brain.Think(ctx, talk)
	r.rename()
	return reply, err
}

// A chapter that a person renames during a run is in the report, and the blueprint names it as it is called now.
func TestAChapterRenamedInARun(t *testing.T) {
	c := job{Dir: filepath.Join(t.TempDir(), "research"), Config: researcher.Config{Docs: []string{folder(t, englishNotes)},
		Question: "How does a journal keep a commit durable after a crash?"}}
	was, is := "", filepath.Join(c.Dir, "Notebook", "mine.md")
	c.Brain = renaming{rename: func() {
		blueprint, _ := os.ReadFile(filepath.Join(c.Dir, "overall_dashboard.md"))
		first, _ := filepath.Glob(filepath.Join(c.Dir, "Notebook", "01-*.md"))
		if was == "" && len(first) > 0 && strings.Contains(string(blueprint), "- [x]") {
			was = filepath.Base(first[0])
			assert.NoError(t, os.Rename(first[0], is))
		}
	}}
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	require.NotEmpty(t, was)
	report, overall := readFile(t, result.Report), readFile(t, c.Dir, "overall_dashboard.md")
	assert.NotContains(t, report, "Left out")
	for line := range strings.Lines(readFile(t, is)) {
		if strings.HasPrefix(line, "> “") {
			assert.Contains(t, report, line)
		}
	}
	assert.Contains(t, overall, "Notebook/mine.md")
	assert.NotContains(t, overall, was)
	replayed(t, c.Dir)
}
