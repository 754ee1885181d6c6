package researcher_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The scripted research of more than a hundred steps leaves the same files, byte for byte, whether the server has
// calls of actions or they stand in the text; and one of three stretches, however a server shows that it has none:
// with DAYBOOK_FULL=1 the long one too.
func TestTheTextProtocolGivesTheSameFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	t.Parallel()
	site := pages(t)
	research := func(t *testing.T, answer func(agenttest.Request) agenttest.Answer) (map[string]string, researcher.Result, *agenttest.Server) {
		t.Helper()
		server := serve(t, func(r agenttest.Request) agenttest.Answer {
			a := answer(r)
			a.Reply.Usage = agent.Usage{Calls: 1, In: 100, Out: 10} // the files say what they cost
			return a
		})
		dir := filepath.Join(t.TempDir(), "research")
		result, err := run(t.Context(), config(dir, server.URL))
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		return snapshot(t, dir), result, server
	}
	long, steps, _ := research(t, scripted(site.URL))
	require.Greater(t, steps.Steps, 100)
	script := scriptedFor(site.URL, 3)
	if os.Getenv("DAYBOOK_FULL") != "" {
		script = scripted(site.URL)
	}
	want, native, _ := research(t, script)
	for name, none := range agenttest.NoCalls() {
		t.Run(name, func(t *testing.T) {
			got, result, server := research(t, agenttest.TextOnly(none, script))
			want, words := want, 0
			if none.Status == 0 {
				words = 2 // replies in words: one was answered, and the other asked for again. They were paid for, as the files say
				want, got = withoutCosts(want), withoutCosts(got)
			}
			assert.Equal(t, want, got)
			assert.Equal(t, native.Steps+words/2, result.Steps)
			offered, inText := 0, 0
			for _, r := range server.Requests() {
				if len(r.Tools) > 0 {
					offered++
				} else if strings.Contains(r.Messages[0].Content, "<function=") {
					inText++
				}
			}
			assert.LessOrEqual(t, offered, 2, "it is found out once")
			assert.Equal(t, result.Usage.Calls, inText+words, "all else is asked for in the text")
		})
	}
	t.Run("found out before", func(t *testing.T) {
		server := serve(t, agenttest.TextOnly(agenttest.NoCalls()["refused flat"], scripted(site.URL)))
		c := config(filepath.Join(t.TempDir(), "research"), server.URL)
		c.Brain = &openai.Brain{Model: "test", BaseURL: server.URL, Known: openai.Capabilities{Calls: openai.No}}
		_, err := run(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, withoutCosts(long), withoutCosts(snapshot(t, c.Dir)))
		assert.Empty(t, server.Requests()[0].Tools)
	})
}

// withoutCosts leaves out of files how many replies and tokens the research took.
func withoutCosts(files map[string]string) map[string]string {
	left := map[string]string{}
	for name, text := range files {
		lines := strings.Split(text, "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool {
			return strings.Contains(l, "Tokens by agent: ") || strings.HasPrefix(l, "- Cost: ") || strings.HasPrefix(l, "| 1 | ")
		})
		left[name] = strings.Join(lines, "\n")
	}
	return left
}
