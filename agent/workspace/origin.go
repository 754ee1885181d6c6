package workspace

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

// Known reports whether an address was named, byte for byte, by the person, by a search, or by the shown part
// of one of the last pages. An address that a model made up could leak what it read in the folder. A known
// one reveals only which of them was chosen.
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

// Follow records that a known address is about to be fetched. Its error matches [origin.ErrFollowed] if there
// were too many fetches of addresses that only a page had named, or that were fetched before.
func (w *Workspace) Follow(address string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.origin.MayFollow(address); err != nil {
		return err
	}
	return w.journal.Record(origin.KeyFollowed, origin.WithoutFragment(address))
}

// Said records that a text is the person's own words, for the addresses in it.
func (w *Workspace) Said(text string) error {
	if w.journal == nil || !w.origin.News(text) { // readers need no record
		return nil
	}
	return w.journal.Record(origin.KeySaid, text)
}

// Shown records which blocks of a page, by number, and which of its addresses the model was shown.
func (w *Workspace) Shown(s Source, page, part string, fetched bool, blocks ...int) error {
	row := w.origin.Page(s.ID, s.Addresses(), page, part, fetched)
	row.Blocks = blocks
	if len(w.own) > 0 {
		row.For = w.own[0]
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.journal.Record(origin.KeyShown, row)
}

// Distrust treats the folder as a stranger's. Its files, settings and rules, and what its journal says of a
// person or a search, no longer make addresses known. What is asked, said and found from now on does.
func (w *Workspace) Distrust() { w.origin.Distrust() }

// hear records what the person wrote that the journal does not have yet: the notes, and the settings and
// rules, which are not watched.
func (w *Workspace) hear() error {
	if w.journal == nil {
		return errOnlyRead
	}
	if w.origin.Distrusted() {
		return nil
	}
	files, err := w.personsFiles()
	if err != nil {
		return err
	}
	for _, p := range append([]string{CurrentFile}, files...) {
		data, _, err := w.load(p)
		if err != nil {
			continue // an unreadable file names nothing
		}
		if err := w.Said(string(data)); err != nil {
			return err
		}
	}
	return nil
}

// personsFiles returns the settings and the rules.
func (w *Workspace) personsFiles() ([]string, error) {
	files := []string{SettingsFile}
	rules, err := w.fs.ReadDir(RulesDir)
	for _, r := range rules {
		files = append(files, path.Join(RulesDir, r.Name()))
	}
	return files, err
}

// noteLoss records what was lost since the last such entry. w.mu is held.
func (w *Workspace) noteLoss(state journalState) error {
	known := w.origin.Lost()
	now := origin.Loss{Damaged: max(known.Damaged, state.read.Lines), Sources: known.Sources, Whole: known.Whole}
	if last := w.sources.next - 1; last > state.last {
		now.Sources = max(now.Sources, last)
	}
	if state.read.Good == 0 {
		now.Whole = now.Whole || now.Sources > 0 || w.Exists()
	}
	if now == known {
		return nil
	}
	present, err := w.present()
	if err != nil {
		return err
	}
	files, _ := w.personsFiles() // whoever reads the rules gets the error
	for _, p := range append(slices.Sorted(maps.Keys(present)), files...) {
		if data, exists, err := w.load(p); err == nil && exists {
			if err := w.journal.Record(origin.KeyUnknown, string(data)); err != nil {
				return err
			}
		}
	}
	if now.Whole && !known.Whole {
		w.warnings = append(w.warnings, "There is no journal of this research. Addresses in its files are not visited, and no file in the folder is read as a document: name them in the question, or keep documents in a folder beside this one.")
	}
	return w.journal.Record(origin.KeyLost, now)
}

// IsAgents reports whether a file in the folder, by its path with slashes, cannot be a document of the
// person's: the research keeps it, or the agent wrote it.
func (w *Workspace) IsAgents(p string) bool {
	return layout.IsOwn(p) || w.origin.WroteFile(p) || w.origin.Lost().Whole
}

// Wrote reports whether most of a text is the agent's, wherever it is now. Quotes from the person's documents
// do not count.
func (w *Workspace) Wrote(text string) bool { return w.origin.Wrote(text) }

// Hit finds a search result by its id.
func (w *Workspace) Hit(id string) (origin.Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h, ok := w.hits.ByID[id]
	return h, ok
}

// HitNamed finds the only search result whose address ends with a name, such as notes.html or go.dev/doc;
// false if there is none or more than one.
func (w *Workspace) HitNamed(name string) (origin.Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h, ok := w.hits.ByURL["doc:"+name]; ok || name == "" {
		return h, ok
	}
	var found []origin.Hit
	for url, h := range w.hits.ByURL {
		if strings.HasSuffix(url, "/"+name) {
			found = append(found, h)
		}
	}
	if len(found) != 1 {
		return origin.Hit{}, false
	}
	return found[0], true
}

// KeepHits records the addresses and excerpts that a search found, and returns their ids. A result found
// before keeps its id.
func (w *Workspace) KeepHits(found []origin.Hit) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make([]string, len(found))
	var fresh []origin.Hit
	for i, hit := range found {
		h, ok := w.hits.ByURL[hit.URL]
		if !ok {
			h = origin.Hit{ID: "h" + strconv.Itoa(w.hits.Last+1), URL: hit.URL, Listed: hit.Listed}
		}
		if !ok || h.Excerpt != hit.Excerpt || hit.Listed || h.Listed {
			h.Excerpt, h.Listed = hit.Excerpt, h.Listed && hit.Listed // what a search found stays found
			w.hits.Add(h)
			fresh = append(fresh, h)
		}
		ids[i] = h.ID
	}
	if len(fresh) == 0 {
		return ids, nil
	}
	return ids, w.journal.Record(origin.KeyHits, fresh)
}
