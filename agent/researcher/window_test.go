package researcher_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// largePages is a web whose pages have 20 KB each.
func largePages(t *testing.T) string {
	t.Helper()
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "Page %s\n\n%s", r.URL.Path, lines(20<<10, r.URL.Path, "harbours keep tables of high and low water for each day so that pilots know when a ship may pass\n"))
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	return site.URL
}

// pageReader is a model that reads so many large pages and then writes a report. It clears its memory only when it is asked to.
type pageReader struct {
	site  string
	pages int

	mu            sync.Mutex
	read, cleared int
}

func (p *pageReader) answer(r agenttest.Request) agenttest.Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(r.Tools, "write_file") {
		return say(fileCall(r.Messages[1].Content))
	}
	last := r.Messages[len(r.Messages)-1]
	switch {
	case last.Role == "user" && strings.Contains(last.Content, "call update_current_dashboard"):
		p.cleared++
		return say(agenttest.Call("update_current_dashboard", args{"section": "next", "text": fmt.Sprintf("Read page %c.", 'a'+p.read)}))
	case p.read < p.pages:
		p.read++
		return say(agenttest.Call("visit_url", args{"url": fmt.Sprintf("%s/%c.txt", p.site, 'a'+p.read)}))
	case p.read == p.pages:
		p.read++
		return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# Tides\n\nHarbours keep tables [s1].\n"}))
	}
	return say(agenttest.Call("all_finished", args{"result": "The report is report.md"}))
}

// A research on a server that cuts conversations in silence loses one reply, by which it learns of the window, and then goes on within it. When
// the person names the window none is lost. The pages come in parts that fit.
func TestAResearchKeepsWithinTheWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	t.Parallel()
	const window = 16_384
	for name, c := range map[string]struct {
		set, over, least int
		lies             bool
	}{
		"a window that nobody names":                 {0, 1, 2, false},
		"a window that the person sets":              {window, 0, 3, false},
		"the control: a server whose count is a lie": {0, 10, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			model := &pageReader{site: largePages(t), pages: 30}
			answer := agenttest.Truncating(window, model.answer)
			if c.lies {
				answer = func(r agenttest.Request) agenttest.Answer {
					a := agenttest.Truncating(window, model.answer)(r)
					a.Reply.Usage = agent.Usage{} // all of it is counted
					return a
				}
			}
			server := serve(t, answer)
			cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
			cfg.Brain = &openai.Brain{Model: "test", BaseURL: server.URL, Window: c.set}
			cfg.Stretch = -1 // the window alone bounds what is gathered
			var warned []string
			cfg.Observe = func(e agent.Event) {
				if w, ok := e.(agent.Warned); ok {
					warned = append(warned, w.Text)
				}
			}
			result, err := run(t.Context(), cfg)
			require.NoError(t, err)
			assert.Equal(t, agent.Finished, result.Reason)
			assert.GreaterOrEqual(t, model.cleared, c.least)
			over := 0
			for _, r := range server.Requests() {
				if len(r.Raw)/4 > window {
					over++
				}
			}
			if c.lies {
				assert.GreaterOrEqual(t, over, c.over)
				return
			}
			assert.Equal(t, c.over, over)
			assert.Equal(t, c.over > 0, strings.Contains(strings.Join(warned, "\n"), "OLLAMA_CONTEXT_LENGTH"), warned)
			status, err := researcher.Open(cfg.Dir).Status()
			require.NoError(t, err)
			assert.Positive(t, status.Usage.Prefix)
			assert.Equal(t, status.Usage.Prefix, result.Usage.Prefix)
		})
	}
}

// A window that is too small for the dashboards ends the run with the size that it has to have.
func TestAWindowThatIsTooSmallForTheOpening(t *testing.T) {
	server := serve(t, agenttest.Truncating(2048, (&pageReader{site: largePages(t)}).answer))
	cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
	_, err := run(t.Context(), cfg)
	require.ErrorIs(t, err, agent.ErrTooLong)
	assert.Contains(t, err.Error(), "read only 1027 of about")
	assert.Contains(t, err.Error(), "it takes a window of at least ")
}

// What is read of a file fits a small window: in pages that say how to go on, and not as a result that is kept once more.
func TestAReadOfAFileFitsASmallWindow(t *testing.T) {
	chapter := "# Tides\n\n" + lines(20_000, "tide tables", "harbours keep them for each day\n")
	step := 0
	server := serve(t, func(r agenttest.Request) agenttest.Answer {
		if slices.Contains(r.Tools, "write_file") {
			if strings.Contains(r.Messages[1].Content, "Read") {
				return say(agenttest.Call("read_file", args{"path": "Notebook/01-tides.md", "answer": true}))
			}
			return say(fileCall(r.Messages[1].Content))
		}
		step++
		if step == 1 {
			return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to Notebook/01-tides.md as it is", "content": chapter}))
		}
		return say(agenttest.Call("file_operation", args{"operation_description": "Read Notebook/01-tides.md"}))
	})
	cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
	cfg.Brain, cfg.MaxSteps = &openai.Brain{Model: "test", BaseURL: server.URL, Window: 16_384}, 2
	var read string
	cfg.Observe = func(e agent.Event) {
		if acted, ok := e.(agent.Acted); ok && acted.Agent == account.Name {
			read = acted.Text
		}
	}
	_, err := run(t.Context(), cfg)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(read, "# Tides\n\n0, tide tables"))
	assert.Contains(t, read, "go on with stream_id ")
	assert.NotContains(t, read, "too much for one result")
	assert.LessOrEqual(t, agent.EstimateTokens(read), (16_384-2048)/8)
	assert.Greater(t, agent.EstimateTokens(read), (16_384-2048)/16)
}

// The outline of a long page takes no more than its share, so that the part behind it is shown whole.
func TestAnOutlineFitsASmallWindow(t *testing.T) {
	var page strings.Builder
	for i := range 60 {
		fmt.Fprintf(&page, "## Chapter %d: %s\n\n%s\n\n", i, strings.Repeat("the tides of a harbour ", 3), strings.Repeat("The moon pulls the water. ", 60))
	}
	docs := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(docs, "tides.md"), []byte(page.String()), 0o600))
	server := serve(t, func(agenttest.Request) agenttest.Answer {
		return say(agenttest.Call("visit_url", args{"url": "doc:tides.md"}))
	})
	cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
	cfg.Brain, cfg.MaxSteps, cfg.Docs = &openai.Brain{Model: "test", BaseURL: server.URL, Window: 8192}, 1, []string{docs}
	var read string
	cfg.Observe = func(e agent.Event) {
		if acted, ok := e.(agent.Acted); ok && acted.Agent == account.Name {
			read = acted.Text
		}
	}
	_, err := run(t.Context(), cfg)
	require.NoError(t, err)
	assert.Regexp(t, `\npart 1(?: to \d+)? \(blocks 1-`, read)
	assert.Regexp(t, `\npart \d+ to 60 \(blocks \d+-120\): \d+ headings: Chapter .* … Chapter 59: .*\n</outline>`, read)
	assert.True(t, strings.HasSuffix(read, "\n</page>"), "and not cut off")
	assert.NotContains(t, read, "too much for one result")
}

// A model that writes a whole chapter into what it asks the file agent for, more than that one's model takes, is told so and does it by
// reference. A window in which not even the file agent's rules fit ends the run: nothing that could be asked would.
func TestAFileOperationThatIsTooLongForItsModel(t *testing.T) {
	const report = "# Tides\n\nHarbours keep tables.\n"
	for name, c := range map[string]struct {
		window int
		fits   bool
	}{"the words are too many": {8192, true}, "the rules alone are": {512, false}} {
		t.Run(name, func(t *testing.T) {
			step := 0
			server := serve(t, func(r agenttest.Request) agenttest.Answer {
				if slices.Contains(r.Tools, "write_file") {
					return say(fileCall(r.Messages[1].Content))
				}
				step++
				if step == 1 && c.fits {
					return say(agenttest.Call("file_operation", args{"operation_description": "Write to report.md: " + lines(60_000, "tables", "harbours keep them for each day\n")}))
				}
				return say(agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": report}))
			})
			cfg := config(filepath.Join(t.TempDir(), "research"), server.URL)
			cfg.Brain, cfg.MaxSteps = &openai.Brain{Model: "test", BaseURL: server.URL}, 2
			cfg.FileBrain = &openai.Brain{Model: "small", BaseURL: server.URL, Window: c.window}
			var told []agent.Acted
			cfg.Observe = func(e agent.Event) {
				if acted, ok := e.(agent.Acted); ok && acted.Agent == account.Name {
					told = append(told, acted)
				}
			}
			result, err := run(t.Context(), cfg)
			if !c.fits {
				require.ErrorIs(t, err, agent.ErrTooLong)
				assert.Contains(t, err.Error(), "it takes a window of at least")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, agent.OutOfSteps, result.Reason)
			require.Len(t, told, 2)
			assert.True(t, told[0].Failed)
			for _, part := range []string{"What file begins with is too long by itself", "takes a window of at least", "ask for less at a time", "belongs in content"} {
				assert.Contains(t, told[0].Text, part)
			}
			assert.False(t, told[1].Failed, told[1].Text)
			written, err := os.ReadFile(filepath.Join(cfg.Dir, "report.md"))
			require.NoError(t, err)
			assert.Contains(t, string(written), report)
		})
	}
}
