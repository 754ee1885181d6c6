package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Move renames a file, also into another folder. It refuses a name that is taken, and names that the agent
// may not change. What the agent knows of the file moves with it: a person's edit that is not reported yet is
// reported under the new name.
func (w *Workspace) Move(from, to string) error {
	const no = "those are not moved"
	src, err := w.noLink(from, no)
	if err != nil {
		return err
	}
	dst, err := w.noLink(to, no)
	if err != nil {
		return err
	}
	if src == dst {
		return fmt.Errorf("%s has that name already", src)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data, exists, err := w.find(src)
	if err != nil {
		return err
	}
	if done, err := w.movedBefore(src, dst, exists); done || err != nil {
		return err
	}
	if !exists {
		return w.missing(src)
	}
	if err := w.isFree(dst); err != nil {
		return err
	}
	if err := errors.Join(layout.Harmless(src, nil), layout.Harmless(dst, data)); err != nil {
		return err
	}
	e := store.EntryOf(dst, "", store.Hash(data), data)
	e.Theirs = w.seen[src].theirs
	if known, ok := w.seen[src]; !ok || known.hash != e.To {
		before, _ := w.seenText(src) // "": the agent knows nothing of it
		e.Known = &before
	}
	// first, since on its own it shows that the move did not happen
	if _, err := w.intend(store.FileRow{Path: src, From: e.To}); err != nil {
		return err
	}
	at, err := w.intend(e)
	if err != nil {
		return w.abandon(err, src)
	}
	if err := w.rename(src, dst); err != nil {
		return w.abandon(err, src, dst)
	}
	w.seen[dst] = seenBy(e, at)
	delete(w.seen, src)
	w.unsure(dst, w.fs.SyncPath(path.Dir(dst)), w.fs.SyncPath(path.Dir(src)))
	return nil
}

// isFree returns an error if a file cannot get a name.
func (w *Workspace) isFree(p string) error {
	if _, err := w.fs.Lstat(p); err == nil {
		return taken(p)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking at %s: %w", p, store.Plainly(err))
	}
	return w.named(p)
}

// movedBefore finishes a move that an earlier run began: the intention is on record, and the file has the new
// name.
func (w *Workspace) movedBefore(src, dst string, exists bool) (bool, error) {
	to, ok := w.pending[dst]
	from, gone := w.pending[src]
	if !ok || !gone || from.to != "" || from.from != to.to {
		return false, nil
	}
	delete(w.pending, src)
	delete(w.pending, dst)
	data, there, err := w.load(dst)
	if err != nil || !there || store.Hash(data) != to.to {
		return false, err
	}
	if exists { // it has both names
		if a, err := w.fs.Lstat(src); err == nil {
			if b, err := w.fs.Lstat(dst); err != nil || !os.SameFile(a, b) {
				return false, err
			}
		}
		if err := w.fs.Remove(src); err != nil {
			return false, fmt.Errorf("moving %s to %s: %w", src, dst, store.CannotWrite(err))
		}
	}
	delete(w.seen, src)
	return true, errors.Join(w.fs.SyncPath(path.Dir(dst)), w.fs.SyncPath(path.Dir(src)))
}

// rename never replaces a file, even one created a moment ago, if the file system allows that.
func (w *Workspace) rename(src, dst string) error {
	if err := w.fs.MakeFolder(path.Dir(dst)); err != nil {
		return err
	}
	err := w.fs.RenameNew(src, dst)
	if errors.Is(err, fs.ErrExist) {
		return taken(dst)
	}
	if err != nil {
		return fmt.Errorf("moving %s to %s: %w", src, dst, store.CannotWrite(err))
	}
	return nil
}

func taken(p string) error {
	return fmt.Errorf("%s exists already; choose another name, or delete it first", p)
}
