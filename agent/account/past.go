package account

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// At returns files of a research as they were after a step of the current research; 0 is the beginning. A
// person's later changes belong to the next step. By default it returns the two dashboards. It takes no lock.
// Its error is [history.ErrNoStep] or [history.ErrNotOnRecord] if there is nothing to return.
func At(w *workspace.Workspace, step int, files ...string) ([]history.Standing, error) {
	if err := w.History().Exists(); err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range files {
		if name != "" {
			paths = append(paths, path.Clean(filepath.ToSlash(name))) // as in the journal
		}
	}
	if len(paths) == 0 {
		paths = []string{workspace.OverallFile, workspace.CurrentFile}
	}
	m := moment{step: step}
	all, err := w.History().AsOf(m.isOver, paths...)
	switch {
	case err != nil:
		return nil, fmt.Errorf("looking at step %d: %w", step, err)
	case step < 0 || step > m.last:
		return nil, fmt.Errorf("looking at step %d: %w; the last is %d", step, history.ErrNoStep, m.last)
	}
	return all, nil
}

// moment finds the end of a step in a journal.
type moment struct {
	step, last int
	calls      int // of the step, without a result so far
	done       bool
	stopped    bool // whether the run stopped, and its report is being written
}

// isOver reports whether an entry comes after the step. The report of a stopped run is written after its last
// step.
func (m *moment) isOver(e store.Entry) bool {
	if e.Key == store.KeyBegin {
		*m = moment{step: m.step}
		return false
	}
	number, isReply := strings.CutPrefix(strings.TrimSuffix(e.Key, " reply"), Name+"#")
	if n, err := strconv.Atoi(number); isReply && err == nil { // the researcher's own reply
		m.last = n
		if n == m.step {
			m.calls = len(decoded[agent.Reply](e.Value).Calls)
			m.done = m.calls == 0
		}
		return n > m.step
	}
	isOfCall := strings.HasSuffix(e.Key, " result") && strings.Count(e.Key, "/") == 1
	if isOfCall && m.last == m.step && m.step > 0 {
		m.calls--
		m.done = m.calls <= 0
	}
	switch e.Key {
	case agent.KeyEnd:
		m.stopped = decoded[agent.Mark](e.Value).Reason != agent.Finished
	case store.KeyRun:
		m.stopped = false
	}
	f, ok := history.FileOf(e)
	// files found for the report do not count
	return ok && m.done && f.Met && f.Deed != history.Wrote && !(m.stopped && f.Found)
}

// Restored is a file that was restored.
type Restored struct {
	Path string
	Kept string // the kept copy of the replaced text; "" if it was the same, or there was none
	New  bool   // there was no file before
}

// Restore restores files of a research to their state after a step, by default the two dashboards. The next
// run treats this as a person's change. Unless all of the texts are found, it changes nothing.
func Restore(w *workspace.Workspace, step int, files ...string) (done []Restored, err error) {
	if err := w.History().Exists(); err != nil {
		return nil, err
	}
	if err := w.Lock(); err != nil {
		return nil, err
	}
	all, err := At(w, step, files...)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if !s.Exists {
			return nil, fmt.Errorf("putting %s back: %w: there was no such file after step %d", s.Path,
				history.ErrNotOnRecord, step)
		}
	}
	for _, s := range all {
		isNew := w.Hash(s.Path) == ""
		kept, err := w.PutBack(s.Path, s.Text, step)
		if err != nil {
			return done, fmt.Errorf("putting %s back: %w", s.Path, err)
		}
		done = append(done, Restored{s.Path, kept, isNew})
	}
	return done, nil
}

// decoded decodes a value of the journal; it returns the zero value if that is malformed.
func decoded[T any](value json.RawMessage) (v T) {
	if json.Unmarshal(value, &v) != nil {
		return *new(T)
	}
	return v
}
