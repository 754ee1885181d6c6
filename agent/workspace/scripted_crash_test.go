package workspace_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/require"
)

// A power cut at each call of the file system of a whole run, made by an agent with its nested ones and their real actions. What is found
// after it is looked at, and then the run goes on to its end.

// absent is the version of a file that is not there.
const absent = "\x00"

// journey is the run without a cut: each version that a file had, in their order.
type journey struct {
	plain          bool
	versions       map[string][]string
	calls          int
	replies, pages int
}

var timeOfReading = regexp.MustCompile(`(?m)^fetched: .*$`)

// shown are the files that a person sees, without what tells one run from another.
func (d *crashDisk) shown() map[string]string {
	found := d.files()
	for p, text := range found {
		if path.Base(p)[0] == '.' {
			delete(found, p)
		} else if path.Dir(p) == workspace.SourcesDir {
			found[p] = timeOfReading.ReplaceAllString(text, "")
		}
	}
	return found
}

// trash is what was deleted, by the names that it has there.
func (d *crashDisk) trash() map[string]string {
	found := map[string]string{}
	if state, err := d.find(".daybook/trash"); err == nil {
		for name, n := range state.names {
			found[name] = string(n.data)
		}
	}
	return found
}

func (j *journey) see(disk *crashDisk) {
	for p, text := range disk.shown() {
		if of := j.versions[p]; of == nil {
			j.versions[p] = []string{absent, text}
		} else if of[len(of)-1] != text {
			j.versions[p] = append(of, text)
		}
	}
}

// seeAbsent also sees what is gone. In the midst of an action a file may be out of its place for an instant.
func (j *journey) seeAbsent(disk *crashDisk) {
	j.see(disk)
	for p, of := range j.versions {
		if _, err := disk.find(p); err != nil && of[len(of)-1] != absent {
			j.versions[p] = append(of, absent)
		}
	}
}

func travelled(t *testing.T, plain bool) (journey, map[string]string) {
	t.Helper()
	disk, l := newCrashDisk(0), &leader{}
	j := journey{plain: plain, versions: map[string][]string{}}
	disk.plain, disk.before = plain, func() { j.see(disk) }
	require.NoError(t, l.lead(disk, func(e agent.Event) {
		if _, ok := e.(agent.Acted); ok {
			j.seeAbsent(disk)
		}
	}))
	j.seeAbsent(disk)
	j.calls, j.replies, j.pages = disk.calls, l.replies, int(l.pages.Load())
	return j, disk.outcome()
}

// witness follows a run that is cut: at which version each file is, and at which it was when the last action was acknowledged.
type witness struct {
	journey
	final  map[string]string
	disk   *crashDisk
	leader *leader

	at, acknowledged map[string]int
	wrote            bool // an action that writes was acknowledged
	before           int  // sources were kept when that began, and are safe since
	sources          int
	paid             int // replies that were asked for before it

	cuts, recuts int
	most         int // replies asked for again after a cut
}

// follow takes note of what stands on the disk. ended is whether an action has come to its end.
func (w *witness) follow(ended bool) {
	found := w.disk.shown()
	for p, of := range w.versions {
		text, there := found[p]
		if next := w.at[p] + 1; next < len(of) && (there && of[next] == text || !there && of[next] == absent && ended) {
			w.at[p] = next
		}
	}
}

// hear acknowledges what an action did.
func (w *witness) hear(e agent.Event) {
	acted, ok := e.(agent.Acted)
	if !ok {
		return
	}
	w.follow(true)
	switch acted.Call.Name {
	case "visit_url":
		w.sources++ // and safe with the next write
		return
	case "read_file":
		return
	case "all_finished":
		if acted.Effect != agent.Finish {
			return // a note of the person's had no answer yet, and nothing was written
		}
	}
	w.wrote, w.before, w.paid = true, w.sources, w.leader.replies
	for p, at := range w.at {
		if path.Dir(p) != workspace.SourcesDir {
			w.acknowledged[p] = at
		}
	}
}

// cut leads the run and cuts the power, on a copy of the disk, before each call that is picked. It returns the first thing that is wrong
// after one.
func (w *witness) cut(seed int, pick func(call int) bool, left []remains, deaf func(string) bool) (fault error) {
	w.disk, w.leader = newCrashDisk(seed), &leader{}
	w.at, w.acknowledged, w.wrote, w.before, w.sources, w.paid = map[string]int{}, map[string]int{}, false, 0, 0, 0
	w.disk.plain, w.disk.deaf = w.plain, deaf
	w.disk.before = func() {
		w.follow(false)
		call := w.disk.calls + 1
		if fault != nil || !pick(call) {
			return
		}
		kept := left[(call+seed)%len(left)]
		if err := w.survives(w.disk.copy(seed+call).afterCut(kept), kept, seed+call); err != nil {
			fault = fmt.Errorf("cut at call %d, keeping %s, seed %d: %w", call, kept, seed, err)
		}
		w.cuts++
	}
	if err := w.leader.lead(w.disk, w.hear); err != nil && fault == nil {
		return err
	}
	return fault
}

// survives looks at what a power cut left, and goes on to the end. In some cases the power is cut once more, in the midst of that.
func (w *witness) survives(disk *crashDisk, left remains, seed int) error {
	if seed%3 == 0 {
		disk.cutAt = 1 + disk.dice.IntN(60)
		if w := workspace.OpenFs(disk); w.Lock() == nil {
			disk.cutAt = disk.calls + 1
		}
		disk = disk.afterCut(left)
		w.recuts++
	}
	onRecord, again := 0, &leader{}
	err := again.lead(disk, nil, func() error {
		onRecord = repliesOnRecord(disk)
		return w.kept(disk.shown(), onRecord, left)
	})
	if err != nil {
		return fmt.Errorf("going on: %w", err)
	}
	w.most = max(w.most, w.leader.replies+again.replies-w.replies)
	if again.replies > w.replies-onRecord {
		return fmt.Errorf("%d replies were asked for; the run takes %d, and %d were on record", again.replies, w.replies, onRecord)
	}
	if hidden := disk.hidden(); len(hidden) > 0 {
		return fmt.Errorf("%s is left behind", hidden)
	}
	return same(w.final, disk.outcome())
}

// repliesOnRecord counts the lines of them.
func repliesOnRecord(disk *crashDisk) int {
	n, err := disk.find(journal)
	if err != nil {
		return 0
	}
	count := 0
	for line := range bytes.Lines(n.data) {
		if bytes.Contains(line, []byte(` reply","v":`)) && bytes.Contains(line, []byte(`"calls":1,"in":100`)) { // a plain request asks no model
			count++
		}
	}
	return count
}

// kept says whether each file is as it was when the last action was acknowledged, or as the one under way makes it, and whether the replies
// that went before it are on record, or all of them when nothing was lost but what was under way.
func (w *witness) kept(found map[string]string, onRecord int, left remains) error {
	if w.wrote { // nothing is promised of a workspace in which nothing was written
		if err := w.filesKept(found); err != nil {
			return err
		}
	}
	if onRecord < w.paid || left == all && onRecord < w.leader.replies-1 {
		return fmt.Errorf("%d replies are on record of %d; %d were before a write", onRecord, w.leader.replies, w.paid)
	}
	return nil
}

func (w *witness) filesKept(found map[string]string) error {
	for _, p := range slices.Sorted(maps.Keys(w.versions)) {
		of := w.versions[p]
		text, there := found[p]
		if !there {
			text = absent
		}
		if path.Dir(p) == workspace.SourcesDir {
			continue
		}
		from, to := w.acknowledged[p], min(w.at[p]+2, len(of))
		ok := false
		for _, version := range of[from:to] {
			ok = ok || version == text
		}
		if !ok && !there {
			return fmt.Errorf("%s is gone, which was acknowledged", p)
		}
		if !ok {
			return fmt.Errorf("%s has %d bytes, and is none of its versions %d to %d", p, len(text), from, to-1)
		}
	}
	sources := 0
	for p := range found {
		if path.Dir(p) == workspace.SourcesDir {
			sources++
		}
	}
	if sources < w.before {
		return fmt.Errorf("%d sources are left of %d", sources, w.before)
	}
	return nil
}

// outcome is what a run ended with.
func (d *crashDisk) outcome() map[string]string {
	found := d.shown()
	maps.Copy(found, d.trash())
	return found
}

// same says whether a run ended with the files with which another did.
func same(final, found map[string]string) error {
	for p, text := range final {
		if is, ok := found[p]; !ok || is != text {
			return fmt.Errorf("%s ends with %d bytes in place of %d", p, len(is), len(text))
		}
	}
	for p := range found {
		if _, ok := final[p]; !ok {
			return fmt.Errorf("%s is there at the end, and should not", p)
		}
	}
	return nil
}

// An agent's run is cut at each call of the file system: no acknowledged write is lost, the run that goes on asks for no reply again that
// is on record, and ends with the same files. With DAYBOOK_FULL=1 it is cut over 20,000 times.
func TestARunIsCutAtEachCall(t *testing.T) {
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, final := travelled(t, plain)
			w := &witness{journey: j, final: final}
			least, stride := 60, 31
			if testing.Short() { // under the race detector: one goroutine works for long
				least, stride = 6, 307
			}
			if os.Getenv("DAYBOOK_FULL") != "" {
				least, stride = 10_000, 1
			}
			for seed := 0; w.cuts < least; seed++ { // a slow run makes fewer calls, since it heeds what came out for less long
				require.NoError(t, w.cut(seed, func(call int) bool { return (call+seed)%stride == 0 }, []remains{nothing, scattered, inOrder, all, scattered}, nil))
			}
			t.Logf("%d power cuts at %d calls, %d of them cut once more; the run takes %d replies and %d pages; after a cut at most %d replies are asked for again", w.cuts, j.calls, w.recuts, j.replies, j.pages, w.most)
		})
	}
}

// The controls: without the syncs of folders, or of the journal, the same test finds what was acknowledged and is lost.
func TestWhatTheCutsOfARunAreFeltBy(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	j, final := travelled(t, false)
	for name, deaf := range map[string]func(name string) bool{
		"no sync of folders":     func(name string) bool { return !strings.Contains(path.Base(name), ".") || name == "." },
		"no sync of the journal": func(name string) bool { return name == journal },
	} {
		t.Run(name, func(t *testing.T) {
			w := &witness{journey: j, final: final}
			lost := w.cut(1, func(call int) bool { return call > j.calls/2 && call%5 == 0 }, []remains{nothing, scattered}, deaf)
			require.ErrorContains(t, lost, "opened: ", "what was acknowledged is looked for as soon as it is opened")
			t.Log(lost)
		})
	}
}
