package workspace

import (
	"errors"
	"io/fs"
	"path"

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

// Follow puts on record that a known address is about to be fetched. Its error matches ErrFollowed when no
// more may be that only pages named, or that were fetched before.
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

// Shown puts on record which of a page's addresses the model was shown.
func (w *Workspace) Shown(s Source, page, part string, fetched bool) error {
	w.mu.Lock()
	delete(w.sources.onRecord.older, numberOf(s.ID))
	w.mu.Unlock()
	return w.journal.Record(store.KeyShown, w.origin.Page(s.ID, s.Addresses(), page, part, fetched))
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
