package workspace

import (
	"errors"
	"slices"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxLoose is how many writes may wait to be made safe. The system writes back by itself what is older than
// half a minute, so that most of them cost no wait when their time comes.
const maxLoose = 256

// loose is a file that the disk may not hold yet as it was written last. It may hold the text before, or any
// in between, or pieces.
type loose []looseWrite

// looseWrite is one write of a loose file, as the journal has it.
type looseWrite struct {
	from, to, over string // hashes, as in a row of a file
	entry          store.Span
}

// undo puts on record that a write came to nothing, so that it is not taken for one that a power cut lost.
func (w *Workspace) undo(p string) error {
	return w.journal.Record(store.KeyUndone, store.FileRow{Path: p})
}

// abandon is undo for a write of some files that is given up for a reason.
func (w *Workspace) abandon(why error, files ...string) error {
	for _, p := range files {
		why = errors.Join(why, w.undo(p))
	}
	return errors.Join(why, w.journal.Sync())
}

// settle makes the files that were written since the last time safe. w.mu is held.
func (w *Workspace) settle() error { return w.unsettled.Settle(w.fs, w.journal.Record) }

// takeLoose applies an entry of the journal to what is known of loose files.
func (s *journalState) takeLoose(key string, v store.FileRow, at store.Span) {
	file := s.loose[v.Path]
	switch {
	case key == store.KeyUndone && len(file) > 1:
		s.loose[v.Path] = file[:len(file)-1]
	case key == store.KeyUndone:
		delete(s.loose, v.Path)
	case (key == store.KeySeen && !v.Own) || key == store.KeyTold || key == store.KeyMet: // a person's text, or none
		if v.To == "" || file.mayBe(v.To) {
			delete(s.loose, v.Path)
		}
	case v.Text == "": // deleted, or waited for, with all before it
		delete(s.loose, v.Path)
	default:
		s.loose[v.Path] = append(file, looseWrite{v.From, v.To, v.Over, at})
	}
}

// mayBe says whether a hash is that of a text that was to be replaced.
func (l loose) mayBe(hash string) bool {
	return slices.ContainsFunc(l, func(w looseWrite) bool { return w.from == hash || w.to == hash || w.over == hash }) && l[len(l)-1].to != hash
}
