package workspace

import (
	"errors"
	"io/fs"
	"maps"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// meet records the state of a file that the program comes upon, for a check or a change, if a person left it
// different from the record: without it, a replay could not explain what follows. The agent is told later.
// w.mu is held.
func (w *Workspace) meet(p string, data []byte, exists bool) error {
	if w.journal == nil || store.CopyOf(p) != p || !utf8.ValidString(p) || !layout.Tracked(p) && layout.Writable(p) != nil {
		return nil // a file that cannot be written needs no record; a copy has words of both
	}
	p, err := w.fs.Real(p)
	if err != nil {
		return err
	}
	e := store.EntryOf(p, "", "", data)
	if exists {
		e.To = store.Hash(data)
	}
	if w.journal.files.Last(p) == e.To {
		return nil
	}
	e.Found = true
	_, err = w.enter(store.KeyMet, e)
	return err
}

// find is load that records what it finds.
func (w *Workspace) find(p string) (data []byte, exists bool, err error) {
	if data, exists, err = w.load(p); err == nil {
		err = w.meet(p, data, exists)
	}
	return data, exists, err
}

// await is look that records what it finds.
func (w *Workspace) await(p string) (data []byte, info fs.FileInfo, err error) {
	if data, info, err = w.look(p); err == nil {
		err = w.meet(p, data, info != nil)
	}
	return data, info, err
}

// missed is missing that records it, for callers that do not hold w.mu.
func (w *Workspace) missed(p string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.meet(p, nil, false); err != nil {
		return err
	}
	return w.missing(p)
}

// meetGone is meet for the files that the person and the agent both write and that exist in the record but
// not in the folder. It skips those known to be present.
func (w *Workspace) meetGone(present map[string]store.Stat) error {
	if w.journal == nil {
		return nil
	}
	for _, p := range w.journal.files.Standing(present) {
		if _, err := w.fs.Lstat(p); !layout.Tracked(p) || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := w.meet(p, nil, false); err != nil {
			return err
		}
	}
	return nil
}

// markSeen records that the agent was shown a file, unless it has already seen this very text. It is unknown
// when the file had this text, so the next look for changes sets its stat. w.mu is held.
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
		return w.meet(p, data, true) // it may have had another text meanwhile
	}
	row, err := w.enter(store.KeySeen, store.EntryOf(p, "", h, data))
	if err != nil {
		return err
	}
	w.seen[p] = seen{hash: h, row: row, theirs: !w.isOurs(p, h)}
	return nil
}

// isOurs reports whether a text of a file is an agent's, as a writer left or found it.
func (f *folder) isOurs(p, hash string) bool {
	for _, of := range f.writers {
		if now := of.seen[p]; now.hash == hash && !now.theirs {
			return true
		}
	}
	return false
}

// show records that the agent is shown the current text of a file. w.mu is held.
func (w *Workspace) show(p string, data []byte) error {
	if layout.Writable(p) == nil || layout.Tracked(p) { // what cannot be written need not be remembered
		return w.markSeen(p, data)
	}
	return nil
}

// markOwn records that a file has a text of the program's own.
func (w *Workspace) markOwn(p string, data []byte) (store.FileRow, error) {
	e := store.EntryOf(p, "", store.Hash(data), data)
	e.Own = true
	row, err := w.enter(store.KeySeen, e)
	w.seen[p] = seen{hash: e.To, row: row}
	return e, err
}

// forget records that a file is gone, for its writer. notice means that a notice reports the change.
func (w *Workspace) forget(p string, notice bool) error {
	delete(w.seen, p)
	_, err := w.enter(store.KeySeen, store.FileRow{Path: p, Notice: notice})
	return err
}

// inherit tells a writer that a file it was given is unchanged since another writer left it, if that is so:
// nothing in it is then reported as a person's. w.mu is held.
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

// forgetFiles makes all writers forget files that are archived.
func (w *Workspace) forgetFiles(files ...string) {
	for _, of := range w.writers {
		for _, p := range files {
			delete(of.seen, p)
			delete(of.made, p)
		}
	}
}

// begun forgets what was kept of the earlier research, and its writers.
func (w *Workspace) begun() {
	clear(w.kept)
	maps.DeleteFunc(w.writers, func(name string, _ *Workspace) bool { return name != "" })
}
