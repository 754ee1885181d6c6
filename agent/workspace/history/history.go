// Package history tells what became of the files of a research, from the rows of its store and nothing else.
package history

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// FileChange is a deed with what it changed.
type FileChange struct {
	store.FileEntry
	New          bool // there was no file
	Added, Taken int  // words; 0 when a text is not on record
}

// History is the past of a folder. It is read from the rows, without a lock, also while a run is at work.
type History struct{ fsys store.Folder }

// Of returns the history of a folder.
func Of(fsys store.Folder) History { return History{fsys} }

// Entries hands each entry to use, from the first. Damaged lines are passed over and counted.
func (h History) Entries(use func(store.Entry)) (store.Damage, error) {
	read, err := h.fsys.ReadLog(0, func(e store.Entry, _ store.Span) { use(e) })
	return read.Damage(), err
}

// Story is Entries, in a few megabytes however long the journal is, with what each entry says of a file when
// it is about one. A person's text is a change when it is first met, and not when it is read again. An error
// of use ends it.
func (h History) Story(use func(store.Entry, *FileChange) error) (store.Damage, error) {
	s := story{fsys: h.fsys, last: map[string]version{}}
	var failed error
	read, err := h.fsys.ReadLog(0, func(e store.Entry, at store.Span) {
		if failed == nil {
			failed = use(e, s.change(e, at))
		}
	})
	return read.Damage(), errors.Join(err, failed)
}

// story knows where the journal holds the last text of each file.
type story struct {
	fsys store.Folder
	last map[string]version
}

// version is a text of a file on record.
type version struct {
	hash     string // "" when there is no file
	entry    store.Span
	onRecord bool
	before   *version // the one before a write, in case that comes to nothing
}

func (s *story) change(e store.Entry, at store.Span) *FileChange {
	f, ok := e.File()
	if !ok {
		return nil
	}
	old, news := s.follow(f, at)
	if !news {
		return nil
	}
	c := &FileChange{FileEntry: f, New: old.hash == "" && f.From == "" && f.Deed != store.Undone}
	if f.Deed != store.Undone && (old.onRecord || old.hash == "") && (f.OnRecord || f.To == "") {
		before := ""
		if old.onRecord {
			before = s.text(old)
		}
		c.Added, c.Taken = changedWords(before, f.Text)
	}
	return c
}

// follow takes an entry over, and says what was known of the file before and whether the entry says anything
// new.
func (s *story) follow(f store.FileEntry, at store.Span) (old version, news bool) {
	old, known := s.last[f.Path]
	switch {
	case f.Deed == store.Undone:
		if old.before != nil {
			s.last[f.Path] = *old.before
		}
		return old, true
	case known && f.To == old.hash, !known && f.Deed == store.Removed:
		if f.OnRecord && !old.onRecord {
			s.last[f.Path] = version{hash: f.To, entry: at, onRecord: true}
		}
		return old, false // it was met before
	}
	before := old
	before.before = nil
	s.last[f.Path] = version{hash: f.To, entry: at, onRecord: f.OnRecord, before: &before}
	return old, true
}

// text reads a text back, so that none is held in memory.
func (s *story) text(v version) string {
	e, err := s.fsys.FileAt(v.entry)
	if err != nil {
		return "" // the line was good a moment ago; a count may be off, and nothing else
	}
	return e.Text
}

// changedWords counts the words of the lines that came in and went out.
func changedWords(before, after string) (added, taken int) {
	words := map[string]int{}
	for line, n := range markdown.LinesOver(before, after) {
		for _, word := range prose.Words(line) {
			words[word] += n
		}
	}
	for _, n := range words {
		added, taken = added+max(n, 0), taken+max(-n, 0)
	}
	return added, taken
}

// Exists returns an error when there is no journal.
func (h History) Exists() error {
	if _, err := h.fsys.Stat(store.JournalFile); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", store.ErrNoJournal, store.JournalFile)
	}
	return nil
}

// aside finds a text of a file that the history does not hold, by its hash: in the file as it stands, or in
// the trash.
func aside(fsys store.Folder, p, sum string) (string, bool) {
	for _, file := range []string{p, store.TrashOf(p, sum)} {
		if data, err := fsys.ReadFile(file); err == nil && store.Hash(data) == sum {
			return string(data), true
		}
	}
	return "", false
}
