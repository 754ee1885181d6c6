package researcher_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

// A chapter's researcher who read nothing and cites what another read has no evidence, however it claims that
// it is done; and that citation does not help its section.
func TestAChapterThatCitesWhatItNeverReadIsAGap(t *testing.T) {
	url, _ := library(t)
	o := &office{site: url, chapters: 3, claim: "It is so [s1.1]."}
	isRead := make(chan struct{}) // by the first
	var once sync.Once
	var told []string
	o.before = func(file string, step int, r agenttest.Request) {
		switch {
		case strings.Contains(file, "01") && step == 1:
			once.Do(func() { close(isRead) })
		case strings.Contains(file, "02"):
			<-isRead
			told = append(told, r.Messages[len(r.Messages)-1].Content)
		}
	}
	o.instead = func(file string, step int) (agent.Call, bool) {
		if !strings.Contains(file, "02") {
			return agent.Call{}, false
		}
		if step == 0 {
			return agenttest.Call("file_operation",
				args{"operation_description": "Write the content to " + file + " as it is",
					"content": "## Part 2\n\nAll of it was read, and it is so [s1.1].\n"}), true
		}
		return agenttest.Call("chapter_finished",
			args{"summary": fmt.Sprintf("It is so, I read it %d times [s1.1].", step)}), true
	}
	c, _ := inParallel(t, o)
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, strings.Join(told, "\n"), "you did not read s1: visit_url s1")
	assert.Contains(t, read(t, c.Dir, "overall_dashboard.md"),
		"Chapter without evidence: **Part 2** (Notebook/02-part.md): its file cites nothing that "+
			"its researcher read")
	assert.True(t, o.refused, "its section is refused although it cites what another read")
	assert.NotContains(t, read(t, c.Dir, "overall_dashboard.md"), "**Part 1** (")
	replayed(t, c.Dir)
}

// A chapter whose model's server never answers is a gap by name when the time of its requests is up; the
// others are done.
func TestAChapterThatHangsIsAGap(t *testing.T) {
	t.Parallel()
	url, _ := library(t)
	o := &office{site: url, chapters: 3}
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if slices.Contains(r.Tools, "chapter_finished") &&
			strings.Contains(r.Messages[1].Content, "02-part") {
			return agenttest.Answer{Stall: true}
		}
		return o.answer(r)
	})
	c := config(filepath.Join(t.TempDir(), "research"), server.URL)
	c.Parallel = 3
	c.Brain = &openai.Brain{Model: "test", BaseURL: server.URL, Timeout: 3 * time.Second, MaxTries: 2,
		MaxWait: time.Millisecond}
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Regexp(t,
		`Chapter without evidence: \*\*Part 2\*\* \(Notebook/02-part\.md\): .*gave no whole reply within 3s`,
		read(t, c.Dir, "overall_dashboard.md"))
	assert.True(t, o.refused)
	for _, n := range []string{"01", "03"} {
		assert.Contains(t, read(t, c.Dir, "Notebook/"+n+"-part.md"), "says it of "+n+"-part")
	}
}
