package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Open opens an existing folder for reading.
func Open(dir string) (*Workspace, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("opening %s: there is no such folder", dir)
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("opening %s: it is a file, and a workspace is a folder; give another path", dir)
	}
	disk, err := store.OpenFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	w := OpenFs(disk)
	w.dir = dir
	return w, nil
}

// Lock takes the workspace for writing and reads its journal. If another run has it, it fails at once, naming
// the holder. The lock of a process that dies is released.
func (w *Workspace) Lock() error {
	if err := w.ownState(); err != nil {
		return err
	}
	if err := w.fs.MkdirAll(store.StateDir, 0o755); err != nil {
		return fmt.Errorf("preparing %s in the workspace: %w", store.StateDir, store.CannotWrite(err))
	}
	if w.dir != "" {
		lock, err := store.TakeLock(w.dir)
		if err != nil {
			return err
		}
		w.lock = lock
		w.warnings = append(w.warnings, lock.Warnings...)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := keepFromGit(w.fs, store.StateDir); err != nil {
		return err
	}
	state, err := w.readJournal()
	if err != nil {
		return err
	}
	if err := w.putRight(state); err != nil {
		return err
	}
	if state.archive != nil {
		if err := w.moveAside(*state.archive); err != nil {
			return err
		}
	}
	w.completeArchives()
	if err := w.reviveDashboards(); err != nil {
		return err
	}
	w.lookAround()
	if err := w.loadSources(state.before, state.since); err != nil {
		return err
	}
	if err := w.noteLoss(state); err != nil {
		return err
	}
	return w.hear()
}

// Close releases the workspace.
func (w *Workspace) Close() error {
	var errs []error
	if w.journal != nil {
		w.mu.Lock()
		// another run may have taken over, which the lock has reported
		lost := w.lock.Check()
		for n := 0; lost == nil && n < maxTries; n++ { // merging late writes displaces files itself
			if errs = append(errs, w.heed(true, "")); len(w.displaced) == 0 {
				break
			}
		}
		errs = append(errs, w.journal.log.Close())
		w.mu.Unlock()
	}
	errs = append(errs, w.lock.Release())
	return errors.Join(append(errs, w.fs.Close())...)
}

// ownState refuses a workspace whose state is behind a symbolic link: some of it is opened by its path on the
// disk, which would follow the link out of the folder.
func (w *Workspace) ownState() error {
	names := []string{store.StateDir}
	if !w.fs.IsLink(store.StateDir) {
		entries, err := w.fs.ReadDir(store.StateDir)
		if err != nil {
			return fmt.Errorf("listing %s: %w", store.StateDir, store.Plainly(err))
		}
		for _, e := range entries {
			names = append(names, path.Join(store.StateDir, e.Name()))
		}
	}
	for _, name := range names {
		if w.fs.IsLink(name) {
			return fmt.Errorf("opening the workspace: %s is a symbolic link, and the program keeps its state in the folder itself; remove the link", name)
		}
	}
	return nil
}

// Foreign names a file that has the name of a dashboard but is somebody's own: there is no journal, and no
// file has a section of a dashboard. It returns "" if there is none.
func (w *Workspace) Foreign() (name string) {
	if _, err := w.fs.Stat(store.JournalFile); err == nil {
		return ""
	}
	for _, d := range []Dashboard{Overall, Current} {
		data, exists, err := w.load(d.File)
		switch isBlank := len(bytes.TrimSpace(data)) == 0; {
		case err == nil && (!exists || isBlank):
		case err != nil || len(d.missing(counted(string(data)))) == len(d.Sections)-len(d.Optional):
			name = d.File
		default:
			return ""
		}
	}
	return name
}

// Complete reports whether both dashboards exist and have their sections.
func (w *Workspace) Complete() bool {
	for _, d := range []Dashboard{Overall, Current} {
		if data, exists, err := w.load(d.File); err != nil || !exists || d.check(string(data), MaxRead) != nil {
			return false
		}
	}
	return true
}

// As returns the workspace as seen by another writer, recorded under its agent's name, who may write the
// given files only. It knows what it was shown and wrote itself, and a chapter's dashboard as the last writer
// of those files left it; everything else is shared.
func (w *Workspace) As(writer string, files ...string) *Workspace {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := w.as(writer)
	of.own = files
	for _, p := range files {
		board, last := BoardOf(p).File, seen{}
		for _, before := range w.writers {
			if now := before.seen[board]; now.hash != "" && now.row >= last.row {
				last = now
			}
		}
		if of.seen[board].hash == "" && last.hash != "" {
			of.seen[board] = last
		}
	}
	return of
}

// LearnOf tells this writer which files the agents nested in a call wrote, but not their text. What a person
// has changed in these files since is still to be reported.
func (w *Workspace) LearnOf(call string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, of := range w.writers {
		if strings.HasPrefix(name, call+"/") {
			w.learn(&of.view)
		}
	}
}

// Baseline marks the current files as seen, in a workspace without a record of what the agent saw.
func (w *Workspace) Baseline() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) > 0 {
		return nil
	}
	present, err := w.present()
	if err != nil {
		return err
	}
	for _, p := range w.trackedFiles(present) {
		if data, exists, err := w.load(p); err == nil && exists { // unreadable ones are reported at the start
			if err := w.markSeen(p, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// InFlight reports whether a file is as its last write left it, while the result of that call is not
// recorded: a run was cut off between the two. When the same call is repeated, it finds its write done.
func (w *Workspace) InFlight(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.fs.Real(name)
	under, ok := w.pending[p]
	if err != nil || !ok || under.past {
		return false
	}
	data, exists, err := w.load(p)
	return err == nil && exists && store.Hash(data) == under.to
}

// lookAround warns, in a line, of files in the folder that the research leaves alone; none of them stops a
// run. w.mu is held.
func (w *Workspace) lookAround() {
	left := map[string][]string{} // files that are left alone, by the reason
	crowd := 0
	more, err := w.eachTracked(func(p string, state store.Stat, crowded bool) {
		if crowded {
			crowd++
		}
		if state.Size > MaxRead {
			left["larger than 8 MiB"] = append(left["larger than 8 MiB"], p)
		}
	})
	if err != nil {
		return // the next caller that lists the folder gets the error
	}
	_, err = w.eachFolder(func(dir string, entries []fs.FileInfo) {
		same, top := map[string]bool{}, dir == "." // folded names
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() || store.Hidden(name) || top && !strings.Contains(name, ".md") {
				continue
			}
			why, form := w.oddOf(path.Join(dir, name), e), store.Folded(name)
			if why == "" && same[form] && !top {
				why = "the same name as another but for its form"
			}
			if same[form] = true; why != "" {
				left[why] = append(left[why], path.Join(dir, name))
			}
		}
	})
	if err != nil {
		return
	}
	var told []string
	for _, why := range slices.Sorted(maps.Keys(left)) {
		slices.Sort(left[why])
		told = append(told, why+": "+firstOf(left[why], 3, " and %d more"))
	}
	if told != nil {
		w.warn(fmt.Sprintf("Left alone in the folder: %s", strings.Join(told, "; ")))
	}
	if crowd > 0 || more {
		w.warn(fmt.Sprintf("The folder holds %d Markdown files where the research keeps its own: they can be searched and read, and changes are told only of those that the agent has read or written.", crowd))
	}
}

// oddOf returns the reason why a file is left alone, or "".
func (w *Workspace) oddOf(p string, info fs.FileInfo) string {
	switch name := info.Name(); {
	case store.IsAside(name):
		return "a copy or backup of another program"
	case info.Mode()&fs.ModeSymlink != 0:
		if _, err := w.allowedTo(p); err != nil {
			return "a link that is not followed"
		}
	case !utf8.ValidString(name):
		return "a name that is no UTF-8"
	case store.Shown(name) != name:
		return "a name with letters that cannot be seen"
	}
	return ""
}
