// Package history tells what happened to the files of a research, using only the rows of its store.
package history

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// FileChange is a deed with the words that it changed.
type FileChange struct {
	FileEntry
	New          bool // there was no file
	Added, Taken int  // words; 0 if a text is not on record
}

// History is the past of a folder. It is read from the rows, without a lock, even during a run.
type History struct{ fsys store.Folder }

// Of returns the history of a folder.
func Of(fsys store.Folder) History { return History{fsys} }

// Entries calls use with each entry, from the first. Damaged lines are skipped and counted.
func (h History) Entries(use func(store.Entry)) (store.Damage, error) {
	read, err := h.fsys.ReadLog(0, func(e store.Entry, _ int64) { use(e) })
	return read.Damage, err
}

// Story returns the past for reading from the first entry on.
func (h History) Story() *Story { return &Story{fsys: h.fsys, files: NewFiles(h.fsys)} }

// Story tracks the files as far as the journal was read.
type Story struct {
	fsys   store.Folder
	files  *Files
	upTo   int64 // bytes that were read
	damage int   // damaged ones
}

// Read calls use with each entry appended since the last call, and with its change of a file, if any. A
// person's text is a change when it is first met, but not when it is read again. An error from use ends the
// calls. The damage is that of all that was read.
func (s *Story) Read(use func(store.Entry, *FileChange) error) (store.Damage, error) {
	var failed error
	read, err := s.fsys.ReadLog(s.upTo, func(e store.Entry, _ int64) {
		if failed == nil {
			failed = use(e, s.change(e))
		}
	})
	s.damage += read.Lines
	s.upTo, read.Lines = read.Good, s.damage
	return read.Damage, errors.Join(err, failed)
}

func (s *Story) change(e store.Entry) *FileChange {
	was, isNews := s.files.Follow(e)
	if !isNews {
		return nil
	}
	f, _ := FileOf(e) // news is always about a file
	c := &FileChange{FileEntry: f, New: was == "" && f.From == "" && f.Deed != Undone}
	before, known := s.text(was)
	if after, held := s.text(f.To); f.Deed != Undone && known && held {
		c.Added, c.Taken = changedWords(before, after)
	}
	return c
}

func (s *Story) text(hash string) (text string, known bool) {
	if hash == "" {
		return "", true
	}
	return s.fsys.Text(hash)
}

// changedWords counts the words in the lines that were added and removed.
func changedWords(before, after string) (added, taken int) {
	words := map[string]int{}
	for line, n := range markdown.LinesOver(before, after) {
		countWords(words, line, n)
	}
	for _, n := range words {
		added, taken = added+max(n, 0), taken+max(-n, 0)
	}
	return added, taken
}

// countWords counts each word of a line, or each Chinese character. An address or a name in code is one word,
// too, as a person sees it.
func countWords(words map[string]int, line string, by int) {
	count := func(word string) {
		if prose.Count(word) > 0 {
			words[word] += by
		}
	}
	for field := range strings.FieldsSeq(line) {
		from := 0
		for i, r := range field {
			if prose.IsCJK(r) {
				count(field[from:i])
				count(string(r))
				from = i + len(string(r))
			}
		}
		count(field[from:])
	}
}

// Exists returns an error if there is no journal.
func (h History) Exists() error {
	if _, err := h.fsys.Stat(store.JournalFile); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", ErrNoJournal, store.JournalFile)
	}
	return nil
}

// ErrNoJournal reports that a folder has no journal.
var ErrNoJournal = errors.New("there is no journal")

// ErrNoStep reports that a research has no such step.
var ErrNoStep = errors.New("there is no such step")

// ErrNotOnRecord reports that the text of a file at some time is kept nowhere.
var ErrNotOnRecord = errors.New("that text is not on record")

// Standing is a file as it was at some time.
type Standing struct {
	Path   string
	Exists bool
	Text   string
}

// AsOf returns files as they were in the current research before the first entry for which over returns true,
// including a person's edits as far as the agent knew of them. Its error is [ErrNotOnRecord] for a text that
// is neither in the journal, nor in the file itself, nor in the trash.
func (h History) AsOf(over func(store.Entry) bool, paths ...string) ([]Standing, error) {
	files, ended := NewFiles(h.fsys), false
	_, err := h.Entries(func(e store.Entry) {
		later := over(e) // it must see all entries
		if e.Key == store.KeyBegin {
			files, ended = NewFiles(h.fsys), false
			return
		}
		if ended = ended || later; !ended {
			files.Follow(e)
		}
	})
	all := make([]Standing, len(paths))
	for i, p := range paths {
		hash := files.Last(p)
		all[i] = Standing{Path: p, Exists: hash != ""}
		if err != nil || hash == "" {
			continue
		}
		var ok bool
		if all[i].Text, ok = h.fsys.Text(hash, p); !ok {
			err = fmt.Errorf("%w: %s was longer than 1 MiB then, or no text, and is kept neither "+
				"in the journal nor in %s", ErrNotOnRecord, p, store.AsideDir)
		}
	}
	return all, err
}

// Record is the journal of a workspace with an index, for repeating a research. It holds the positions of the
// entries, not their contents.
type Record struct {
	fsys   store.Folder
	keys   []string
	places []int64
	files  *Files
	Damage store.Damage
}

// Record reads the history with an index. Later entries are not in it.
func (h History) Record() (*Record, error) {
	fsys := h.fsys
	if err := h.Exists(); err != nil {
		return nil, err
	}
	r := &Record{fsys: fsys, files: NewFiles(fsys)}
	read, err := fsys.ReadLog(0, func(e store.Entry, at int64) {
		r.keys, r.places = append(r.keys, e.Key), append(r.places, at)
		r.files.Follow(e)
	})
	r.Damage = read.Damage
	return r, err
}

// Len returns the number of entries.
func (r *Record) Len() int { return len(r.keys) }

// Key returns the key of an entry, from 0.
func (r *Record) Key(i int) string { return r.keys[i] }

// Entry reads an entry.
func (r *Record) Entry(i int) (store.Entry, error) { return r.fsys.EntryAt(r.places[i]) }

// Last returns the hash of a file's last text on record, or "" if it was deleted, and whether the file is on
// record.
func (r *Record) Last(p string) (hash string, known bool) { return r.files.Last(p), r.files.Knows(p) }

// Text finds the text of a file by its hash: in the journal, in the current file, or in the trash.
func (r *Record) Text(p, sum string) (string, bool) { return r.fsys.Text(sum, p) }
