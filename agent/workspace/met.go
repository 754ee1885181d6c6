package workspace

import (
	"errors"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// meet puts on record how a file stands that the program comes upon, for a check or for a change, when a
// person left it otherwise than the record says: what comes of it could not be told from the record else. The
// agent learns of it in its own time. w.mu is held.
func (w *Workspace) meet(p string, data []byte, exists bool) error {
	if w.journal == nil || store.IsCopy(p) || !utf8.ValidString(p) || !tracked(p) && writable(p) != nil {
		return nil // what cannot be written need not be remembered, and a copy holds words of both
	}
	p, err := w.fs.Real(p)
	if err != nil {
		return err
	}
	e := store.EntryOf(p, "", "", data)
	if exists {
		e.To = store.Hash(data)
	}
	if w.journal.lastOf(p) == e.To {
		return nil
	}
	e.Found = true
	_, err = w.enter(store.KeyMet, e)
	return err
}

// find is load, with what it finds on record.
func (w *Workspace) find(p string) (data []byte, exists bool, err error) {
	if data, exists, err = w.load(p); err == nil {
		err = w.meet(p, data, exists)
	}
	return data, exists, err
}

// await is look, with what it finds on record.
func (w *Workspace) await(p string) (data []byte, info fs.FileInfo, err error) {
	if data, info, err = w.look(p); err == nil {
		err = w.meet(p, data, info != nil)
	}
	return data, info, err
}

// missed is missing with that on record, for whoever does not hold w.mu.
func (w *Workspace) missed(p string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.meet(p, nil, false); err != nil {
		return err
	}
	return w.missing(p)
}

// meetGone is meet for the files that the person and the agent both write, that stand on record and not in
// the folder. Those that are known to be present need no look.
func (w *Workspace) meetGone(present map[string]store.Stat) error {
	if w.journal == nil {
		return nil
	}
	for _, p := range w.journal.standing(present) {
		if _, err := w.fs.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := w.meet(p, nil, false); err != nil {
			return err
		}
	}
	return nil
}

// standing are the tracked files that are there as far as the record says, in the order of their names, less
// those that are present.
func (j *Journal) standing(present map[string]store.Stat) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var files []string
	for p, h := range j.hands {
		if _, there := present[p]; !there && !h.gone && tracked(p) {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return files
}

// lastOf is the hash of a file's last text on record, "" when there is no file.
func (j *Journal) lastOf(p string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if h, known := j.hands[p]; known && !h.gone {
		return h.hash
	}
	return ""
}

// knows reports whether a file is on record.
func (j *Journal) knows(p string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.hands[p] != nil
}
