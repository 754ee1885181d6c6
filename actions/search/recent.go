package search

import (
	"slices"
	"sync"
)

// recent keeps the texts of the documents that were asked for last, because a long one is read part by part. The zero value is
// empty.
type recent struct {
	mu    sync.Mutex
	texts []text // the newest last
}

// text is what a document said when its file had this stamp.
type text struct {
	file     int64
	stamp    string
	markdown string
}

// recentTexts is how many texts are kept; as many are read side by side at most.
const recentTexts = 4

// find is the text of a document as it was indexed with this stamp. A document that changed has another.
func (r *recent) find(file int64, stamp string) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.texts {
		if t.file == file && t.stamp == stamp {
			return t.markdown, true
		}
	}
	return "", false
}

func (r *recent) keep(t text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.texts) == recentTexts {
		r.texts = slices.Delete(r.texts, 0, 1)
	}
	r.texts = append(r.texts, t)
}
