package workspace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// view is what a writer knows of the files: as it saw or wrote each of them last. A write is made from that
// version, and what others wrote since is merged into it or refuses it. A person needs none.
type view struct {
	seen    map[string]seen      // files as it last saw them
	pending map[string]intention // its writes that were under way when a run was cut off, by path
	telling map[string]seen      // what a notice tells that was not on record when a run was cut off
	made    map[string]bool      // files that it made
	written int                  // its changes of files that are no dashboards
	news    []string             // what happened besides changes of files, to be told with these
	revived []agent.Fact         // the files among the news that were written again
}

func newView() view {
	return view{seen: map[string]seen{}, pending: map[string]intention{}, telling: map[string]seen{}, made: map[string]bool{}}
}

// seen is a file as the agent knows it: as it was shown it, or as it wrote it. Its text, the base of a merge or
// a diff, is found by its hash.
type seen struct {
	hash   string     // "" when the agent knows no text of it
	row    int64      // where in the history that stands
	theirs bool       // the text is a person's
	told   string     // hash of a text of which the agent knows that it is there, and not what it says
	stat   store.Stat // when it is what the file has now, there is nothing new to tell
}

// intention is a write that was under way when a run was cut off.
type intention struct {
	from, to string // hashes, as in a row of a file
	before   seen   // the file as the agent knew it then
	past     bool   // whoever wrote it is done, so that a write of the same text is another
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

// trackedFiles are those that are there and those that its owner saw, in the order of their names.
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

// count follows which files its owner made, by an entry of the journal.
func (v *view) count(e store.FileRow) {
	switch {
	case e.To == "":
		delete(v.made, e.Path)
	case e.From == "" && !layout.IsDashboard(e.Path):
		v.made[e.Path] = true
	}
}

// restore has its owner know a file as before a write that came to nothing.
func (v *view) restore(p string, before seen) {
	if v.seen[p] = before; before.hash == "" {
		delete(v.seen, p)
	}
}

// after is the file as its writer knows it when the entry's write is done. What it was told is there, and not
// what it says, it knows so still.
func (v *view) after(e store.FileRow, row int64) seen {
	before := v.seen[e.Path].told
	if e.Known != nil && *e.Known == "" && before != "" && before == e.From && e.Over == "" {
		return seen{told: e.To}
	}
	return seenBy(e, row)
}

// seenBy is the file as the agent knows it when the entry's write is done.
func seenBy(e store.FileRow, row int64) seen {
	switch {
	case e.Known == nil:
		return seen{hash: e.To, row: row, theirs: e.Theirs}
	case *e.Known == "":
		return seen{}
	}
	return seen{hash: store.Hash([]byte(*e.Known)), row: row, theirs: e.Theirs}
}

// brings reports whether a write brings the research on.
func brings(e store.FileRow) bool { return !layout.IsDashboard(e.Path) && !e.Figures }
