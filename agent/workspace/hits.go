package workspace

import (
	"encoding/json"
	"errors"
	"strconv"
)

// Hit is a result of a search, kept under an id of its own so that it can be chosen by that in a later stretch, or on another day.
type Hit struct {
	ID  string `json:"id"` // h1, h2, …
	URL string `json:"url"`
}

// hitList is all that searches found, by address and by number.
type hitList struct {
	all   []Hit
	byURL map[string]int
}

// KeepHits puts on record what a search found and gives the ids. What was found before keeps its id.
func (w *Workspace) KeepHits(urls []string) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return nil, errors.New("the workspace is open for reading only")
	}
	ids := make([]string, len(urls))
	before := len(w.hits.all)
	for i, url := range urls {
		ids[i] = w.hits.add(url)
	}
	if len(w.hits.all) == before {
		return ids, nil
	}
	return ids, w.journal.Record(keyHits, w.hits.all[before:])
}

// Hit finds a result of a search by its id.
func (w *Workspace) Hit(id string) (Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(id) < 2 || id[0] != 'h' {
		return Hit{}, false
	}
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 1 || n > len(w.hits.all) {
		return Hit{}, false
	}
	return w.hits.all[n-1], true
}

func (l *hitList) add(url string) (id string) {
	if at, ok := l.byURL[url]; ok {
		return l.all[at].ID
	}
	if l.byURL == nil {
		l.byURL = map[string]int{}
	}
	id = "h" + strconv.Itoa(len(l.all)+1)
	l.byURL[url] = len(l.all)
	l.all = append(l.all, Hit{ID: id, URL: url})
	return id
}

// take adds the hits of an entry of the journal.
func (l *hitList) take(value json.RawMessage) {
	var hits []Hit
	if json.Unmarshal(value, &hits) != nil {
		return
	}
	for _, h := range hits {
		l.add(h.URL)
	}
}
