package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

func (w *Workspace) intend(e store.FileRow) (int64, error) {
	if brings(e) {
		w.written++
	}
	at, err := w.enter(store.KeyWrite, e)
	if err != nil {
		return 0, err
	}
	w.count(e)
	if err := w.journal.Sync(); err != nil {
		return at, errors.Join(err, w.undo(e.Path)) // it is on record and will not happen
	}
	return at, nil
}

// abandon undoes the intended writes of files, for a reason.
func (w *Workspace) abandon(why error, files ...string) error {
	for _, p := range files {
		why = errors.Join(why, w.undo(p))
	}
	return errors.Join(why, w.journal.Sync())
}

// unsure warns of a fault after a change that took place: after an error, the change would be made twice.
func (w *Workspace) unsure(p string, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		w.warn(fmt.Sprintf("%s was changed, but it is not sure that the change outlives a power cut: %v", p, err))
	}
}

// unchanged returns ErrSaved if a file differs from what a write started from. It runs after everything that
// waits for the disk, so that few saves fall into the moment after it.
func (w *Workspace) unchanged(p string, expected []byte) error {
	now, exists, err := w.load(p)
	if err == nil && (!exists || !bytes.Equal(now, expected)) {
		err = store.ErrSaved
	}
	return err
}

// placeNew writes a text where no file is expected.
func (w *Workspace) placeNew(e store.FileRow, data []byte) error {
	err := w.fs.PlaceNew(e.Path, data)
	if err == nil {
		w.unsure(e.Path, w.fs.SyncAbove(e.Path))
	}
	return err
}

// swap replaces a file by a text and returns the displaced text, and where that is now. check runs at the
// last moment.
func (w *Workspace) swap(e store.FileRow, data []byte, mode os.FileMode, known int, check func() error) (out []byte, at string, err error) {
	p := e.Path
	if at, err = w.fs.Stage(p, data, mode); err != nil {
		return nil, "", err
	}
	if err = check(); err == nil {
		err = w.exchange(at, p)
	}
	if err != nil {
		return nil, "", errors.Join(err, store.IgnoreMissing(w.fs.Remove(at)))
	}
	w.unsure(p, w.fs.SyncAbove(p)) // whatever comes of that, the displaced file is checked
	out, err = w.lookOut(p, at, known)
	if err != nil { // not a text: whatever it is, it is a person's, and goes back
		return nil, "", w.putBack(p, at, data, err)
	}
	return out, at, nil
}

// exchange exchanges two files. If one vanished or reappeared at that moment, the write starts again.
func (w *Workspace) exchange(at, p string) error {
	left, err := w.fs.Exchange(at, p)
	return errors.Join(err, w.keepWaiting(left, p))
}

// lookOut reads a displaced file, and watches it: an editor that has it open may still write to it.
func (w *Workspace) lookOut(p, at string, known int) ([]byte, error) {
	out, info, err := w.settledOut(at, known)
	if err != nil {
		return nil, err
	}
	d := &displaced{by: w, path: p, at: at, since: time.Now(),
		size: len(out), hash: store.Hash(out), stat: store.StatOf(info)}
	if len(out) <= store.MaxKept {
		d.text = out
	}
	w.displaced = append(w.displaced, d)
	return out, nil
}

// putBack undoes an exchange: a person's file returns to its place. If they saved over the agent's text
// meanwhile, that is merged into it, or set aside.
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

// takeIn merges into a file what a person wrote on an earlier text. If it cannot be merged, it is set aside.
func (w *Workspace) takeIn(p, at string, base, late []byte) error {
	now, info, err := w.look(p)
	if err != nil || info == nil {
		return errors.Join(err, w.keepWaiting(at, p))
	}
	merged, c, err := markdown.Merge3(string(base), string(now), string(late))
	if c != nil || err != nil {
		return errors.Join(err, w.keepWaiting(at, p))
	}
	if merged == string(now) {
		return nil
	}
	if err := w.putIn(p, now, []byte(merged), info); err != nil {
		return errors.Join(store.Ignore(store.ErrSaved, err), w.keepWaiting(at, p))
	}
	return nil
}

// putIn merges a person's words into a file. The agent does not know them yet.
func (w *Workspace) putIn(p string, now, merged []byte, info fs.FileInfo) error {
	e := store.EntryOf(p, store.Hash(now), store.Hash(merged), merged)
	known, _ := w.seenText(p)
	e.Known, e.Theirs = &known, true
	if _, err := w.commit(e, now, merged, info); err != nil {
		return err
	}
	w.expectLate(p, now, merged)
	return nil
}

// commit records a write and then puts it in place. info is nil if no file is expected there.
func (w *Workspace) commit(e store.FileRow, old, data []byte, info fs.FileInfo) (int64, error) {
	at, err := w.intend(e)
	if err != nil {
		return at, err
	}
	err = w.place(e, old, data, info)
	if err == nil {
		return at, nil
	}
	switch now, exists, unread := w.load(e.Path); {
	case unread != nil:
		err = fmt.Errorf("%s may be written or not, for it cannot be read now (%w); read it before you write it again", e.Path, errors.Join(err, unread))
	case exists && store.Hash(now) == store.Hash(data):
		w.unsure(e.Path, err)
		return at, nil
	}
	return at, w.abandon(err, e.Path)
}

// place replaces the expected text of a file by one that is on record, or writes a new file if info is nil.
// If the displaced text is not the expected one, a person saved just before: their change is merged and the
// result placed again, or their file goes back, and the write is refused. w.mu is held.
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
		check = func() error { return nil } // any fault of the file there now is known
	}
	return w.keepWaiting(waiting, e.Path)
}
