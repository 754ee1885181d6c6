package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// five is a model without memory that gives five chapters away and is the researcher of each, and the site
// that they read. It holds up all five at one moment of their second page.
type five struct {
	site *agenttest.Site

	mu    sync.Mutex
	hold  moment
	held  int
	all   chan struct{}  // closed when five are held up
	given map[string]int // replies, by who got them and at which step
	pages map[string]int
}

var (
	chapterIn = regexp.MustCompile(`Your chapter: .*, in Notebook/(part\d)\.md`)
	readAs    = regexp.MustCompile(`Read as (s\d+)`)
)

// isHeld holds up whoever comes at a moment. f.mu is held.
func (f *five) isHeld(at moment) bool {
	if f.hold != at {
		return false
	}
	if f.held++; f.held == 5 {
		close(f.all)
	}
	return true
}

func (f *five) answer(r agenttest.Request) agenttest.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Contains(r.Tools, "write_file") {
		return agenttest.Answer{Reply: agent.Reply{Calls: []agent.Call{stormWrite(r.Messages[1].Content)}}}
	}
	who, step, id := "researcher", 0, ""
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			step++
		}
		if found := readAs.FindStringSubmatch(m.Content); found != nil {
			id = found[1]
		}
	}
	switch { // the chapters are compared and the report is judged, which are other tests'
	case !slices.Contains(r.Tools, "visit_url"):
		return agenttest.Answer{Reply: agent.Reply{Text: "They agree."}}
	case strings.Contains(r.Messages[2].Content, "One voice: "):
		return agenttest.Answer{Reply: agent.Reply{Calls: f.researcher(2)}}
	}
	calls := f.researcher(step)
	if slices.Contains(r.Tools, "chapter_finished") {
		who = chapterIn.FindStringSubmatch(r.Messages[1].Content)[1]
		if calls = f.chapter(who, step, id); step == 2 && f.isHeld(thinking) {
			return agenttest.Answer{Stall: true}
		}
	}
	f.given[fmt.Sprintf("%s at step %d", who, step)]++
	return agenttest.Answer{Reply: agent.Reply{Calls: calls}}
}

func (f *five) researcher(step int) []agent.Call {
	var all []args
	for n := range 5 {
		all = append(all, args{"file": fmt.Sprintf("Notebook/part%d.md", n+1),
			"title":    fmt.Sprintf("Part %d", n+1),
			"question": fmt.Sprintf("What is part %d?", n+1)})
	}
	return [][]agent.Call{
		{agenttest.Call("research_chapters", args{"chapters": all})},
		{agenttest.Call("file_operation",
			args{"operation_description": "Write the content to report.md as it is",
				"content": "# Tides\n\n## Abstract\n\nThe tide follows the moon [s1].\n"})},
		{agenttest.Call("all_finished", args{"result": "The report is report.md"})},
	}[min(step, 2)]
}

// chapter is a page and a line of it, twice.
func (f *five) chapter(name string, step int, id string) []agent.Call {
	switch step {
	case 0, 2:
		return []agent.Call{agenttest.Call("visit_url",
			args{"url": fmt.Sprintf("%s/%s-%d.txt", f.site.URL, name, step)})}
	case 1, 3:
		return []agent.Call{agenttest.Call("file_operation", args{
			"operation_description": "Append the content to Notebook/" + name + ".md as it is",
			"content": fmt.Sprintf(
				"The page /%s-%d.txt says that the tide follows the moon [%s.1].\n", name, step-1, id)})}
	}
	return []agent.Call{agenttest.Call("chapter_finished", args{"summary": "All of it is known."})}
}

func (f *five) page(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.pages[r.URL.Path]++
	held := strings.HasSuffix(r.URL.Path, "-2.txt") && f.isHeld(reading)
	f.mu.Unlock()
	if held {
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	fmt.Fprintf(w, "The page %s says that the tide follows the moon.\n", r.URL.Path)
}

// Ctrl-C while five chapters' agents all wait for a reply, or for a page: they stop in order, with a second
// one at once, and the next run goes on with each at its very step: no reply is asked for twice that came,
// and no page.
func TestCtrlCInTheMidstOfFiveAgents(t *testing.T) {
	bin := built(t)
	for _, at := range []moment{thinking, reading} {
		for times := 1; times <= 2; times++ {
			t.Run(fmt.Sprintf("%s, %d times", at, times), func(t *testing.T) {
				f := &five{hold: at, all: make(chan struct{}), given: map[string]int{},
					pages: map[string]int{}}
				var err error
				f.site, err = agenttest.Listen(http.HandlerFunc(f.page))
				require.NoError(t, err)
				t.Cleanup(func() { assert.NoError(t, f.site.Close()) })
				model, err := agenttest.Serve(f.answer)
				require.NoError(t, err)
				t.Cleanup(func() { assert.NoError(t, model.Close()) })
				dir := filepath.Join(t.TempDir(), "research")
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				var said bytes.Buffer
				run := func() *exec.Cmd {
					cmd := exec.CommandContext(ctx, bin, "run", "-q", "Why do tides rise?", "--parallel", "5",
						"--allow-private", "--any-url", dir)
					cmd.Env = []string{"HOME=" + filepath.Dir(dir), "PATH=" + os.Getenv("PATH"),
						"TMPDIR=" + os.TempDir(), "OPENAI_BASE_URL=" + model.URL, "DAYBOOK_SEARCH=none",
						"DAYBOOK_INTAKE=false", "DAYBOOK_MODE=fixed", "DAYBOOK_ROUNDS=1",
						"DAYBOOK_PROFILE=brief"}
					cmd.Stderr = &said
					require.NoError(t, cmd.Start())
					return cmd
				}
				cmd := run()
				select {
				case <-f.all:
				case <-ctx.Done():
				}
				for range times {
					require.NoError(t, ignoreDone(cmd.Process.Signal(os.Interrupt)))
				}
				exited, ok := errors.AsType[*exec.ExitError](cmd.Wait())
				require.True(t, ok, &said)
				assert.Equal(t, exitInterrupted, exited.ExitCode(), &said)
				assert.Contains(t, said.String(), "stopping after the write in hand")

				f.mu.Lock()
				f.hold = never
				f.mu.Unlock()
				exited, ok = errors.AsType[*exec.ExitError](run().Wait())
				require.True(t, !ok || exited.ExitCode() == exitUnsound, &said)
				for who, times := range f.given {
					assert.Equal(t, 1, times, who)
				}
				for page, times := range f.pages {
					if at == reading && strings.HasSuffix(page, "-2.txt") {
						times-- // it had not come
					}
					assert.Equal(t, 1, times, page)
				}
				files := folder(t, dir)
				for n := 1; n <= 5; n++ {
					text := files[fmt.Sprintf("Notebook/part%d.md", n)]
					assert.Equal(t, 2, strings.Count(text, "\n"), text)
					for _, page := range []string{"0", "2"} {
						assert.Equal(t, 1, strings.Count(text,
							fmt.Sprintf("/part%d-%s.txt says", n, page)), text)
					}
				}
				assert.Contains(t, files["report.md"], "The tide follows the moon")
			})
		}
	}
}
