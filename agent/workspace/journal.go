package workspace

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// keyKept begins the keys of the entries that Keep writes.
const keyKept = "kept "

var errOnlyRead = errors.New("the workspace is open for reading only")

// Journal is what happened in a workspace, one line an entry, appended before anything relies on it. It is
// the agent's [agent.Recorder]: a run that was killed finds in it the replies and results since its last
// opening, and goes on there. Keys of models never enter it.
type Journal struct {
	mu    sync.Mutex
	log   *store.Log
	began int64 // where the line stands with which this research begins
	// the researches before it, of which the entries stand in the same file
	archives []archiveEntry
	recent   map[string]json.RawMessage // what a run before this one recorded since its last opening
	spent    map[string]agent.Usage     // by kind of agent, since the research began
	files    *history.Files
	origin   *origin.Record
	also     func(store.Entry) // takes in what it says of the research
}

var _ agent.Recorder = (*Journal)(nil)

// Recall implements agent.Recorder.
func (j *Journal) Recall(key string, into any) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	value, ok := j.recent[key]
	return ok && json.Unmarshal(value, into) == nil
}

// Record implements agent.Recorder.
func (j *Journal) Record(key string, value any) error {
	_, _, err := j.append(key, value)
	return err
}

// ResultsBefore are the results that a run before this one gave its agent since its last opening: what a run
// that is resumed is taken to have shown.
func (j *Journal) ResultsBefore() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var texts []string
	var open agent.Mark
	if value, ok := j.recent[agent.KeyOpen]; ok && json.Unmarshal(value, &open) == nil {
		for _, m := range open.Watch.Carried {
			texts = append(texts, m.Text)
		}
	}
	for key, value := range j.recent {
		var result agent.Outcome
		if strings.HasSuffix(key, " result") && json.Unmarshal(value, &result) == nil {
			texts = append(texts, result.Text)
		}
	}
	return texts
}

// Spent is what the replies on record cost since the research began, by the kind of agent that asked.
func (j *Journal) Spent() map[string]agent.Usage {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.spent)
}

// Sync implements agent.Recorder.
func (j *Journal) Sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log.Sync()
}

// append writes an entry, and gives it with the byte at which it begins.
func (j *Journal) append(key string, value any) (e store.Entry, at int64, err error) {
	if j == nil {
		return e, 0, errOnlyRead
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if e, at, err = j.log.Append(key, value); err != nil {
		return e, 0, err
	}
	j.letGo(key)
	j.follow(e, at)
	return e, at, nil
}

// follow takes in an entry that was appended, or read at the start, and gives what it says of a file, if it is
// about one.
func (j *Journal) follow(e store.Entry, at int64) (v store.FileRow, isFile bool) {
	v, isFile = e.Row()
	whole := e
	if isFile && j.files.Last(v.Path) != v.To { // what it said before is known
		whole = j.log.Fs.Whole(e) // the file that had the text first may have been another's
	}
	j.origin.Follow(whole)
	j.also(e)
	if isFile {
		j.files.Follow(e)
		return v, true
	}
	a := archiveEntry{from: j.began, to: at}
	switch {
	case e.Key == agent.KeyOpen:
		clear(j.recent) // what was before an opening is never asked for again
	case e.Key == store.KeyBegin: // the steps and tokens of the research before are not those of the next
		j.began = at
		clear(j.recent)
		clear(j.spent)
	case e.Key == store.KeyArchive && json.Unmarshal(e.Value, &a) == nil:
		// a person may have taken away the one that had this folder before
		j.archives = slices.DeleteFunc(j.archives, func(b archiveEntry) bool { return b.Folder == a.Folder })
		j.archives = append(j.archives, a)
		j.files.Forget(a.Files)
	case strings.HasSuffix(e.Key, " reply"):
		var reply struct{ Usage agent.Usage }
		if json.Unmarshal(e.Value, &reply) == nil {
			who, _, _ := strings.Cut(e.Key, "#")
			j.spent[agent.Kind(who)] = j.spent[agent.Kind(who)].Plus(reply.Usage)
		}
	}
	return v, false
}

// letGo releases what entries make needless: the result of a call is there, or no call is under way.
func (j *Journal) letGo(keys ...string) {
	var calls []string
	for _, key := range keys {
		if call, ok := strings.CutSuffix(key, " result"); ok {
			calls = append(calls, call)
		} else if key == agent.KeyOpen {
			calls = append(calls, "")
		}
	}
	j.log.Fs.Release(calls...)
}

// archiveEntry is what is moved aside. It is on record before the first file moves, so that a kill leaves no
// half of a research: the next start moves the rest.
type archiveEntry struct {
	Folder string   `json:"folder"`
	Files  []string `json:"files"`

	from, to int64 // where in the journal the research stands
}
