package workspace

import (
	"errors"
	"fmt"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"
)

// maxLoose is how many writes may wait to be made safe. The system writes back by itself what is older than
// half a minute, so that most of them cost no wait when their time comes.
const maxLoose = 256

// loose is a file that the disk may not hold yet as it was written last. It may hold the text before, or any
// in between, or pieces.
type loose []looseWrite

// looseWrite is one write of a loose file, as the journal has it.
type looseWrite struct {
	from, to, over string // hashes, as in a writeEntry
	entry          store.Span
}

// undo puts on record that a write came to nothing, so that it is not taken for one that a power cut lost.
func (w *Workspace) undo(p string) error {
	return w.journal.Record(store.KeyUndone, store.FileRow{Path: p})
}

// abandon is undo for a write of some files that is given up for a reason.
func (w *Workspace) abandon(why error, files ...string) error {
	for _, p := range files {
		why = errors.Join(why, w.undo(p))
	}
	return errors.Join(why, w.journal.Sync())
}

func (w *Workspace) loosen(p string) {
	if w.loose == nil {
		w.loose = map[string]bool{}
	}
	w.loose[p] = true
	w.waiting++
}

// settle makes the files that were written since the last time safe, and then the folders above them. w.mu is
// held.
func (w *Workspace) settle() error {
	if len(w.loose) == 0 || w.failed != nil {
		return w.failed
	}
	folders := map[string]bool{".": true}
	for p := range w.loose {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, p := range slices.Concat(slices.Sorted(maps.Keys(w.loose)), slices.Sorted(maps.Keys(folders))) {
		if err := w.syncIfThere(p); err != nil {
			return err
		}
	}
	w.loose, w.waiting = nil, 0
	return w.journal.Record(store.KeySettled, nil)
}

// syncIfThere leaves alone what a person took away, or put a pipe, a link or a file in the place of.
func (w *Workspace) syncIfThere(p string) error {
	f, err := w.fs.OpenFile(p, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil && (isGone(err) || w.fs.IsLink(p)) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("syncing %s: %w", p, err)
	}
	info, err := f.Stat()
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		// The kernel may have dropped the data, and would call a second try a success.
		w.failed = fmt.Errorf("syncing %s: %w; the disk may be failing", p, err)
		return errors.Join(w.failed, w.journal.Record(store.KeyBoot, ""))
	}
	return nil
}

// isGone says whether a file could not be opened since its name stands for it no more: there is nothing,
// something else, or something that is not ours to open.
func isGone(err error) bool {
	for _, gone := range []error{fs.ErrNotExist, fs.ErrPermission, store.ErrOutside, syscall.ENXIO, syscall.EOPNOTSUPP, syscall.ELOOP} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return store.IsNotFolder(err)
}

// takeLoose applies an entry of the journal to what is known of loose files.
func (s *journalState) takeLoose(key string, v store.FileRow, at store.Span) {
	file := s.loose[v.Path]
	switch {
	case key == store.KeyUndone && len(file) > 1:
		s.loose[v.Path] = file[:len(file)-1]
	case key == store.KeyUndone:
		delete(s.loose, v.Path)
	case (key == store.KeySeen && !v.Own) || key == store.KeyTold || key == store.KeyMet: // a person's text, or none
		if v.To == "" || file.mayBe(v.To) {
			delete(s.loose, v.Path)
		}
	case v.Text == "": // deleted, or waited for, with all before it
		delete(s.loose, v.Path)
	default:
		s.loose[v.Path] = append(file, looseWrite{v.From, v.To, v.Over, at})
	}
}

// mayBe says whether a hash is that of a text that was to be replaced.
func (l loose) mayBe(hash string) bool {
	return slices.ContainsFunc(l, func(w looseWrite) bool { return w.from == hash || w.to == hash || w.over == hash }) && l[len(l)-1].to != hash
}
