package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"
)

// StateDir holds the program's own state in a workspace, and JournalFile its history.
const (
	StateDir    = ".daybook"
	JournalFile = StateDir + "/journal.jsonl"
)

// Entry is a line of the journal.
type Entry struct {
	Time  time.Time       `json:"t"`
	Key   string          `json:"k"`
	Value json.RawMessage `json:"v"`

	row *FileRow // the value as a row, once parsed
}

// Row returns what an entry says of a file, to the letter, if it is about one.
func (e Entry) Row() (v FileRow, ok bool) {
	if e.row != nil {
		return *e.row, true
	}
	return v, (isFileKey(e.Key) || e.Key == KeyUndone) && json.Unmarshal(e.Value, &v) == nil
}

// Keys of the rows of files.
const (
	KeyWrite = "write" // a file is about to be replaced
	KeySeen  = "seen"  // the agent was shown a person's text of a file
	// a person's text that the agent was not shown: the program came upon it, or it was put back
	KeyMet     = "met"
	KeyTold    = "told"    // the agent was told that a file changed, but not how
	KeySource  = "source"  // a page is about to be kept
	KeyUndone  = "undone"  // the last write of a file did not happen
	KeySettled = "settled" // the page before is in its place
	KeyAside   = "aside"   // a person's text that could not be merged was set aside
)

// FileRow is the value of all rows about a file. The text is the base of a later diff or merge.
type FileRow struct {
	Path string `json:"path"`
	By   string `json:"by,omitempty"`   // the writer, or whose view it is; "" for the researcher
	From string `json:"from,omitempty"` // hash before, "" for a new file
	To   string `json:"to,omitempty"`   // hash after, "" for a deletion
	Over string `json:"over,omitempty"` // hash of what a person saved just before, which is merged in
	Text string `json:"text,omitempty"` // after, unless it is longer than maxKept
	// Kept is where a text is set aside: the one before, if the write removes a person's words.
	Kept string `json:"kept,omitempty"`
	// Known is the text that the agent knows of, if an edit was merged that it was not shown; "" for nothing.
	Known *string `json:"known,omitempty"`

	Own bool `json:"own,omitempty"` // the text is the program's own, not a person's
	// the agent's known text has a person's words that are kept nowhere else
	Theirs bool `json:"theirs,omitempty"`
	Notice bool `json:"notice,omitempty"` // reported by a notice; valid only when that is on record itself
	Found  bool `json:"found,omitempty"`  // met as a person left it, and not put back
	Back   *int `json:"back,omitempty"`   // the step after which it stood so: a person had it put back

	// it only changed numbers, which is no progress: a counter would never end
	Figures bool `json:"figures,omitempty"`
	// a dashboard that was deleted during a run; not a call's own write
	Revived bool `json:"revived,omitempty"`
}

// Waiting tells a person and a model where a person's text is kept that could not be merged.
func (v FileRow) Waiting() string {
	return fmt.Sprintf("What was saved in %s while it was replaced is kept as %s.", v.Path, v.Kept)
}

// MaxKept is the maximum size in bytes of a text in an entry. No chapter written by hand is longer.
const MaxKept = 1 << 20

// maxRow bounds a decoded line, in bytes. The longest that Daybook writes are about ten times shorter.
const maxRow = 64 << 20

// EntryOf describes a text, and includes it if JSON can hold it and it is not too long.
func EntryOf(p, from, to string, data []byte) FileRow {
	e := FileRow{Path: p, From: from, To: to}
	if len(data) <= MaxKept && utf8.Valid(data) {
		e.Text = string(data)
	}
	return e
}

// texts knows the row of the history that has each text, by its hash, as far as the history was read.
type texts struct {
	mu sync.Mutex
	at map[string]int64
}

// take notes the texts in a row.
func (t *texts) take(v FileRow, at int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v.Text != "" {
		t.at[v.To] = at
	}
	if v.Known != nil {
		t.at[Hash([]byte(*v.Known))] = at
	}
}

// Damage describes the parts of a journal that could not be read.
type Damage struct {
	Lines int   // damaged lines that were skipped
	Last  int   // the last of them, counted from 1 where the reading began; 0 for none
	Torn  int64 // bytes after the last good line that are not damaged lines
}

// String says in a sentence what was skipped, or returns "". It omits the torn end, which is set aside, or
// being written.
func (d Damage) String() string {
	switch d.Lines {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("A damaged line of %s was passed over: line %d.", JournalFile, d.Last)
	}
	return fmt.Sprintf("%d damaged lines of %s were passed over, the last of them line %d.", d.Lines,
		JournalFile, d.Last)
}

// isFileKey reports whether an entry has a text of a file.
func isFileKey(key string) bool {
	return key == KeyWrite || key == KeySeen || key == KeyMet || key == KeyTold || key == KeySource
}

// Keys of the rows that say where a research, or a run, begins.
const (
	KeyAsked   = "asked"   // the question of the new research, to the letter
	KeyArchive = "archive" // a finished research is about to be archived
	KeyBegin   = "begin"   // it was archived, and another begins
	// KeyRun begins a run. If there is no end between two of them, the first run was stopped.
	KeyRun = "run"
)

// Hash identifies a text: its SHA-256 in hex digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
