package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// journalState is what only the start of a run has to know of what is on record.
type journalState struct {
	*Workspace
	before  []string       // files of the sources that were kept in the stretch before the last opening
	since   []string       // and since that opening
	format  format         // of the newest line of any
	opened  int64          // where the last opening stands
	over    bool           // the run came to its end, and what is written now no action would write again
	archive *archiveEntry  // a research that was being moved aside
	last    int            // number of the last source
	placing *store.FileRow // a page whose file may not be in its place yet
	read    store.Reading
	// texts of files that were written, and those that writes were made from
	wrote, base map[version]bool
}

// version is a text of a file, by its hash.
type version struct{ path, hash string }

// whose is the writer that an entry of an agent belongs to: a writer has the name of its agent, and all that is
// nested in that is its own.
func (s *journalState) whose(key string) string {
	for name := range s.writers {
		if name != "" && (strings.HasPrefix(key, name+"#") || strings.HasPrefix(key, name+"/")) {
			return name
		}
	}
	return ""
}

// passBy takes note of what ends the work that wrote before: an opening or an end, and of one writer the next
// reply of its model, or what is kept of its work; what others write goes on.
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
	// that the agent was shown a person's text does not count: it may have been on its way back to its place
	if key == store.KeyWrite || key == store.KeySource || key == store.KeySeen && v.Own {
		s.wrote[version{v.Path, v.To}], s.base[version{v.Path, v.From}] = true, true
	}
	of := s.as(v.By)
	now := seen{hash: v.To, row: row, theirs: key == store.KeySeen && !v.Own}
	for _, other := range s.writers {
		now.theirs = now.theirs && !other.left(v.Path, v.To)
	}
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
			if of.seen[v.Path] = under.before; under.before.hash == "" {
				delete(of.seen, v.Path)
			}
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

// takeMet takes note of what a person's text that was met says of a write that was under way.
func (s *journalState) takeMet(v store.FileRow) {
	for _, of := range s.writers {
		under, ok := of.pending[v.Path]
		switch {
		case !v.Found: // put back: whether it took place does not matter any more
			delete(of.pending, v.Path)
		case ok: // the file was another after it
			under.stands = true
			of.pending[v.Path] = under
		}
	}
}

// takeResult takes note of a call that came to its end: what its writer wrote in it is done, and what those wrote
// whose agents were nested in it is known to that writer.
func (s *journalState) takeResult(call string) {
	of := s.as(s.whose(call))
	clear(of.pending)
	for name, nested := range s.writers {
		if strings.HasPrefix(name, call+"/") {
			of.learn(&nested.view)
		}
	}
}

// Keys of the line that says how a journal is to be read, and of one that older versions wrote.
const (
	keyFormat = "format"
	keyBoot   = "boot"
)

// format says how a journal is to be read, in its first line. A journal without that line has format 1.
type format struct {
	Format int    `json:"format"`
	Needs  string `json:"needs"` // the first version of Daybook that reads it
}

func (f *format) take(value json.RawMessage) {
	var found format
	if json.Unmarshal(value, &found) == nil && found.Format > f.Format {
		*f = found
	}
}

func (f format) refusal() error {
	return fmt.Errorf("%w: %s has format %d, and this program knows formats up to %d. Use Daybook %s or later; nothing was changed", ErrNewer, store.JournalFile, f.Format, formatNow, f.Needs)
}

// ErrNewer says that a workspace was written by a newer Daybook, and that this one would spoil it.
var ErrNewer = errors.New("the workspace was written by a newer Daybook")

// What this program writes. The format grows when a program that knows the one before would read a journal
// wrongly.
const (
	formatNow   = 1
	formatNeeds = "0.1"
)
