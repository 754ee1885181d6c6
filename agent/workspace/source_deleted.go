package workspace

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// recorded is what the journal says of sources, by their numbers.
type recorded struct {
	at    map[int]store.Span // where their files are, as they were written last
	older map[int]bool       // those of questions before, unless they were read again for this one
	// those that the agent was shown, for whatever question; versions before 0.1 kept no record of it
	shown  map[int]bool
	to     map[showing]bool
	blocks map[int]map[int]bool // of them, to whomever
}

// showing is a source that the researchers of a chapter's file were shown; "" is the researcher's own.
type showing struct {
	file   string
	number int
}

func newRecorded() recorded {
	return recorded{map[int]store.Span{}, map[int]bool{}, map[int]bool{}, map[showing]bool{}, map[int]map[int]bool{}}
}

// kept takes note of a source's file.
func (r recorded) kept(p string, at store.Span) {
	if m := sourceFile.FindStringSubmatch(path.Base(p)); m != nil {
		r.at[numberOf("s"+m[1])] = at
	}
}

// asked is asked of a list of sources.
func (r recorded) asked() {
	for n := range r.at {
		r.older[n] = true
	}
}

// saw takes note of a page that the agent was shown.
func (r recorded) saw(value json.RawMessage) {
	var page struct {
		ID, For string
		Blocks  []int
	}
	if json.Unmarshal(value, &page) == nil {
		r.sees(page.ID, page.For, page.Blocks)
	}
}

func (r recorded) sees(id, file string, blocks []int) {
	n := numberOf(id)
	r.shown[n], r.to[showing{file, n}] = true, true
	delete(r.older, n)
	if r.blocks[n] == nil {
		r.blocks[n] = map[int]bool{}
	}
	for _, b := range blocks {
		r.blocks[n][b] = true
	}
}

// BlocksShown are the numbers of the blocks of a source that some model was shown. It is empty for a source of a
// version that kept no record of them.
func (w *Workspace) BlocksShown(id string) map[int]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.sources.onRecord.blocks[numberOf(id)])
}

// WasShown reports whether those who research a chapter's file were shown a source, or with "" the researcher of
// the whole.
func (w *Workspace) WasShown(file, id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sources.onRecord.to[showing{file, numberOf(id)}]
}

// SourcesRead counts the sources that were read for the question at hand, or all when the journal is of a
// version that did not say.
func (w *Workspace) SourcesRead() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sources.all {
		if r := w.sources.onRecord; len(r.shown) == 0 || !r.older[numberOf(s.ID)] {
			n++
		}
	}
	return n
}

// missSources notes the sources on record that have no file any more. Their numbers are not given again: what
// cites them would cite another page. w.mu is held.
func (w *Workspace) missSources(there map[int]bool) {
	for _, n := range slices.Sorted(maps.Keys(w.sources.onRecord.at)) {
		w.sources.next = max(w.sources.next, n+1)
		if there[n] {
			continue
		}
		v, err := w.fs.FileAt(w.sources.onRecord.at[n])
		if err != nil {
			continue // a damaged journal is told of
		}
		s, err := sourceOf(v.Path, []byte(v.Text))
		if err != nil { // it was too long for the journal
			s = Source{ID: fmt.Sprintf("s%d", n), File: v.Path}
		}
		w.sources.deleted = append(w.sources.deleted, s)
	}
}

// miss takes a source whose file a person deleted out of those that were read, and puts that on record.
func (w *Workspace) miss(s Source) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.sources.byID(s.ID); ok {
		w.sources.all = slices.Delete(w.sources.all, at, at+1)
		w.sources.deleted = append(w.sources.deleted, s)
		slices.SortFunc(w.sources.deleted, func(a, b Source) int { return numberOf(a.ID) - numberOf(b.ID) })
		return w.meetSource(store.EntryOf(s.File, "", "", nil))
	}
	return nil
}

// cameBack is a source whose file a person deleted and put back.
func (w *Workspace) cameBack(id string) (Source, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.sources.deleted, func(s Source) bool { return s.ID == id })
	if at < 0 {
		return Source{}, false
	}
	data, err := w.fs.ReadFile(w.sources.deleted[at].File)
	if err != nil {
		return Source{}, false
	}
	s, err := sourceOf(w.sources.deleted[at].File, data)
	if err != nil || s.SHA256 != w.sources.deleted[at].SHA256 {
		return Source{}, false // the next run looks at it as at any other file
	}
	w.sources.add(s)
	return s, w.meetSource(store.EntryOf(s.File, "", store.Hash(data), data)) == nil
}

// meetSource is meet for the file of a source. w.mu is held.
func (w *Workspace) meetSource(e store.FileRow) error {
	if w.journal == nil {
		return nil
	}
	e.Found = true
	return w.journal.Record(store.KeyMet, e)
}

// Deleted lists the sources that were read and whose files are not there any more. One that the journal does
// not hold has no address.
func (w *Workspace) Deleted() []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.deleted)
}

// BringBack writes the file of a deleted source again as the journal holds it. Its error is
// [history.ErrNotOnRecord] when the journal does not.
func (w *Workspace) BringBack(id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.sources.deleted, func(s Source) bool { return s.ID == id })
	if at < 0 || w.sources.deleted[at].URL == "" {
		return fmt.Errorf("writing the source %s again: %w", id, history.ErrNotOnRecord)
	}
	s := w.sources.deleted[at]
	v, err := w.fs.FileAt(w.sources.onRecord.at[numberOf(id)])
	if err == nil {
		err = w.fs.MkdirAll(SourcesDir, 0o755)
	}
	if err == nil {
		err = w.keep(s.File, []byte(v.Text))
	}
	if err != nil {
		return fmt.Errorf("writing the source %s again: %w", id, err)
	}
	w.sources.add(s)
	w.sources.fresh = append(w.sources.fresh, id)
	return nil
}
