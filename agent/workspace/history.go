package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Deed is what became of a file, as an entry of the journal has it.
type Deed string

// The deeds on record.
const (
	Wrote   Deed = "wrote"   // the agent or the program wrote it
	Deleted Deed = "deleted" // the agent deleted it, or moved it elsewhere
	Kept    Deed = "kept"    // a page that was read, under Sources/
	Edited  Deed = "edited"  // a person left it so
	Removed Deed = "removed" // a person deleted or renamed it
	Undone  Deed = "undone"  // the write before came to nothing
)

// FileEntry is what an entry of the journal says of a file.
type FileEntry struct {
	Path string
	Deed Deed
	From string // hash before, "" when there was none or it is not known
	To   string // hash after, "" when there is none
	// Text is what the file holds after the deed. It is not on record when it is longer than 1 MiB or no
	// UTF-8: then it is "", and OnRecord is false.
	Text     string
	OnRecord bool
	Merged   bool // it holds words that a person saved in the instant of the write
	Met      bool // it was not written but met: it stood so when the agent, or the program, came upon it
	Shown    bool // and the agent was shown the text, or as much as there is of it to know
	Found    bool // or the program came upon it in its own work, and the agent knows nothing of it
	Revived  bool // it is a dashboard that a person deleted during a run, written again by the program
	Copy     bool // it is a copy beside a file, for a text that could not be written into it
	// Trash is where the text before is kept, when the deed took words of a person's away.
	Trash string
}

// File is what an entry says of a file, if it is about one.
func (e Entry) File() (FileEntry, bool) {
	switch e.Key {
	case keyWrite, keySource, keySeen, keyTold, keyMet, keyUndone:
	default:
		return FileEntry{}, false
	}
	var v writeEntry
	if json.Unmarshal(e.Value, &v) != nil || v.Path == "" {
		return FileEntry{}, false
	}
	f := FileEntry{Path: v.Path, From: v.From, To: v.To, Text: v.Text,
		OnRecord: v.To == hash([]byte(v.Text)), Deed: Wrote, Met: e.Key == keySeen || e.Key == keyTold ||
			e.Key == keyMet, Shown: e.Key == keySeen, Found: v.Found, Revived: v.Revived, Copy: isCopy(v.Path),
		Trash: v.Kept, Merged: v.Over != "" || v.Theirs && v.Known != nil}
	switch {
	case e.Key == keyUndone:
		f.Deed = Undone
	case e.Key == keySource:
		f.Deed = Kept
	case e.Key == keyWrite && v.To == "":
		f.Deed = Deleted
	case e.Key == keyWrite, e.Key == keySeen && v.Own:
	case v.To == "" && (isCopy(v.Path) || v.From != ""):
		return FileEntry{}, false // a text of both, which the agent has not seen
	case v.To == "":
		f.Deed = Removed
	default:
		f.Deed = Edited
	}
	return f, true
}

// IsFromOutside says whether an entry is about what came into the research from outside: a page, results of a
// search, an address that a person named.
func (e Entry) IsFromOutside() bool {
	return e.Key == keySource || e.Key == keyHits || isOriginKey(e.Key)
}

// FileChange is a deed with what it changed.
type FileChange struct {
	FileEntry
	New          bool // there was no file
	Added, Taken int  // words; 0 when a text is not on record
}

// Damage is what of a journal could not be read.
type Damage struct {
	Lines int   // damaged lines that were passed over
	Last  int   // the last of them, counted from 1; 0 for none
	Torn  int64 // bytes after the last good line
}

// String says in a sentence what was passed over, "" when nothing was. The torn end is not in it: it is set
// aside, or being written.
func (d Damage) String() string {
	switch d.Lines {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("A damaged line of %s was passed over: line %d.", journalFile, d.Last)
	}
	return fmt.Sprintf("%d damaged lines of %s were passed over, the last of them line %d.", d.Lines,
		journalFile, d.Last)
}

// Story reads the journal from its start, in a few megabytes however long it is, and hands each entry to use,
// with what it says of a file when it is about one. A person's text is a change when it is first met, and not
// when it is read again. Story takes no lock and may be called while a run is at work. An error of use ends
// it.
func (w *Workspace) Story(use func(Entry, *FileChange) error) (Damage, error) {
	s := story{w: w, last: map[string]version{}}
	var failed error
	read, err := readJournal(w.fs, 0, func(e Entry, at span) {
		if failed == nil {
			failed = use(e, s.change(e, at))
		}
	})
	return read.damage(), errors.Join(err, failed)
}

// story knows where the journal holds the last text of each file.
type story struct {
	w    *Workspace
	last map[string]version
}

// version is a text of a file on record.
type version struct {
	hash     string // "" when there is no file
	entry    span
	onRecord bool
	before   *version // the one before a write, in case that comes to nothing
}

func (s *story) change(e Entry, at span) *FileChange {
	f, ok := e.File()
	if !ok {
		return nil
	}
	old, news := s.follow(f, at)
	if !news {
		return nil
	}
	c := &FileChange{FileEntry: f, New: old.hash == "" && f.From == "" && f.Deed != Undone}
	if f.Deed != Undone && (old.onRecord || old.hash == "") && (f.OnRecord || f.To == "") {
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
func (s *story) follow(f FileEntry, at span) (old version, news bool) {
	old, known := s.last[f.Path]
	switch {
	case f.Deed == Undone:
		if old.before != nil {
			s.last[f.Path] = *old.before
		}
		return old, true
	case known && f.To == old.hash, !known && f.Deed == Removed:
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
	e, err := (&Journal{fs: s.w.fs}).entry(v.entry)
	if err != nil {
		return "" // the line was good a moment ago; a count may be off, and nothing else
	}
	return e.Text
}

// changedWords counts the words of the lines that came in and went out.
func changedWords(before, after string) (added, taken int) {
	lines := map[string]int{}
	for line := range strings.Lines(after) {
		lines[strings.TrimSpace(line)]++
	}
	for line := range strings.Lines(before) {
		lines[strings.TrimSpace(line)]--
	}
	words := map[string]int{}
	for line, n := range lines {
		if n != 0 {
			countWords(words, line, n)
		}
	}
	for _, n := range words {
		added, taken = added+max(n, 0), taken+max(-n, 0)
	}
	return added, taken
}

// countWords counts each word of a line, a Chinese character being one.
func countWords(words map[string]int, line string, by int) {
	for field := range strings.FieldsSeq(line) {
		from := 0
		for i, r := range field {
			if prose.IsCJK(r) {
				countWord(words, field[from:i], by)
				countWord(words, string(r), by)
				from = i + len(string(r))
			}
		}
		countWord(words, field[from:], by)
	}
}

func countWord(words map[string]int, word string, by int) {
	if prose.Count(word) > 0 {
		words[word] += by
	}
}

// ErrNoJournal says that a folder has no journal.
var ErrNoJournal = errors.New("there is no journal")

// HasJournal says, as an error, whether there is nothing to be told of the past.
func (w *Workspace) HasJournal() error {
	if _, err := w.fs.Stat(journalFile); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", ErrNoJournal, journalFile)
	}
	return nil
}
