package search

import (
	"slices"
	"sync"

	"github.com/daybook-agent/daybook/actions/page"
)

// recent keeps the documents that were asked for last, because one is read again and again: a long one part by part, and any for the next
// chapter. The zero value is empty.
type recent struct {
	mu    sync.Mutex
	state int         // of the index, counted
	kept  []recentDoc // the newest last
	bytes int         // of all
}

type recentDoc struct {
	url  string
	page page.Page
}

// recentBytes is how much is kept, the newest in any case.
const recentBytes = 2 << 20

// find is a document that is kept, or else the state of the index before it is looked for.
func (r *recent) find(url string) (p page.Page, state int, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.kept {
		if d.url == url {
			return d.page, r.state, true
		}
	}
	return p, r.state, false
}

// keep keeps a document, unless the index changed since it was in a state.
func (r *recent) keep(url string, p page.Page, state int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if state != r.state {
		return
	}
	r.kept, r.bytes = append(r.kept, recentDoc{url, p}), r.bytes+len(p.Markdown)
	for len(r.kept) > 1 && r.bytes > recentBytes {
		r.bytes -= len(r.kept[0].page.Markdown)
		r.kept = slices.Delete(r.kept, 0, 1)
	}
}

// forget drops all: the index is another now.
func (r *recent) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state++
	r.kept, r.bytes = nil, 0
}
