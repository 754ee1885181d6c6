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

// At gives files of a research as they stood when a step was done, counted in the research at hand; 0 is the
// beginning. What a person changed after that belongs to the next step. With no file named it gives the two
// dashboards. It takes no lock. Its error is [history.ErrNoStep] or [history.ErrNotOnRecord] when there
// is nothing to give.
func At(w *workspace.Workspace, step int, files ...string) ([]history.Standing, error) {
	if err := w.History().Exists(); err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range files {
		if name != "" {
			paths = append(paths, path.Clean(filepath.ToSlash(name))) // as the journal has it
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

// moment finds in a journal where a step is done.
type moment struct {
	step, last int
	calls      int // of the step, without a result yet
	done       bool
	stopped    bool // the run, whose report is being written
}

// isOver says whether an entry is from after the step. The report of a run that stopped is written when its
// last step is done.
func (m *moment) isOver(e store.Entry) bool {
	if e.Key == store.KeyBegin {
		*m = moment{step: m.step}
		return false
	}
	number, isReply := strings.CutPrefix(strings.TrimSuffix(e.Key, " reply"), Name+"#")
	if n, err := strconv.Atoi(number); isReply && err == nil { // the researcher's own
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
	// what that is made of is found for it
	return ok && m.done && f.Met && f.Deed != history.Wrote && !(m.stopped && f.Found)
}

// Restored is a file that was put back.
type Restored struct {
	Path string
	Kept string // where what stood there is kept; "" when that is the same, or there was nothing
	New  bool   // there was nothing
}

// Restore puts files of a research back as they stood after a step; with none named, the two dashboards. The
// next run is told of it as of a person's change. Either all of the texts are found, or nothing is touched.
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
		kept, err := w.PutBack(s.Path, s.Text)
		if err != nil {
			return done, fmt.Errorf("putting %s back: %w", s.Path, err)
		}
		done = append(done, Restored{s.Path, kept, isNew})
	}
	return done, nil
}

// decoded is a value of the journal, the zero value when it is not what it should be.
func decoded[T any](value json.RawMessage) (v T) {
	if json.Unmarshal(value, &v) != nil {
		return *new(T)
	}
	return v
}
