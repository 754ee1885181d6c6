package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// putRight repairs what a run left behind that was cut off by a kill or a power cut. w.mu is held.
//
// First come files left next to their originals: a person's text is set aside, and a displaced file goes
// back. Then the page that was being kept is written, and writes whose files are unchanged are recorded as
// undone. If putRight itself is cut off, the next run repeats these steps.
func (w *Workspace) putRight(state journalState) error {
	if err := w.removeLeft(state); err != nil {
		return err
	}
	// a page that was not written before a kill, unless it was too long for the journal: its number is on
	// record
	if v := state.placing; v != nil && v.Text != "" {
		_, err := w.fs.Lstat(v.Path)
		if errors.Is(err, fs.ErrNotExist) {
			err = store.Ignore(store.ErrSaved, w.placeNew(*v, []byte(v.Text)))
		}
		if err != nil {
			return err
		}
	}
	for _, of := range w.writers {
		if err := of.forgetUnwritten(); err != nil {
			return err
		}
	}
	return nil
}

// removeLeft removes the temporary files of writes that were cut off, and checks the displaced files.
func (w *Workspace) removeLeft(state journalState) error {
	dirs := map[string]bool{".": true, NotebookDir: true, SourcesDir: true, store.StateDir: true, store.AsideDir: true}
	known := map[string]bool{} // files of all writers
	for _, of := range w.writers {
		for p := range of.seen {
			dirs[path.Dir(p)], known[p] = true, true
		}
		for p := range of.pending {
			dirs[path.Dir(p)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		entries, err := w.fs.ReadDir(dir)
		if err != nil && dir != "." {
			continue // a person made something else of it, and nothing of ours is in it
		}
		if err != nil {
			return fmt.Errorf("listing the workspace: %w", err)
		}
		for _, e := range entries {
			at := path.Join(dir, e.Name())
			if strings.HasPrefix(e.Name(), store.TempPrefix) && e.Mode().IsRegular() {
				w.removeOld(at)
				// otherwise it is not one of our files
			} else if p := store.StagedFor(at, maps.Keys(known)); p != "" && !store.Hidden(p) {
				if err := w.recoverStaged(state, p, at); err != nil {
					return fmt.Errorf("looking at what a cut-off write left of %s: %w", p, err)
				}
			}
		}
	}
	return nil
}

// recoverStaged handles a file that is not in its place. One whose text is on record is removed; an unknown
// one is a person's, and is set aside for them. The text that a write started from need not be in the
// journal: it is known as long as the file that came of it exists.
func (w *Workspace) recoverStaged(state journalState, p, at string) error {
	data, _, err := readOut(w.fs, at)
	if err != nil {
		return nil // not a text of ours, and so not ours to touch
	}
	now, exists, err := w.load(p)
	text := version{p, store.Hash(data)}
	switch {
	case err != nil: // a person made something else of it
	case !exists && w.cameFrom(p, text.hash):
		// cut off between moving it out and putting the new one in
		return store.Ignore(fs.ErrExist, w.fs.RenameNew(at, p))
	case exists && (bytes.Equal(now, data) || state.base[text]), state.wrote[text]:
		w.removeOld(at)
		return nil
	}
	return w.keepWaiting(at, p)
}

// cameFrom reports whether a cut-off write started from this text of a file, or a writer saw it last.
func (w *Workspace) cameFrom(p, hash string) bool {
	for _, of := range w.writers {
		if under, cut := of.pending[p]; cut && under.from == hash || of.seen[p].hash == hash {
			return true
		}
	}
	return false
}

// forgetUnwritten undoes recorded writes that a kill prevented: the agent knows the unchanged files as they
// were, and that is nobody's edit. If a person has edited a file since, their text shows whether the write
// came before.
func (w *Workspace) forgetUnwritten() error {
	for p, under := range w.pending {
		data, exists, err := w.load(p)
		now := ""
		if exists {
			now = store.Hash(data)
		}
		switch {
		case err != nil || now == under.to || under.stands:
		// it is revived with its last recorded text
		case exists && (p == OverallFile || p == CurrentFile) && !readableText(data):
		case exists && now != under.from && w.isWritten(under, string(data)):
			under.stands = true
			w.pending[p] = under
		case exists || now == under.from:
			if err := w.undo(p); err != nil {
				return err
			}
			w.restore(p, under.before)
		}
	}
	return nil
}

// isWritten reports whether a text that a person edited was made from the result of a write, and not from the
// text before it. It has most of the lines that the write added or, if there are none, lacks most of those
// that it removed. In doubt it was not: then the write is repeated, and merged with theirs or refused with
// both shown. A write wrongly assumed done would be lost unnoticed.
func (w *Workspace) isWritten(under intention, now string) bool {
	before, known := "", true
	if under.from != "" { // otherwise there was no file
		before, known = w.fs.Text(under.from)
	}
	after, ok := w.fs.Text(under.to)
	if !known || !ok {
		return false
	}
	wrote, theirs := markdown.LinesOver(before, after), markdown.LinesOver(before, now)
	added, has, taken, lacks := 0, 0, 0, 0
	for line, n := range wrote {
		if n > 0 {
			added, has = added+n, has+min(n, max(theirs[line], 0))
		} else {
			taken, lacks = taken-n, lacks+min(-n, max(-theirs[line], 0))
		}
	}
	if added > 0 {
		return 2*has > added
	}
	return 2*lacks > taken
}
