package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Known reports whether an address was named, byte for byte, by the person, by a search, or by what was shown
// of one of the last pages. An address that a model made up could carry what it read out of the folder. One
// of these carries nothing but which of them was chosen.
func (w *Workspace) Known(address string) (bool, error) {
	if err := w.hear(); err != nil {
		return false, err
	}
	return w.origin.Names(address), nil
}

// KnownHost reports whether the person or a search named a host, such as example.org.
func (w *Workspace) KnownHost(host string) (bool, error) {
	if err := w.hear(); err != nil {
		return false, err
	}
	return w.origin.NamesHost(host), nil
}

// Follow puts on record that a known address is about to be fetched. Its error matches [origin.ErrFollowed]
// when too many were fetched that only a page had named, or not for the first time.
func (w *Workspace) Follow(address string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.origin.MayFollow(address); err != nil {
		return err
	}
	return w.journal.Record(store.KeyFollowed, origin.WithoutFragment(address))
}

// Said puts on record that a text is the person's own words, for the addresses in it.
func (w *Workspace) Said(text string) error {
	if w.journal == nil || !w.origin.News(text) { // whoever only looks needs no record
		return nil
	}
	return w.journal.Record(store.KeySaid, text)
}

// Shown puts on record which of a page's blocks, by their numbers, and of its addresses the model was shown.
func (w *Workspace) Shown(s Source, page, part string, fetched bool, blocks ...int) error {
	row := w.origin.Page(s.ID, s.Addresses(), page, part, fetched)
	row.Blocks = blocks
	if len(w.own) > 0 {
		row.For = w.own[0]
	}
	w.mu.Lock()
	w.sources.onRecord.sees(s.ID, row.For, blocks)
	w.mu.Unlock()
	return w.journal.Record(store.KeyShown, row)
}

// Distrust takes the folder for a stranger's. Its files, its settings and rules too, and what its journal
// tells of a person or of a search name no address any more. What is asked, said and found from now on does.
func (w *Workspace) Distrust() { w.origin.Distrust() }

// hear takes in what the person wrote where no entry of the journal tells it yet: the notes, and the settings
// and rules, which are not watched.
func (w *Workspace) hear() error {
	if w.journal == nil {
		return errors.New("the workspace is open for reading only")
	}
	if w.origin.Distrusted() {
		return nil
	}
	files := []string{CurrentFile, SettingsFile}
	rules, err := w.fs.ReadDir(RulesDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, r := range rules {
		files = append(files, path.Join(RulesDir, r.Name()))
	}
	for _, p := range files {
		data, _, err := w.load(p)
		if err != nil {
			continue // a file that cannot be read names nothing
		}
		if err := w.Said(string(data)); err != nil {
			return err
		}
	}
	return nil
}

// noteLoss puts on record what was lost since it was noted last. w.mu is held.
func (w *Workspace) noteLoss(state journalState) error {
	known := w.origin.Lost()
	now := origin.Loss{Damaged: max(known.Damaged, state.damaged), Sources: known.Sources, Whole: known.Whole}
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
	if w.origin == nil || w.origin.IsRead(s.SHA256) || w.origin.Lost().Whole {
		return false, nil
	}
	data, err := w.fs.ReadFile(s.File)
	if err != nil {
		return false, fmt.Errorf("reading the source %s: %w", s.ID, err)
	}
	_, text, err := markdown.CutFrontMatter(string(data))
	return err == nil && w.origin.Wrote(text), nil
}

// IsAgents reports whether a file in the folder, by its path with slashes, cannot be a document of the
// person's: the research keeps it, or the agent wrote it.
func (w *Workspace) IsAgents(p string) bool {
	return IsOwn(p) || w.origin.WroteFile(p) || w.origin.Lost().Whole
}

// Wrote reports whether most of a text is the agent's, wherever it stands now. What it quoted from the
// person's documents is not.
func (w *Workspace) Wrote(text string) bool { return w.origin.Wrote(text) }

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
