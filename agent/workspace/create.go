package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
)

// Begin writes the files that a new workspace starts with, by their paths. Files that exist and hold anything are left as they are.
func (w *Workspace) Begin(files map[string]string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return errors.New("the workspace is open for reading only")
	}
	for _, dir := range []string{NotebookDir, SourcesDir} {
		if err := w.fs.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("creating the folder %s: %w", dir, cannotWrite(err))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		data := []byte(files[p])
		if info, err := w.fs.Stat(p); err == nil && info.Size() == 0 {
			if err := w.fs.Remove(p); err != nil {
				return fmt.Errorf("creating the workspace: %w", err)
			}
		}
		if err := create(w.fs, p, data); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("creating the workspace: %w", err)
		}
		w.loose = append(w.loose, p)
		if tracked(p) {
			if err := w.markSeen(p, data); err != nil {
				return err
			}
		}
	}
	w.newborn = true // nothing rests on these files yet; they are made safe before the first change that does
	return nil
}

// Archive moves a research that is done out of the way of the next question: the dashboards, the chapters and the report go to a
// numbered folder in Archive/, whose path it returns. The sources stay, under their ids, for both; so does whatever else a person
// keeps in the folder.
func (w *Workspace) Archive(report string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	folder := ""
	for n := 1; ; n++ {
		folder = path.Join(ArchiveDir, strconv.Itoa(n))
		if _, err := w.fs.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", fmt.Errorf("looking at %s: %w", folder, err)
		}
	}
	present, err := w.present()
	if err != nil {
		return "", err
	}
	for _, p := range w.trackedFiles(present) {
		if path.Dir(p) == "." && p != OverallFile && p != CurrentFile && p != report {
			continue
		}
		if _, ok := present[p]; ok {
			if err := w.moveAside(p, path.Join(folder, p)); err != nil {
				return "", err
			}
		}
		delete(w.seen, p)
	}
	return folder, errors.Join(w.journal.begin(), w.journal.Sync(), syncPath(w.fs, "."))
}

func (w *Workspace) moveAside(from, to string) error {
	if err := w.journal.Record(keyWrite, writeEntry{Path: from}); err != nil {
		return err
	}
	if err := w.fs.MkdirAll(path.Dir(to), 0o755); err != nil {
		return fmt.Errorf("creating the folder %s: %w", path.Dir(to), cannotWrite(err))
	}
	if err := w.fs.Rename(from, to); err != nil {
		return fmt.Errorf("moving %s to %s: %w", from, to, cannotWrite(err))
	}
	return syncPath(w.fs, path.Dir(to))
}
