package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// place puts a text that is on record where another was expected, or, when info is nil, none. Whatever comes
// out for it is looked at: if it is not what was expected, a person saved in the instant before, and their
// change is merged into the text, which is placed again; or it goes back, and the write is refused. w.mu is
// held.
func (w *Workspace) place(e store.FileRow, expected, data []byte, info fs.FileInfo) error {
	if info == nil {
		return w.placeNew(e, data)
	}
	check, waiting := func() error { return w.unchanged(e.Path, expected) }, ""
	if e.Known == nil {
		text := string(data)
		e.Known = &text
	}
	for range maxTries {
		out, at, err := w.swap(e, data, info.Mode().Perm(), len(expected), check)
		if err != nil {
			return errors.Join(err, w.keepWaiting(waiting, e.Path))
		}
		if bytes.Equal(out, expected) {
			if waiting != "" {
				w.expectLate(e.Path, expected, data)
			}
			return nil
		}
		merged, c, err := markdown.Merge3(string(expected), string(out), string(data))
		if c != nil || err != nil {
			why := errors.Join(err, w.conflict(e.Path, out, c))
			return errors.Join(w.putBack(e.Path, at, data, why), w.keepWaiting(waiting, e.Path))
		}
		again := store.EntryOf(e.Path, store.Hash(data), store.Hash([]byte(merged)), []byte(merged))
		again.Known, again.Theirs, again.Over = e.Known, true, store.Hash(out)
		if _, err := w.intend(again); err != nil {
			return errors.Join(err, w.keepWaiting(at, e.Path))
		}
		e, expected, data, waiting = again, data, []byte(merged), at
		check = func() error { return nil } // what is wrong with what stands there now is known
	}
	return w.keepWaiting(waiting, e.Path)
}

// unchanged says whether a file is still what a write was made from. It is asked when all that waits for the
// disk is done, so that few saves fall into the instant after it.
func (w *Workspace) unchanged(p string, expected []byte) error {
	now, exists, err := w.load(p)
	if err == nil && (!exists || !bytes.Equal(now, expected)) {
		err = store.ErrSaved
	}
	return err
}

// placeNew puts a text where no file is expected.
func (w *Workspace) placeNew(e store.FileRow, data []byte) error {
	temp, err := w.fs.Temporary(e.Path, data, store.NewFile)
	if err == nil {
		err = w.fs.RenameNew(temp, e.Path)
	}
	if err == nil {
		w.unsure(e.Path, w.fs.SyncAbove(e.Path))
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		err = store.ErrSaved
	}
	return errors.Join(err, store.IgnoreMissing(w.fs.Remove(temp)))
}

// swap puts a text into the place of a file and says what came out for it, and where that is now. check is
// asked at the last moment.
func (w *Workspace) swap(e store.FileRow, data []byte, mode os.FileMode, known int, check func() error) (out []byte, at string, err error) {
	p := e.Path
	temp, err := w.fs.Temporary(p, data, mode)
	at = store.StagedName(p)
	if err == nil {
		err = w.fs.Stage(temp, at)
	}
	if err != nil {
		return nil, "", errors.Join(err, store.IgnoreMissing(w.fs.Remove(temp)))
	}
	if err = check(); err == nil {
		err = w.exchange(at, p)
	}
	if err != nil {
		return nil, "", errors.Join(err, store.IgnoreMissing(w.fs.Remove(at)))
	}
	w.unsure(p, w.fs.SyncAbove(p)) // whatever comes of that, what came out is looked at
	out, err = w.lookOut(p, at, known)
	if err != nil { // not a text: whatever it is, it is a person's, and goes back
		return nil, "", w.putBack(p, at, data, err)
	}
	return out, at, nil
}

// exchange exchanges two files. If one went away or came back in that instant, the write starts again.
func (w *Workspace) exchange(at, p string) error {
	err := w.fs.Exchange(at, p)
	var left *store.LeftError
	switch {
	case errors.As(err, &left):
		return errors.Join(store.ErrSaved, w.keepWaiting(left.Name, p))
	case errors.Is(err, fs.ErrNotExist):
		return store.ErrSaved
	}
	return err
}

// lookOut reads what came out for a write, and remembers it: an editor that has the file open may still write
// into it.
func (w *Workspace) lookOut(p, at string, known int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), store.Patience)
	defer cancel()
	out, info, err := store.Settled(ctx, known, func() ([]byte, fs.FileInfo, error) { return readOut(w.fs, at) })
	if err != nil {
		return nil, err
	}
	w.observe(p, at, out, info)
	return out, nil
}

// readOut reads a file that came out of its place. It may be anything by now, and so is looked at before it
// is opened.
func readOut(fsys store.Folder, at string) (data []byte, info fs.FileInfo, err error) {
	info, err = fsys.Lstat(at)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > MaxRead {
		return nil, nil, errors.New("the file is no longer a text; it was not written")
	}
	data, err = fsys.ReadFile(at)
	return data, info, err
}

// putBack undoes an exchange: a person's file returns to its place. What they saved over the agent's text
// meanwhile is merged into it, or kept beside it.
func (w *Workspace) putBack(p, at string, ours []byte, why error) error {
	w.forgetOut(at)
	if err := w.exchange(at, p); err != nil {
		return errors.Join(why, err, w.keepWaiting(at, p))
	}
	out, err := w.lookOut(p, at, len(ours))
	switch {
	case err != nil:
		err = errors.Join(err, w.keepWaiting(at, p))
	case !bytes.Equal(out, ours):
		err = w.takeIn(p, at, ours, out)
	}
	return errors.Join(why, err, w.fs.SyncPath(path.Dir(p)))
}
