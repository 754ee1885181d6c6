package workspace

import (
	"encoding/json"
	"errors"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"strconv"
	"strings"
)

// Hit is a result of a search, kept under an id of its own so that it can be chosen by that in a later
// stretch, or on another day.
type Hit struct {
	ID  string `json:"id"` // h1, h2, …
	URL string `json:"url"`
	// Excerpt is what the search that found it last showed of the page, so that a visit can open the page
	// there.
	Excerpt string `json:"excerpt,omitempty"`
	// Listed says that the site itself lists it, so that its address counts as one that a page named.
	Listed bool `json:"listed,omitempty"`
}

// hitList is all that searches found, by address and by id.
type hitList struct {
	byURL map[string]Hit
	byID  map[string]Hit
	last  int // the highest number given
}

// KeepHits puts on record what a search found, of which it uses the addresses and excerpts, and gives the
// ids. What was found before keeps its id.
func (w *Workspace) KeepHits(found []Hit) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return nil, errors.New("the workspace is open for reading only")
	}
	ids := make([]string, len(found))
	var fresh []Hit
	for i, hit := range found {
		h, ok := w.hits.byURL[hit.URL]
		if !ok {
			h = Hit{ID: "h" + strconv.Itoa(w.hits.last+1), URL: hit.URL, Listed: hit.Listed}
		}
		if !ok || h.Excerpt != hit.Excerpt || hit.Listed || h.Listed {
			h.Excerpt, h.Listed = hit.Excerpt, h.Listed && hit.Listed // what a search found once it found
			w.hits.add(h)
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
func (w *Workspace) Hit(id string) (Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h, ok := w.hits.byID[id]
	return h, ok
}

// HitNamed finds the one result of a search whose address ends with a name, such as notes.html or go.dev/doc;
// false when none or several do.
func (w *Workspace) HitNamed(name string) (Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h, ok := w.hits.byURL["doc:"+name]; ok || name == "" {
		return h, ok
	}
	var found []Hit
	for url, h := range w.hits.byURL {
		if strings.HasSuffix(url, "/"+name) {
			found = append(found, h)
		}
	}
	if len(found) != 1 {
		return Hit{}, false
	}
	return found[0], true
}

func (l *hitList) add(h Hit) {
	if l.byURL == nil {
		l.byURL, l.byID = map[string]Hit{}, map[string]Hit{}
	}
	l.byURL[h.URL], l.byID[h.ID] = h, h
	if n, err := strconv.Atoi(strings.TrimPrefix(h.ID, "h")); err == nil {
		l.last = max(l.last, n)
	}
}

// take adds the hits of an entry of the journal.
func (l *hitList) take(value json.RawMessage) {
	var hits []Hit
	if json.Unmarshal(value, &hits) != nil {
		return
	}
	for _, h := range hits {
		l.add(h)
	}
}
