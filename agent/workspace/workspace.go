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
// A write starts from a file as the agent last saw it. What a person changed since is merged, and reported by
// [Workspace.ChangesIn] for the file or by [Workspace.Changes] for all; if both changed the same lines, the
// write returns a [ConflictError]. What cannot be written or merged, and what is deleted or replaced, is kept
// in one place, the trash; [Workspace.PutBack] restores a text of any time.
//
// It guarantees that no path leads out of the folder; that a file is replaced completely, or not at all, and
// a write that returned survives a power cut; that an agent overwrites nothing by a person that it has not
// seen, not even a save at the very moment of the write; and that what is on record in the journal survives a
// kill. It does not keep secrets (whoever can read the folder can read the research), and its Sources are for
// reading only.
package workspace

import (
	"encoding/json"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// The names that have a meaning for Daybook in a workspace.
const (
	OverallFile  = layout.OverallFile
	CurrentFile  = layout.CurrentFile
	ReportFile   = layout.ReportFile
	ChartFile    = layout.ChartFile
	SettingsFile = layout.SettingsFile
	NotebookDir  = layout.NotebookDir
	SourcesDir   = layout.SourcesDir
	RulesDir     = layout.RulesDir
	BoardsDir    = layout.BoardsDir
	ArchiveDir   = layout.ArchiveDir
)

// Workspace is an open folder as one writer sees it. Its methods may be called from several goroutines.
type Workspace struct {
	*folder
	view            // the writer's
	writer string   // its name on record; "" for the agent that owns the folder
	own    []string // the only files that it may write; nil for any
}

// folder is shared by all writers of a workspace.
type folder struct {
	fs   store.Folder
	dir  string      // its path on the disk, "" in memory
	lock *store.Lock // nil in memory, and while nobody writes

	mu        sync.Mutex // one change at a time
	journal   *Journal
	writers   map[string]*Workspace // by their names
	displaced []*displaced          // files that were replaced a moment ago
	late      []late                // a person's words that were merged into files a moment ago
	sources   sourceList
	asked     string         // the question, as the person asked it
	speaks    prose.Language // the language that was set; "" for that of the question
	hits      origin.HitList
	origin    *origin.Record
	documents []string                   // places where the person's documents are read from
	kept      map[string]json.RawMessage // by the names given to Keep
	warnings  []string
	onKept    func(name, kept string) // called with what is kept; may be nil
}

// displaced is a file that a write replaced. A program that opened it before may still write to it, so it is
// kept a while and checked again.
type displaced struct {
	by    *Workspace // whose write replaced it
	path  string     // where it was
	at    string     // where it is
	text  []byte     // as last checked; nil if it is too long to keep
	size  int
	hash  string
	stat  store.Stat
	since time.Time
}

// late is a file into which a person's words were merged from a displaced file. An editor that read the file
// before that, and saves later, would remove them unknowingly; so for a while they are restored when they are
// missing.
type late struct {
	by    *Workspace // whose write it was
	path  string
	base  string // the file before
	text  string // and with them
	since time.Time
}

// OpenFs opens a workspace on any file system, such as one in memory. Nothing locks it against other
// processes. With a [store.Exchanger], or hard links, no save at the moment of a write is lost.
func OpenFs(fsys store.Fs) *Workspace {
	w := &Workspace{folder: &folder{fs: store.On(fsys)}, view: newView()}
	w.writers = map[string]*Workspace{"": w}
	return w
}

func (w *Workspace) as(writer string) *Workspace {
	if w.writers[writer] == nil {
		w.writers[writer] = &Workspace{folder: w.folder, view: newView(), writer: writer}
	}
	return w.writers[writer]
}

// enter records a row of a file for this writer. A text that this research has on record already is not
// stored again, whichever file had it, except a page's: its file is restored from its own row.
func (w *Workspace) enter(key string, row store.FileRow) (int64, error) {
	if w.journal == nil {
		return 0, errOnlyRead
	}
	if row.By == "" {
		row.By = w.writer
	}
	if key != store.KeySource && w.fs.Holds(row.To, w.journal.began) {
		row.Text = ""
	}
	_, at, err := w.journal.append(key, row)
	return at, err
}

// Journal returns the record of the runs in this workspace; nil before Lock.
func (w *Workspace) Journal() *Journal { return w.journal }

// History returns the past from the journal, even before Lock.
func (w *Workspace) History() history.History { return history.Of(w.fs) }

// Warnings returns the faults that were found and worked around, in words for a person.
func (w *Workspace) Warnings() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.warnings)
}

// warn notes a fault once. w.mu is held.
func (w *Workspace) warn(text string) {
	if !slices.Contains(w.warnings, text) {
		w.warnings = append(w.warnings, text)
	}
}

// StatePath returns the path on the disk of one of the machine's own files, for a library that opens files
// itself; "" in memory.
func (w *Workspace) StatePath(name string) string {
	if w.dir == "" {
		return ""
	}
	return filepath.Join(w.dir, store.StateDir, name)
}

// Exists reports whether the workspace has at least one of its two dashboards. Empty ones, left by a power
// cut just after a workspace was started, do not count.
func (w *Workspace) Exists() bool {
	return slices.ContainsFunc([]string{OverallFile, CurrentFile}, func(name string) bool {
		info, err := w.fs.Stat(name)
		return err == nil && info.Size() > 0
	})
}

// Running reports whether a run has the workspace now.
func (w *Workspace) Running() bool {
	return w.lock != nil || w.dir != "" && store.Running(w.dir)
}

// keepFromGit keeps the program's own state out of a person's repository.
func keepFromGit(fsys store.Folder, state string) error {
	return store.Ignore(fs.ErrExist, fsys.CreateNew(path.Join(state, ".gitignore"), []byte("*\n")))
}

// undo records that a write did not happen.
func (w *Workspace) undo(p string) error {
	_, err := w.enter(store.KeyUndone, store.FileRow{Path: p})
	return err
}

// EntriesOfNow is [history.History.Entries] for the current research alone: earlier ones may fill most of the
// journal.
func (w *Workspace) EntriesOfNow(use func(store.Entry)) error {
	var from int64
	if j := w.journal; j != nil {
		j.mu.Lock()
		from = j.began
		j.mu.Unlock()
	}
	_, err := w.fs.ReadLog(from, func(e store.Entry, _ int64) { use(e) })
	return err
}

// Progress counts the results of the work: pages that were kept, and the agent's changes to chapters and
// reports. Changes to its dashboards do not count.
func (w *Workspace) Progress() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.sources.all) + w.written
}
