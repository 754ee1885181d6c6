package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The built program is killed, again and again, at random moments of a research that a scripted model leads over HTTP, and started again
// until it is done.

type args map[string]any

const stormStretches = 8

var (
	stretchNext   = regexp.MustCompile(`stretch (\d+) is next`)
	fileInWords   = regexp.MustCompile(`\S+\.md`)
	timeOfReading = regexp.MustCompile(`(?m)^fetched: .*$`)
)

// stormReply is what a model without memory says: in which stretch it is it reads off the current dashboard, at which step off the number of
// its own words. So it says the same to the same conversation, however often the program was killed in between.
func stormReply(site string, r agenttest.Request) agent.Reply {
	said := agent.Reply{Text: "I go on with what stands next on the dashboard, as I was asked to.", Usage: agent.Usage{In: 100, Out: 10}}
	if strings.HasPrefix(r.Messages[1].Content, "Operation: ") {
		said.Calls = []agent.Call{stormWrite(r.Messages[1].Content)}
		return said
	}
	stretch, step := 1, 0
	if m := stretchNext.FindStringSubmatch(r.Messages[2].Content); m != nil {
		stretch, _ = strconv.Atoi(m[1]) // digits
	}
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			step++
		}
	}
	said.Calls = stormCalls(site, stretch, step)
	return said
}

func stormWrite(request string) agent.Call {
	mode := "overwrite"
	if strings.HasPrefix(request, "Operation: Append") {
		mode = "append"
	}
	return agenttest.Call("write_file", args{"path": fileInWords.FindString(request), "text": "@content", "mode": mode, "answer": true})
}

func stormCalls(site string, stretch, step int) []agent.Call {
	visit := func(n int) agent.Call {
		return agenttest.Call("visit_url", args{"url": fmt.Sprintf("%s/%d-%d.txt", site, stretch, n)})
	}
	file := func(what, content string) agent.Call {
		return agenttest.Call("file_operation", args{"operation_description": what, "content": content})
	}
	chapter := fmt.Sprintf("Notebook/%02d.md", (stretch-1)%3+1)
	lines := strings.Repeat(fmt.Sprintf("Stretch %d says that the tide follows the moon.\n", stretch), 30)
	if stretch == stormStretches {
		report := "# Tides\n\n## Abstract\n\nThe tide follows the moon [s1].\n"
		return [][]agent.Call{{file("Write the content to report.md", report)}, {agenttest.Call("all_finished", args{"result": "The report is report.md"})}}[min(step, 1)]
	}
	update := agenttest.Call("update_current_dashboard", args{"section": "next", "text": fmt.Sprintf("stretch %d is next", stretch+1)})
	ends := []agent.Call{update}
	if stretch%2 == 0 {
		ends = []agent.Call{agenttest.Call("update_overall_dashboard", args{"section": "findings", "text": fmt.Sprintf("It does, says stretch %d [s%d].", stretch, stretch)}), update}
	}
	return [][]agent.Call{
		{visit(0)},
		{file("Append the content to "+chapter, lines)},
		{visit(1)},
		{file("Append the content to "+chapter, "One line.\n"), file(fmt.Sprintf("Write the content to Notebook/side-%d.md", stretch), lines)},
		{visit(2)},
		ends,
	}[min(step, 5)]
}

// storm is a model server and a web site, of which one or the other may kill the program that asks it.
type storm struct {
	t     *testing.T
	bin   string
	site  *agenttest.Site
	model *agenttest.Server

	mu    sync.Mutex
	dice  *rand.Rand
	kill  func() // the program that runs now; nil for none
	plan  plan
	asked int            // replies
	pages map[string]int // how often each was fetched
}

// plan is when the program is to be killed.
type plan struct {
	at    moment
	count int           // of the events of that kind that come before
	after time.Duration // the event, or the start
}

type moment string

const (
	never     moment = "never"
	anytime   moment = "at any time"
	beginning moment = "as it starts, and recovers"
	thinking  moment = "before a reply"
	streaming moment = "in the middle of a stream"
	updating  moment = "as it updates a dashboard"
	reading   moment = "before a page"
)

func newStorm(t *testing.T, bin string, seed uint64) *storm {
	s := &storm{t: t, bin: bin, dice: rand.New(rand.NewPCG(seed, 5)), pages: map[string]int{}, plan: plan{at: never}}
	var err error
	s.site, err = agenttest.Listen(http.HandlerFunc(s.page))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.site.Close()) })
	s.model, err = agenttest.Serve(s.answer)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.model.Close()) })
	return s
}

// next draws the moment of the next kill. The wider ones come often enough for the program to get on.
func (s *storm) next() plan {
	all := []moment{anytime, anytime, beginning, thinking, streaming, streaming, updating, reading}
	p := plan{at: all[s.dice.IntN(len(all))]}
	switch p.at {
	case anytime:
		p.after = time.Duration(s.dice.IntN(150_000)) * time.Microsecond
	case beginning:
		p.after = time.Duration(s.dice.IntN(40_000)) * time.Microsecond
	case updating:
		p.count, p.after = s.dice.IntN(2), time.Duration(s.dice.IntN(6_000))*time.Microsecond
	case streaming:
		p.count, p.after = s.dice.IntN(6), time.Duration(s.dice.IntN(3_000))*time.Microsecond
	default:
		p.count = s.dice.IntN(6)
	}
	return p
}

// comes says whether the kill is due at an event of a kind, and kills after the planned time. s.mu is held.
func (s *storm) comes(at moment) bool {
	if s.plan.at != at || s.kill == nil {
		return false
	}
	if s.plan.count--; s.plan.count >= 0 {
		return false
	}
	s.plan.at = never
	if s.plan.after == 0 {
		s.kill()
	} else {
		time.AfterFunc(s.plan.after, s.kill)
	}
	return true
}

func (s *storm) answer(r agenttest.Request) agenttest.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	a := agenttest.Answer{Reply: stormReply(s.site.URL, r)}
	if slices.ContainsFunc(a.Reply.Calls, func(c agent.Call) bool { return strings.HasPrefix(c.Name, "update_") }) {
		s.comes(updating)
	}
	switch {
	case s.comes(thinking):
		a.Stall = true
	case s.comes(streaming):
		a.Cut, a.Stall = 100+s.dice.IntN(1500), true
	}
	return a
}

func (s *storm) page(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.pages[r.URL.Path]++
	cut := s.comes(reading)
	s.mu.Unlock()
	if cut {
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	fmt.Fprintf(w, "The page %s says that the tide follows the moon.\n", r.URL.Path)
}

// run runs the program once, and says whether it was killed. Any other end but success is an error.
func (s *storm) run(dir string, p plan) bool {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.bin, "run", "-q", "Why do tides rise?", "--allow-private", "--any-url", "--max-steps", "300", dir)
	cmd.Env = []string{
		"HOME=" + filepath.Dir(dir), "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "OPENAI_BASE_URL=" + s.model.URL, "DAYBOOK_SEARCH=none",
		"DAYBOOK_INTAKE=false", "DAYBOOK_MODE=fixed", "DAYBOOK_ROUNDS=1", "DAYBOOK_PROFILE=brief",
	}
	var said strings.Builder
	cmd.Stderr = &said
	killed := make(chan struct{})
	s.mu.Lock()
	require.NoError(s.t, cmd.Start())
	once := sync.OnceFunc(func() {
		close(killed)
		assert.NoError(s.t, ignoreDone(cmd.Process.Kill()))
	})
	s.kill, s.plan = once, p
	if p.at == anytime || p.at == beginning {
		defer time.AfterFunc(p.after, once).Stop()
	}
	s.mu.Unlock()
	err := cmd.Wait()
	s.mu.Lock()
	s.kill = nil
	s.mu.Unlock()
	if err == nil {
		return false
	}
	select {
	case <-killed:
	default:
		require.NoError(s.t, err, "%s", &said)
	}
	return true
}

func ignoreDone(err error) error {
	if err == os.ErrProcessDone {
		return nil
	}
	return err
}

// weathered is a research that was killed and started again until it was done.
type weathered struct {
	files map[string]string
	kills map[moment]int
}

// weather runs the program in a folder to its end, with at most so many kills.
func (s *storm) weather(most int, afterKill func(dir string)) weathered {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "research")
	w := weathered{kills: map[moment]int{}}
	for n := 0; ; n++ {
		p := plan{at: never}
		if n < most {
			p = s.next()
		}
		if !s.run(dir, p) {
			break
		}
		w.kills[p.at]++
		afterKill(dir)
	}
	w.files = folder(s.t, dir)
	return w
}

// folder is all that a research holds, by path, without what tells one run from another; of the machine's own files the names alone.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); strings.HasPrefix(rel, ".daybook/trash/") && strings.HasSuffix(rel, "-.daybook%2Fjournal.jsonl") {
			return nil // a kill in the midst of a line leaves half of it, which is set aside and never deleted
		}
		if strings.HasPrefix(rel, ".daybook/") {
			files[rel] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		files[rel] = timeOfReading.ReplaceAllString(string(data), "")
		return err
	}))
	return files
}

// built is the program itself: the test binary, which plays it elsewhere, starts slower.
func built(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the race detector does not watch the built program")
	}
	bin, err := build()
	require.NoError(t, err)
	return bin
}

// build builds the program once for all tests, in a folder that [TestMain] removes.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "daybook-built")
	if err != nil {
		return "", err
	}
	binDir = dir
	bin := filepath.Join(dir, "daybook")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w: %s", err, out)
	}
	return bin, err
})

var binDir string

func sum[K comparable](counts map[K]int) (n int) {
	for _, of := range counts {
		n += of
	}
	return n
}

// The built program is killed at random: at any time, in the middle of a stream, of a start that recovers, of an update of a dashboard. It
// ends with the same files, pays for at most one reply and one page a kill, and leaves nothing behind. With DAYBOOK_FULL=1 there are 300
// kills.
func TestAStormOfKills(t *testing.T) {
	bin := built(t)
	calm := newStorm(t, bin, 0)
	want := calm.weather(0, func(string) {})
	require.Contains(t, want.files, "report.md")
	kills := 20
	if os.Getenv("DAYBOOK_FULL") != "" {
		kills = 300
	}
	total, moments, again, researches := 0, map[moment]int{}, 0, 0
	for seed := uint64(1); total < kills; seed++ {
		s := newStorm(t, bin, seed)
		got := s.weather(kills-total, func(string) {})
		n := sum(got.kills)
		total, again, researches = total+n, again+s.asked-calm.asked, researches+1
		for at, of := range got.kills {
			moments[at] += of
		}
		assert.Equal(t, withoutSite(want.files, calm), withoutSite(got.files, s), "seed %d", seed)
		assert.LessOrEqual(t, s.asked, calm.asked+n, "replies, seed %d", seed)
		assert.LessOrEqual(t, sum(s.pages), len(calm.pages)+n, "pages, seed %d", seed)
		assert.Len(t, s.pages, len(calm.pages))
		if t.Failed() {
			break
		}
	}
	t.Logf("%d kills of %d researches, each of %d replies and %d pages; %d replies were asked for again. Killed %v", total, researches, calm.asked, len(calm.pages), again, moments)
}

// withoutSite takes the address of a site, which has a port of its own, out of files.
func withoutSite(files map[string]string, s *storm) map[string]string {
	out := maps.Clone(files)
	for p, text := range out {
		out[p] = strings.NewReplacer(s.site.URL, "SITE", s.model.URL, "MODEL").Replace(text)
	}
	return out
}

// The control: when each kill takes the journal along, the same count finds that replies are paid for twice.
func TestAStormWithoutAJournalIsFelt(t *testing.T) {
	bin := built(t)
	calm := newStorm(t, bin, 0)
	calm.weather(0, func(string) {})
	s := newStorm(t, bin, 1)
	got := s.weather(12, func(dir string) {
		assert.NoError(t, os.RemoveAll(filepath.Join(dir, ".daybook", "journal.jsonl")))
	})
	assert.Greater(t, s.asked, calm.asked+sum(got.kills))
	t.Logf("%d replies are needed, and %d were asked for over %d kills", calm.asked, s.asked, sum(got.kills))
}
