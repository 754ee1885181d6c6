package search

import (
	"slices"
	"sync"
)

// recent keeps the texts of the documents that were asked for last, because one is read again and again: a long one part by part, and any
// for the next chapter. The zero value is empty.
type recent struct {
	mu    sync.Mutex
	texts []text // the newest last
	bytes int    // of all
}

// text is what a document said when its file had this stamp.
type text struct {
	file     int64
	stamp    string
	markdown string
}

// recentBytes is how much is kept, the newest in any case.
const recentBytes = 2 << 20

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
	r.texts, r.bytes = append(r.texts, t), r.bytes+len(t.markdown)
	for len(r.texts) > 1 && r.bytes > recentBytes {
		r.bytes -= len(r.texts[0].markdown)
		r.texts = slices.Delete(r.texts, 0, 1)
	}
}
