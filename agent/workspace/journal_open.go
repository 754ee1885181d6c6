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

func openJournal(fsys store.Folder) (*Journal, journalState, error) {
	j := &Journal{log: &store.Log{Fs: fsys}, recent: map[string]json.RawMessage{}, spent: map[string]agent.Usage{}, hands: history.NewHands(fsys), origin: origin.New(layout.Tracked)}
	state := journalState{writers: map[string]*writerState{}, kept: map[string]json.RawMessage{},
		sources: newRecorded()}
	state.of("")
	read, err := fsys.ReadLog(0, func(e store.Entry, at int64) { j.take(e, at, &state) })
	if err != nil {
		return nil, state, err
	}
	if state.format.Format > formatNow {
		return nil, state, state.format.refusal()
	}
	state.fresh, state.damaged = read.Good == 0, read.Damaged
	damage := read.Damage()
	if told := damage.String(); told != "" {
		state.warnings = append(state.warnings, told)
	}
	if damage.Torn > 0 {
		state.warnings = append(state.warnings, fmt.Sprintf("The last %d bytes of %s were torn and set aside.", damage.Torn, store.JournalFile))
	}
	placed := j.log.Placed
	if j.log, err = store.OpenLog(fsys, read); err != nil {
		return nil, state, err
	}
	j.log.Placed = placed
	j.letGo(slices.DeleteFunc(slices.Collect(maps.Keys(j.recent)), func(key string) bool { return key == agent.KeyOpen })...)
	if read.Good == 0 {
		err = j.Record(store.KeyFormat, format{formatNow, formatNeeds})
	} else if read.Last > state.opened {
		err = j.reopen(&state)
	}
	return j, state, err
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
	case e.Key == store.KeyFormat:
		state.format.take(e.Value)
	case e.Key == agent.KeyOpen:
		clear(j.recent)
		j.recent[e.Key], state.opened = e.Value, at
		state.before, state.since = state.since, nil
	case e.Key == store.KeyBegin:
		clear(j.recent)
		state.before, state.since, state.archive = nil, nil, nil
		clear(state.kept)
		maps.DeleteFunc(state.writers, func(name string, _ *writerState) bool { return name != "" })
	case e.Key == store.KeyAsked:
		if json.Unmarshal(e.Value, &state.asked) != nil {
			state.asked = ""
		}
		state.sources.asked()
	case e.Key == store.KeyShown:
		state.sources.saw(e.Value)
	case e.Key == store.KeyHits:
		state.hits.Take(e.Value)
	case strings.HasPrefix(e.Key, keyKept):
		state.kept[strings.TrimPrefix(e.Key, keyKept)] = e.Value
	case e.Key == store.KeyArchive:
		state.takeArchive(e.Value)
	case e.Key == store.KeySettled:
		state.placing = nil
	case e.Key == store.KeyBoot: // of older versions
	case store.IsOriginKey(e.Key) || store.IsFileKey(e.Key) || e.Key == store.KeyUndone:
	default:
		j.recent[e.Key] = e.Value
		switch {
		case strings.HasSuffix(e.Key, " result"):
			state.takeResult(strings.TrimSuffix(e.Key, " result"))
		case strings.HasSuffix(e.Key, " notice"):
			of := state.of(state.whose(e.Key))
			maps.Copy(of.seen, of.telling)
			clear(of.telling)
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
	entries := []store.Entry{{Key: agent.KeyOpen}}
	marks := []agent.Mark{open}
	if ended {
		end.Step, end.Used, end.Ran = max(end.Step, open.Step), open.Used, max(end.Ran, open.Ran)
		entries, marks = append(entries, store.Entry{Key: agent.KeyEnd}), append(marks, end)
	}
	for i, e := range entries {
		value, err := json.Marshal(marks[i])
		if err != nil {
			return fmt.Errorf("encoding the journal's entry %q: %w", e.Key, err)
		}
		at, err := j.append(e.Key, json.RawMessage(value))
		if err != nil {
			return err
		}
		j.take(store.Entry{Key: e.Key, Value: value}, at, state)
	}
	return nil
}
