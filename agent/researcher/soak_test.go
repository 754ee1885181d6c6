package researcher_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/openai"
)

const (
	soakSilence = 100 * time.Millisecond // of a server, before it is given up
	soakSteps   = stepsPerStretch * soakedStretches
	soakAtOnce  = 8
	soakGrowth  = 2 << 20 // bytes of the heap
)

// soak is what many runs against a server that spoils every fifth answer have in common.
type soak struct {
	site    string
	weather weather
	brain   func(url string) agent.Brain

	mu      sync.Mutex
	visited map[string]int // pages of the site
}

// A thousand researches of fifty steps, several at a time, against a model server that spoils every fifth of its answers, all end with the
// files of one whose server spoils none. Every call is carried out once, no goroutine is left, and the last run finds the memory as the
// fiftieth left it. Without DAYBOOK_FULL=1 there are a few runs only.
func TestSoak(t *testing.T) {
	runs, first := 6, 3
	if os.Getenv("DAYBOOK_FULL") != "" {
		runs, first = 1000, 50
	}
	s := newSoak(t)
	s.brain = func(url string) agent.Brain {
		return &openai.Brain{Model: "test", BaseURL: url, IdleTimeout: soakSilence, MaxTries: 24, MaxWait: time.Millisecond}
	}
	right := s.sail(t, 0, soaked(s.site))
	require.NoError(t, right.err)
	require.Equal(t, soakSteps, right.steps)
	goroutines := runtime.NumGoroutine()

	began := time.Now()
	failed := s.runs(t, right, 1, first)
	early := heap()
	failed = append(failed, s.runs(t, right, first+1, runs)...)
	late := heap()

	w := &s.weather
	t.Logf("%d runs in %s: %d answers, %d of them spoilt %v; heap %d KB after %d runs, %d KB at the end; %d goroutines before, %d after",
		runs, time.Since(began).Round(time.Second), w.answers, w.spoilt(), w.faults, early>>10, first, late>>10, goroutines, runtime.NumGoroutine())
	assert.Empty(t, failed)
	assert.InDelta(t, 0.2, float64(w.spoilt())/float64(w.answers), 0.05)
	assert.Len(t, w.faults, len(passing()), "every fault was met with")
	assert.Less(t, late, early+soakGrowth)
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); { // those of closed connections end by and by
		runtime.Gosched()
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines, "goroutines are left")
	again := maps.Clone(s.visited)
	maps.DeleteFunc(again, func(_ string, times int) bool { return times == 1+runs })
	assert.Empty(t, again, "pages were asked for more or less often than once a run")
}

// The control: a Brain that makes do with half a reply, over the same server, does not end with the right files.
func TestSoakOfALenientBrain(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after the other")
	}
	t.Parallel()
	s := newSoak(t)
	s.brain = func(url string) agent.Brain { return newLenient(url) }
	right := s.sail(t, 0, soaked(s.site))
	require.NoError(t, right.err)
	assert.NotEmpty(t, s.runs(t, right, 1, 12))
}

func newSoak(t *testing.T) *soak {
	s := &soak{weather: weather{faults: map[string]int{}}, visited: map[string]int{}}
	site, err := agenttest.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.visited[r.URL.Path]++
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "Page %s\n\n%s", r.URL.Path, lines(1<<10, r.URL.Path, "harbours keep tables of high and low water so that pilots know when a ship may pass\n"))
	}))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, site.Close()) })
	s.site = site.URL
	return s
}

// landfall is what came of one run.
type landfall struct {
	files   string         // in sum
	effects map[string]int // how often each call was carried out
	steps   int
	err     error
}

// runs makes the runs of these numbers, several at a time, and says which did not end as they should.
func (s *soak) runs(t *testing.T, right landfall, from, to int) (failed []string) {
	var next atomic.Int64
	next.Store(int64(from - 1))
	var all sync.WaitGroup
	for range soakAtOnce {
		all.Go(func() {
			for n := int(next.Add(1)); n <= to; n = int(next.Add(1)) {
				got := s.sail(t, n, agenttest.Faulty(soaked(s.site), s.weather.over(uint64(n))))
				if why := got.differs(right); why != "" {
					s.mu.Lock()
					failed = append(failed, fmt.Sprintf("run %d: %s", n, why))
					s.mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return failed
}

func (l landfall) differs(right landfall) string {
	switch {
	case l.err != nil:
		return l.err.Error()
	case l.files != right.files:
		return "the files are others"
	case l.steps < right.steps:
		return fmt.Sprintf("%d steps are too few", l.steps)
	case !maps.Equal(l.effects, right.effects):
		var odd []string
		for call, times := range l.effects {
			if times != right.effects[call] {
				odd = append(odd, fmt.Sprintf("%s was carried out %d times instead of %d", call, times, right.effects[call]))
			}
		}
		return "calls were carried out more or less often than asked for: " + strings.Join(odd, "; ")
	}
	return ""
}

// sail is one run, in a folder and against a server of its own. Neither outlives it.
func (s *soak) sail(t *testing.T, n int, answer func(agenttest.Request) agenttest.Answer) (l landfall) {
	server, err := agenttest.Serve(answer)
	if err != nil {
		return landfall{err: err}
	}
	defer func() { l.err = errors.Join(l.err, server.Close()) }()
	dir := filepath.Join(t.TempDir(), fmt.Sprint(n))
	c := config(dir, server.URL)
	c.Brain = s.brain(server.URL)
	l.effects = map[string]int{}
	c.Observe = func(e agent.Event) {
		if acted, ok := e.(agent.Acted); ok && !acted.Failed {
			l.effects[acted.Call.Name+" "+acted.Call.Args]++
		}
	}
	result, err := run(t.Context(), c)
	if brain, ok := c.Brain.(*openai.Brain); ok {
		brain.Close()
	}
	switch {
	case err != nil:
		return landfall{err: err}
	case result.Reason != agent.Finished:
		return landfall{err: fmt.Errorf("it ended %s: %s", result.Reason, result.Text)}
	}
	l.files, l.steps = digest(snapshot(t, dir)), result.Steps
	l.err = os.RemoveAll(dir)
	return l
}

func (w *weather) spoilt() (n int) {
	for _, times := range w.faults {
		n += times
	}
	return n
}

// heap is what is in use when nothing runs.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
