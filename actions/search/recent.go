package search

import (
	"slices"
	"sync"
)

// recent keeps the texts of the documents that were asked for last, because one is read again and again: a long one part by part, and any
// for the next chapter. The zero value is empty.
type recent struct {
	mu    sync.Mutex
	texts []text // the one that was asked for last is the last
}

// text is what a document said when its file had this stamp.
type text struct {
	file     int64
	stamp    string
	markdown string
}

// Of the texts the last recentTexts are kept however long they are, and of those before as many as make recentBytes with them.
const (
	recentTexts = 4
	recentBytes = 2 << 20
)

// find is the text of a document as it was indexed with this stamp. A document that changed has another.
func (r *recent) find(file int64, stamp string) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.texts, func(t text) bool { return t.file == file && t.stamp == stamp })
	if i < 0 {
		return "", false
	}
	found := r.texts[i]
	r.texts = append(slices.Delete(r.texts, i, i+1), found)
	return found.markdown, true
}

func (r *recent) keep(t text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(slices.DeleteFunc(r.texts, func(old text) bool { return old.file == t.file }), t)
	size, from := 0, len(r.texts)
	for from > 0 && (len(r.texts)-from < recentTexts || size+len(r.texts[from-1].markdown) <= recentBytes) {
		from--
		size += len(r.texts[from].markdown)
	}
	r.texts = slices.Delete(r.texts, 0, from)
}
