package actions

import (
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxRemembered bounds how many texts from outside a dashboard is compared with: the last that were shown, and the last sources, of
// which a run before this one may have shown some. Few stretches show more.
const maxRemembered = 64

// outside remembers what was shown of the world outside, for comparing dashboards with it.
type outside struct {
	mu      sync.Mutex
	texts   []text
	resumed bool // what the run before showed was taken up
}

// text is what was shown, or what a source says, as the sums of its runs of words.
type text struct {
	source string // id and hash of a source, or ""
	sums   []uint32
	words  func() []string
}

// show remembers a text.
func (o *outside) show(shown string) {
	o.add(text{sums: windows(shown), words: func() []string { return wordsOf(shown) }})
}

// visited remembers what was shown of a source, unless all of it is remembered anyway, as one of the last.
func (o *outside) visited(w *workspace.Workspace, id, shown string) {
	if !w.IsAmongLast(maxRemembered, id) {
		o.show(shown)
	}
}

// forget drops what was shown: the model has forgotten it too.
func (o *outside) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.texts = slices.DeleteFunc(o.texts, func(t text) bool { return t.source == "" })
}

func (o *outside) add(t text) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t.sums = slices.Clone(t.sums) // without what was allotted for longer words
	if o.texts = append(o.texts, t); len(o.texts) > 2*maxRemembered {
		o.texts = slices.Delete(o.texts, 0, len(o.texts)-2*maxRemembered)
	}
}

func (o *outside) holds(source string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.texts, func(t text) bool { return t.source == source })
}

// resume takes up, once, what the run before showed in the stretch that this one goes on with.
func (o *outside) resume(w *workspace.Workspace) {
	o.mu.Lock()
	taken := o.resumed
	o.resumed = true
	o.mu.Unlock()
	if taken {
		return
	}
	for _, result := range w.Journal().ResultsBefore() {
		if strings.Contains(result, "</results>") || strings.Contains(result, "</p") { // page, passages
			o.show(result)
		}
	}
}

// remember takes up the last sources: in a run that was resumed they were shown by the one before.
func (o *outside) remember(w *workspace.Workspace) {
	for _, s := range w.LastSources(maxRemembered) {
		if o.holds(s.ID + s.SHA256) {
			continue
		}
		whole := func() string {
			page, _, err := w.SourceText(s.ID)
			if err != nil {
				return "" // a source that was thrown away was copied by nobody
			}
			return s.Title + "\n" + s.Author + "\n" + page
		}
		o.add(text{s.ID + s.SHA256, windows(whole()), func() []string { return wordsOf(whole()) }})
	}
}

// shares finds a passage that an update shares with what was shown, by the sums of its runs: the update's words, and from which on they
// are shared; nil when there is none.
func (o *outside) shares(update string, runs map[uint32]int) (own []string, at int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var words []string
	perhaps := sieve(runs)
	for _, t := range o.texts {
		var theirs []string
		for i, sum := range t.sums {
			if perhaps[sum>>22]&(1<<(sum>>16&63)) == 0 {
				continue
			}
			at, ok := runs[sum]
			if !ok {
				continue
			}
			if theirs == nil {
				theirs = t.words()
			}
			if words == nil {
				words = wordsOf(update)
			}
			if i < len(theirs) && sameRun(words[at:], theirs[i:]) {
				return words, at
			}
		}
	}
	return nil, 0
}

// sieve has a bit for the first 16 of each sum. Nearly all of the fifty thousand sums that a dashboard is compared with fail here, for a
// tenth of what looking them up costs.
func sieve(runs map[uint32]int) *[1 << 10]uint64 {
	var bits [1 << 10]uint64
	for sum := range runs {
		bits[sum>>22] |= 1 << (sum >> 16 & 63)
	}
	return &bits
}
