package workspace

import (
	"slices"
	"strconv"
	"strings"
)

// sourceList holds the sources by number, by address and by text.
type sourceList struct {
	all   []Source       // by number
	leads map[string]int // the number of the newest source by address
	next  int            // number of the next source
	fresh []string       // ids that were read in this stretch
	// Those that a run before this one read in it, fresh after the opening that takes it up
	later    []string
	onRecord recorded
	deleted  []Source // those that a person deleted, by number
}

// byNumber is the place of the source with a number, or where it would be.
func (l *sourceList) byNumber(number int) (int, bool) {
	return slices.BinarySearchFunc(l.all, number, func(s Source, n int) int { return numberOf(s.ID) - n })
}

// byID is the place of the source with an id.
func (l *sourceList) byID(id string) (int, bool) {
	n := numberOf(id)
	at, ok := l.byNumber(n)
	return at, ok && id == "s"+strconv.Itoa(n)
}

func (l *sourceList) find(idOrURL string) (Source, bool) {
	if at, ok := l.byNumber(l.leads[idOrURL]); ok && slices.Contains(l.all[at].Addresses(), idOrURL) {
		return l.all[at], true
	}
	if at, ok := l.byID(idOrURL); ok {
		return l.all[at], true
	}
	return Source{}, false
}

// same is the source with this very text, preferably the one at the same address, and at last one that a
// person deleted: what cites it holds again when it is read again.
func (l *sourceList) same(s Source) (Source, bool) {
	if known, ok := l.find(s.URL); ok && known.SHA256 == s.SHA256 {
		return known, true
	}
	for _, known := range slices.Concat(l.all, l.deleted) {
		if known.SHA256 == s.SHA256 {
			return known, true
		}
	}
	return Source{}, false
}

// add enters a source, in place of one with its id. Addresses of a newer one lead to that.
func (l *sourceList) add(s Source) {
	l.put(s)
	for _, url := range s.Addresses() {
		if l.leads[url] <= numberOf(s.ID) {
			l.point(url, s)
		}
	}
}

// put holds a source in place of one with its id. No address leads to it yet.
func (l *sourceList) put(s Source) {
	at, known := l.byNumber(numberOf(s.ID))
	if !known {
		l.all = slices.Insert(l.all, at, s)
	}
	l.all[at] = s
	l.deleted = slices.DeleteFunc(l.deleted, func(gone Source) bool { return gone.ID == s.ID })
	l.next = max(l.next, numberOf(s.ID)+1)
}

// point has an address lead to a source that is held, and has it.
func (l *sourceList) point(url string, s Source) {
	if url == "" {
		return
	}
	if l.leads == nil {
		l.leads = map[string]int{}
	}
	l.leads[url] = numberOf(s.ID)
}

// asked takes note of a question: what was read until then was read for another.
func (l *sourceList) asked() {
	for _, s := range l.all {
		l.onRecord.older[numberOf(s.ID)] = true
	}
}

// numberOf is that of a source's id, or 0.
func numberOf(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "s"))
	if err != nil {
		return 0
	}
	return n
}
