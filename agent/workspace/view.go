package workspace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// view is what a writer knows of the files: each as it last saw or wrote it. A write starts from that
// version; what others wrote since is merged into it, or the write is refused. A person needs no view.
type view struct {
	seen    map[string]seen      // files as it last saw them
	pending map[string]intention // its writes that were under way when a run was cut off, by path
	telling map[string]seen      // what an unrecorded notice reports when a run was cut off
	made    map[string]bool      // files that it made
	written int                  // number of its changes to files other than dashboards
	news    []string             // other news, to be reported with the changes of files
	revived []agent.Fact         // the files among the news that were rewritten
}

func newView() view {
	return view{seen: map[string]seen{}, pending: map[string]intention{}, telling: map[string]seen{}, made: map[string]bool{}}
}

// seen is a file as the agent knows it: as it was shown it, or wrote it. Its text, the base of a merge or a
// diff, is found by its hash.
type seen struct {
	hash   string     // "" if the agent knows no text of it
	row    int64      // where in the history it is recorded
	theirs bool       // the text is a person's
	told   string     // hash of a text that the agent knows exists, but has not seen
	stat   store.Stat // if the file still has it, there is nothing new to report
}

// intention is a write that was under way when a run was cut off.
type intention struct {
	from, to string // hashes, as in the row of a file
	before   seen   // the file as the agent knew it then
	past     bool   // its writer has gone on, so a write of the same text is a new one
	stands   bool   // it took place, and a person edited the file after it
}

func (v *view) learn(from *view) {
	for p, theirs := range from.seen {
		known, left := v.seen[p], cmp.Or(theirs.hash, theirs.told)
		if layout.IsBoard(p) || !layout.Tracked(p) || left == "" || known.hash == left {
			continue
		}
		known.told, known.stat = left, store.Stat{}
		v.seen[p] = known
	}
}

// trackedFiles returns the files that are present and those that the writer saw, by name.
func (v *view) trackedFiles(present map[string]store.Stat) []string {
	paths := slices.Collect(maps.Keys(present))
	for p := range v.seen {
		if _, ok := present[p]; !ok && layout.Tracked(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// count tracks which files the writer made, by an entry of the journal.
func (v *view) count(e store.FileRow) {
	switch {
	case e.To == "":
		delete(v.made, e.Path)
	case e.From == "" && !layout.IsDashboard(e.Path):
		v.made[e.Path] = true
	}
}

// restore resets what the writer knows of a file to before a write that did not happen.
func (v *view) restore(p string, before seen) {
	if v.seen[p] = before; before.hash == "" {
		delete(v.seen, p)
	}
}

// after returns the file as its writer knows it after the entry's write. If it only knew that a text was
// there, it knows no more than that now.
func (v *view) after(e store.FileRow, row int64) seen {
	before := v.seen[e.Path].told
	if e.Known != nil && *e.Known == "" && before != "" && before == e.From && e.Over == "" {
		return seen{told: e.To}
	}
	return seenBy(e, row)
}

// seenBy returns the file as the agent knows it after the entry's write.
func seenBy(e store.FileRow, row int64) seen {
	switch {
	case e.Known == nil:
		return seen{hash: e.To, row: row, theirs: e.Theirs}
	case *e.Known == "":
		return seen{}
	}
	return seen{hash: store.Hash([]byte(*e.Known)), row: row, theirs: e.Theirs}
}

// brings reports whether a write advances the research.
func brings(e store.FileRow) bool { return !layout.IsDashboard(e.Path) && !e.Figures }
