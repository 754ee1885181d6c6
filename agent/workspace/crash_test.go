package workspace_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is a research as the disk sees it: each act is one call of an agent, whose result is put on record after it.
func script() []func(w *workspace.Workspace) error {
	body := func(n, size int) string {
		return strings.Repeat(fmt.Sprintf("%d, the tide follows the moon 潮\n", n), size/32)
	}
	acts := []func(w *workspace.Workspace) error{func(w *workspace.Workspace) error {
		return w.Begin(map[string]string{workspace.OverallFile: overall, workspace.CurrentFile: current, workspace.SettingsFile: "# none\n"})
	}}
	for n := range 6 {
		chapter, deep := fmt.Sprintf("Notebook/%02d.md", n%3), fmt.Sprintf("Notebook/deep/%d/x.md", n%2)
		acts = append(acts,
			func(w *workspace.Workspace) error { return source(w, n, body(n, 2000)) },
			func(w *workspace.Workspace) error { return errOf(w.Overwrite(chapter, body(n, 3000))) },
			func(w *workspace.Workspace) error { return w.Append(chapter, body(n, 100)) },
			func(w *workspace.Workspace) error { return source(w, 100+n, body(n, 300)) },
			func(w *workspace.Workspace) error {
				return setSection(w, workspace.Current, "learned", body(n, 700))
			},
			func(w *workspace.Workspace) error { return w.Append(deep, body(n, 1100)) },
			func(w *workspace.Workspace) error { return w.Insert(chapter, 2, body(n, 1500)) },
			func(w *workspace.Workspace) error { return errOf(w.Overwrite("report.md", body(n, 600))) },
		)
		if n%3 == 2 {
			acts = append(acts, func(w *workspace.Workspace) error { return w.Delete(deep) })
		}
		if n == 4 {
			acts = append(acts, func(w *workspace.Workspace) error { return errOf(w.Overwrite("empty.md", "")) })
		}
	}
	return acts
}

// firstWrite is the act that makes safe what was there before it.
const firstWrite = 3

func source(w *workspace.Workspace, n int, text string) error {
	_, err := w.AddSource(workspace.Source{URL: fmt.Sprintf("https://a.test/%d", n), Title: fmt.Sprintf("Page %d", n), Type: "text", Fetched: time.Unix(0, 0).UTC()}, fmt.Sprintf("%d\n%s", n, text))
	return err
}

// sessionLength is after how many acts the workspace is closed and opened again.
const sessionLength = 23

func resultOf(act int) string { return fmt.Sprintf("researcher/c%06d00 result", act) }

// play goes on with a script where the journal says that it was, and returns how many of its acts were acknowledged.
func play(w *workspace.Workspace, disk *crashDisk, acts []func(*workspace.Workspace) error, after func(done int)) (done int, err error) {
	for done < len(acts) && w.Journal().Recall(resultOf(done), new(string)) {
		done++
	}
	for ; done < len(acts); done++ {
		if err := acts[done](w); err != nil {
			return done, err
		}
		after(done + 1)
		if err := w.Journal().Record(resultOf(done), "done"); err != nil {
			return done + 1, err
		}
		if done%sessionLength == sessionLength-1 {
			if err := w.Close(); err != nil {
				return done + 1, err
			}
			w = workspace.OpenFs(disk)
			if err := w.Lock(); err != nil {
				return done + 1, err
			}
		}
	}
	return done, w.Close()
}

// hidden are files of writes that stand beside those that they are for.
func (d *crashDisk) hidden() (found []string) {
	for p := range d.files() {
		if strings.HasPrefix(path.Base(p), ".daybook-") {
			found = append(found, p)
		}
	}
	return found
}

// texts are the files of the agent on a disk, by their paths.
func (d *crashDisk) texts() map[string]string {
	found := d.files()
	maps.DeleteFunc(found, func(p, _ string) bool {
		return path.Base(p)[0] == '.' || path.Dir(p) == workspace.SourcesDir || !strings.HasSuffix(p, ".md")
	})
	return found
}

// files are all files on a disk, but those of the program's state.
func (d *crashDisk) files() map[string]string {
	found := map[string]string{}
	var walk func(at string, n *node)
	walk = func(at string, n *node) {
		for name, child := range n.names {
			switch p := path.Join(at, name); {
			case child.names != nil && name != ".daybook":
				walk(p, child)
			case child.names == nil:
				found[p] = string(child.data)
			}
		}
	}
	walk("", d.root)
	return found
}

// research is the script, played once: the files after each act, and how many calls of the file system it makes.
type research struct {
	plain  bool // on a disk that can not exchange files
	acts   []func(*workspace.Workspace) error
	states []map[string]string
	calls  int
}

func uncut(t *testing.T, plain bool) research {
	disk := newCrashDisk(0)
	disk.plain = plain
	r := research{plain: plain, acts: script(), states: []map[string]string{{}}}
	w := workspace.OpenFs(disk)
	require.NoError(t, w.Lock())
	_, err := play(w, disk, r.acts, func(int) { r.states = append(r.states, disk.texts()) })
	require.NoError(t, err)
	require.Len(t, r.states, len(r.acts)+1)
	r.calls = disk.calls
	return r
}

// cut plays the script and cuts the power, on a copy of the disk, before each call that is picked. It returns how often, and the first
// thing that is wrong after one.
func (r research) cut(seed int, pick func(call int) bool, left []remains, deaf func(string) bool) (cuts int, fault error) {
	disk := newCrashDisk(seed)
	acknowledged := 0
	disk.plain, disk.deaf, disk.before = r.plain, deaf, func() {
		call := disk.calls + 1
		if fault != nil || !pick(call) {
			return
		}
		kept := left[(call+seed)%len(left)]
		if err := r.survives(disk.copy(seed+call).afterCut(kept), acknowledged, kept, seed+call); err != nil {
			fault = fmt.Errorf("cut at call %d, after %d acts, keeping %s, seed %d: %w", call, acknowledged, kept, seed, err)
		}
		cuts++
	}
	w := workspace.OpenFs(disk)
	err := w.Lock()
	if err == nil {
		_, err = play(w, disk, r.acts, func(done int) { acknowledged = done })
	}
	return cuts, errors.Join(fault, err)
}

// survives looks at what a power cut left of the first acts. Of some cuts it plays the rest as well; in others the power is cut once more
// while the files are being put right.
func (r research) survives(disk *crashDisk, acknowledged int, left remains, seed int) error {
	if seed%3 == 0 {
		disk.cutAt = 1 + disk.dice.IntN(60)
		if w := workspace.OpenFs(disk); w.Lock() == nil {
			disk.cutAt = disk.calls + 1
		}
		disk = disk.afterCut(left)
	}
	w := workspace.OpenFs(disk)
	if err := w.Lock(); err != nil {
		return fmt.Errorf("opening again: %w", err)
	}
	if acknowledged < firstWrite {
		return nil // nothing is promised of a workspace in which nothing was written
	}
	if err := compare(disk.texts(), r.states[acknowledged], r.states[min(acknowledged+1, len(r.states)-1)]); err != nil || seed%4 > 0 {
		return err
	}
	if _, err := play(w, disk, r.acts, func(int) {}); err != nil {
		return fmt.Errorf("going on: %w", err)
	}
	if left := disk.hidden(); len(left) > 0 {
		return fmt.Errorf("%s is left behind", left)
	}
	final := r.states[len(r.states)-1]
	return compare(disk.texts(), final, final)
}

// compare says which file is neither as it was acknowledged nor as the act under way was to make it.
func compare(found, before, then map[string]string) error {
	for p, text := range found {
		old, was := before[p]
		next, will := then[p]
		if (!was || old != text) && (!will || next != text) {
			return fmt.Errorf("%s has %d bytes, neither the %d of before nor the %d of after", p, len(text), len(old), len(next))
		}
	}
	for p := range before {
		_, there := found[p]
		if _, will := then[p]; will && !there {
			return fmt.Errorf("%s is gone", p)
		}
	}
	return nil
}

// The power is cut at each call of the file system, and more of what was not synced is kept or less: no acknowledged write is lost, none
// is left in pieces, and the run that goes on ends with the same files. With DAYBOOK_FULL=1 it is cut over 20,000 times.
func TestPowerCuts(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	for name, plain := range ways {
		t.Run(name, func(t *testing.T) {
			r := uncut(t, plain)
			seeds, stride := 1, 7
			if os.Getenv("DAYBOOK_FULL") != "" {
				seeds, stride = 10000/r.calls+1, 1
			}
			cuts := 0
			for seed := range seeds {
				n, err := r.cut(seed, func(call int) bool { return (call+seed)%stride == 0 }, []remains{nothing, scattered, inOrder, all, scattered}, nil)
				require.NoError(t, err)
				cuts += n
			}
			t.Logf("%d power cuts at %d calls", cuts, r.calls)
			assert.Greater(t, cuts, seeds*(r.calls/stride)*9/10, "a slow run makes a few calls less, since it heeds what came out for less long")
		})
	}
}

// ways are those in which a file comes into the place of another: whether the disk cannot exchange files.
var ways = map[string]bool{"files are exchanged": false, "files are moved out of the way": true}

// The controls: without the syncs of folders, of the journal, or of the texts, the same test finds writes that are lost.
func TestPowerCutsAreFelt(t *testing.T) {
	r := uncut(t, false)
	for name, deaf := range map[string]func(name string) bool{
		"folders":     func(name string) bool { return !strings.Contains(path.Base(name), ".") || name == "." },
		"the journal": func(name string) bool { return path.Base(name) == "journal.jsonl" },
		"the texts":   func(name string) bool { return strings.Contains(name, ".daybook-tmp-") },
	} {
		t.Run(name, func(t *testing.T) {
			_, lost := r.cut(1, func(call int) bool { return call > r.calls/2 }, []remains{nothing, scattered}, deaf)
			assert.Error(t, lost)
			t.Log(lost)
		})
	}
}
