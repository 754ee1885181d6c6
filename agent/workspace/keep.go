package workspace

import (
	"errors"
	"io/fs"
)

// keep writes the file of a source. Nobody edits a source, so it needs less care than a chapter: its text is on record first, and the
// file is made safe together with others; what a power cut spoils until then is written again from the record.
func (w *Workspace) keep(p string, data []byte) error {
	e := entryOf(p, "", hash(data), data)
	if _, err := w.journal.append(keySource, e); err != nil {
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
	w.loosen(p)
	if w.waiting >= maxLoose || e.Text == "" {
		return w.settle()
	}
	return nil
}
