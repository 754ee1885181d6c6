package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/spf13/afero"
)

const journalFile = stateDir + "/journal.jsonl"

// Journal is what happened in a workspace, one line an entry, appended before anything relies on it. It is the agent's
// [agent.Recorder]: a run that was killed finds in it the replies and results since its last opening, and goes on there.
//
// A line is the CRC-32C of the JSON in eight hex digits, a space, and the JSON. A torn end is set aside, never deleted; a
// damaged line in the middle is skipped and counted. Keys of models never enter it.
type Journal struct {
	mu     sync.Mutex
	fs     afero.Fs
	file   afero.File
	size   int64
	placed bool                       // its folders know it for sure
	recent map[string]json.RawMessage // what a run before this one recorded since its last opening
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
	keyWrite   = "write"   // a file is about to be replaced
	keySeen    = "seen"    // the agent was shown a file as a person left it
	keyTold    = "told"    // the agent was told that a file changed, and not how
	keySource  = "source"  // a page is about to be kept
	keyUndone  = "undone"  // the last write of a file came to nothing
	keySettled = "settled" // all files that were written before are safe on the disk
	keyBoot    = "boot"    // the machine's start that what follows is after
	keyArchive = "archive" // a research that is done is about to be moved aside
	keyAsked   = "asked"   // the question of the research that begins, to the letter
	keySaid    = "said"    // lines that a person wrote, with addresses in them
	keyHits    = "hits"    // what a search found
)

// KeyBegin is the key of the entry that another research begins after, when the one before it was moved aside.
const KeyBegin = "begin"

// writeEntry is what those of a file have in common. The text is the base of a later diff or merge.
type writeEntry struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"` // hash before, "" for a new file
	To   string `json:"to,omitempty"`   // hash after, "" for a deletion
	Over string `json:"over,omitempty"` // hash of what a person saved in the instant, and what is merged in
	Text string `json:"text,omitempty"` // after, unless it is longer than maxKept
	// Known is what the agent knows of the text, when an edit was merged into it that it was not shown; "" for nothing.
	Known *string `json:"known,omitempty"`

	Own    bool `json:"own,omitempty"`    // the text is the program's own, not a person's
	Theirs bool `json:"theirs,omitempty"` // what the agent knows of it holds a person's words that are kept nowhere else
	Notice bool `json:"notice,omitempty"` // told by a notice, and so only when that is on record itself
}

// maxKept is the size of the longest text that an entry holds, in bytes. No chapter written by hand is longer.
const maxKept = 1 << 20

// journalState is what the journal says of the files.
type journalState struct {
	before   []string         // files of the sources that were kept in the stretch before the last opening
	since    []string         // and since that opening
	loose    map[string]loose // files that may not be safe on the disk yet
	boot     string           // the machine's start that the last run was after
	seen     map[string]seen
	telling  map[string]seen // what a notice that is not on record yet tells
	pending  map[string]intention
	over     bool          // the run came to its end, and what is written now no action would write again
	archive  *archiveEntry // a research that was being moved aside
	asked    string
	first    int // number of the first source after the question
	last     int // number of the last source
	said     string
	hits     hitList
	kept     map[string]json.RawMessage
	written  int // changes of files that are no dashboards
	warnings []string
}

// intention is a write that was under way when a run was cut off.
type intention struct {
	from, to string // hashes, as in a writeEntry
	before   seen   // the file as the agent knew it then
	past     bool   // whoever wrote it is done, so that a write of the same text is another
}

func openJournal(fsys afero.Fs) (*Journal, journalState, error) {
	j := &Journal{fs: fsys, recent: map[string]json.RawMessage{}}
	state := journalState{loose: map[string]loose{}, seen: map[string]seen{}, telling: map[string]seen{}, pending: map[string]intention{}, kept: map[string]json.RawMessage{}}
	good, total, damaged, err := readJournal(fsys, func(e Entry, at span) { j.take(e, at, &state) })
	if err != nil {
		return nil, state, err
	}
	if damaged > 0 {
		state.warnings = append(state.warnings, fmt.Sprintf("%d damaged lines of %s were skipped.", damaged, journalFile))
	}
	if good < total {
		if err := setTornEndAside(fsys, good); err != nil {
			return nil, state, err
		}
		state.warnings = append(state.warnings, fmt.Sprintf("The last %d bytes of %s were torn and set aside.", total-good, journalFile))
	}
	j.file, err = fsys.OpenFile(journalFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, state, fmt.Errorf("opening the journal: %w", cannotWrite(err))
	}
	j.size = good
	return j, state, nil
}

// take applies an entry that was read at the start.
func (j *Journal) take(e Entry, at span, state *journalState) {
	state.passBy(e.Key)
	switch {
	case e.Key == agent.KeyOpen:
		clear(j.recent)
		j.recent[e.Key] = e.Value
		state.before, state.since = state.since, nil
	case e.Key == KeyBegin:
		clear(j.recent)
		state.before, state.since, state.archive = nil, nil, nil
		clear(state.kept)
	case e.Key == keySettled:
		clear(state.loose)
	case e.Key == keyBoot:
		if json.Unmarshal(e.Value, &state.boot) != nil {
			state.boot = ""
		}
	case e.Key == keyAsked:
		if json.Unmarshal(e.Value, &state.asked) != nil {
			state.asked = ""
		}
		state.first = state.last + 1
	case e.Key == keySaid:
		var said string
		if json.Unmarshal(e.Value, &said) == nil {
			state.said += said
		}
	case e.Key == keyHits:
		state.hits.take(e.Value)
	case strings.HasPrefix(e.Key, keyKept):
		state.takeKept(e)
	case e.Key == keyArchive:
		var a archiveEntry
		if json.Unmarshal(e.Value, &a) == nil {
			state.archive = &a
			for _, p := range a.Files {
				delete(state.seen, p)
			}
		}
	case e.Key == keyWrite || e.Key == keyUndone || e.Key == keySource || e.Key == keySeen || e.Key == keyTold:
		var v writeEntry
		if json.Unmarshal(e.Value, &v) == nil {
			state.takeFile(e.Key, v, at)
		}
	default:
		j.recent[e.Key] = e.Value
		switch {
		case strings.HasSuffix(e.Key, " result"):
			clear(state.pending)
		case strings.HasSuffix(e.Key, " notice"):
			maps.Copy(state.seen, state.telling)
			clear(state.telling)
		}
	}
}

// passBy takes note of what ends the work that wrote before: the next reply of a model, an opening or an end, or what is kept of it.
func (s *journalState) passBy(key string) {
	reply := strings.HasSuffix(key, " reply")
	switch {
	case key == agent.KeyEnd:
		s.over = true
	case key == agent.KeyOpen, reply:
		s.over = false
	case !strings.HasPrefix(key, keyKept):
		return
	}
	for p, under := range s.pending {
		under.past = true
		s.pending[p] = under
	}
}

// takeFile applies an entry about a file.
func (s *journalState) takeFile(key string, v writeEntry, at span) {
	s.takeLoose(key, v, at)
	now := seen{hash: v.To, entry: at, theirs: key == keySeen && !v.Own}
	if v.Notice {
		if key == keyTold {
			now = s.seen[v.Path]
			now.told = v.To
		}
		s.telling[v.Path] = now
		return
	}
	switch key {
	case keySource:
		if m := sourceFile().FindStringSubmatch(path.Base(v.Path)); m != nil {
			s.last = max(s.last, number(Source{ID: "s" + m[1]}))
		}
		s.since = append(s.since, v.Path)
		return
	case keyUndone:
		if under, ok := s.pending[v.Path]; ok {
			delete(s.pending, v.Path)
			if s.seen[v.Path] = under.before; under.before.hash == "" {
				delete(s.seen, v.Path)
			}
		}
		return
	case keyWrite:
		if isWork(v.Path) {
			s.written++
		}
		s.pending[v.Path] = intention{from: v.From, to: v.To, before: s.seen[v.Path], past: s.over}
		now = v.seen(at)
	}
	s.seen[v.Path] = now
	delete(s.telling, v.Path)
}

// Recall implements agent.Recorder.
func (j *Journal) Recall(key string, into any) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	value, ok := j.recent[key]
	return ok && json.Unmarshal(value, into) == nil
}

// ResultsBefore are the results that a run before this one gave its agent since its last opening: what a run that is resumed is taken
// to have shown.
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

// linePool holds buffers for lines, which many journals of one process share.
var linePool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

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
	lines := linePool.Get().(*bytes.Buffer)
	defer func() {
		if lines.Cap() <= maxKept { // a long text is rare; its memory is not kept
			linePool.Put(lines)
		}
	}()
	lines.Reset()
	lines.WriteString("00000000 ")
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
	line := lines.Bytes()
	copy(line, checksum(line[9:len(line)-1]))
	if n, err := j.file.Write(line); err != nil || n < len(line) {
		return span{}, fmt.Errorf("writing the journal: %w", errors.Join(err, shortWrite(n, len(line)), j.takeBack()))
	}
	at := span{j.size, len(line)}
	j.size += int64(len(line))
	return at, nil
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
	f, err := j.fs.Open(journalFile)
	if err != nil {
		return v, fmt.Errorf("opening the journal: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	line := make([]byte, at.length)
	if _, err := f.ReadAt(line, at.start); err != nil {
		return v, fmt.Errorf("reading the journal at byte %d: %w", at.start, err)
	}
	e, ok := parseLine(line)
	if !ok || json.Unmarshal(e.Value, &v) != nil {
		return v, fmt.Errorf("reading the journal at byte %d: the line is damaged", at.start)
	}
	return v, nil
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
	_, _, _, err := readJournal(w.fs, func(e Entry, _ span) { use(e) })
	return err
}
