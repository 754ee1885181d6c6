package workspace

import (
	"errors"
	"fmt"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"maps"
	"path"
	"slices"
	"strings"
)

// loss is what of the journal is known to be missing. What the agent wrote then cannot be told from what a
// person did, so that all that stands in the folder counts as the agent's.
type loss struct {
	Damaged int `json:"damaged,omitempty"` // lines
	// number of the last source in the folder, when it is not on record
	Sources int  `json:"sources,omitempty"`
	Whole   bool `json:"whole,omitempty"` // there was no journal beside a research
}

// noteLoss puts on record what was lost since it was noted last. w.mu is held.
func (w *Workspace) noteLoss(state journalState) error {
	known := w.origin.lost
	now := loss{Damaged: max(known.Damaged, state.damaged), Sources: known.Sources, Whole: known.Whole}
	if last := w.sources.next - 1; last > state.last {
		now.Sources = max(now.Sources, last)
	}
	if state.fresh {
		now.Whole = now.Whole || now.Sources > 0 || w.Exists()
	}
	if now == known {
		return nil
	}
	present, err := w.present()
	if err != nil {
		return err
	}
	files := append(slices.Sorted(maps.Keys(present)), SettingsFile)
	if rules, err := w.fs.ReadDir(RulesDir); err == nil {
		for _, r := range rules {
			files = append(files, path.Join(RulesDir, r.Name()))
		}
	}
	for _, p := range files {
		if data, exists, err := w.load(p); err == nil && exists {
			if err := w.journal.Record(store.KeyUnknown, string(data)); err != nil {
				return err
			}
		}
	}
	if now.Whole && !known.Whole {
		w.warnings = append(w.warnings, "There is no journal of this research. Addresses in its files are not visited, and no file in the folder is read as a document: name them in the question, or keep documents in a folder beside this one.")
	}
	return w.journal.Record(store.KeyLost, now)
}

// isForged reports whether the file of a source holds what the agent wrote, and no page that is on record.
func (w *Workspace) isForged(s Source) (bool, error) {
	if w.origin == nil || w.origin.texts[s.SHA256] || w.origin.lost.Whole {
		return false, nil
	}
	data, err := w.fs.ReadFile(s.File)
	if err != nil {
		return false, fmt.Errorf("reading the source %s: %w", s.ID, err)
	}
	_, text, err := cutFrontMatter(string(data))
	return err == nil && w.origin.wrote(text), nil
}

// IsAgents reports whether a file in the folder, by its path with slashes, cannot be a document of the
// person's: the research keeps it, or the agent wrote it.
func (w *Workspace) IsAgents(p string) bool {
	w.origin.mu.Lock()
	defer w.origin.mu.Unlock()
	return IsOwn(p) || w.origin.files[p] || w.origin.lost.Whole
}

// Wrote reports whether most of a text is the agent's, wherever it stands now. What it quoted from the
// person's documents is not.
func (w *Workspace) Wrote(text string) bool { return w.origin.wrote(text) }

func (o *origin) wrote(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.passages.mostly(squeezed(text), o.written.text.String(), o.own.String())
}

// KeepDocuments says where in the folder the person's documents are read from. The agent does not write
// there.
func (w *Workspace) KeepDocuments(places []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.documents = places
}

// noDocument refuses, as an error, a path where the person's documents are read from. What the research keeps
// is no document anywhere.
func (w *Workspace) noDocument(p string) error {
	for _, place := range w.documents {
		if !IsOwn(p) && (place == "." || p == place || strings.HasPrefix(p, place+"/")) {
			return errors.New(p + " lies where the person's documents are read from, and those are only read; write to " + NotebookDir + "/ instead")
		}
	}
	return nil
}

// passages finds texts in others by sums of their runs of letters, of which one in thinned is kept.
type passages struct {
	of       [2]int // lengths of the texts that were summed up
	ours     []uint64
	excepted []uint64
}

const (
	runLetters = 24
	thinned    = 4
)

// mostly reports whether at least half of the runs of a text, less those that are excepted, are among ours.
func (p *passages) mostly(text, ours, excepted string) bool {
	if lengths := [2]int{len(ours), len(excepted)}; lengths != p.of {
		p.of, p.ours, p.excepted = lengths, sums(ours), sums(excepted)
	}
	all, same := 0, 0
	for _, sum := range sums(text) {
		if _, found := slices.BinarySearch(p.excepted, sum); found {
			continue
		}
		all++
		if _, found := slices.BinarySearch(p.ours, sum); found {
			same++
		}
	}
	return same > 0 && same*2 >= all
}

// sums returns the sorted sums of the runs of a text.
func sums(text string) []uint64 {
	const base, mix = 1099511628211, 0x9E3779B97F4A7C15
	power := uint64(1)
	for range runLetters {
		power *= base
	}
	var sum uint64
	var kept []uint64
	letters := []rune(text)
	for i, r := range letters {
		sum = sum*base + uint64(r)
		if i >= runLetters {
			sum -= uint64(letters[i-runLetters]) * power
		}
		if mixed := sum * mix; i+1 >= runLetters && mixed>>32%thinned == 0 {
			kept = append(kept, mixed)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}
