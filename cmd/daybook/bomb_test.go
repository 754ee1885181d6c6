package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostWork is what a command may take of the processor, whatever the folder holds. The worst takes 10 s of it on a calm machine, and
// without the budget hours; a busy machine counts up to twice as much for the same work.
const mostWork = time.Minute

// mined is a folder of a research in which every text is a bomb, with the servers that hand out more of it.
type mined struct {
	t          *testing.T
	bin, dir   string
	web, model interface{ Close() error }
	env        []string
	laid       map[string]string
}

func lay(t *testing.T, bin, text string) *mined {
	m := &mined{t: t, bin: bin, dir: filepath.Join(t.TempDir(), "r"), laid: map[string]string{}}
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = io.WriteString(w, text)
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer {
		said := 0
		for _, message := range r.Messages {
			if message.Role == "assistant" {
				said++
			}
		}
		say := agenttest.Call("all_finished", map[string]string{"result": "report.md answers it"})
		if pages := []string{"/page", "/page.md"}; said < len(pages) {
			say = agenttest.Call("visit_url", map[string]string{"url": site.URL + pages[said]})
		}
		return agenttest.Answer{Reply: agent.Reply{Text: text[:min(len(text), 20_000)], Calls: []agent.Call{say}}}
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	front := "---\nid: s%d\nurl: https://a.example/%d\ntitle: A\nfetched: 2026-01-01T00:00:00Z\ncomplete: yes\nsha256: none\n%s---\n\n%s\n"
	m.put("report.md", "# Title\n\n“A quote of some words here” [s1].\n\n"+text+"\n")
	m.put("Notebook/01-a.md", "# A chapter\n\n"+text+"\n")
	m.put("Sources/s01-a.md", fmt.Sprintf(front, 1, 1, "", text))
	m.put("Sources/s02-b.md", fmt.Sprintf(front, 2, 2, "any: "+text+"\n", "b"))
	m.put("docs/own.md", text)
	m.env = []string{"HOME=" + filepath.Dir(m.dir), "PATH=" + os.Getenv("PATH"), "OPENAI_BASE_URL=" + server.URL, "DAYBOOK_SEARCH=none", "DAYBOOK_INTAKE=false",
		"DAYBOOK_MODE=fixed", "DAYBOOK_ROUNDS=1", "DAYBOOK_PROFILE=brief", "DAYBOOK_LOCAL=false", "GOMAXPROCS=2"}
	return m
}

func (m *mined) put(name, text string) {
	path := filepath.Join(m.dir, name)
	if name == "docs/own.md" {
		path = filepath.Join(filepath.Dir(m.dir), name)
	} else {
		m.laid[path] = text
	}
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o644))
}

// command carries one out and returns what it said, how it ended and what it took of the processor.
func (m *mined) command(args ...string) (said string, code int, work time.Duration) {
	ctx, cancel := context.WithTimeout(m.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, m.bin, args...)
	cmd.Env, cmd.Dir = m.env, filepath.Dir(m.dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if exited, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		require.NoError(m.t, err)
	} else if ok {
		code = exited.ExitCode()
	}
	return out.String(), code, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// bombs are all of them when DAYBOOK_BOMBS is set, which takes a quarter of an hour, and otherwise one of each kind.
func bombs() []agenttest.Bomb {
	all := slices.Concat(agenttest.MarkdownBombs(), agenttest.YAMLBombs(), agenttest.HTMLBombs(), agenttest.XMLBombs(), agenttest.JSONBombs())
	if os.Getenv("DAYBOOK_BOMBS") != "" {
		return all
	}
	return []agenttest.Bomb{agenttest.Repeated("![a]("), agenttest.Repeated("> "), agenttest.YAMLBombs()[3], agenttest.HTMLBombs()[0], agenttest.XMLBombs()[0], agenttest.JSONBombs()[3]}
}

// Each command ends by itself and soon, whatever a folder, a page or a model's reply holds, and no file of the person's is another after it.
func TestNoTextKeepsACommandAtWork(t *testing.T) {
	bin := built(t)
	for i, bomb := range bombs() {
		t.Run(bomb.Name, func(t *testing.T) {
			m := lay(t, bin, bomb.Make(200<<10))
			for c, args := range [][]string{
				{"run", "-q", "Why do tides rise?", "--allow-private", "--any-url", "--docs", "docs", "--max-steps", "4", m.dir},
				{"status", m.dir}, {"log", m.dir}, {"verify", m.dir}, {"export", "--html", m.dir}, {"export", "--bib", "--all", m.dir}, {"replay", m.dir}, {"restore", m.dir, "--at", "1"}, {"status", m.dir},
			} {
				if c > 0 && (i+c)%3 > 0 && os.Getenv("DAYBOOK_FULL") == "" {
					continue // what comes behind a run is tried with one text in three
				}
				said, code, work := m.command(args...)
				t.Logf("%s: exit %d, %s", args[0], code, work)
				assert.Less(t, work, mostWork, "%s", args[0])
				assert.Contains(t, []int{exitFinished, exitError, exitUsage, exitLimit}, code, "%s: %s", args[0], cut(said, 2000))
				assert.NotContains(t, said, "panic", args[0])
				assert.NotContains(t, said, "goroutine ", args[0])
			}
			for path, text := range m.laid {
				if filepath.Base(path) == "report.md" {
					continue // the program writes below it
				}
				left, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.Equal(t, len(text), len(left), path)
			}
		})
	}
}

func TestSettingsThatAreTooMuchAreRefusedByName(t *testing.T) {
	bin := built(t)
	for _, bomb := range agenttest.YAMLBombs() {
		t.Run(bomb.Name, func(t *testing.T) {
			m := lay(t, bin, "words")
			m.put("daybook.yaml", "profiles: "+bomb.Make(60<<10))
			for _, args := range [][]string{{"run", "-q", "Why?", "--max-steps", "1", m.dir}, {"status", m.dir}} {
				said, code, work := m.command(args...)
				assert.Less(t, work, mostWork)
				if args[0] == "run" && code != exitLimit { // some are nothing but a comment, or blanks
					assert.Equal(t, exitUsage, code, said)
					assert.Contains(t, said, "daybook.yaml")
				}
			}
		})
	}
}
