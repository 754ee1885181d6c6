package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// format says how a journal is to be read, in its first line. A journal without that line has format 1.
type format struct {
	Format int    `json:"format"`
	Needs  string `json:"needs"` // the first version of Daybook that reads it
}

// What this program writes. The format grows when a program that knows the one before would read a journal
// wrongly.
const (
	formatNow   = 1
	formatNeeds = "0.1"
)

// ErrNewer says that a workspace was written by a newer Daybook, and that this one would spoil it.
var ErrNewer = errors.New("the workspace was written by a newer Daybook")

func (f *format) take(value json.RawMessage) {
	var found format
	if json.Unmarshal(value, &found) == nil && found.Format > f.Format {
		*f = found
	}
}

func (f format) refusal() error {
	return fmt.Errorf("%w: %s has format %d, and this program knows formats up to %d. Use Daybook %s or later; nothing was changed", ErrNewer, store.JournalFile, f.Format, formatNow, f.Needs)
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
