package workspace_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A power cut at each call of the file system of a whole run, made by an agent with its nested ones and their real actions. What is found
// after it is looked at, and then the run goes on to its end.

// absent is the version of a file that is not there.
const absent = "\x00"

// journey is the run without a cut: each version that a file had, in their order.
type journey struct {
	plain, anyOrder bool // of its disk
	cast            func(*crashDisk) player
	versions        map[string][]string
	calls           int
	replies         int
	pages           int // and queries
}

var (
	timeOfReading = regexp.MustCompile(`(?m)^fetched: .*$`)
	idOfSource    = regexp.MustCompile(`(?m)^id: .*$`)
	sourceName    = regexp.MustCompile(`^s0*(\d+)-(.*)$`)
	cited         = regexp.MustCompile(`\[s\d+`)
	chapterOf     = regexp.MustCompile(`chapter\d`)
)

// ownerOf is the chapter whose a file or an agent is, "" for the researcher's.
func ownerOf(name string) string { return chapterOf.FindString(name) }

// shown are the files that a person sees, without what tells one run from another.
func (d *crashDisk) shown() map[string]string {
	found := map[string]string{}
	names := map[string]string{} // of sources that come in any order, by what cites them
	for p, text := range d.files() {
		m := sourceName.FindStringSubmatch(path.Base(p))
		switch {
		case path.Base(p)[0] == '.':
			continue
		case path.Dir(p) == workspace.SourcesDir && d.anyOrder && m != nil:
			names["[s"+m[1]] = "[" + m[2]
			p = path.Join(workspace.SourcesDir, m[2])
		}
		if path.Dir(p) == workspace.SourcesDir {
			text = d.timeless(text)
		}
		found[p] = text
	}
	for p, text := range found {
		if d.anyOrder && strings.Contains(text, "[s") {
			found[p] = cited.ReplaceAllStringFunc(text, func(ref string) string { return cmp.Or(names[ref], ref) })
		}
	}
	return found
}

// timeless is a source's file without the time of reading, and without its number where that may be any. It is
// asked for at each call of the file system, so each text is made once.
func (d *crashDisk) timeless(text string) string {
	if made, ok := d.made[text]; ok {
		return made
	}
	made := timeOfReading.ReplaceAllString(text, "")
	if d.anyOrder {
		made = idOfSource.ReplaceAllString(made, "")
	}
	if d.made == nil {
		d.made = map[string]string{}
	}
	d.made[text] = made
	return made
}

// trash is what was deleted, by the names that it has there, and not what a cut left of the journal's end.
func (d *crashDisk) trash() map[string]string {
	found := map[string]string{}
	if state, err := d.find(".daybook/trash"); err == nil {
		for name, n := range state.names {
			if !strings.HasSuffix(name, "-.daybook%2Fjournal.jsonl") {
				found[name] = string(n.data)
			}
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

// seeAbsent also sees which files of an owner are gone. In the midst of an action a file may be out of its place for an instant.
func (j *journey) seeAbsent(disk *crashDisk, owner string) {
	j.see(disk)
	for p, of := range j.versions {
		if path.Dir(p) == workspace.SourcesDir || ownerOf(p) != owner {
			continue
		}
		if _, err := disk.find(p); err != nil && of[len(of)-1] != absent {
			j.versions[p] = append(of, absent)
		}
	}
}

// disk is a new one for the run.
func (j *journey) disk(seed int) *crashDisk {
	disk := newCrashDisk(seed)
	disk.plain, disk.anyOrder = j.plain, j.anyOrder
	return disk
}

func (j journey) travelled(t *testing.T) (journey, map[string]string) {
	t.Helper()
	disk := j.disk(0)
	l := j.cast(disk)
	j.versions = map[string][]string{}
	disk.before = func() { j.see(disk) }
	require.NoError(t, lead(l, disk, func(e agent.Event) {
		if _, ok := e.(agent.Acted); ok {
			disk.mu.Lock()
			defer disk.mu.Unlock()
			j.seeAbsent(disk, ownerOf(e.Where().Agent))
		}
	}))
	j.seeAbsent(disk, "")
	j.calls, j.replies, j.pages = disk.calls, l.counted().replies, len(l.counted().fetched)
	return j, disk.outcome()
}

func travelled(t *testing.T, plain bool) (journey, map[string]string) {
	t.Helper()
	return journey{plain: plain, cast: func(*crashDisk) player { return &leader{} }}.travelled(t)
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
			least, stride := 24, 79
			if testing.Short() { // under the race detector: one goroutine works for long
				least, stride = 2, 1031
			}
			if os.Getenv("DAYBOOK_FULL") != "" {
				least, stride = 10_000, 1
			}
			for seed := 0; w.cuts < least; seed++ { // a slow run makes fewer calls, since it heeds what came out for less long
				require.NoError(t, w.cut(seed, func(call int) bool { return (call+seed)%stride == 0 }, []remains{nothing, scattered, inOrder, all, scattered}, nil))
			}
			assert.LessOrEqual(t, w.most, 1, "what is asked for again was under way")
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
