package workspace

import (
	"bytes"
	"encoding/json"
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

// putRight makes good what a run that was cut off left behind, by a kill or by a power cut. w.mu is held.
//
// First what stands beside its file: a person's text is kept aside, and a file that was out of its place goes
// back, with its mode. Then the page that was being kept is, and the files that are as they were before a write
// tell that it never took place. A kill or a cut in the midst of it leaves what the same steps put right the next time.
func (w *Workspace) putRight(placing *store.FileRow) error {
	if err := w.removeLeft(); err != nil {
		return err
	}
	if err := w.placeSource(placing); err != nil {
		return err
	}
	for _, of := range w.writers {
		if err := of.forgetUnwritten(); err != nil {
			return err
		}
	}
	return nil
}

// placeSource writes the file of a page that a kill came before, since its number is on record.
func (w *Workspace) placeSource(v *store.FileRow) error {
	if v == nil || v.Text == "" { // it was too long for the journal
		return nil
	}
	if _, err := w.fs.Lstat(v.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return ignoreSaved(w.placeNew(*v, []byte(v.Text)))
}

// removeLeft removes the temporary files of writes that were cut off, and looks at the files that were out of
// their places.
func (w *Workspace) removeLeft() error {
	dirs := map[string]bool{".": true, NotebookDir: true, SourcesDir: true, store.StateDir: true, store.AsideDir: true}
	known := map[string]bool{} // files, by whichever writer
	for _, of := range w.writers {
		for p := range of.seen {
			dirs[path.Dir(p)], known[p] = true, true
		}
		for p := range of.pending {
			dirs[path.Dir(p)] = true
		}
	}
	var left []staged
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
				// else it is no file of ours
			} else if p := store.StagedFor(at, maps.Keys(known)); p != "" && !store.Hidden(p) {
				left = append(left, staged{path: p, at: at})
			}
		}
	}
	return w.recoverStaged(left)
}

// staged is a file that is not in its place, and what the journal knows of its text.
type staged struct {
	path, at    string
	written     bool // the text is one of those that were written
	writtenOver bool // or one that a write was made from
}

// recoverStaged looks each of the files up in one reading of the journal.
func (w *Workspace) recoverStaged(left []staged) error {
	byPath := map[string][]int{}
	texts := make([][]byte, len(left))
	for i, s := range left {
		data, _, err := readOut(w.fs, s.at)
		if err != nil {
			continue // not a text of ours, and so not ours to touch
		}
		texts[i], byPath[s.path] = data, append(byPath[s.path], i)
	}
	if len(byPath) == 0 {
		return nil
	}
	_, err := w.History().Entries(func(e store.Entry) {
		var v store.FileRow
		if (e.Key != store.KeyWrite && e.Key != store.KeySource && e.Key != store.KeySeen) || json.Unmarshal(e.Value, &v) != nil || e.Key == store.KeySeen && !v.Own {
			// that the agent was shown a person's text does not count: it may have been on its way back to
			// its place
			return
		}
		for _, i := range byPath[v.Path] {
			h := store.Hash(texts[i])
			left[i].written = left[i].written || v.To == h
			left[i].writtenOver = left[i].writtenOver || v.From == h
		}
	})
	for i, s := range left {
		if err == nil && slices.Contains(byPath[s.path], i) {
			err = w.recoverOne(s, texts[i])
		}
		if err != nil {
			return fmt.Errorf("looking at what a cut-off write left of %s: %w", s.path, err)
		}
	}
	return nil
}

// recoverOne puts a file back that is not in its place. One whose text is on record is removed, and one that no
// record knows is a person's, and is kept for them. What a
// write was made from need not be in the journal, and is known while the file itself is there, which came of
// it.
func (w *Workspace) recoverOne(s staged, data []byte) error {
	now, exists, err := w.load(s.path)
	if err != nil { // a person made something else of it
		return w.keepWaiting(s.at, s.path)
	}
	switch h := store.Hash(data); {
	case !exists && w.cameFrom(s.path, h):
		// cut off between taking it out and putting the new one in
		return ignoreExisting(w.fs.RenameNew(s.at, s.path))
	case exists && bytes.Equal(now, data), s.written, exists && s.writtenOver:
		w.removeOld(s.at)
		return nil
	}
	return w.keepWaiting(s.at, s.path)
}

// cameFrom reports whether a text of a file is the one that a write which was cut off was made from, or the last
// that a writer saw.
func (w *Workspace) cameFrom(p, hash string) bool {
	for _, of := range w.writers {
		if under, cut := of.pending[p]; cut && under.from == hash || of.seen[p].hash == hash {
			return true
		}
	}
	return false
}

// forgetUnwritten takes back what the journal says of writes that a kill came before: the agent knows those
// files as they were, and that they are so still is nobody's edit. Where a person edited a file since, their
// text tells whether the write came before it.
func (w *Workspace) forgetUnwritten() error {
	for p, under := range w.pending {
		data, exists, err := w.load(p)
		now := ""
		if exists {
			now = store.Hash(data)
		}
		switch {
		case err != nil || now == under.to || under.stands:
		// it is revived, with what was written last
		case exists && (p == OverallFile || p == CurrentFile) && !readableText(data):
		case exists && now != under.from && w.isWritten(under, string(data)):
			under.stands = true
			w.pending[p] = under
		case exists || now == under.from:
			if err := w.takeBackWrite(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeBackWrite takes the write of a file that was cut off for one that never took place.
func (w *Workspace) takeBackWrite(p string) error {
	if err := w.undo(p); err != nil {
		return err
	}
	if w.seen[p] = w.pending[p].before; w.seen[p].hash == "" {
		delete(w.seen, p)
	}
	return nil
}

// isWritten says whether a text that a person edited was made from what a write left, and not from what stood
// there before: whether it has most of the lines that the write brought in, or, of one that brought in none,
// lacks most of those that it took out. In doubt it was not. Then the write is made again, and merged with
// theirs or refused with both shown; the other way round nobody would miss it.
func (w *Workspace) isWritten(under intention, now string) bool {
	before, known := "", true
	if under.from != "" { // else there was no file
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
