package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// readRows takes in what is on record. w.mu is held.
func (w *Workspace) readRows() (*Journal, journalState, error) {
	record := origin.New(layout.Tracked)
	j := &Journal{log: &store.Log{Fs: w.fs}, recent: map[string]json.RawMessage{}, spent: map[string]agent.Usage{},
		files: history.NewFiles(w.fs), origin: record, of: w.folder}
	state := journalState{Workspace: w, wrote: map[version]bool{}, base: map[version]bool{}}
	w.view, w.writers = newView(), map[string]*Workspace{"": w}
	w.kept, w.origin, w.sources = map[string]json.RawMessage{}, record, sourceList{onRecord: newRecorded()}
	var err error
	state.read, err = w.fs.ReadLog(0, func(e store.Entry, at int64) { j.take(e, at, &state) })
	return j, state, err
}

// readJournal takes in what is on record, and opens the journal for more. w.mu is held.
func (w *Workspace) readJournal() (journalState, error) {
	j, state, err := w.readRows()
	if err != nil {
		return state, err
	}
	read := state.read
	if state.format.Format > formatNow {
		return state, state.format.refusal()
	}
	if told := read.Damage.String(); told != "" {
		w.warnings = append(w.warnings, told)
	}
	if read.Torn > 0 {
		w.warnings = append(w.warnings, fmt.Sprintf("The last %d bytes of %s were torn and set aside.", read.Torn, store.JournalFile))
	}
	for _, of := range w.writers { // what a run that was killed may not have come to say
		w.warnings = append(w.warnings, of.news...)
	}
	if j.log, err = store.OpenLog(w.fs, read); err != nil {
		return state, err
	}
	j.log.MayWrite, w.journal = w.lock.Check, j
	j.letGo(slices.DeleteFunc(slices.Collect(maps.Keys(j.recent)), func(key string) bool { return key == agent.KeyOpen })...)
	if read.Good == 0 {
		err = j.Record(keyFormat, format{formatNow, formatNeeds})
	} else if read.LastAt > state.opened {
		err = j.reopen(&state)
	}
	return state, err
}

// take applies an entry that was read at the start.
func (j *Journal) take(e store.Entry, at int64, state *journalState) {
	v, isFile := j.follow(e, at)
	state.passBy(e.Key)
	switch {
	case isFile && e.Key == store.KeyMet:
		state.takeMet(v)
	case isFile:
		state.takeFile(e.Key, v, at)
	case e.Key == keyFormat:
		state.format.take(e.Value)
	case e.Key == agent.KeyOpen:
		j.recent[e.Key], state.opened = e.Value, at
		state.before, state.since, state.news = state.since, nil, nil
	case e.Key == store.KeyBegin:
		state.before, state.since, state.archive = nil, nil, nil
		state.begun()
	case e.Key == store.KeyArchive:
		if n := len(j.archives); n > 0 && j.archives[n-1].to == at {
			state.archive = &j.archives[n-1]
			state.forgetFiles(state.archive.Files...)
		}
	case e.Key == store.KeySettled:
		state.placing = nil
	case e.Key == store.KeyAside:
		var v store.FileRow
		if json.Unmarshal(e.Value, &v) == nil {
			of := state.as(v.By)
			of.news = append(of.news, v.Waiting())
		}
	case e.Key == keyBoot, e.Key == store.KeyAsked, strings.HasPrefix(e.Key, keyKept), origin.IsFromOutside(e):
		// no row of an agent
	default:
		j.recent[e.Key] = e.Value
		switch {
		case strings.HasSuffix(e.Key, " result"):
			state.takeResult(strings.TrimSuffix(e.Key, " result"))
		case strings.HasSuffix(e.Key, " notice"):
			of := state.as(state.whose(e.Key))
			maps.Copy(of.seen, of.telling)
			clear(of.telling)
			of.news = nil
		}
	}
}

// reopen begins another stretch in place of one whose record has a hole. A reply that is on record was said
// to all that went before it, and the result of a call belongs to that call: where a line is missing between
// them, one that is asked for again would meet the results of another. What was counted stays counted, and
// the files stay as they are.
func (j *Journal) reopen(state *journalState) error {
	var open, end agent.Mark
	if !j.Recall(agent.KeyOpen, &open) {
		return nil
	}
	ended := j.Recall(agent.KeyEnd, &end)
	if ended && !end.Reason.AtLimit() {
		return nil // nothing of it is asked for again
	}
	for key, value := range maps.All(j.recent) {
		var wasted agent.Usage
		if strings.HasSuffix(key, " wasted") && json.Unmarshal(value, &wasted) == nil {
			// for replies that could not be used; the last entry of a step holds all of it
			open.Used = open.Used.Plus(wasted)
		}
		who, isReply := strings.CutSuffix(key, " reply")
		var r struct {
			agent.Reply
			Ran time.Duration `json:"ran"`
		}
		if !isReply || json.Unmarshal(value, &r) != nil {
			continue
		}
		open.Used, open.Ran = open.Used.Plus(r.Usage), max(open.Ran, r.Ran)
		if name, step, ok := strings.Cut(who, "#"); ok && !strings.Contains(name, "/") {
			if n, err := strconv.Atoi(step); err == nil {
				open.Step = max(open.Step, n)
			}
		}
	}
	open.Stretch++
	state.warnings = append(state.warnings, "What is lost of the record is of the last steps: the work goes on from the dashboards, and what was done since they were updated may be done again.")
	keys, marks := []string{agent.KeyOpen}, []agent.Mark{open}
	if ended {
		end.Step, end.Used, end.Ran = max(end.Step, open.Step), open.Used, max(end.Ran, open.Ran)
		keys, marks = append(keys, agent.KeyEnd), append(marks, end)
	}
	for i, key := range keys {
		e, at, err := j.append(key, marks[i])
		if err != nil {
			return err
		}
		j.take(e, at, state)
	}
	return nil
}
