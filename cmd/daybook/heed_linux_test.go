package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent/agenttest"
)

// The first Ctrl-C is heeded soon, also while a report of 4,000 claims is checked: by verify, and by a gate of run.
func TestACheckHeedsCtrlC(t *testing.T) {
	bin := built(t)
	var text, report strings.Builder
	for i := range 8_000 {
		fmt.Fprintf(&text, "<p>On day %d the water stood %d cm above the mark of the harbour, and %d boats left it.</p>", i, i*7%991, i%13)
		fmt.Fprintf(&report, "On day %d the water of the harbour stood %d cm above its mark [s1]. ", i, i*5%997)
		if i%20 == 19 {
			report.WriteString("\n\n")
		}
	}
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<h1>Tides</h1>"+text.String())
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	proposed := make(chan struct{}, 100)
	server, err := agenttest.Serve(func(r agenttest.Request) agenttest.Answer {
		said := slices.ContainsFunc(r.Messages, func(m agenttest.Message) bool { return m.Role == "assistant" })
		switch {
		case !slices.Contains(r.Tools, "all_finished"):
			return agenttest.Answer{Reply: agenttest.Words("It is done.")}
		case !said:
			return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("visit_url", args{"url": site.URL + "/tides"}))}
		}
		proposed <- struct{}{}
		return agenttest.Answer{Reply: agenttest.Reply(agenttest.Call("all_finished", args{"result": "report.md"}))}
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	home := t.TempDir()
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), bin, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = home, io.Discard, new(bytes.Buffer)
		cmd.Env = []string{"HOME=" + home, "OPENAI_BASE_URL=" + server.URL, "DAYBOOK_SEARCH=none", "DAYBOOK_INTAKE=false", "DAYBOOK_MODE=fixed", "DAYBOOK_ROUNDS=1",
			"DAYBOOK_PROFILE=brief", "DAYBOOK_LOCAL=false", "GOMAXPROCS=1"}
		return cmd
	}
	run := []string{"run", "--allow-private", "--max-steps", "2", "r"}
	first := command(append(run, "-q", "How do tides work? See "+site.URL+"/tides")...)
	_ = first.Run() // which ends at its limit
	sources, err := filepath.Glob(filepath.Join(home, "r/Sources/s*.md"))
	require.NoError(t, err)
	require.Len(t, sources, 1, "%s", first.Stderr)
	for len(proposed) > 0 {
		<-proposed
	}
	require.NoError(t, os.WriteFile(filepath.Join(home, "r/report.md"), []byte("# Tides\n\n"+report.String()), 0o644))
	for name, test := range map[string]struct {
		args  []string
		await func()
	}{"verify": {[]string{"verify", "r"}, func() {}}, "run": {run, func() { <-proposed }}} {
		t.Run(name, func(t *testing.T) {
			requireHeeded(t, func() *exec.Cmd { return command(test.args...) }, test.await)
		})
	}
	t.Run("status", func(t *testing.T) {
		journal := filepath.Join(home, "r/.daybook/journal.jsonl")
		rows, err := os.ReadFile(journal)
		require.NoError(t, err)
		f, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		for range 200 << 20 / len(rows) {
			_, err = f.Write(rows)
			require.NoError(t, err)
		}
		require.NoError(t, f.Close())
		requireHeeded(t, func() *exec.Cmd { return command("status", "r") }, func() {})
	})
}

// requireHeeded starts a command and interrupts it while it works. What it still works then is less than half of what the control works on,
// which is the same command without Ctrl-C.
func requireHeeded(t *testing.T, command func() *exec.Cmd, await func()) {
	t.Helper()
	atWork := func(await func()) (cmd *exec.Cmd, before time.Duration) {
		cmd = command()
		require.NoError(t, cmd.Start())
		await()
		began := spentBy(cmd.Process.Pid)
		require.Eventually(t, func() bool { return spentBy(cmd.Process.Pid) > began+300*time.Millisecond }, time.Minute, 10*time.Millisecond)
		return cmd, spentBy(cmd.Process.Pid)
	}
	cmd, before := atWork(await)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - before
	control, before := atWork(func() {}) // it begins where the first was
	worksOn := func() bool { return spentBy(control.Process.Pid) > before+2*took }
	assert.Eventually(t, worksOn, 5*time.Minute, 10*time.Millisecond, "after Ctrl-C it worked for %s", took)
	require.NoError(t, control.Process.Kill())
	require.EqualError(t, control.Wait(), "signal: killed", "the control")
	t.Logf("after Ctrl-C it worked for %s", took)
}

// So is a run that ends at its limit, while it binds its chapters into a report and lists what they cite.
func TestBindingHeedsCtrlC(t *testing.T) {
	bin, home := built(t), t.TempDir()
	asked := make(chan struct{}, 100)
	server, err := agenttest.Serve(func(agenttest.Request) agenttest.Answer {
		asked <- struct{}{}
		return agenttest.Answer{Reply: agenttest.Words("It is done.")}
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	for _, folder := range []string{"r/Notebook", "r/.daybook"} { // a research, and not a folder of a person's
		require.NoError(t, os.MkdirAll(filepath.Join(home, folder), 0o755))
	}
	for i := range 200 {
		chapter := "# Chapter\n\n" + strings.Repeat("- a\n  - b\n    - c\n", 400)
		require.NoError(t, os.WriteFile(filepath.Join(home, fmt.Sprintf("r/Notebook/%02d-a.md", i+1)), []byte(chapter), 0o644))
	}
	requireHeeded(t, func() *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), bin, "run", "--max-steps", "1", "r", "-q", "How do tides work?")
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "OPENAI_BASE_URL=" + server.URL, "DAYBOOK_SEARCH=none", "DAYBOOK_INTAKE=false", "DAYBOOK_MODE=fixed",
			"DAYBOOK_ROUNDS=1", "DAYBOOK_PROFILE=brief", "DAYBOOK_LOCAL=false", "GOMAXPROCS=1"}
		return cmd
	}, func() { <-asked })
}

// So are the exports of a long report from many long sources. What an export did not end is not there.
func TestExportsHeedCtrlC(t *testing.T) {
	bin, dir := built(t), t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	const sources, days = 40, 12_000
	var text, report strings.Builder
	for i := range days {
		fmt.Fprintf(&text, "On day %d the water stood %d cm above the mark of the harbour, and %d boats left it.\n\n", i, i*7%991, i%13)
		fmt.Fprintf(&report, "On day %d the water of the harbour stood %d cm above its mark [s%d.%d].\n\n", i, i*7%991, i%sources+1, i+1)
	}
	for i := range sources {
		put(fmt.Sprintf("Sources/s%d.md", i+1), fmt.Sprintf("---\nid: s%d\nurl: https://a.test/%d\ntitle: A\nfetched: 2026-01-01T00:00:00Z\ncomplete: yes\n---\n\n%s", i+1, i, text.String()))
	}
	put("report.md", "# Tides\n\n"+report.String())
	for _, args := range [][]string{{"export", "--html"}, {"export", "--bib"}, {"export", "--csl"}, {"export", "--bib", "--all"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			requireHeeded(t, func() *exec.Cmd {
				cmd := exec.CommandContext(t.Context(), bin, append(args, dir)...)
				cmd.Env = []string{"HOME=" + dir, "GOMAXPROCS=1"}
				return cmd
			}, func() {})
			left, err := filepath.Glob(filepath.Join(dir, "[rs]*.[hbj]*"))
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

// spentBy is what a process has taken of the processor, 0 when it is gone.
func spentBy(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
