package actions

import (
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxRemembered bounds how many outside texts a dashboard is compared with: the latest shown, and the latest
// sources, some of which a previous run may have shown. Few stretches show more.
const maxRemembered = 64

// outside remembers what was shown of the outside world, to compare dashboards with it.
type outside struct {
	mu     sync.Mutex
	texts  []text
	before sync.Once // loads what the previous run showed
}

// text is a text that was shown, or the text of a source.
type text struct {
	source string // id and hash of a source, or ""
	step   int    // at which it was shown, 0 for a previous run
	marks  []uint32
	whole  func() string
}

// show remembers a text that is shown at a step. The queries that a search result begins with are not from
// outside.
func (o *outside) show(step int, shown string) {
	if at := strings.Index(shown, "\n<results>\n"); at >= 0 && strings.HasPrefix(shown, "Results for ") {
		shown = shown[at:]
	}
	o.add(text{step: step, marks: marks(shown), whole: func() string { return shown }})
}

// visited remembers what was shown of a source, except one of the last, which are remembered whole.
func (o *outside) visited(w *workspace.Workspace, step int, id, shown string) {
	isIt := func(s workspace.Source) bool { return s.ID == id }
	if !slices.ContainsFunc(w.LastSources(maxRemembered), isIt) {
		o.show(step, shown)
	}
}

// forget drops what was shown before a step that clears the memory: the model forgets it too.
func (o *outside) forget(step int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.texts = slices.DeleteFunc(o.texts, func(t text) bool { return t.source == "" && t.step < step })
}

func (o *outside) add(t text) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.texts = append(o.texts, t); len(o.texts) > 2*maxRemembered {
		o.texts = slices.Delete(o.texts, 0, len(o.texts)-2*maxRemembered)
	}
}

func (o *outside) holds(source string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.texts, func(t text) bool { return t.source == source })
}

// resume loads, once, what the previous run showed in the stretch that this one continues.
func (o *outside) resume(w *workspace.Workspace) {
	o.before.Do(func() {
		for _, result := range w.Journal().ResultsBefore() {
			if strings.Contains(result, "</results>") || strings.Contains(result, "</p") { // page, passages
				o.show(0, result)
			}
		}
	})
}

// remember loads the last sources: in a resumed run the previous one showed them.
func (o *outside) remember(w *workspace.Workspace) {
	news := slices.DeleteFunc(w.LastSources(maxRemembered),
		func(s workspace.Source) bool { return o.holds(s.ID + s.SHA256) })
	for _, s := range news {
		whole := func() string {
			page, _, err := w.SourceText(s.ID)
			if err != nil {
				return "" // nobody can have copied a source that was discarded
			}
			return s.Title + "\n" + s.Author + "\n" + page
		}
		o.add(text{source: s.ID + s.SHA256, marks: marks(whole()), whole: whole})
	}
}

// shares finds a passage that an update shares with what was shown, by the hashes of its runs. It returns the
// update's words and the index where the passage begins, or nil.
func (o *outside) shares(update string, runs map[uint32]int) (own []string, at int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	own = prose.Words(update)
	parts := map[uint32]bool{}
	for _, sum := range windows(own, markedWords) {
		parts[sum] = true
	}
	for _, t := range o.texts {
		if !slices.ContainsFunc(t.marks, func(sum uint32) bool { return parts[sum] }) {
			continue
		}
		theirs := prose.Words(t.whole())
		for i, sum := range windows(theirs, maxCopied) {
			if at, ok := runs[sum]; ok && sameRun(own[at:], theirs[i:]) {
				return own, at
			}
		}
	}
	return nil, 0
}
