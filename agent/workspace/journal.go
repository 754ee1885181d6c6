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

// Journal records what happened in a workspace, one entry a line, each appended before anything relies on it.
// It is the agent's [agent.Recorder]: after a kill, the next run finds the replies and results since its last
// opening here, and continues from there. API keys never enter it.
type Journal struct {
	mu    sync.Mutex
	log   *store.Log
	began int64 // offset of the line with which this research begins
	// the earlier researches, whose entries are in the same file
	archives []archiveEntry
	recent   map[string]json.RawMessage // what an earlier run recorded since its last opening
	spent    map[string]agent.Usage     // by kind of agent, since the research began
	files    *history.Files
	origin   *origin.Record
	also     func(store.Entry) // applies what an entry says of the research
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

// ResultsBefore returns the results that an earlier run gave its agent since the last opening: a resumed run
// is assumed to have shown them.
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

// Spent returns the usage of the recorded replies since the research began, by kind of agent.
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

// append writes an entry, and returns it with its byte offset.
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

// follow applies an entry that was appended, or read at the start. If it is about a file, it returns its row.
func (j *Journal) follow(e store.Entry, at int64) (v store.FileRow, isFile bool) {
	v, isFile = e.Row()
	whole := e
	if isFile && j.files.Last(v.Path) != v.To { // a repeated text says nothing new
		whole = j.log.Fs.Whole(e) // another file may have had the text first
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
		clear(j.recent) // what came before an opening is never asked for again
	case e.Key == store.KeyBegin: // the steps and tokens of the earlier research do not count for the next
		j.began = at
		clear(j.recent)
		clear(j.spent)
	case e.Key == store.KeyArchive && json.Unmarshal(e.Value, &a) == nil:
		// a person may have removed an earlier archive in this folder
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

// letGo releases what is held for calls that are done: one with a result, or all after an opening.
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

// archiveEntry lists what is archived. It is recorded before the first file moves: if a run is killed
// halfway, the next start moves the rest.
type archiveEntry struct {
	Folder string   `json:"folder"`
	Files  []string `json:"files"`

	from, to int64 // where in the journal the research begins and ends
}
