package workspace

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// late is a file into which words of a person were put that they had written elsewhere: into a file that was
// out of its place already, or into one that came out for a write. An editor that read the file before it
// held them, and saves after, would take them away again without knowing of them; so for a while they are put
// back when they are missing.
type late struct {
	by    *Workspace // whose write it was
	path  string
	base  string // the file before
	text  string // and with them
	since time.Time
}

// expectLate remembers what was put into a file. w.mu is held.
func (w *Workspace) expectLate(p string, base, text []byte) {
	if len(text) <= store.MaxKept {
		w.late = append(w.late, late{w, p, string(base), string(text), time.Now()})
	}
}

// dropLate forgets words that the agent, who had seen them, took out of a file itself. Words that came out
// for this very write, and were merged into it, stand neither in the text that it was made from nor in the
// one that the agent wrote: it has not seen them.
func (w *Workspace) dropLate(p string, old, data []byte) {
	w.late = slices.DeleteFunc(w.late, func(l late) bool {
		return l.path == p && l.wholeIn(string(old)) && !l.wholeIn(string(data))
	})
}

// wholeIn says whether a text of the file holds all of the words.
func (l late) wholeIn(text string) bool {
	missing, err := l.missingFrom(text)
	return err == nil && missing == l.base
}

// reinstate puts back what a save took away unknowingly.
func (w *Workspace) reinstate() error {
	list := w.late
	w.late = nil
	var errs []error
	for _, l := range list {
		if err := l.by.reinstateOne(l); err != nil {
			errs = append(errs, err)
		}
		if time.Since(l.since) < keepDisplaced {
			w.late = append(w.late, l)
		}
	}
	return errors.Join(errs...)
}

func (w *Workspace) reinstateOne(l late) error {
	now, info, err := w.look(l.path)
	if err != nil || info == nil || string(now) == l.text {
		return err
	}
	missing, err := l.missingFrom(string(now))
	if err != nil || missing == l.base {
		return err
	}
	merged, c, err := markdown.Merge3(l.base, string(now), missing)
	if c != nil || err != nil {
		return errors.Join(err, w.keepTheirText(l.path, []byte(missing)))
	}
	if merged == string(now) {
		return nil
	}
	return ignoreSaved(w.putIn(l.path, now, []byte(merged), info))
}

// missingFrom is the file as it was before, with those of the words that another text of it does not hold.
func (l late) missingFrom(now string) (string, error) {
	base := markdown.Plain(l.base)
	spare := map[string]int{} // lines that are there now and were not before
	for line := range strings.Lines(markdown.Closed(markdown.Plain(now))) {
		spare[line]++
	}
	for line := range strings.Lines(markdown.Closed(base)) {
		spare[line]--
	}
	edits := udiff.Lines(markdown.Closed(base), markdown.Closed(markdown.Plain(l.text)))
	kept := edits[:0]
	for _, e := range edits {
		var out strings.Builder
		for line := range strings.Lines(e.New) {
			if spare[line]--; spare[line] < 0 && strings.TrimSpace(line) != "" {
				out.WriteString(line)
			}
		}
		if out.Len() > 0 {
			kept = append(kept, udiff.Edit{Start: e.Start, End: e.Start, New: out.String()})
		}
	}
	if len(kept) == 0 {
		return l.base, nil
	}
	return udiff.Apply(markdown.Closed(base), kept)
}
