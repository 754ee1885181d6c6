package researcher_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type args map[string]any

// A model without memory researches by this script: which stretch it is in it reads off the current dashboard, which step of it off
// the number of results. So it says the same to the same conversation, however often the program was killed in between.
//
// A stretch is ten steps: pages are read and lines written in turn, one of them appended, and the last step updates a dashboard.
const (
	stepsPerStretch = 10
	stretches       = 11
)

var (
	stretchMark = regexp.MustCompile(`stretch (\d+) is next`)
	pathInWords = regexp.MustCompile(`\S+\.md`)
)

func scripted(site string) func(agenttest.Request) agenttest.Answer {
	return scriptedFor(site, stretches)
}

func scriptedFor(site string, stretches int) func(agenttest.Request) agenttest.Answer {
	return func(r agenttest.Request) agenttest.Answer {
		if strings.HasPrefix(r.Messages[1].Content, "Operation: ") {
			return say(fileCall(r.Messages[1].Content))
		}
		stretch, step, opening := 1, 0, true
		for _, m := range r.Messages[1:] { // in the text the two dashboards are one message
			opening = opening && m.Role == "user"
			if mark := stretchMark.FindStringSubmatch(m.Content); mark != nil && opening {
				stretch, _ = strconv.Atoi(mark[1])
			}
			if m.Role == "tool" {
				step++
			}
		}
		return say(researchCalls(site, stretch, step, stretches)...)
	}
}

func say(calls ...agent.Call) agenttest.Answer {
	return agenttest.Answer{Reply: agenttest.Reply(calls...)}
}

func researchCalls(site string, stretch, step, stretches int) []agent.Call {
	next := agenttest.Call("update_current_dashboard", args{"section": "next", "text": fmt.Sprintf("stretch %d is next", stretch+1)})
	if step == stepsPerStretch-1 && stretch < stretches {
		if stretch%3 == 0 {
			findings := fmt.Sprintf("found in stretch %d [s%d]", stretch, stretch)
			return []agent.Call{agenttest.Call("update_overall_dashboard", args{"section": "findings", "text": findings}), next}
		}
		return []agent.Call{next}
	}
	return []agent.Call{researchCall(site, stretch, step, stretches)}
}

func researchCall(site string, stretch, step, stretches int) agent.Call {
	chapter := fmt.Sprintf("Notebook/%02d.md", (stretch-1)%5+1)
	switch {
	case stretch == stretches && step == stepsPerStretch-2:
		return agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": "# Report\n\nAll of it [s1].\n"})
	case stretch == stretches && step == stepsPerStretch-1:
		return agenttest.Call("all_finished", args{"result": "The report is report.md"})
	case step%2 == 0:
		return agenttest.Call("visit_url", args{"url": fmt.Sprintf("%s/%d-%d.txt", site, stretch, step)})
	default:
		return agenttest.Call("file_operation", args{
			"operation_description": "Append the content to " + chapter + " as it is", // no plain request: the file agent is asked
			"content":               fmt.Sprintf("line %d of stretch %d\n", step, stretch),
		})
	}
}

func fileCall(request string) agent.Call {
	mode := "overwrite"
	if strings.HasPrefix(request, "Operation: Append") {
		mode = "append"
	}
	return agenttest.Call("write_file", args{"path": pathInWords.FindString(request), "text": "@content", "mode": mode, "answer": true})
}

// pages is a web on which every page exists.
func pages(t *testing.T) *agenttest.Site {
	t.Helper()
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "The page %s says <things> & “more”.\n", r.URL.Path)
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	return site
}

func serve(t *testing.T, answer func(agenttest.Request) agenttest.Answer) *agenttest.Server {
	t.Helper()
	server, err := agenttest.Serve(answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	return server
}

// config is a research against a scripted server.
func config(dir, url string) job {
	parallel, _ := strconv.Atoi(os.Getenv("DAYBOOK_TEST_PARALLEL")) // 0 for none
	return job{Dir: dir, Config: researcher.Config{
		Question: "How do tides work?", Brain: &openai.Brain{Model: "test", BaseURL: url},
		MaxSteps: 200, AllowPrivate: true, AnyURL: true,
		Profile: anyReport, Judging: oneRound, NoIntake: true, Browser: os.Getenv("DAYBOOK_TEST_BROWSER"), Parallel: parallel,
	}}
}

// What a scripted model that plays the researcher alone is run with: nobody judges its question or its report, which may be as short as it
// likes.
var (
	anyReport = gate.Profile{Name: "any", Guide: "report.md: a title and a sentence."}
	oneRound  = rounds.Judging{Fixed: 1, Without: scoresAlone}
)

// snapshot is what a workspace holds, by path, without the machine's own files and without the times at which pages were read.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	times := regexp.MustCompile(`(?m)^fetched: .*$`)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".daybook" {
				return filepath.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path) // both are below the same temporary folder
		files[rel] = times.ReplaceAllString(string(data), "")
		return err
	}))
	return files
}

// TestMain lets the test binary be another program: with DAYBOOK_TEST_DIR set it only runs a research, and may be killed at it; with
// DAYBOOK_BENCH set it is one process of the benchmark.
func TestMain(m *testing.M) {
	if dir := os.Getenv("DAYBOOK_TEST_DIR"); dir != "" {
		c := config(dir, os.Getenv("DAYBOOK_TEST_SERVER"))
		if n, err := strconv.Atoi(os.Getenv("DAYBOOK_TEST_KILL")); err == nil {
			c.Observe = killAt(n)
		}
		if name := os.Getenv("DAYBOOK_TEST_KILL_AFTER"); name != "" {
			now := killAt(1)
			c.Observe = func(e agent.Event) {
				if a, ok := e.(agent.Acted); ok && a.Call.Name == name {
					now(e)
				}
			}
		}
		if _, err := run(context.Background(), c); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if loop := os.Getenv("DAYBOOK_BENCH"); loop != "" {
		if err := benchProcess(loop); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// killAt kills this process at the nth thing that happens, as kill -9 would.
func killAt(n int) func(agent.Event) {
	return func(agent.Event) {
		if n--; n == 0 {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			fmt.Fprintln(os.Stderr, "waiting for the end:", err)
			select {}
		}
	}
}

// child runs a research in a process of its own.
func child(t *testing.T, dir, server string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "DAYBOOK_TEST_DIR="+dir, "DAYBOOK_TEST_SERVER="+server)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = os.Stderr
	return cmd
}

// job is a Config with the folder that it is for.
type job struct {
	Dir string
	researcher.Config
}

func run(ctx context.Context, j job) (researcher.Result, error) {
	return researcher.Open(j.Dir).Run(ctx, j.Config)
}
