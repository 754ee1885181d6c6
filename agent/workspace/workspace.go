// Package workspace is the folder of a research, and the only way to the disk.
//
// A workspace holds two dashboards, a Notebook of chapters, the Sources that were read, and the report; all
// of it Markdown that a person reads and edits at any moment, also while an agent works. [Open] opens one to
// look at; [Workspace.Lock] takes it for writing, one agent at a time:
//
//	w, err := workspace.Open("my-research")
//	if err != nil { … }
//	defer w.Close()
//	if err := w.Lock(); err != nil { … }
//	chapter, err := w.Read("Notebook/01-background.md")
//	err = w.Append("Notebook/01-background.md", "One more thing.\n")
//
// A write is made from a file as the agent last saw it. What a person changed since is merged, and told by
// [Workspace.ChangesIn] for the file or by [Workspace.Changes] for all; a change of the same lines makes the
// write a [ConflictError]. What cannot be written or merged is kept beside the file, and what is deleted or
// replaced in the trash; [Workspace.PutBack] restores a text of any time.
//
// What it promises: no path leads out of the folder; a file is replaced whole, or not at all, and a write that
// returned survives a power cut; nothing that a person wrote is overwritten by an agent that has not seen it,
// not even in the instant between the last look at a file and its replacement; what is on record in the
// journal survives a kill. What it does not do: it keeps no secrets
// (whoever can read the folder can read the research), and its Sources are for reading only.
package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// The names in a workspace that Daybook gives a meaning to.
const (
	OverallFile  = "overall_dashboard.md"
	CurrentFile  = "current_dashboard.md"
	ReportFile   = "report.md"
	ChartFile    = "quality.svg" // goes with the report
	SettingsFile = "daybook.yaml"
	NotebookDir  = "Notebook"
	SourcesDir   = "Sources"
	RulesDir     = "rules"
	BoardsDir    = "dashboards" // one for each chapter that has a researcher of its own
	ArchiveDir   = "Archive"    // finished researches, moved aside by a new question
)

// Workspace is an open folder as one writer sees it. Its methods may be called from several goroutines.
type Workspace struct {
	*folder
	view            // the writer's
	writer string   // its name on record; "" for the agent that the folder belongs to
	own    []string // files that it alone may write, and no others; nil for any
}

// folder is what all writers of a workspace share.
type folder struct {
	fs   store.Folder
	dir  string      // where it is on the disk, "" in memory
	lock *store.Lock // nil in memory, and while nobody writes

	mu      sync.Mutex // one change at a time
	journal *Journal
	// what a run before this one left unfinished was finished: only then may Close say that all is settled
	putInOrder bool
	writers    map[string]*Workspace // by their names
	displaced  []*displaced          // files that were replaced a moment ago
	late       []late                // what of a person's was put into files a moment ago
	sources    sourceList
	asked      string         // the question, as it was asked
	speaks     prose.Language // what was set; "" for that of the question
	hits       origin.HitList
	origin     *origin.Record
	documents  []string                   // places where the person's documents are read from
	kept       map[string]json.RawMessage // by the names given to Keep
	warnings   []string
	// where in the trash the text is that the write at hand replaces, when it drops words of a person's
	copied string
	onKept func(name, kept string) // is told of it; may be nil
}

// Open opens a folder for reading. It must exist and be a folder.
func Open(dir string) (*Workspace, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("opening %s: there is no such folder", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	if !info.IsDir() {
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

// OpenFs opens a workspace on any file system, such as one in memory. Nothing locks it against other
// processes. One that is a [store.Exchanger], or has hard links, loses nothing to a save in the instant of a
// write.
func OpenFs(fsys store.Fs) *Workspace {
	disk, ok := fsys.(store.Folder)
	if !ok {
		disk = store.Folder{Fs: fsys}
	}
	w := &Workspace{folder: &folder{fs: disk}, view: newView()}
	w.writers = map[string]*Workspace{"": w}
	return w
}

// Lock takes the workspace for writing and reads its journal. It fails at once, naming the holder, when
// another run has it. A process that dies gives the lock back.
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
	journal, state, err := openJournal(w.fs)
	if err != nil {
		return err
	}
	journal.log.MayWrite = w.lock.Check
	w.journal, w.asked, w.hits = journal, state.asked, state.hits
	for name, of := range state.writers {
		w.as(name).view = of.view
	}
	w.kept, w.origin = state.kept, journal.origin
	w.warnings = append(w.warnings, state.warnings...)
	if err := w.putRight(state.placing); err != nil {
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
	if err := w.loadSources(state.sources, state.before, state.since); err != nil {
		return err
	}
	if err := w.noteLoss(state); err != nil {
		return err
	}
	w.putInOrder = true
	return w.hear()
}

// keepFromGit keeps the program's own state out of a person's repository.
func keepFromGit(fsys store.Folder, state string) error {
	err := fsys.CreateNew(path.Join(state, ".gitignore"), []byte("*\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Close gives the workspace back.
func (w *Workspace) Close() error {
	var errs []error
	if w.journal != nil {
		w.mu.Lock()
		// then another run writes here, and this one has said so
		lost := w.lock.Check()
		for n := 0; lost == nil && n < maxTries; n++ { // what is taken in displaces files itself
			if errs = append(errs, w.heed(true, "")); len(w.displaced) == 0 {
				break
			}
		}
		if lost == nil && w.putInOrder && w.journal.unsettled {
			errs = append(errs, w.journal.Record(store.KeySettled, nil))
		}
		errs = append(errs, w.journal.log.Close())
		w.mu.Unlock()
	}
	errs = append(errs, w.lock.Release())
	return errors.Join(append(errs, w.fs.Close())...)
}

// Journal is the record of the runs in this workspace; nil before Lock.
func (w *Workspace) Journal() *Journal { return w.journal }

// History is what the journal tells of the past, also before Lock.
func (w *Workspace) History() history.History { return history.Of(w.fs) }

// Warnings are the faults that were found and worked around, in words for a person.
func (w *Workspace) Warnings() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.warnings...)
}

// warn notes a fault once. w.mu is held.
func (w *Workspace) warn(text string) {
	if !slices.Contains(w.warnings, text) {
		w.warnings = append(w.warnings, text)
	}
}

// StatePath is the path on the disk of one of the machine's own files, for a library that opens files by
// itself; "" in memory.
func (w *Workspace) StatePath(name string) string {
	if w.dir == "" {
		return ""
	}
	return filepath.Join(w.dir, store.StateDir, name)
}

// Exists reports whether the workspace has its two dashboards, or either of them. Empty ones are what a power
// cut leaves of a workspace that was just begun, and count for nothing.
func (w *Workspace) Exists() bool {
	for _, name := range []string{OverallFile, CurrentFile} {
		if info, err := w.fs.Stat(name); err == nil && info.Size() > 0 {
			return true
		}
	}
	return false
}

// Foreign names a file that has the name of a dashboard and is somebody's own: nothing is on record here, and
// no file has a section of a dashboard. It is "" where there is none.
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

// Complete reports whether both dashboards are there and have their sections.
func (w *Workspace) Complete() bool {
	for _, d := range []Dashboard{Overall, Current} {
		if data, exists, err := w.load(d.File); err != nil || !exists || d.check(string(data), MaxRead) != nil {
			return false
		}
	}
	return true
}

// Running reports whether a run has the workspace now.
func (w *Workspace) Running() bool {
	return w.lock != nil || w.dir != "" && store.Running(w.dir)
}
