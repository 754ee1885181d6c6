package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// ExportsFile is the machine's own file with the hash of each export as it was last written next to the
// report.
const ExportsFile = "exports.json"

// Archive moves a finished research out of the way of the next question: the dashboards, the chapters and the
// report with its picture and exports go to a numbered folder in Archive/, whose path it returns. Copies of
// the sources and of the research's part of the journal go with them, so that the folder is a workspace of
// its own. The sources themselves keep their ids and stay for the next research, as does whatever else a
// person keeps in the folder.
func (w *Workspace) Archive(report string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	folder, err := w.numbered(ArchiveDir)
	if err != nil {
		return "", err
	}
	present, err := w.present()
	if err == nil {
		err = w.meetGone(present)
	}
	if err != nil {
		return "", err
	}
	a := archiveEntry{Folder: folder}
	for _, p := range w.trackedFiles(present) {
		if path.Dir(p) == "." && p != OverallFile && p != CurrentFile && p != report {
			continue
		}
		a.Files = append(a.Files, p)
	}
	if report != "" {
		a.Files = append(a.Files, ChartFile)
	}
	if _, err := w.eachTracked(func(p string, _ store.Stat, _ bool) {
		if layout.IsBoard(p) && w.journal.files.Knows(p) { // a person may have a folder of that name
			a.Files = append(a.Files, p)
		}
	}); err != nil {
		return "", err
	}
	a.Files = append(a.Files, w.exported()...)
	return folder, w.putAway(a)
}

// Withdraw makes way for the next question where nothing was done for the present one: the dashboards go to
// the trash, and no research is archived. It does nothing, and returns false, if a person wrote in them.
func (w *Workspace) Withdraw() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := archiveEntry{Files: []string{OverallFile, CurrentFile}}
	for _, p := range a.Files {
		data, _, err := w.load(p)
		if err != nil {
			return false, err
		}
		if lines, whole := w.theirsIn(p, string(data)); len(lines) > 0 || !whole {
			return false, nil
		}
	}
	var err error
	if a.Folder, err = w.numbered(path.Join(store.AsideDir, "questions")); err != nil {
		return false, err
	}
	return true, w.putAway(a)
}

// numbered returns the first free numbered folder in a folder.
func (w *Workspace) numbered(dir string) (folder string, err error) {
	for n := 1; err == nil; n++ {
		folder = path.Join(dir, strconv.Itoa(n))
		_, err = w.fs.Stat(folder)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("looking at %s: %w", folder, err)
	}
	return folder, nil
}

// putAway moves files aside after recording that. w.mu is held.
func (w *Workspace) putAway(a archiveEntry) error {
	if err := errors.Join(w.journal.Record(store.KeyArchive, a), w.journal.Sync()); err != nil {
		return err
	}
	return w.moveAside(a)
}

func (w *Workspace) completeArchive(a archiveEntry) error {
	info, err := w.fs.Lstat(a.Folder)
	if path.Dir(a.Folder) != ArchiveDir || err != nil || !info.IsDir() {
		return store.IgnoreMissing(err) // a person took it away
	}
	own := path.Join(a.Folder, store.JournalFile)
	if _, err := w.fs.Lstat(own); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := w.copySources(a); err != nil {
		return err
	}
	if err := w.fs.MkdirAll(path.Dir(own), 0o755); err != nil {
		return err
	}
	if err := keepFromGit(w.fs, path.Dir(own)); err != nil {
		return err
	}
	known := func(e store.Entry) bool { return e.Key == keyFormat || origin.IsFromOutside(e) }
	return errors.Join(w.fs.CopyRows(own, a.from, a.to, known), w.fs.SyncPath(a.Folder))
}

// completeArchives makes each archived research a workspace of its own, even one that an earlier Daybook or a
// killed run left incomplete. The journal comes last: if it exists, nothing is missing. An archive that
// cannot be written only causes a warning.
func (w *Workspace) completeArchives() {
	for _, a := range w.journal.archives {
		if err := w.completeArchive(a); err != nil {
			w.warn(fmt.Sprintf("%s lacks its sources or its journal: %v.", a.Folder, store.CannotWrite(err)))
		}
	}
}

// copySources copies the sources that existed when a research was archived.
func (w *Workspace) copySources(a archiveEntry) error {
	later := map[string]bool{}
	if _, err := w.fs.ReadLog(a.to, func(e store.Entry, _ int64) {
		if e.Key == store.KeySource {
			v, _ := e.Row()
			later[v.Path] = true
		}
	}); err != nil {
		return err
	}
	entries, err := w.fs.ReadDir(SourcesDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		from := path.Join(SourcesDir, e.Name())
		if later[from] || !e.Mode().IsRegular() || !sourceFile.MatchString(e.Name()) {
			continue
		}
		copied := path.Join(a.Folder, from)
		if _, err := w.fs.Lstat(copied); !errors.Is(err, fs.ErrNotExist) {
			continue // it exists, perhaps with a person's words
		}
		data, err := w.fs.ReadFile(from)
		if err == nil {
			err = w.fs.Replace(copied, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exported lists the exports next to the report that are unchanged since the program wrote them, and their
// record. An export that a person has changed stays, with a warning. w.mu is held.
func (w *Workspace) exported() (files []string) {
	record := path.Join(store.StateDir, ExportsFile)
	written := map[string]string{}
	data, err := w.fs.ReadFile(record)
	if err != nil || bounds.JSON(data, &written) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		isExport := path.Base(name) == name && path.Ext(name) != ".md" && !store.Hidden(name) && !w.fs.IsLink(name)
		switch now := w.Hash(name); {
		case !isExport || now == "":
		case now == written[name]:
			files = append(files, name)
		default:
			w.warn(fmt.Sprintf("%s was changed since it was exported, so it stays, though it is of the question before.", name))
		}
	}
	return append(files, record)
}

// moveAside moves whatever has not moved yet. The folders are synced before the first file is in them, so
// that no file is lost with its folder. w.mu is held.
func (w *Workspace) moveAside(a archiveEntry) error {
	folders := map[string]bool{}
	for _, from := range a.Files {
		folders[path.Dir(path.Join(a.Folder, from))] = true
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if err := errors.Join(w.fs.MkdirAll(folder, 0o755), w.fs.SyncAbove(folder)); err != nil {
			return fmt.Errorf("creating the folder %s: %w", folder, store.CannotWrite(err))
		}
	}
	for _, from := range a.Files {
		to := path.Join(a.Folder, from)
		if _, err := w.fs.Stat(to); err == nil {
			continue
		}
		w.forgetFiles(from)
		if err := store.IgnoreMissing(w.fs.Rename(from, to)); err != nil {
			return fmt.Errorf("moving %s to %s: %w", from, to, store.CannotWrite(err))
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if err := w.fs.SyncPath(folder); err != nil {
			return err
		}
	}
	w.begun()
	defer w.completeArchives()
	return errors.Join(w.journal.Record(store.KeyBegin, nil), w.journal.Sync(), w.fs.SyncPath("."))
}
