package workspace

import (
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Story reads the journal from its start and hands each entry to use, with what it says of a file when it is
// about one. It takes no lock and may be called while a run is at work. An error of use ends it.
func (w *Workspace) Story(use func(Entry, *history.FileChange) error) (Damage, error) {
	return history.Story(w.fs, use)
}

// Record reads the journal. It takes no lock; what is appended later is not in it.
func (w *Workspace) Record() (*history.Record, error) { return history.Read(w.fs) }

// AsOf gives files as they stood in the research at hand before the first entry that over says yes to, with
// what a person had written by then, as far as the agent was told of it.
func (w *Workspace) AsOf(over func(Entry) bool, paths ...string) ([]history.Standing, error) {
	return history.AsOf(w.fs, over, paths...)
}

// HasJournal says, as an error, whether there is nothing to be told of the past.
func (w *Workspace) HasJournal() error { return history.Exists(w.fs) }

// Entries reads the journal from its start, for whoever tells its story. Damaged lines are passed over.
func (w *Workspace) Entries(use func(Entry)) error {
	_, err := w.EntriesAndDamage(use)
	return err
}

// EntriesAndDamage is Entries, and says what of the journal could not be read.
func (w *Workspace) EntriesAndDamage(use func(Entry)) (Damage, error) {
	read, err := w.fs.ReadLog(0, func(e Entry, _ store.Span) { use(e) })
	return read.Damage(), err
}
