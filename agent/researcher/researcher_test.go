package researcher_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A hundred steps with updates of the dashboards: after each update a request holds the system prompt and the two dashboards and
// nothing else, and within a stretch each request goes on, byte for byte, where the one before ended.
func TestTheContextOfAHundredSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	site := pages(t)
	server := serve(t, scripted(site.URL))
	dir := filepath.Join(t.TempDir(), "research")
	result, err := run(t.Context(), config(dir, server.URL))
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, filepath.Join(dir, "report.md"), result.Report)

	var before []byte
	steps, openings := 0, 0
	for _, r := range server.Requests() {
		if !slices.Contains(r.Tools, "all_finished") {
			continue
		}
		steps++
		require.Equal(t, "system", r.Messages[0].Role)
		if len(r.Messages) == 3 {
			openings++
			assert.Contains(t, r.Messages[1].Content, "{#blueprint}")
			assert.Contains(t, r.Messages[2].Content, "{#notes}")
		} else {
			stem, ok := bytes.CutSuffix(before, []byte("]}"))
			require.True(t, ok)
			assert.True(t, bytes.HasPrefix(r.Raw, stem), "step %d does not go on where the one before it ended", steps)
		}
		before = r.Raw
	}
	assert.Equal(t, result.Steps, steps)
	assert.Greater(t, steps, 100)
	assert.GreaterOrEqual(t, openings, 11)

	files := snapshot(t, dir)
	assert.Equal(t, 12, strings.Count(files["Notebook/01.md"], "\n"), "four lines from each of its stretches: %s", files["Notebook/01.md"])
	assert.Contains(t, files["report.md"], "## References {#references}")
	assert.Contains(t, strings.Join(slices.Collect(maps.Values(files)), ""), "The page /1-0.txt says <things> & “more”.")

	again, err := run(t.Context(), config(dir, server.URL))
	require.NoError(t, err)
	assert.Equal(t, result.Report, again.Report)
	assert.Equal(t, snapshot(t, dir), files, "a finished research that nobody touched is not run again")
}

// The program is killed at every few of its requests, while it waits for the answer, and started again. It ends with the same files as
// if nothing had happened, and no answer that it had was asked for twice.
func TestKilledAtAnyStepItGoesOnWhereItWas(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	site := pages(t)
	whole := serve(t, scripted(site.URL))
	calm := filepath.Join(t.TempDir(), "research")
	require.NoError(t, child(t, calm, whole.URL).Run())
	needed := len(whole.Requests())

	var asked, kills atomic.Int32
	var mu sync.Mutex
	var kill func()
	const every = 11
	script := scripted(site.URL)
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if asked.Add(1)%every == 0 {
			kills.Add(1)
			mu.Lock()
			defer mu.Unlock()
			kill()
			return agenttest.Answer{Stall: true}
		}
		return script(r)
	})
	dir := filepath.Join(t.TempDir(), "research")
	for runs := 0; ; runs++ {
		require.Less(t, runs, needed, "it never gets to the end")
		cmd := child(t, dir, server.URL)
		mu.Lock()
		require.NoError(t, cmd.Start())
		kill = func() { assert.NoError(t, cmd.Process.Kill()) }
		mu.Unlock()
		if cmd.Wait() == nil {
			break
		}
	}
	assert.Greater(t, int(kills.Load()), 10)
	assert.Equal(t, snapshot(t, calm), snapshot(t, dir))
	assert.Equal(t, needed+int(kills.Load()), int(asked.Load()), "each kill costs the one answer that was on its way")
}

// Killed in the middle of what it does, not only while it waits for the model: at the third thing that happens, at the fourth, and so on.
func TestKilledBetweenTwoActions(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	site := pages(t)
	server := serve(t, scripted(site.URL))
	calm := filepath.Join(t.TempDir(), "research")
	_, err := run(t.Context(), config(calm, server.URL))
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "research")
	kills, apart := 0, 31
	if os.Getenv("DAYBOOK_FULL") != "" {
		apart = 19
	}
	for ; child(t, dir, server.URL, "DAYBOOK_TEST_KILL="+strconv.Itoa(3+kills%apart)).Run() != nil; kills++ {
		require.Less(t, kills, 1000, "it never gets to the end")
	}
	assert.Greater(t, kills, 30)
	assert.Equal(t, snapshot(t, calm), snapshot(t, dir))
}

func TestWithTheJournalDeletedItGoesOnFromTheDashboards(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	site := pages(t)
	server := serve(t, scripted(site.URL))
	dir := filepath.Join(t.TempDir(), "research")
	c := config(dir, server.URL)
	c.MaxSteps = 25
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, agent.OutOfSteps, result.Reason)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".daybook")))

	asked := len(server.Requests())
	c.MaxSteps = 200
	result, err = run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	first := server.Requests()[asked]
	assert.Len(t, first.Messages, 3)
	assert.Contains(t, first.Messages[2].Content, "stretch 3 is next")
}

func TestALimitSavesAndTheNextRunGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	site := pages(t)
	server := serve(t, scripted(site.URL))
	dir := filepath.Join(t.TempDir(), "research")
	c := config(dir, server.URL)
	c.MaxSteps = 6 // so few that no whole step is kept for finishing, in which the script could read no page
	reasons := map[agent.Reason]int{}
	for range 30 {
		result, err := run(t.Context(), c)
		require.NoError(t, err)
		reasons[result.Reason]++
		if result.Reason == agent.Finished {
			break
		}
	}
	assert.Equal(t, 1, reasons[agent.Finished])
	assert.Equal(t, 18, reasons[agent.OutOfSteps], "every run is given its own six steps")
	calm := filepath.Join(t.TempDir(), "research")
	_, err := run(t.Context(), config(calm, server.URL))
	require.NoError(t, err)
	assert.Equal(t, withoutTokens(snapshot(t, calm)), withoutTokens(snapshot(t, dir)))
}

// withoutTokens takes out of files how many tokens were sent: why a run stopped stands on the dashboard, and the next one is sent it.
func withoutTokens(files map[string]string) map[string]string {
	sent := regexp.MustCompile(`\d+ tokens in|\d+ \| all rounds done|Tokens by agent: .*`)
	for name, text := range files {
		files[name] = sent.ReplaceAllString(text, "")
	}
	return files
}

// A person edits a chapter and a dashboard between two steps: the model is told before its next step, and a write that has not seen
// the edit does not destroy it.
func TestEditsByHandAreToldAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "research")
	chapter := filepath.Join(dir, "Notebook", "01.md")
	edit := func(path, old, new string) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(data), old)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o644))
	}
	step := 0
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if strings.HasPrefix(r.Messages[1].Content, "Operation: ") {
			if strings.HasSuffix(r.Messages[len(r.Messages)-1].Content, "taken in.") {
				return say(agenttest.Call("answer", args{"text": "A person wrote there: " + r.Messages[len(r.Messages)-1].Content}))
			}
			if step == 3 { // the person saves while the file agent is about to write
				edit(chapter, "two", "two, as I see it")
			}
			return say(fileCall(r.Messages[1].Content))
		}
		step++
		last := r.Messages[len(r.Messages)-1].Content
		switch step {
		case 1:
			return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to Notebook/01.md as it is", "content": "one\ntwo\nthree\n"}))
		case 2:
			edit(chapter, "one", "one, says the person")
			edit(filepath.Join(dir, workspace.CurrentFile), "## Notes {#notes}\n", "## Notes {#notes}\n\nThink of the costs.\n")
			return say(agenttest.Call("web_search", args{"query": "tides"}))
		case 3:
			assert.Contains(t, last, "+one, says the person")
			assert.Contains(t, last, "+Think of the costs.")
			return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to Notebook/01.md as it is", "content": "one, says the person\nTWO\nthree\n"}))
		case 4:
			assert.Contains(t, last, "+two, as I see it", "the refusal shows what the person wrote")
			return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# R\n\nNothing was read.\n"}))
		default:
			return say(agenttest.Call("all_finished", args{"result": "report.md"}))
		}
	})
	result, err := run(t.Context(), config(dir, server.URL))
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	text, err := os.ReadFile(chapter)
	require.NoError(t, err)
	assert.Equal(t, "one, says the person\ntwo, as I see it\nthree\n", string(text))

	edit(filepath.Join(dir, workspace.CurrentFile), "Think of the costs.", "Think of the risks too.")
	asked := len(server.Requests())
	_, err = run(t.Context(), config(dir, server.URL))
	require.NoError(t, err)
	require.Greater(t, len(server.Requests()), asked, "a finished research goes on when the person writes to it")
	assert.Contains(t, server.Requests()[asked].Messages[3].Content, "+Think of the risks too.")
}

func TestANewQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	site := pages(t)
	server := serve(t, scripted(site.URL))
	dir := filepath.Join(t.TempDir(), "research")
	c := config(dir, server.URL)
	c.MaxSteps = 15
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	other := c
	other.Question = "How do volcanoes work?"
	before := snapshot(t, dir)
	_, err = run(t.Context(), other)
	require.ErrorIs(t, err, researcher.ErrOtherQuestion, "an unfinished research is not given up for another")
	assert.Equal(t, before, snapshot(t, dir))

	c.MaxSteps, other.MaxSteps = 200, 200
	ended, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, ended.Reason, ended.Text)
	asked := len(server.Requests())
	result, err := run(t.Context(), other)
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	assert.Greater(t, len(server.Requests()), asked, "the new question is researched, not answered by what stood there")
	assert.FileExists(t, result.Report)
	after := snapshot(t, dir)
	assert.Contains(t, after["overall_dashboard.md"], "volcanoes")
	assert.Contains(t, after["Archive/1/overall_dashboard.md"], "tides")
	assert.Contains(t, after["Archive/1/report.md"], "# Report")
}

// However early a run is ended, it says why, and not what that did to whatever was under way.
func TestAnEarlyEndIsToldByItsCause(t *testing.T) {
	why := errors.New("the person had enough")
	docs := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(docs, "tides.md"), []byte("The moon pulls the water.\n"), 0o644))
	for name, change := range map[string]func(*job){
		"as it is":  func(*job) {},
		"documents": func(c *job) { c.Docs = []string{docs} },
		"intake":    func(c *job) { c.NoIntake = false },
		"both":      func(c *job) { c.NoIntake, c.Docs = false, []string{docs} },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(why)
			c := config(filepath.Join(t.TempDir(), "research"), serve(t, agenttest.Answers()).URL)
			change(&c)
			_, err := run(ctx, c)
			assert.ErrorIs(t, err, why)
		})
	}
}

func TestBadInput(t *testing.T) {
	good := func(t *testing.T) job {
		server := serve(t, agenttest.Answers())
		return config(filepath.Join(t.TempDir(), "research"), server.URL)
	}
	t.Run("no question", func(t *testing.T) {
		c := good(t)
		c.Question = ""
		_, err := run(t.Context(), c)
		assert.ErrorIs(t, err, researcher.ErrNoQuestion)
		assert.NoDirExists(t, c.Dir)
	})
	t.Run("no question for an empty folder", func(t *testing.T) {
		c := good(t)
		c.Question = ""
		require.NoError(t, os.MkdirAll(c.Dir, 0o755))
		_, err := run(t.Context(), c)
		assert.ErrorIs(t, err, researcher.ErrNoQuestion)
		assert.Empty(t, snapshot(t, c.Dir))
	})
	t.Run("documents that are not there", func(t *testing.T) {
		c := good(t)
		c.Docs = []string{filepath.Join(t.TempDir(), "none")}
		_, err := run(t.Context(), c)
		assert.ErrorContains(t, err, c.Docs[0])
	})
	t.Run("a model server that is not there", func(t *testing.T) {
		c := config(filepath.Join(t.TempDir(), "research"), "http://127.0.0.1:1/v1")
		c.Brain = &openai.Brain{Model: "test", BaseURL: "http://127.0.0.1:1/v1", MaxTries: 1}
		_, err := run(t.Context(), c)
		assert.ErrorContains(t, err, "127.0.0.1:1")
		status, err := researcher.Open(c.Dir).Status()
		require.NoError(t, err)
		assert.Equal(t, "interrupted", status.State)
	})
}
