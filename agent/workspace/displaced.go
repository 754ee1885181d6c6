package workspace

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

const (
	keepDisplaced = 10 * time.Second // many times what a program takes from opening a file to writing it
	maxDisplaced  = 16               // of those that are kept for longer than patience
)

// heed checks displaced files for late writes, and removes those that were kept long enough, or all. Before a
// write it only checks those that the same path displaced, and those that it removes. w.mu is held.
func (w *Workspace) heed(all bool, writing string) error {
	list := w.displaced
	w.displaced = nil // the writes below add to it
	kept := list[:0]
	var errs []error
	now := time.Now()
	for i, d := range list {
		// However fast the agent writes, a program that has the file open gets the time it needs for a save:
		// on a busy machine that may take as long as many of the agent's writes.
		age, crowded := now.Sub(d.since), i < len(list)-maxDisplaced
		goes := all || age > keepDisplaced || crowded && age > store.Patience
		if !goes && writing != "" && d.path != writing {
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

// heedOne checks one file, and reports whether it is still there: it may have been moved elsewhere.
func (w *Workspace) heedOne(d *displaced) (there bool, err error) {
	info, err := w.fs.Lstat(d.at)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || store.StatOf(info) == d.stat {
		return true, err
	}
	late, info, err := w.settledOut(d.at, d.size)
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
	return gone == nil, nil // if it is gone, it was kept under another name
}

// reinstate restores words that somebody's save overwrote unknowingly.
func (w *Workspace) reinstate() error {
	list := w.late
	w.late = nil
	var errs []error
	for _, l := range list {
		if err := l.by.reinstateOne(l); err != nil {
			errs = append(errs, err)
		}
		if time.Since(l.since) < keepDisplaced {
			w.late = append(w.late, l)
		}
	}
	return errors.Join(errs...)
}

func (w *Workspace) reinstateOne(l late) error {
	now, info, err := w.look(l.path)
	if err != nil || info == nil || string(now) == l.text {
		return err
	}
	missing, err := markdown.Missing(l.base, l.text, string(now))
	if err != nil || missing == l.base {
		return err
	}
	merged, c, err := markdown.Merge3(l.base, string(now), missing)
	if c != nil || err != nil {
		kept, keepErr := w.fs.SetAside(l.path, []byte(missing))
		return errors.Join(err, w.waits(kept, l.path, keepErr))
	}
	if merged == string(now) {
		return nil
	}
	return store.Ignore(store.ErrSaved, w.putIn(l.path, now, []byte(merged), info))
}

// wholeIn reports whether a text of the file contains all of the words.
func (l late) wholeIn(text string) bool {
	missing, err := markdown.Missing(l.base, l.text, text)
	return err == nil && missing == l.base
}

// dropLate forgets words that the agent had seen and removed from a file itself. Words that were displaced by
// this very write and merged into it are neither in the text it was made from nor in the agent's text: the
// agent has not seen them, and they are kept.
func (w *Workspace) dropLate(p string, old, data []byte) {
	w.late = slices.DeleteFunc(w.late, func(l late) bool {
		return l.path == p && l.wholeIn(string(old)) && !l.wholeIn(string(data))
	})
}
