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
// write a [ConflictError]. What cannot be written or merged, and what is deleted or replaced, is kept in one
// place, the trash; [Workspace.PutBack] restores a text of any time.
//
// What it promises: no path leads out of the folder; a file is replaced whole, or not at all, and a write that
// returned survives a power cut; nothing that a person wrote is overwritten by an agent that has not seen it,
// not even in the instant between the last look at a file and its replacement; what is on record in the
// journal survives a kill. What it does not do: it keeps no secrets
// (whoever can read the folder can read the research), and its Sources are for reading only.
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

// The names in a workspace that Daybook gives a meaning to.
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
	writer string   // its name on record; "" for the agent that the folder belongs to
	own    []string // files that it alone may write, and no others; nil for any
}

// folder is what all writers of a workspace share.
type folder struct {
	fs   store.Folder
	dir  string      // where it is on the disk, "" in memory
	lock *store.Lock // nil in memory, and while nobody writes

	mu        sync.Mutex // one change at a time
	journal   *Journal
	writers   map[string]*Workspace // by their names
	displaced []*displaced          // files that were replaced a moment ago
	late      []late                // what of a person's was put into files a moment ago
	sources   sourceList
	asked     string         // the question, as it was asked
	speaks    prose.Language // what was set; "" for that of the question
	hits      origin.HitList
	origin    *origin.Record
	documents []string                   // places where the person's documents are read from
	kept      map[string]json.RawMessage // by the names given to Keep
	warnings  []string
	onKept    func(name, kept string) // is told of it; may be nil
}

// displaced is a file that came out of its place for a write. A program that opened it before may write into
// it even now, so it is kept a while and looked at again.
type displaced struct {
	by    *Workspace // whose write it came out for
	path  string     // where it was
	at    string     // where it is
	text  []byte     // as it was when it was looked at; nil when it is too long to keep
	size  int
	hash  string
	stat  store.Stat
	since time.Time
}

// late is a file into which words of a person were put that they had written into one that was out of its
// place, or came out for a write. An editor that read the file before it held them, and saves after, would
// take them away again without knowing of them; so for a while they are put back when they are missing.
type late struct {
	by    *Workspace // whose write it was
	path  string
	base  string // the file before
	text  string // and with them
	since time.Time
}

// OpenFs opens a workspace on any file system, such as one in memory. Nothing locks it against other
// processes. One that is a [store.Exchanger], or has hard links, loses nothing to a save in the instant of a
// write.
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

// enter puts a row of a file on record, as this writer's. A text that the rows of this research hold is not held
// again, whatever file had it, but for that of a page: it comes into its place from its own row.
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

// Journal is the record of the runs in this workspace; nil before Lock.
func (w *Workspace) Journal() *Journal { return w.journal }

// History is what the journal tells of the past, also before Lock.
func (w *Workspace) History() history.History { return history.Of(w.fs) }

// Warnings are the faults that were found and worked around, in words for a person.
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

// undo puts on record that a write came to nothing.
func (w *Workspace) undo(p string) error {
	_, err := w.enter(store.KeyUndone, store.FileRow{Path: p})
	return err
}

// EntriesOfNow is [history.History.Entries] for the research at hand alone: researches before it may fill most
// of the journal.
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

// Progress counts what has come of the work: pages that were kept, and changes of the agent's to chapters and
// reports. What it writes on its dashboards is not counted.
func (w *Workspace) Progress() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.sources.all) + w.written
}
