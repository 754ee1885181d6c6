package researcher_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browsing is a model that has a page read by a browser and reports what it says. As the browser's agent it opens the page, clicks, and
// answers; when it begins again, it takes the page that was kept.
func browsing(address string) func(agenttest.Request) agenttest.Answer {
	return func(r agenttest.Request) agenttest.Answer {
		replies, last := 0, r.Messages[len(r.Messages)-1].Content
		for _, m := range r.Messages {
			if m.Role == "assistant" {
				replies++
			}
		}
		switch {
		case slices.Contains(r.Tools, "write_file"):
			return say(fileCall(last))
		case slices.Contains(r.Tools, "scroll") && replies == 0:
			return say(agenttest.Call("open", args{"url": address}))
		case slices.Contains(r.Tools, "scroll") && strings.Contains(last, "button") && replies == 1:
			return say(agenttest.Call("click", args{"control": 1}))
		case slices.Contains(r.Tools, "scroll"):
			return say(agenttest.Call("answer", args{"text": "It is high twice a day [s1.1]."}))
		case replies == 0:
			return say(agenttest.Call("browse", args{"task": "When is the tide high?", "url": address}))
		case replies == 1:
			return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is",
				"content": "# Report\n\nTwice a day [s1.1].\n"}))
		}
		return say(agenttest.Call("all_finished", args{"result": "The report is report.md"}))
	}
}

// tidal is a site with a page that scripts fill, and how often that was asked for.
func tidal(t *testing.T) (address string, asked *atomic.Int32) {
	asked = new(atomic.Int32)
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/tides" {
			asked.Add(1)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Tides</title><p id=p></p><button onclick="q.textContent='Spring tides follow the new moon.'">More</button>
			<p id=q></p><script>p.textContent='The tide is high '+'twice a day.'</script>`)
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	return site.URL + "/tides", asked
}

// A task of the browser that kill -9 cut off begins again, with the page that it kept; nothing of the browser is left, and a replay needs none.
func TestATaskOfTheBrowserThatWasCutOff(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if testing.Short() || err != nil {
		t.Skip("a browser takes long, and there may be none")
	}
	t.Parallel()
	address, asked := tidal(t)
	server := serve(t, browsing(address))
	dir := filepath.Join(t.TempDir(), "research")
	temporary, err := os.MkdirTemp("", "browsed") // the browser of root is somebody else, and t.TempDir is closed to others
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(temporary)) })
	require.NoError(t, os.Chmod(temporary, 0o755))
	env := []string{"DAYBOOK_TEST_BROWSER=" + program, "TMPDIR=" + temporary}

	killed := child(t, dir, server.URL, append(env, "DAYBOOK_TEST_KILL_AFTER=open")...)
	require.Error(t, killed.Run())
	require.EqualValues(t, 1, asked.Load())
	assert.Eventually(t, func() bool { return len(processesOf(t, temporary)) == 0 }, time.Minute, 50*time.Millisecond, "the browser is gone")
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.NotEmpty(t, left, "the control: a kill leaves the profile, until the next start")

	require.NoError(t, child(t, dir, server.URL, env...).Run())
	assert.EqualValues(t, 1, asked.Load(), "the page that it kept is not asked for again")
	left, err = os.ReadDir(temporary)
	require.NoError(t, err)
	assert.Empty(t, left, "no profile is left")
	assert.Empty(t, processesOf(t, temporary))
	var said string
	for _, r := range server.Requests() {
		for _, m := range r.Messages {
			said += m.Content + "\n"
		}
	}
	assert.Contains(t, said, "You began this task before and were cut off; begin it again.")
	assert.Contains(t, said, "As it was kept before the task was cut off")
	assert.Contains(t, said, "The task was cut off and begun again.")
	assert.Contains(t, said, "[s1.1] The tide is high twice a day.")
	report, err := os.ReadFile(filepath.Join(dir, "report.md"))
	require.NoError(t, err)
	assert.Contains(t, string(report), "Twice a day")
	replayed(t, dir)
}

// A task that nothing cuts off keeps the page as often as it changes, and a replay needs no browser.
func TestATaskOfTheBrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if testing.Short() || err != nil {
		t.Skip("a browser takes long, and there may be none")
	}
	t.Parallel()
	address, _ := tidal(t)
	server := serve(t, browsing(address))
	c := config(filepath.Join(t.TempDir(), "research"), server.URL)
	c.Browser = program
	var facts []agent.Fact
	c.Observe = func(e agent.Event) {
		if e, ok := e.(agent.Acted); ok && e.Call.Name == "browse" {
			facts = e.Facts
		}
	}
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, []agent.Fact{{Kind: agent.Read, ID: "s1", Path: address, Title: "Tides"},
		{Kind: agent.Read, ID: "s2", Path: address, Title: "Tides"}}, facts)
	require.Equal(t, agent.Finished, result.Reason)
	sources, err := os.ReadDir(filepath.Join(c.Dir, "Sources"))
	require.NoError(t, err)
	require.Len(t, sources, 2)
	later, err := os.ReadFile(filepath.Join(c.Dir, "Sources", sources[1].Name()))
	require.NoError(t, err)
	assert.Contains(t, string(later), "Spring tides follow the new moon.")
	replayed(t, c.Dir)
}

// processesOf are the processes that name a folder when they are started.
func processesOf(t *testing.T, folder string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, p := range all {
		if line, err := os.ReadFile(p); err == nil && strings.Contains(string(line), folder) {
			found = append(found, string(line))
		}
	}
	return found
}
