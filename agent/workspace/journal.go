package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/spf13/afero"
)

const journalFile = stateDir + "/journal.jsonl"

// Journal is what happened in a workspace, one line an entry, appended before anything relies on it. It is
// the agent's [agent.Recorder]: a run that was killed finds in it the replies and results since its last
// opening, and goes on there.
//
// A line is the CRC-32C of the JSON in eight hex digits, a space, and the JSON. A torn end is set aside,
// never deleted; a damaged line in the middle is skipped and counted. Keys of models never enter it.
type Journal struct {
	mu    sync.Mutex
	fs    afero.Fs
	file  afero.File
	size  int64
	began int64 // where the line stands with which this research begins
	// the researches before it, of which the entries stand in the same file
	archives []archived
	placed   bool                       // its folders know it for sure
	recent   map[string]json.RawMessage // what a run before this one recorded since its last opening
	held     map[string]bool            // calls that something is held for
	spent    map[string]agent.Usage     // by kind of agent, since the research began
	hands    map[string]*hand           // by path
	origin   *origin

	mayWrite func() error // asked before each entry: another run may have taken the workspace over
}

var _ agent.Recorder = (*Journal)(nil)

// Entry is a line of the journal.
type Entry struct {
	Time  time.Time       `json:"t"`
	Key   string          `json:"k"`
	Value json.RawMessage `json:"v"`
}

// Keys of the workspace's own entries.
const (
	keyWrite = "write" // a file is about to be replaced
	keySeen  = "seen"  // the agent was shown a file as a person left it
	// a person's text that the agent was not shown: the program came upon it, or it was put back
	keyMet      = "met"
	keyTold     = "told"     // the agent was told that a file changed, and not how
	keySource   = "source"   // a page is about to be kept
	keyUndone   = "undone"   // the last write of a file came to nothing
	keySettled  = "settled"  // all files that were written before are safe on the disk
	keyBoot     = "boot"     // the machine's start that what follows is after
	keySaid     = "said"     // a text that a person wrote, with addresses in it
	keyShown    = "shown"    // addresses of a page that the model was shown
	keyFollowed = "followed" // the site of an address that is about to be visited, which only a page named
	keyUnknown  = "unknown"  // a text of which it is not known who wrote it
	keyLost     = "lost"     // what of the record was found to be missing
	keyHits     = "hits"     // what a search found
	keyFormat   = "format"   // how the lines are to be read
)

// Keys of the workspace's own entries that say where a research, or a run, begins.
const (
	KeyAsked   = "asked"   // the question of the research that begins, to the letter
	KeyArchive = "archive" // a research that is done is about to be moved aside
	KeyBegin   = "begin"   // it was moved aside, and another begins
	// KeyRun is what a run begins with. One that follows another without an end between them shows that the
	// run before was stopped.
	KeyRun = "run"
)

// writeEntry is what those of a file have in common. The text is the base of a later diff or merge.
type writeEntry struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"` // hash before, "" for a new file
	To   string `json:"to,omitempty"`   // hash after, "" for a deletion
	Over string `json:"over,omitempty"` // hash of what a person saved in the instant, and what is merged in
	Text string `json:"text,omitempty"` // after, unless it is longer than maxKept
	Was  string `json:"was,omitempty"`  // the name that the file has until it is moved
	// Kept is where in the trash the text before is, when the write takes words of a person's away.
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

// brings reports whether a write brings the research on.
func (e writeEntry) brings() bool { return isWork(e.Path) && !e.Figures }

// figures are what a counter changes.
var figures = regexp.MustCompile(`\d+`)

// inFiguresAlone reports whether two texts differ in their numbers and nothing else.
func inFiguresAlone(old, data []byte) bool {
	return !bytes.Equal(old, data) && bytes.Equal(figures.ReplaceAll(old, []byte("0")),
		figures.ReplaceAll(data, []byte("0")))
}

// maxKept is the size of the longest text that an entry holds, in bytes. No chapter written by hand is
// longer.
const maxKept = 1 << 20

// Recall implements agent.Recorder.
func (j *Journal) Recall(key string, into any) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	value, ok := j.recent[key]
	return ok && json.Unmarshal(value, into) == nil
}

// ResultsBefore are the results that a run before this one gave its agent since its last opening: what a run
// that is resumed is taken to have shown.
func (j *Journal) ResultsBefore() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var texts []string
	for key, value := range j.recent {
		var result agent.Outcome
		if strings.HasSuffix(key, " result") && json.Unmarshal(value, &result) == nil {
			texts = append(texts, result.Text)
		}
	}
	return texts
}

// Record implements agent.Recorder.
func (j *Journal) Record(key string, value any) error {
	_, err := j.append(key, value)
	return err
}

// span is where a line of the journal stands, its end included.
type span struct {
	start  int64
	length int
}

// append writes an entry and says where it stands.
func (j *Journal) append(key string, value any) (span, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if key == agent.KeyOpen {
		clear(j.recent) // what was before an opening is never asked for again
	}
	lines := bytes.NewBufferString("00000000 ")
	enc := json.NewEncoder(lines)
	enc.SetEscapeHTML(false)
	entry := struct {
		Time  time.Time `json:"t"`
		Key   string    `json:"k"`
		Value any       `json:"v"`
	}{time.Now().UTC(), key, value}
	if err := enc.Encode(entry); err != nil {
		return span{}, fmt.Errorf("encoding the journal's entry %q: %w", key, err)
	}
	if j.mayWrite != nil {
		if err := j.mayWrite(); err != nil {
			return span{}, err
		}
	}
	line := lines.Bytes()
	copy(line, checksum(line[9:len(line)-1]))
	if n, err := j.file.Write(line); err != nil || n < len(line) {
		return span{}, fmt.Errorf("writing the journal: %w",
			errors.Join(err, shortWrite(n, len(line)), j.takeBack()))
	}
	at := span{j.size, len(line)}
	j.size += int64(len(line))
	j.bound(key, value, at)
	j.letGo(key)
	j.spend(key, value)
	j.followHands(key, value, at)
	if v, ok := value.(writeEntry); ok {
		j.origin.followFile(key, v)
		return at, nil
	}
	var e Entry
	if err := json.Unmarshal(line[9:], &e); err != nil {
		return at, fmt.Errorf("reading the journal's entry %q: %w", key, err)
	}
	j.origin.follow(e.Key, e.Value)
	return at, nil
}

// bound takes note of where a research begins, and where one ends that was moved aside.
func (j *Journal) bound(key string, value any, at span) {
	switch key {
	case KeyBegin:
		j.began = at.start
	case KeyArchive:
		if a, ok := value.(archiveEntry); ok {
			// a person may have taken away the one that had this folder before
			j.archives = slices.DeleteFunc(j.archives, func(b archived) bool { return b.folder == a.Folder })
			j.archives = append(j.archives, archived{a.Folder, j.began, at.start})
		}
	}
}

// spend counts what an entry says was paid.
func (j *Journal) spend(key string, value any) {
	if key == KeyBegin {
		clear(j.spent)
	}
	if !strings.HasSuffix(key, " reply") {
		return
	}
	var reply struct{ Usage agent.Usage }
	switch v := value.(type) {
	case interface{ Spent() agent.Usage }:
		reply.Usage = v.Spent()
	case json.RawMessage: // of a record
		if json.Unmarshal(v, &reply) != nil {
			return
		}
	}
	who, _, _ := strings.Cut(key, "#")
	j.spent[agent.Kind(who)] = j.spent[agent.Kind(who)].Plus(reply.Usage)
}

// Spent is what the replies on record cost since the research began, by the kind of agent that asked.
func (j *Journal) Spent() map[string]agent.Usage {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.spent)
}

// takeBack removes what a write that failed left behind: the next entry must not be glued to half a line.
func (j *Journal) takeBack() error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	_, err := j.file.Seek(j.size, io.SeekStart)
	return err
}

// entry reads the writeEntry at a place.
func (j *Journal) entry(at span) (v writeEntry, err error) {
	e, err := entryAt(j.fs, at)
	if err == nil && json.Unmarshal(e.Value, &v) != nil {
		err = fmt.Errorf("reading the journal at byte %d: it is no entry of a file", at.start)
	}
	return v, err
}

// entryAt reads the entry at a place of the journal.
func entryAt(fsys afero.Fs, at span) (e Entry, err error) {
	f, err := fsys.Open(journalFile)
	if err != nil {
		return e, fmt.Errorf("opening the journal: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	line := make([]byte, at.length)
	if _, err := f.ReadAt(line, at.start); err != nil {
		return e, fmt.Errorf("reading the journal at byte %d: %w", at.start, err)
	}
	e, ok := parseLine(line)
	if !ok {
		return e, fmt.Errorf("reading the journal at byte %d: the line is damaged", at.start)
	}
	return e, nil
}

func shortWrite(n, want int) error {
	if n < want {
		return io.ErrShortWrite
	}
	return nil
}

// begin forgets the research that went before: its steps and tokens are not those of the next.
func (j *Journal) begin() error {
	j.mu.Lock()
	clear(j.recent)
	j.mu.Unlock()
	return j.Record(KeyBegin, nil)
}

// Sync implements agent.Recorder.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("saving the journal: %w", err)
	}
	if j.placed {
		return nil
	}
	j.placed = true
	return errors.Join(syncPath(j.fs, stateDir), syncPath(j.fs, "."))
}

func (j *Journal) close() error {
	return errors.Join(j.file.Sync(), j.file.Close())
}

// Entries reads the journal from its start, for whoever tells its story. Damaged lines are passed over.
func (w *Workspace) Entries(use func(Entry)) error {
	_, err := w.EntriesAndDamage(use)
	return err
}

// EntriesAndDamage is Entries, and says what of the journal could not be read.
func (w *Workspace) EntriesAndDamage(use func(Entry)) (Damage, error) {
	read, err := readJournal(w.fs, 0, func(e Entry, _ span) { use(e) })
	return read.damage(), err
}

// EntriesOfNow is Entries for the research that is at work alone: those that were done in the folder before
// may fill most of the journal.
func (w *Workspace) EntriesOfNow(use func(Entry)) error {
	var from int64
	if j := w.journal; j != nil {
		j.mu.Lock()
		from = j.began
		j.mu.Unlock()
	}
	_, err := readJournal(w.fs, from, func(e Entry, _ span) { use(e) })
	return err
}
