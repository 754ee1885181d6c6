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
		return at, errors.Join(err, w.undo(e.Path)) // it stands there and is not going to happen
	}
	return at, nil
}

// abandon is undo for a write of some files that is given up for a reason.
func (w *Workspace) abandon(why error, files ...string) error {
	for _, p := range files {
		why = errors.Join(why, w.undo(p))
	}
	return errors.Join(why, w.journal.Sync())
}

// unsure warns of what went wrong after a change of a file that took place: told as an error it would be made
// twice.
func (w *Workspace) unsure(p string, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		w.warn(fmt.Sprintf("%s was changed, but it is not sure that the change outlives a power cut: %v", p, err))
	}
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
	err := w.fs.PlaceNew(e.Path, data)
	if err == nil {
		w.unsure(e.Path, w.fs.SyncAbove(e.Path))
	}
	return err
}

// swap puts a text into the place of a file and says what came out for it, and where that is now. check is
// asked at the last moment.
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
	w.unsure(p, w.fs.SyncAbove(p)) // whatever comes of that, what came out is looked at
	out, err = w.lookOut(p, at, known)
	if err != nil { // not a text: whatever it is, it is a person's, and goes back
		return nil, "", w.putBack(p, at, data, err)
	}
	return out, at, nil
}

// exchange exchanges two files. If one went away or came back in that instant, the write starts again.
func (w *Workspace) exchange(at, p string) error {
	left, err := w.fs.Exchange(at, p)
	return errors.Join(err, w.keepWaiting(left, p))
}

// lookOut reads what came out for a write, and remembers it: an editor that has the file open may still write
// into it.
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

// putBack undoes an exchange: a person's file returns to its place. What they saved over the agent's text
// meanwhile is merged into it, or kept aside.
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

// takeIn merges into a file what a person wrote on a base that is no longer there; what cannot be merged is
// kept aside.
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

// putIn writes a person's words into a file of theirs. The agent does not know of them yet.
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

// commit puts a write on record and then in its place. info is nil when no file is expected there.
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

// place puts a text that is on record where another was expected, or, when info is nil, none. If what comes
// out for it is not what was expected, a person saved in the instant before, and their change is merged into
// the text, which is placed again; or it goes back, and the write is refused. w.mu is held.
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
