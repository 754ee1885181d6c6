package origin

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Hit is a search result, kept under its own id so that it can be chosen by that in a later stretch, or on
// another day.
type Hit struct {
	ID  string `json:"id"` // h1, h2, …
	URL string `json:"url"`
	// Excerpt is the part of the page that the last search showed, so that a visit can open the page there.
	Excerpt string `json:"excerpt,omitempty"`
	// Listed means that the site itself lists it, so that its address counts as one that a page named.
	Listed bool `json:"listed,omitempty"`
}

// HitList holds all that searches found, by address and by id.
type HitList struct {
	ByURL map[string]Hit
	ByID  map[string]Hit
	Last  int // the highest number in use
}

// Add adds a result.
func (l *HitList) Add(h Hit) {
	if l.ByURL == nil {
		l.ByURL, l.ByID = map[string]Hit{}, map[string]Hit{}
	}
	l.ByURL[h.URL], l.ByID[h.ID] = h, h
	if n, err := strconv.Atoi(strings.TrimPrefix(h.ID, "h")); err == nil {
		l.Last = max(l.Last, n)
	}
}

// Take adds the hits in an entry of the journal.
func (l *HitList) Take(value json.RawMessage) {
	var hits []Hit
	if json.Unmarshal(value, &hits) != nil {
		return
	}
	for _, h := range hits {
		l.Add(h)
	}
}
