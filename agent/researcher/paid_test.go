package researcher_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// till counts what a research asks a model, a search and a web for, each request by what it says, and keeps the folder as it was when a
// request came: what a kill at that moment would leave.
type till struct {
	mu    sync.Mutex
	asked []string
	left  []string // folders
	dir   string   // of the research; "" to keep nothing
	keep  string   // where the folders go
}

func (k *till) pay(t *testing.T, what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked = append(k.asked, what)
	if k.dir == "" {
		return
	}
	at := filepath.Join(k.keep, fmt.Sprint(len(k.asked)))
	if !assert.NoError(t, os.CopyFS(at, os.DirFS(k.dir))) {
		return
	}
	k.left = append(k.left, at)
}

// shop is what there is to pay for: a model, pages, and a place to search.
func shop(t *testing.T, k *till, steps [][]agent.Call, slow func(what string)) job {
	t.Helper()
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		k.pay(t, r.URL.String())
		slow(r.URL.String())
		if r.URL.Path == "/search" {
			assert.NoError(t, json.NewEncoder(w).Encode([]string{"/" + strings.ReplaceAll(r.URL.Query().Get("q"), " ", "-") + ".txt"}))
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "The page %s says that the moon pulls the water of the sea.\n\n%s", r.URL.Path, strings.Repeat("More of it, for a reader to read.\n\n", 200))
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		sum := sha256.Sum256(r.Raw)
		k.pay(t, "model "+hex.EncodeToString(sum[:4]))
		return customer(r, steps)
	})
	brain := &openai.Brain{Model: "test", BaseURL: server.URL}
	return job{Config: researcher.Config{
		Question: "Why do tides rise?", Brain: brain, AllowPrivate: true, Profile: anyReport, MaxSteps: 50,
		Judging:        rounds.Judging{Without: scoresAlone},
		Search:         []search.Provider{counter{site.URL, "one"}},
		SearchParallel: 1, // so that it is known which question was on its way at a kill
	}}
}

// counter is a place to search.
type counter struct{ site, name string }

// Name implements search.Provider.
func (c counter) Name() string { return c.name }

// Kind implements search.Provider.
func (counter) Kind() search.Kind { return search.Web }

// Search implements search.Provider.
func (c counter) Search(ctx context.Context, query string, _ int) ([]search.Hit, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.site+"/search?in="+c.name+"&q="+strings.ReplaceAll(query, " ", "+"), nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var found []string
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return nil, err
	}
	var hits []search.Hit
	for _, path := range found {
		hits = append(hits, search.Hit{Title: path, URL: c.site + path, Provider: c.name})
	}
	return hits, nil
}

// customer plays all agents of a research that pays for everything there is, by the conversation alone.
func customer(r agenttest.Request, steps [][]agent.Call) agenttest.Answer {
	switch {
	case slices.Contains(r.Tools, "assess"):
		mark := args{"reason": "The section on causes says so.", "score": 8}
		return say(agenttest.Call("assess", args{
			"completeness": mark, "depth": mark, "reliability": mark, "actionability": mark, "coverage": 8, "diversity": 8, "consistency": 8, "freshness": 8,
			"gaps": []string{}, "directions": []string{}, "analysis": "It is good.",
		}))
	case slices.Contains(r.Tools, "judge"):
		brief := clearBrief()
		if !strings.Contains(r.Messages[len(r.Messages)-1].Content, "neap") {
			brief["topic_clear"], brief["unverified"] = false, []string{"neap"}
		}
		return say(agenttest.Call("judge", brief))
	case len(r.Tools) == 0:
		return agenttest.Answer{Reply: agenttest.Words("The page /tides-sun.txt says that the moon pulls the water of the sea.")}
	case slices.Contains(r.Tools, "write_file"):
		return say(fileCall(r.Messages[1].Content))
	}
	done := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			done++
		}
	}
	if strings.Contains(r.Messages[2].Content, "Write the report.") {
		done += len(steps) - 2
	}
	return say(steps[min(done, len(steps)-1)]...)
}

// oneByOne are steps that pay for one thing after the other, and sideBySide for two at once.
var (
	oneByOne = [][]agent.Call{
		{agenttest.Call("web_search", args{"query": "tides moon\nharbours of today\ncoasts"})},
		{agenttest.Call("visit_url", args{"url": "h1"})},
		{agenttest.Call("visit_url", args{"url": "h2", "focus": "what pulls the water"})},
		{agenttest.Call("file_operation", args{"operation_description": "Write the content to Notebook/01.md as it is", "content": "# Moon\n\nIt pulls [s1].\n"})},
		{agenttest.Call("update_current_dashboard", args{"section": "next", "text": "Write the report."})},
		{agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# Tides\n\nThe moon pulls the water of the sea [s1].\n"})},
		{agenttest.Call("all_finished", args{"result": "report.md"})},
	}
	sideBySide = append([][]agent.Call{
		oneByOne[0],
		{agenttest.Call("visit_url", args{"url": "h1"}), agenttest.Call("visit_url", args{"url": "h2"})},
	}, oneByOne[4:]...)
)

// Killed while any request is on its way, a research asks anew for what was on its way, and for nothing that had come. Without what is held
// for calls that are under way it asks for pages and searches twice.
func TestNothingIsPaidForTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	whole := &till{dir: filepath.Join(t.TempDir(), "research"), keep: t.TempDir()}
	require.NoError(t, os.Mkdir(whole.dir, 0o755))
	c := shop(t, whole, oneByOne, func(string) {})
	c.Dir = whole.dir
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason, result.Text)
	require.Greater(t, len(whole.asked), 15)
	wanted := snapshot(t, whole.dir)
	replayed(t, whole.dir)
	all, folders := slices.Clone(whole.asked), slices.Clone(whole.left)
	whole.dir = ""

	for name, weaken := range map[string]func(dir string) error{
		"as it is":          func(string) error { return nil },
		"with nothing held": func(dir string) error { return os.RemoveAll(filepath.Join(dir, ".daybook", "held")) },
	} {
		t.Run(name, func(t *testing.T) {
			twice := 0
			for i, folder := range folders {
				dir := filepath.Join(t.TempDir(), "r")
				require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
				require.NoError(t, weaken(dir))
				whole.asked = nil
				c.Dir = dir
				result, err := run(t.Context(), c)
				require.NoError(t, err)
				require.Equal(t, agent.Finished, result.Reason)
				paid := append(slices.Clone(all[:i]), whole.asked...)
				if name == "as it is" {
					assert.ElementsMatch(t, all, paid, "killed at request %d: %s", i+1, all[i])
					assert.Equal(t, wanted, snapshot(t, dir))
					left, err := filepath.Glob(filepath.Join(dir, ".daybook", "held", "*"))
					require.NoError(t, err)
					assert.Empty(t, left, "nothing is held at the end")
				}
				if twice += len(paid) - len(all); twice > 0 && name != "as it is" {
					break
				}
			}
			if name != "as it is" {
				assert.Positive(t, twice)
			}
		})
	}
}

// Of two pages that are fetched side by side the second comes first, and waits for its turn to be kept: a kill then costs only the first.
func TestAPageThatWaitsForItsTurnIsNotFetchedTwice(t *testing.T) {
	k := &till{dir: filepath.Join(t.TempDir(), "research"), keep: t.TempDir()}
	require.NoError(t, os.Mkdir(k.dir, 0o755))
	left := filepath.Join(t.TempDir(), "left")
	c := shop(t, k, sideBySide, func(what string) {
		if what != "/tides-moon.txt" || k.dir == "" {
			return
		}
		assert.Eventually(t, func() bool {
			held, err := filepath.Glob(filepath.Join(k.dir, ".daybook", "held", "*"))
			if err != nil || len(held) == 0 {
				return false
			}
			data, err := os.ReadFile(held[0])
			return err == nil && json.Valid(data) // it is written whole
		}, time.Minute, 5*time.Millisecond)
		assert.NoError(t, os.CopyFS(left, os.DirFS(k.dir)))
	})
	c.Dir = k.dir
	_, err := run(t.Context(), c)
	require.NoError(t, err)
	fetched := func() (pages []string) {
		for _, what := range k.asked {
			if strings.HasSuffix(what, ".txt") {
				pages = append(pages, what)
			}
		}
		return pages
	}
	require.Equal(t, 2, len(fetched()), "%v", fetched())
	k.dir, k.asked, c.Dir = "", nil, left
	_, err = run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, []string{"/tides-moon.txt"}, fetched())
}

// Two readers read side by side: what each of them cost is in the report of a replay too.
func TestAReplayOfReaders(t *testing.T) {
	steps := append([][]agent.Call{
		oneByOne[0],
		{agenttest.Call("visit_url", args{"url": "h1", "focus": "what pulls the water"}), agenttest.Call("visit_url", args{"url": "h2", "focus": "what pulls the water"})},
	}, oneByOne[4:]...)
	c := shop(t, &till{}, steps, func(string) {})
	c.Dir = filepath.Join(t.TempDir(), "research")
	result, err := run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason, result.Text)
	status, err := researcher.Open(c.Dir).Status()
	require.NoError(t, err)
	require.Contains(t, status.Agents, "reader")
	replayed(t, c.Dir)
}
