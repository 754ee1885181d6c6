package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
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

// readRows reads the journal. w.mu is held.
func (w *Workspace) readRows() (*Journal, journalState, error) {
	record := origin.New(layout.Tracked)
	j := &Journal{log: &store.Log{Fs: w.fs}, recent: map[string]json.RawMessage{}, spent: map[string]agent.Usage{},
		files: history.NewFiles(w.fs), origin: record, also: w.note}
	state := journalState{Workspace: w, wrote: map[version]bool{}, base: map[version]bool{}}
	w.view, w.writers = newView(), map[string]*Workspace{"": w}
	w.kept, w.origin, w.sources = map[string]json.RawMessage{}, record, newSources()
	var err error
	state.read, err = w.fs.ReadLog(0, func(e store.Entry, at int64) { j.take(e, at, &state) })
	return j, state, err
}

// readJournal reads the journal, and opens it for more. w.mu is held.
func (w *Workspace) readJournal() (journalState, error) {
	j, state, err := w.readRows()
	if err != nil {
		return state, err
	}
	read := state.read
	if f := state.format; f.Format > formatNow {
		return state, fmt.Errorf("%w: %s has format %d, and this program knows formats up to %d. "+
			"Use Daybook %s or later; nothing was changed",
			ErrNewer, store.JournalFile, f.Format, formatNow, f.Needs)
	}
	if told := read.Damage.String(); told != "" {
		w.warnings = append(w.warnings, told)
	}
	if read.Torn > 0 {
		w.warnings = append(w.warnings, fmt.Sprintf("The last %d bytes of %s were torn and set aside.", read.Torn, store.JournalFile))
	}
	for _, of := range w.writers { // what a killed run may not have reported
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

// take applies an entry read at the start.
func (j *Journal) take(e store.Entry, at int64, state *journalState) {
	v, isFile := j.follow(e, at)
	state.passBy(e.Key)
	switch {
	case isFile && e.Key == store.KeyMet:
		state.takeMet(v)
	case isFile:
		state.takeFile(e.Key, v, at)
	case e.Key == keyFormat:
		var found format
		if json.Unmarshal(e.Value, &found) == nil && found.Format > state.format.Format {
			state.format = found
		}
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
		// not an entry of an agent
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

// note applies what an entry says of the research. f.mu is held.
func (f *folder) note(e store.Entry) {
	switch {
	case e.Key == store.KeyAsked:
		if json.Unmarshal(e.Value, &f.asked) != nil {
			f.asked = ""
		}
		f.sources.onRecord.asked()
	case e.Key == origin.KeyShown:
		f.sources.onRecord.saw(e.Value)
	case e.Key == origin.KeyHits:
		f.hits.Take(e.Value)
	case strings.HasPrefix(e.Key, keyKept):
		f.kept[strings.TrimPrefix(e.Key, keyKept)] = e.Value
	}
}

// reopen starts a new stretch in place of one whose record has a gap. A recorded reply depends on all that
// came before it, and the result of a call belongs to that call. If a line between them is missing, a
// repeated request would get the results of another. Counts and files stay as they are.
func (j *Journal) reopen(state *journalState) error {
	var open, end agent.Mark
	if !j.Recall(agent.KeyOpen, &open) {
		return nil
	}
	ended := j.Recall(agent.KeyEnd, &end)
	if ended && !end.Reason.AtLimit() {
		return nil // nothing of it is asked for again
	}
	for key, value := range j.recent {
		var wasted agent.Usage
		if strings.HasSuffix(key, " wasted") && json.Unmarshal(value, &wasted) == nil {
			// for unusable replies; the last entry of a step has their total
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

// journalState is what only the start of a run needs to know from the journal.
type journalState struct {
	*Workspace
	before  []string       // source files kept in the stretch before the last opening
	since   []string       // and those kept since that opening
	format  format         // the highest in any line
	opened  int64          // where the last opening is in the journal
	over    bool           // the run has ended, and no action would repeat what is written now
	archive *archiveEntry  // a research that was being archived
	last    int            // number of the last source
	placing *store.FileRow // a page whose file may not be in its place yet
	read    store.Reading
	// texts of files that were written, and those that writes started from
	wrote, base map[version]bool
}

// version identifies a text of a file by its hash.
type version struct{ path, hash string }

// whose returns the writer that an agent's entry belongs to: a writer has the name of its agent, and owns
// everything nested in that.
func (s *journalState) whose(key string) string {
	for name := range s.writers {
		if name != "" && (strings.HasPrefix(key, name+"#") || strings.HasPrefix(key, name+"/")) {
			return name
		}
	}
	return ""
}

// passBy notes what ends the earlier writes: an opening or an end for all writers; for one writer, its
// model's next reply or what is kept of its work.
func (s *journalState) passBy(key string) {
	reply, whose := strings.HasSuffix(key, " reply"), s.whose(key)
	kept := strings.HasPrefix(key, keyKept)
	switch {
	case key == agent.KeyEnd:
		s.over = true
	case key == agent.KeyOpen, reply:
		s.over = false
	case !kept:
		return
	}
	for name := range s.writers {
		if kept && name != "" && strings.HasSuffix(key, " "+name) {
			whose = name
		}
	}
	if whose == "" {
		s.placing = nil
	}
	for name, of := range s.writers {
		for p, under := range of.pending {
			under.past = under.past || name == whose || !reply && !kept
			of.pending[p] = under
		}
	}
}

// takeFile applies an entry about a file.
func (s *journalState) takeFile(key string, v store.FileRow, row int64) {
	s.placing = nil // one file after the other
	// a row that the agent was shown a person's text does not count: the text may have been on its way back
	if key == store.KeyWrite || key == store.KeySource || key == store.KeySeen && v.Own {
		s.wrote[version{v.Path, v.To}], s.base[version{v.Path, v.From}] = true, true
	}
	of := s.as(v.By)
	now := seen{hash: v.To, row: row, theirs: key == store.KeySeen && !v.Own && !s.isOurs(v.Path, v.To)}
	if key == store.KeyTold {
		now = of.seen[v.Path]
		now.told = v.To
	}
	if v.Notice {
		of.telling[v.Path] = now
		return
	}
	switch key {
	case store.KeySource:
		if m := sourceFile.FindStringSubmatch(path.Base(v.Path)); m != nil {
			s.last = max(s.last, numberOf("s"+m[1]))
		}
		s.sources.onRecord.kept(v)
		s.placing = &v
		s.since = append(s.since, v.Path)
		return
	case store.KeyUndone:
		if under, ok := of.pending[v.Path]; ok {
			delete(of.pending, v.Path)
			of.restore(v.Path, under.before)
		}
		return
	case store.KeyWrite:
		of.count(v)
		if brings(v) {
			of.written++
		}
		if !v.Revived {
			of.pending[v.Path] = intention{from: v.From, to: v.To, before: of.seen[v.Path], past: s.over}
		}
		now = of.after(v, row)
	}
	of.seen[v.Path] = now
	delete(of.telling, v.Path)
}

// takeMet notes what a person's text, once met, says about a write that was under way.
func (s *journalState) takeMet(v store.FileRow) {
	for _, of := range s.writers {
		under, ok := of.pending[v.Path]
		switch {
		case !v.Found: // put back: whether the write took place no longer matters
			delete(of.pending, v.Path)
		case ok: // the file was edited after the write
			under.stands = true
			of.pending[v.Path] = under
		}
	}
}

// takeResult notes that a call has ended: its writer's writes in it are done, and what nested agents wrote is
// known to that writer.
func (s *journalState) takeResult(call string) {
	of := s.as(s.whose(call))
	clear(of.pending)
	for name, nested := range s.writers {
		if strings.HasPrefix(name, call+"/") {
			of.learn(&nested.view)
		}
	}
}

// Keys of the line with a journal's format, and of one that older versions wrote.
const (
	keyFormat = "format"
	keyBoot   = "boot"
)

// format is the first line of a journal. A journal without that line has format 1.
type format struct {
	Format int    `json:"format"`
	Needs  string `json:"needs"` // the first version of Daybook that reads it
}

// ErrNewer reports that a newer Daybook wrote a workspace, which this one would damage.
var ErrNewer = errors.New("the workspace was written by a newer Daybook")

// What this program writes. The format number grows when a program for the old format would misread a
// journal.
const (
	formatNow   = 1
	formatNeeds = "0.1"
)
