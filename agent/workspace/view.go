package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// view is what a writer knows of the files: as it saw or wrote each of them last. A write is made from that
// version, and what others wrote since is merged into it or refuses it. The workspace has one, the agent's; a
// person needs none, since what stands in the folder is theirs.
type view struct {
	seen    map[string]seen      // files as it last saw them
	pending map[string]intention // its writes that were under way when a run was cut off, by path
	made    map[string]bool      // files that it made
	written int                  // its changes of files that are no dashboards
	revived []string             // dashboards that were deleted in this run, to be told to it
}

func newView() view {
	return view{seen: map[string]seen{}, pending: map[string]intention{}, made: map[string]bool{}}
}

// seen is a file as the agent knows it: as it was shown it, or as it wrote it. The journal holds the text, as
// the base of a merge or a diff.
type seen struct {
	hash   string // "" when the agent knows no text of it
	entry  store.Span
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

// enter puts a row of a file on record, as this writer's.
func (w *Workspace) enter(key string, row store.FileRow) (store.Span, error) {
	if row.By == "" {
		row.By = w.writer
	}
	return w.journal.append(key, row)
}

// As is the workspace as another writer sees it, who has the name of its agent on record and may write the files
// that are given, and no others. It knows what it was shown and wrote itself, and a dashboard as whoever wrote
// those files before it left that; all else is shared.
func (w *Workspace) As(writer string, files ...string) *Workspace {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.as(writer)
	of.own = files
	for _, p := range files {
		board, last := BoardOf(p).File, seen{}
		for _, before := range w.writers {
			if now := before.seen[board]; now.hash != "" && now.entry.Start >= last.entry.Start {
				last = now
			}
		}
		if of.seen[board].hash == "" && last.hash != "" {
			of.seen[board] = last
		}
	}
	return of
}

// LearnOf tells this writer which files the agents nested in a call wrote, and not what is in them. What a
// person changed in these files since is still to be told.
func (w *Workspace) LearnOf(call string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, of := range w.writers {
		if strings.HasPrefix(name, call+"/") {
			w.learn(&of.view)
		}
	}
}

func (v *view) learn(from *view) {
	for p, theirs := range from.seen {
		known, left := v.seen[p], cmp.Or(theirs.hash, theirs.told)
		if isBoard(p) || !tracked(p) || left == "" || known.hash == left {
			continue
		}
		known.told, known.stat = left, store.Stat{}
		v.seen[p] = known
	}
}

// inherit has a writer know of a file that it was given that it is as another writer left it, if it is: nothing in
// it is then told as a person's. w.mu is held.
func (w *Workspace) inherit(p string) error {
	data, exists, err := w.load(p)
	if _, known := w.seen[p]; err != nil || known || !exists {
		return err
	}
	h := store.Hash(data)
	for _, of := range w.writers {
		if left := of.seen[p]; left.hash == h || left.told == h {
			w.seen[p] = seen{told: h}
			_, err := w.enter(store.KeyTold, store.FileRow{Path: p, To: h})
			return err
		}
	}
	return nil
}

func (w *Workspace) as(writer string) *Workspace {
	if w.writers[writer] == nil {
		w.writers[writer] = &Workspace{folder: w.folder, view: newView(), writer: writer}
	}
	return w.writers[writer]
}

// trackedFiles are those that are there and those that its owner saw, in the order of their names.
func (v *view) trackedFiles(present map[string]store.Stat) []string {
	paths := make([]string, 0, len(present)+1)
	for p := range present {
		paths = append(paths, p)
	}
	for p := range v.seen {
		if _, ok := present[p]; !ok && tracked(p) {
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
	case e.From == "" && isWork(e.Path):
		v.made[e.Path] = true
	}
}

// tellRevived says which dashboards were brought back since the last time.
func (v *view) tellRevived() string {
	var told strings.Builder
	for _, p := range v.revived {
		fmt.Fprintf(&told, "\n%s was deleted, and was written again as it was last, since there is no research without it.\n", p)
	}
	v.revived = nil
	return told.String()
}

// known is what the agent knows of a file after a write into which an edit is merged that it was not shown:
// what it wrote on what it knew. The edit is then still to be told, and what it touches is still the
// person's.
func (w *Workspace) known(p string, remake remake) (*string, error) {
	before, ok := w.seenText(p)
	if !ok {
		return new(string), nil // nothing, of a file that it never saw
	}
	data, err := remake(p, []byte(before), true)
	text := string(data)
	return &text, err
}

// after is the file as its writer knows it when the entry's write is done. What it was told is there, and not
// what it says, it knows so still.
func (v *view) after(e store.FileRow, at store.Span) seen {
	before := v.seen[e.Path].told
	if e.Known != nil && *e.Known == "" && before != "" && before == e.From && e.Over == "" {
		return seen{told: e.To}
	}
	return seenBy(e, at)
}

// seenBy is the file as the agent knows it when the entry's write is done.
func seenBy(e store.FileRow, at store.Span) seen {
	switch {
	case e.Known == nil:
		return seen{hash: e.To, entry: at, theirs: e.Theirs}
	case *e.Known == "":
		return seen{}
	}
	return seen{hash: store.Hash([]byte(*e.Known)), entry: at, theirs: e.Theirs}
}

// InFlight reports whether a file stands as its last write left it and the result of whoever wrote it is not
// on record: a run was cut off between the two. The same call, when it is made again, finds its write done.
func (w *Workspace) InFlight(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.fs.Real(name)
	under, ok := w.pending[p]
	if err != nil || !ok || under.past {
		return false
	}
	data, exists, err := w.load(p)
	return err == nil && exists && store.Hash(data) == under.to
}

// Baseline takes the files as they stand for seen, in a workspace without a record of what the agent saw.
func (w *Workspace) Baseline() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) > 0 {
		return nil
	}
	present, err := w.present()
	if err != nil {
		return err
	}
	for _, p := range w.trackedFiles(present) {
		if data, exists, err := w.load(p); err == nil && exists { // what cannot be read is told at the start
			if err := w.markSeen(p, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// markSeen puts on record that the agent was shown a file, unless it is known to have seen just this. When
// the file had this text is not known here, so its stat is left to the next look for changes. w.mu is held.
func (w *Workspace) markSeen(p string, data []byte) error {
	if w.journal == nil {
		return nil
	}
	h := store.Hash(data)
	p, err := w.fs.Real(p)
	if err != nil {
		return err
	}
	if s, ok := w.seen[p]; ok && s.hash == h {
		return w.meet(p, data, true) // it may have been another meanwhile
	}
	at, err := w.enter(store.KeySeen, store.EntryOf(p, "", h, data))
	if err != nil {
		return err
	}
	ours := false
	for _, of := range w.writers {
		ours = ours || of.left(p, h)
	}
	w.seen[p] = seen{hash: h, entry: at, theirs: !ours}
	return nil
}

// left reports whether a text of a file is an agent's, as its writer left or found it.
func (v *view) left(p, hash string) bool { return v.seen[p].hash == hash && !v.seen[p].theirs }

// seenText is the text of a file as the agent last saw it, if it is kept.
func (w *Workspace) seenText(p string) (string, bool) {
	s, ok := w.seen[p]
	if !ok || s.hash == "" {
		return "", false
	}
	return w.textAt(s.entry, s.hash) // without a base there is no merge, and the write is refused
}

// textAt is the text of which the journal holds an entry, if it is the one with this hash.
func (w *Workspace) textAt(at store.Span, sum string) (string, bool) {
	if w.journal == nil {
		return "", false
	}
	e, err := w.fs.FileAt(at)
	text := e.Text
	if e.Known != nil {
		text = *e.Known
	}
	return text, err == nil && store.Hash([]byte(text)) == sum
}
