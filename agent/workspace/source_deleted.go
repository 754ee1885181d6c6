package workspace

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// recorded says where in the journal the file of each source is, as it was written last, by the number of the
// source.
type recorded map[int]store.Span

func (r recorded) take(p string, at store.Span) {
	if m := sourceFile.FindStringSubmatch(path.Base(p)); m != nil {
		r[numberOf("s"+m[1])] = at
	}
}

// missSources notes the sources on record that have no file any more. Their numbers are not given again: what
// cites them would cite another page. w.mu is held.
func (w *Workspace) missSources(there map[int]bool) {
	for _, n := range slices.Sorted(maps.Keys(w.sources.onRecord)) {
		w.sources.next = max(w.sources.next, n+1)
		if there[n] {
			continue
		}
		v, err := w.fs.FileAt(w.sources.onRecord[n])
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

// Deleted lists the sources that were read and whose files are not there any more. One that the journal does
// not hold has no address.
func (w *Workspace) Deleted() []Source {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sources.deleted)
}

// BringBack writes the file of a deleted source again as the journal holds it. Its error is [ErrNotOnRecord]
// when that does not.
func (w *Workspace) BringBack(id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.sources.deleted, func(s Source) bool { return s.ID == id })
	if at < 0 || w.sources.deleted[at].URL == "" {
		return fmt.Errorf("writing the source %s again: %w", id, history.ErrNotOnRecord)
	}
	s := w.sources.deleted[at]
	v, err := w.fs.FileAt(w.sources.onRecord[numberOf(id)])
	if err == nil {
		err = w.fs.MkdirAll(SourcesDir, 0o755)
	}
	if err == nil {
		err = w.keep(s.File, []byte(v.Text))
	}
	if err != nil {
		return fmt.Errorf("writing the source %s again: %w", id, err)
	}
	w.sources.deleted = slices.Delete(w.sources.deleted, at, at+1)
	w.sources.add(s)
	w.sources.fresh = append(w.sources.fresh, id)
	return nil
}
