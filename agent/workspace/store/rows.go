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

// StateDir is where a workspace keeps what is the program's own, and JournalFile its history.
const (
	StateDir    = ".daybook"
	JournalFile = StateDir + "/journal.jsonl"
)

// Entry is a line of the journal.
type Entry struct {
	Time  time.Time       `json:"t"`
	Key   string          `json:"k"`
	Value json.RawMessage `json:"v"`

	row *FileRow // that the value is, once it was read
}

// Row is what an entry says of a file, to the letter, if it is about one.
func (e Entry) Row() (v FileRow, ok bool) {
	if e.row != nil {
		return *e.row, true
	}
	return v, (isFileKey(e.Key) || e.Key == KeyUndone) && json.Unmarshal(e.Value, &v) == nil
}

// Keys of the rows of files.
const (
	KeyWrite = "write" // a file is about to be replaced
	KeySeen  = "seen"  // the agent was shown a file as a person left it
	// a person's text that the agent was not shown: the program came upon it, or it was put back
	KeyMet     = "met"
	KeyTold    = "told"    // the agent was told that a file changed, and not how
	KeySource  = "source"  // a page is about to be kept
	KeyUndone  = "undone"  // the last write of a file came to nothing
	KeySettled = "settled" // the page before is in its place
	KeyAside   = "aside"   // a person's text that could not be merged was kept aside
)

// FileRow is what those of a file have in common. The text is the base of a later diff or merge.
type FileRow struct {
	Path string `json:"path"`
	By   string `json:"by,omitempty"`   // whose view of the file it is, or who wrote it; "" for the researcher
	From string `json:"from,omitempty"` // hash before, "" for a new file
	To   string `json:"to,omitempty"`   // hash after, "" for a deletion
	Over string `json:"over,omitempty"` // hash of what a person saved in the instant, and what is merged in
	Text string `json:"text,omitempty"` // after, unless it is longer than maxKept
	// Kept is where a text is kept aside: the one before, when the write takes words of a person's away.
	Kept string `json:"kept,omitempty"`
	// Known is what the agent knows of the text, when an edit was merged into it that it was not shown; ""
	// for nothing.
	Known *string `json:"known,omitempty"`

	Own bool `json:"own,omitempty"` // the text is the program's own, not a person's
	// what the agent knows of it holds a person's words that are kept nowhere else
	Theirs bool `json:"theirs,omitempty"`
	Notice bool `json:"notice,omitempty"` // told by a notice, and so only when that is on record itself
	Found  bool `json:"found,omitempty"`  // met as a person left it, and not put back

	// it changed numbers alone, which is no progress: a counter would never end
	Figures bool `json:"figures,omitempty"`
	// a dashboard that was deleted during a run, and no call's own write
	Revived bool `json:"revived,omitempty"`
}

// Waiting says, for a person and a model, where a text of a person's is kept that could not be merged.
func (v FileRow) Waiting() string {
	return fmt.Sprintf("What was saved in %s while it was replaced is kept as %s.", v.Path, v.Kept)
}

// MaxKept is the size of the longest text that an entry holds, in bytes. No chapter written by hand is
// longer.
const MaxKept = 1 << 20

// maxRow is how many bytes of a line are decoded. The longest that Daybook writes has some ten times less.
const maxRow = 64 << 20

// EntryOf describes a text, and holds it when JSON can and it is not too long.
func EntryOf(p, from, to string, data []byte) FileRow {
	e := FileRow{Path: p, From: from, To: to}
	if len(data) <= MaxKept && utf8.Valid(data) {
		e.Text = string(data)
	}
	return e
}

// texts knows in which row of the history each text stands, by its hash, as far as the history was read.
type texts struct {
	mu sync.Mutex
	at map[string]int64
}

// take notes the texts that a row holds.
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

// Damage is what of a journal could not be read.
type Damage struct {
	Lines int   // damaged lines that were passed over
	Last  int   // the last of them, counted from 1 where the reading began; 0 for none
	Torn  int64 // bytes behind the last good line that are no damaged lines
}

// String says in a sentence what was passed over, "" when nothing was. The torn end is not in it: it is set
// aside, or being written.
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

// isFileKey reports whether an entry holds a text of a file.
func isFileKey(key string) bool {
	return key == KeyWrite || key == KeySeen || key == KeyMet || key == KeyTold || key == KeySource
}

// Keys of the rows that say where a research, or a run, begins.
const (
	KeyAsked   = "asked"   // the question of the research that begins, to the letter
	KeyArchive = "archive" // a research that is done is about to be moved aside
	KeyBegin   = "begin"   // it was moved aside, and another begins
	// KeyRun is what a run begins with. One that follows another without an end between them shows that the
	// run before was stopped.
	KeyRun = "run"
)

// Hash is the name of a text: its SHA-256 in hex digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
