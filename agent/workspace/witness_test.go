package workspace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// witness follows a run that is cut: at which version each file is, and at which it was when the last action
// of its owner was acknowledged. Its state is guarded by its disk.
type witness struct {
	journey
	final  map[string]string
	disk   *crashDisk
	player player

	at, acknowledged map[string]int
	wrote            bool                // an action that writes was acknowledged
	brought          map[string][]string // by owner: pages and queries whose results no write made safe yet
	safe             map[string]bool     // those that one did
	replied, paid    map[string]int      // by owner: replies, and those before a write

	cuts, recuts int
	most         int // replies asked for again after a cut
}

// follow takes note of what stands on the disk. ended is whether an action of the owner has come to its end.
func (w *witness) follow(ended bool, owner string) {
	found := w.disk.shown()
	for p, of := range w.versions {
		text, there := found[p]
		if next := w.at[p] + 1; next < len(of) &&
			(there && of[next] == text || !there && of[next] == absent && ended && ownerOf(p) == owner) {
			w.at[p] = next
		}
	}
}

// hear acknowledges what an action did.
func (w *witness) hear(e agent.Event) {
	w.disk.mu.Lock()
	defer w.disk.mu.Unlock()
	who := ownerOf(e.Where().Agent)
	acted, ok := e.(agent.Acted)
	if replied, ok := e.(agent.Replied); ok {
		w.replied[who] += replied.Usage.Calls // a plain request asks no model
	}
	if !ok {
		return
	}
	w.follow(true, who)
	switch acted.Call.Name {
	case "visit_url", "web_search": // and safe with the next write
		w.brought[who] = append(w.brought[who], wanted(acted.Call))
		return
	case "read_file", "chapter_finished", "research_chapters":
		return
	case "all_finished":
		if acted.Effect != agent.Finish {
			return // a note of the person's had no answer yet, and nothing was written
		}
	}
	w.wrote, w.paid[who] = true, w.replied[who]
	for _, what := range w.brought[who] {
		w.safe[what] = true
	}
	w.brought[who] = nil
	for p, at := range w.at {
		if path.Dir(p) != workspace.SourcesDir && ownerOf(p) == who {
			w.acknowledged[p] = at
		}
	}
}

// wanted is the page or the query that a call asks for.
func wanted(c agent.Call) string {
	var in struct{ URL, Query string }
	if err := json.Unmarshal([]byte(c.Args), &in); err != nil {
		return err.Error()
	}
	return in.URL + in.Query
}

// cut leads the run and cuts the power, on a copy of the disk, before each call that is picked. It returns
// the first thing that is wrong after one.
func (w *witness) cut(
	seed int,
	pick func(call int) bool,
	left []remains,
	deaf func(string) bool,
) (fault error) {
	w.disk = w.journey.disk(seed)
	w.player = w.cast(w.disk)
	w.at, w.acknowledged, w.wrote, w.paid, w.replied =
		map[string]int{}, map[string]int{}, false, map[string]int{}, map[string]int{}
	w.brought, w.safe = map[string][]string{}, map[string]bool{}
	w.disk.deaf = deaf
	w.disk.before = func() {
		w.follow(false, "")
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
	if err := lead(w.player, w.disk, w.hear); err != nil && fault == nil {
		return err
	}
	return fault
}

// survives looks at what a power cut left, and goes on to the end. In some cases the power is cut once more,
// in the midst of that.
func (w *witness) survives(disk *crashDisk, left remains, seed int) error {
	if seed%3 == 0 {
		disk.cutAt = 1 + disk.dice.IntN(60)
		if w := workspace.OpenFs(disk); w.Lock() == nil {
			disk.cutAt = disk.calls + 1
		}
		disk = disk.afterCut(left)
		w.recuts++
	}
	onRecord, asked, again := 0, w.player.counted().askedFor(), w.cast(disk)
	err := lead(again, disk, nil, func() error {
		on := repliesOnRecord(disk)
		for _, n := range on {
			onRecord += n
		}
		return w.kept(disk.shown(), on, asked, onRecord, left)
	})
	if err != nil {
		return fmt.Errorf("going on: %w", err)
	}
	replies := again.counted().replies
	w.most = max(w.most, asked+replies-w.replies)
	if replies > w.replies-onRecord {
		return fmt.Errorf("%d replies were asked for; the run takes %d, and %d were on record", replies,
			w.replies, onRecord)
	}
	for what := range w.safe {
		if again.counted().fetched[what] > 0 {
			return fmt.Errorf("%s was fetched again, and had been before an acknowledged write", what)
		}
	}
	if hidden := disk.hidden(); len(hidden) > 0 {
		return fmt.Errorf("%s is left behind", hidden)
	}
	return same(w.final, disk.outcome())
}

// repliesOnRecord counts the lines of them, by who got them.
func repliesOnRecord(disk *crashDisk) map[string]int {
	n, err := disk.find(journal)
	if err != nil {
		return nil
	}
	count := map[string]int{}
	for line := range bytes.Lines(n.data) {
		key, _, is := bytes.Cut(line, []byte(` reply","v":`))
		if is && bytes.Contains(line, []byte(`"calls":1,"in":100`)) { // a plain request asks no model
			count[ownerOf(string(key))]++
		}
	}
	return count
}

// kept says whether each file is as it was when the last action of its owner was acknowledged, or as the one
// under way makes it, and whether the replies that went before it are on record, or all of them when nothing
// was lost but what was under way.
func (w *witness) kept(found map[string]string, by map[string]int, asked, onRecord int, left remains) error {
	if w.wrote { // nothing is promised of a workspace in which nothing was written
		if err := w.filesKept(found); err != nil {
			return err
		}
	}
	for who, paid := range w.paid {
		if by[who] < paid {
			return fmt.Errorf("%d replies to %q are on record; %d were before a write", by[who], who, paid)
		}
	}
	if left == all && onRecord < asked-w.underWay() {
		return fmt.Errorf("%d replies are on record of %d", onRecord, asked)
	}
	return nil
}

// underWay is how many replies may have been asked for that are not on record.
func (w *witness) underWay() int {
	if w.anyOrder {
		return sideBySide
	}
	return 1
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
			return fmt.Errorf("%s has %d bytes, and is none of its versions %d to %d", p, len(text),
				from, to-1)
		}
	}
	sources, before := 0, 0
	for p := range found {
		if path.Dir(p) == workspace.SourcesDir {
			sources++
		}
	}
	for what := range w.safe {
		if strings.Contains(what, ":") { // no query
			before++
		}
	}
	if sources < before {
		return fmt.Errorf("%d sources are left of %d", sources, before)
	}
	return nil
}
