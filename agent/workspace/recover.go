package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// putRight makes good what a run that was cut off left behind, by a kill or by a power cut. w.mu is held.
//
// Each step rests on those before it. First what stands beside its file: a person's text is kept there, and a
// file that was out of its place goes back, with its mode. It needs nothing of the file's own text, which may
// be spoilt: what is removed is on record, and the line of the journal was safe before the file changed
// places. Then, after a power cut alone, the files that are spoilt are written again, over what was put back
// as well; that comes second, since what comes out of place by it is not of the last run, and is heeded like
// that of any write. Then no file is spoilt any more and none is out of its place, and those that are as they
// were before a write tell that it never took place. A kill or a cut in the midst of it leaves what the same
// steps put right the next time: nothing is on record as safe before all files are.
func (w *Workspace) putRight(state journalState) error {
	if err := w.removeLeft(state.loose); err != nil {
		return err
	}
	if err := w.recover(state.loose, state.boot); err != nil {
		return err
	}
	return w.forgetUnwritten()
}

// removeLeft removes the temporary files of writes that were cut off, and looks at the files that were out of
// their places.
func (w *Workspace) removeLeft(files map[string]loose) error {
	dirs := map[string]bool{".": true, NotebookDir: true, SourcesDir: true, store.StateDir: true, store.TrashDir: true}
	for p := range w.seen {
		dirs[path.Dir(p)] = true
	}
	for p := range files {
		dirs[path.Dir(p)] = true
	}
	var left []staged
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		entries, err := w.fs.Entries(dir)
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
			} else if p := store.StagedFor(at, maps.Keys(w.seen)); p != "" && !store.Hidden(p) {
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
			left[i].written = left[i].written || v.To == h || store.Torn(texts[i], v.Text)
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

// recoverOne puts a file back that is not in its place. One whose text is on record is removed, by its hash
// or as what a power cut left of it, and one that no record knows is a person's, and is kept for them. What a
// write was made from need not be in the journal, and is known while the file itself is there, which came of
// it.
func (w *Workspace) recoverOne(s staged, data []byte) error {
	now, exists, err := w.load(s.path)
	if err != nil { // a person made something else of it
		return w.keepWaiting(s.at, s.path)
	}
	under, cut := w.pending[s.path]
	switch h := store.Hash(data); {
	case !exists && ((cut && h == under.from) || h == w.seen[s.path].hash):
		// cut off between taking it out and putting the new one in
		return ignoreExisting(w.fs.RenameNew(s.at, s.path))
	case exists && bytes.Equal(now, data), s.written, exists && s.writtenOver:
		w.removeOld(s.at)
		return nil
	}
	return w.keepWaiting(s.at, s.path)
}

func ignoreExisting(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// recover looks after the files that were loose when the last run ended. While the machine has not been
// started anew since, they are as they were written, or as a person left them.
func (w *Workspace) recover(files map[string]loose, boot string) error {
	for p := range files {
		w.unsettled.Add(p)
	}
	w.unsettled.Writes = 0 // they are settled when all are right, and not before
	if w.boot != "" && boot == w.boot {
		return nil
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if err := w.restore(p, files[p]); err != nil {
			return fmt.Errorf("restoring %s after a power cut: %w", p, err)
		}
	}
	if err := w.dropTornSources(); err != nil {
		return fmt.Errorf("looking at %s after a power cut: %w", SourcesDir, err)
	}
	if err := w.settle(); err != nil || boot == w.boot {
		return err
	}
	// and not before: what follows is not looked at again until the next start of the machine
	return w.journal.Record(store.KeyBoot, w.boot)
}

// restore writes a loose file again that a power cut spoilt. What is none of the things that one leaves is a
// person's, and theirs to keep, also when they save it just now.
func (w *Workspace) restore(p string, file loose) error {
	info, err := w.fs.Lstat(p)
	gone := errors.Is(err, fs.ErrNotExist)
	if !gone && (err != nil || !info.Mode().IsRegular() || info.Size() > MaxWrite) {
		return nil
	}
	last := file[len(file)-1]
	var data []byte
	if !gone {
		if data, err = w.fs.ReadFile(p); err != nil || store.Hash(data) == last.to {
			return err
		}
		if spoilt, err := w.spoilt(data, file); err != nil || !spoilt {
			return err
		}
	}
	e, err := w.fs.FileAt(last.entry)
	if err != nil {
		return err
	}
	if gone && e.Was != "" {
		if old, exists, err := w.load(e.Was); err != nil || exists && store.Hash(old) == e.To {
			return err // it was not moved
		}
	}
	if gone {
		err = w.placeNew(e, []byte(e.Text))
	} else {
		err = w.placeOver(e, data, info.Mode().Perm())
	}
	if err == nil {
		w.warnings = append(w.warnings, p+" was not whole on the disk when the machine stopped, and was written again from the journal.")
	}
	return ignoreSaved(err)
}

// placeOver is place for a text that does not go before a person's.
func (w *Workspace) placeOver(e store.FileRow, spoilt []byte, mode os.FileMode) error {
	text := []byte(e.Text)
	out, at, err := w.swap(e, text, mode, len(spoilt), func() error { return w.unchanged(e.Path, spoilt) })
	if err == nil && !bytes.Equal(out, spoilt) {
		return w.putBack(e.Path, at, text, store.ErrSaved)
	}
	return err
}

// spoilt says whether data is an older text of a loose file, or pieces of one of its texts.
func (w *Workspace) spoilt(data []byte, file loose) (bool, error) {
	if file.mayBe(store.Hash(data)) {
		return true, nil
	}
	for _, write := range file {
		e, err := w.fs.FileAt(write.entry)
		if err != nil || store.Torn(data, e.Text) {
			return true, err
		}
	}
	return false, nil
}

// dropTornSources moves pieces of pages out of the way whose line of the journal a power cut took as well.
// Nothing can name such a page yet, since a write makes safe what was read before it; but as a file it would
// hold its number for ever, and the page would be read under another one. What a person changed is no such
// piece, and stays. w.mu is held.
func (w *Workspace) dropTornSources() error {
	entries, err := w.fs.Entries(SourcesDir)
	if err != nil {
		return nil // a person made something else of it, and nothing of ours is in it
	}
	for _, e := range entries {
		p := path.Join(SourcesDir, e.Name())
		if sourceFile.FindString(e.Name()) == "" || !e.Mode().IsRegular() || e.Size() > MaxRead {
			continue
		}
		data, exists, err := w.load(p)
		if err != nil || !exists || !tornSource(data) || w.isKept(p) {
			continue
		}
		trash := trashPath(p, data)
		if err := errors.Join(w.openTrash(trash), w.fs.Rename(p, trash), w.fs.SyncPath(store.TrashDir), w.fs.SyncPath(SourcesDir)); err != nil {
			return fmt.Errorf("moving %s to %s: %w", p, trash, err)
		}
		w.warnings = append(w.warnings, p+" was not whole on the disk when the machine stopped. It is kept as "+trash+", and the page is read again when it matters.")
	}
	return nil
}

// tornSource says whether a source's file lacks sectors: at its end, where it does not hold the text that it
// says, or in the middle, where zeros stand, which no text holds.
func tornSource(data []byte) bool {
	for i := 0; i < len(data); i += store.Sector {
		if len(bytes.Trim(data[i:min(i+store.Sector, len(data))], "\x00")) == 0 {
			return true
		}
	}
	if len(data)%store.Sector != 0 {
		return false
	}
	front, text, err := markdown.CutFrontMatter(string(data))
	return err != nil || !strings.Contains(front, store.Hash([]byte(text)))
}

// isKept says whether the journal knows of the page in a file.
func (w *Workspace) isKept(p string) bool {
	found := false
	_, err := w.History().Entries(func(e store.Entry) {
		var v store.FileRow
		found = found || e.Key == store.KeySource && json.Unmarshal(e.Value, &v) == nil && v.Path == p
	})
	return found || err != nil
}
