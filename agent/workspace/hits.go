package workspace

import (
	"errors"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/origin"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// KeepHits puts on record what a search found, of which it uses the addresses and excerpts, and gives the
// ids. What was found before keeps its id.
func (w *Workspace) KeepHits(found []origin.Hit) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return nil, errors.New("the workspace is open for reading only")
	}
	ids := make([]string, len(found))
	var fresh []origin.Hit
	for i, hit := range found {
		h, ok := w.hits.ByURL[hit.URL]
		if !ok {
			h = origin.Hit{ID: "h" + strconv.Itoa(w.hits.Last+1), URL: hit.URL, Listed: hit.Listed}
		}
		if !ok || h.Excerpt != hit.Excerpt || hit.Listed || h.Listed {
			h.Excerpt, h.Listed = hit.Excerpt, h.Listed && hit.Listed // what a search found once it found
			w.hits.Add(h)
			fresh = append(fresh, h)
		}
		ids[i] = h.ID
	}
	if len(fresh) == 0 {
		return ids, nil
	}
	return ids, w.journal.Record(store.KeyHits, fresh)
}

// Hit finds a result of a search by its id.
func (w *Workspace) Hit(id string) (origin.Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h, ok := w.hits.ByID[id]
	return h, ok
}

// HitNamed finds the one result of a search whose address ends with a name, such as notes.html or go.dev/doc;
// false when none or several do.
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
