package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/spf13/afero"
)

// maxLoose is how many sources may wait to be made safe.
const maxLoose = 64

// keep writes the file of a source. Nobody edits a source, so it needs less care than a chapter: its text is on record first, and the
// file is made safe together with others; what a power cut spoils until then is written again from the record.
func (w *Workspace) keep(p string, data []byte) error {
	if _, err := w.journal.append(keySource, entryOf(p, "", hash(data), data)); err != nil {
		return err
	}
	err := create(w.fs, p, data)
	if errors.Is(err, fs.ErrNotExist) {
		if err := w.fs.MkdirAll(SourcesDir, 0o755); err != nil {
			return cannotWrite(err)
		}
		err = create(w.fs, p, data)
	}
	if err != nil {
		return err
	}
	w.loose = append(w.loose, p)
	if len(w.loose) >= maxLoose || len(data) > maxKept {
		return w.settle()
	}
	return nil
}

// settle makes the files that were created since the last time safe, and then their folders. w.mu is held.
func (w *Workspace) settle() error {
	if len(w.loose) == 0 {
		return nil
	}
	dirs := map[string]bool{}
	for _, p := range w.loose {
		if err := ignoreMissing(syncPath(w.fs, p)); err != nil {
			return err
		}
		dirs[path.Dir(p)] = true
	}
	for dir := range dirs {
		if err := ignoreMissing(syncPath(w.fs, dir)); err != nil {
			return err
		}
	}
	w.loose, w.newborn = nil, false
	return w.journal.Record(keySettled, nil)
}

// recoverSources writes again what a power cut spoilt of the sources that were not safe yet.
func (w *Workspace) recoverSources(loose map[string]span) error {
	for p, at := range loose {
		e, err := w.journal.entry(at)
		if err != nil {
			return err
		}
		data, err := afero.ReadFile(w.fs, p)
		if err == nil && hash(data) == e.To {
			w.loose = append(w.loose, p)
			continue
		}
		torn := bytes.HasPrefix([]byte(e.Text), data) || bytes.IndexByte(data, 0) >= 0
		if e.Text == "" || (err == nil && !torn) {
			continue // a person's work, and theirs to keep
		}
		if err := replace(w.fs, p, []byte(e.Text), newFile, always); err != nil {
			return fmt.Errorf("writing the source %s again: %w", p, err)
		}
		w.loose = append(w.loose, p)
	}
	return w.settle()
}
