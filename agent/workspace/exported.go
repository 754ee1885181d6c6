package workspace

import (
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// What whoever uses a workspace needs of its store and its history.
type (
	Entry      = store.Entry
	FileEntry  = store.FileEntry
	Deed       = store.Deed
	Damage     = store.Damage
	Disk       = store.Disk
	Exchanger  = store.Exchanger
	FileChange = history.FileChange
	Record     = history.Record
	Standing   = history.Standing
)

// The deeds on record.
const (
	Wrote   = store.Wrote
	Deleted = store.Deleted
	Kept    = store.Kept
	Edited  = store.Edited
	Removed = store.Removed
	Undone  = store.Undone
)

// Keys of the rows that say where a research, or a run, begins.
const (
	KeyAsked   = store.KeyAsked
	KeyArchive = store.KeyArchive
	KeyBegin   = store.KeyBegin
	KeyRun     = store.KeyRun
)

// Errors of the store and the history.
var (
	ErrLocked      = store.ErrLocked
	ErrOutside     = store.ErrOutside
	ErrNoJournal   = store.ErrNoJournal
	ErrNoStep      = history.ErrNoStep
	ErrNotOnRecord = history.ErrNotOnRecord
)

// Probe tries what a workspace needs in a folder.
func Probe(dir string) (Disk, error) { return store.Probe(dir) }

// Shown writes a path for a model or a terminal.
func Shown(p string) string { return store.Shown(p) }

// CopyOf is the file that another is a copy beside, by its name.
func CopyOf(p string) (of string, ok bool) { return store.CopyOf(p) }

// HashOf returns the hash by which the journal identifies a text.
func HashOf(text []byte) string { return store.Hash(text) }
