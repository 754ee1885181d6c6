package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// displaced is a file that came out of its place for a write. A program that opened it before may write into
// it even now, so it is kept a while and looked at again.
type displaced struct {
	by    *Workspace // whose write it came out for
	path  string     // where it was
	at    string     // where it is
	text  []byte     // as it was when it was looked at; nil when it is too long to keep
	size  int
	hash  string
	stat  store.Stat
	since time.Time
}

const (
	keepDisplaced = 10 * time.Second // many times what a program takes from opening a file to writing it
	maxDisplaced  = 16               // of those that are kept for longer than patience
)

// observe keeps a displaced file under observation. w.mu is held.
func (w *Workspace) observe(p, at string, text []byte, info fs.FileInfo) {
	d := &displaced{by: w, path: p, at: at, text: text, size: len(text), hash: store.Hash(text), stat: store.StatOf(info),
		since: time.Now()}
	if len(text) > store.MaxKept {
		d.text = nil
	}
	w.displaced = append(w.displaced, d)
}

// forgetOut takes a file from observation, since it goes elsewhere.
func (w *Workspace) forgetOut(at string) {
	for i, d := range w.displaced {
		if d.at == at {
			w.displaced = append(w.displaced[:i:i], w.displaced[i+1:]...)
			return
		}
	}
}

// heed checks displaced files for late writes, and removes those that were kept long enough, or all. Before a
// file is written it checks only those that came out of its place. w.mu is held.
func (w *Workspace) heed(all bool, writing string) error {
	list := w.displaced
	w.displaced = nil // what is written below comes to stand here
	kept := list[:0]
	var errs []error
	now := time.Now()
	for i, d := range list {
		goes := all || d.keptEnough(now, i < len(list)-maxDisplaced)
		if !goes && (writing != "" && d.path != writing || w.isAsSeen(d)) {
			kept = append(kept, d)
			continue
		}
		there, err := d.by.heedOne(d)
		errs = append(errs, err)
		switch {
		case !there:
		case goes:
			w.removeOld(d.at)
		default:
			kept = append(kept, d)
		}
	}
	clear(list[len(kept):])
	w.displaced = append(kept, w.displaced...)
	return errors.Join(append(errs, w.reinstate())...)
}

// removeOld removes a file that is on record. Where it cannot be removed the next run tries again: it harms
// nothing by being there.
func (w *Workspace) removeOld(at string) {
	if err := store.IgnoreMissing(w.fs.Remove(at)); err != nil {
		w.warn(fmt.Sprintf("An old copy could not be removed, and is tried again at the next start: %v", err))
	}
}

// isAsSeen reports whether nobody wrote into a displaced file since it was looked at.
func (w *Workspace) isAsSeen(d *displaced) bool {
	info, err := w.fs.Lstat(d.at)
	return err == nil && store.StatOf(info) == d.stat
}

// keptEnough says whether a displaced file may go. However fast the agent writes, a program that has the file
// open gets the time of a save: a busy machine may keep it waiting for many of the agent's writes.
func (d *displaced) keptEnough(now time.Time, crowded bool) bool {
	age := now.Sub(d.since)
	return age > keepDisplaced || crowded && age > store.Patience
}

// heedOne looks at one file, and says whether it is still there: it may have gone elsewhere.
func (w *Workspace) heedOne(d *displaced) (there bool, err error) {
	info, err := w.fs.Lstat(d.at)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || store.StatOf(info) == d.stat {
		return true, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), store.Patience)
	defer cancel()
	late, info, err := store.Settled(ctx, d.size, func() ([]byte, fs.FileInfo,
		error) {
		return readOut(w.fs, d.at)
	})
	if err != nil { // whatever it is now, it is a person's
		return false, w.keepWaiting(d.at, d.path)
	}
	before := *d
	d.text, d.size, d.hash, d.stat = late, len(late), store.Hash(late), store.StatOf(info)
	if d.hash == before.hash {
		return true, nil
	}
	if before.text == nil && before.size > 0 {
		return false, w.keepWaiting(d.at, d.path)
	}
	if err = w.takeIn(d.path, d.at, before.text, late); err != nil {
		return true, err
	}
	_, gone := w.fs.Lstat(d.at)
	return gone == nil, nil // else it was kept under another name
}

// takeIn merges into a file what a person wrote on a base that is no longer there; what cannot be merged is
// kept beside the file.
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
		return errors.Join(ignoreSaved(err), w.keepWaiting(at, p))
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

func ignoreSaved(err error) error {
	if errors.Is(err, store.ErrSaved) {
		return nil
	}
	return err
}
