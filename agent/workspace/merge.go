package workspace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// ConflictError says that a person changed the very lines that a write was going to replace. Their text
// stands, and nothing else.
type ConflictError struct {
	Path string
	Diff string // what the person changed since the agent saw the file
	// The first lines that both changed: as the agent saw them, as the person has them, and as the agent was
	// going to have them.
	Base, Theirs, Ours string
}

// maxClash bounds each of the three texts that are shown of a conflict, in bytes.
const maxClash = 1500

// Error tells the agent what happened and what to do.
func (e *ConflictError) Error() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s was not written: a person changed the same lines since you last saw it. Their text stands.\n", e.Path)
	if e.Base+e.Theirs+e.Ours != "" {
		fmt.Fprintf(&out, "The lines as you saw them:\n%sas the person has them now:\n%sand as you wrote them:\n%s", quoted(e.Base), quoted(e.Theirs), quoted(e.Ours))
	}
	fmt.Fprintf(&out, "What they changed:\n%s\nWrite again with their change taken in.", e.Diff)
	return out.String()
}

func quoted(lines string) string {
	if lines == "" {
		return "  (nothing)\n"
	}
	if len(lines) > maxClash {
		lines = strings.ToValidUTF8(lines[:maxClash], "") + "…"
	}
	return "  > " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n  > ") + "\n"
}

// clash is the first place where two changes of one text touch the same lines.
type clash struct{ base, theirs, ours string }

// merge3 makes one text of two that were made from the same base, by lines. Where both put something in at
// one place both are kept, theirs first; where both changed the same lines, or one put something into lines
// that the other replaced, there is a clash and no text. Marks such as "<<<<<<<" are never written. The byte
// order mark, the line ends and a missing last one are theirs.
func merge3(base, theirs, ours string) (string, *clash, error) {
	b := closed(plain(base))
	x, y := udiff.Lines(b, closed(plain(theirs))), udiff.Lines(b, closed(plain(ours)))
	if c := firstClash(b, x, y); c != nil {
		return "", c, nil
	}
	edits, ok := udiff.Merge(x, y)
	if !ok {
		return "", &clash{}, nil
	}
	both, err := udiff.Apply(b, edits)
	if err != nil {
		return "", nil, fmt.Errorf("merging: %w", err)
	}
	return opened(theirs, dressed(theirs, both)), nil, nil
}

// firstClash is stricter than the library, which takes lines put into a passage that the other side replaced
// for no conflict.
func firstClash(base string, x, y []udiff.Edit) *clash {
	for i, j := 0, 0; i < len(x) && j < len(y); {
		if x[i] != y[j] && x[i].Start < y[j].End && y[j].Start < x[i].End {
			from, to := around(x[i], x, y)
			return &clash{base[from:to], within(base, x, from, to), within(base, y, from, to)}
		}
		if x[i].End <= y[j].End {
			i++
		} else {
			j++
		}
	}
	return nil
}

// around is the passage that an edit and all that overlap with it touch.
func around(first udiff.Edit, sides ...[]udiff.Edit) (from, to int) {
	from, to = first.Start, first.End
	for grown := true; grown; {
		grown = false
		for _, edits := range sides {
			for _, e := range edits {
				if e.Start < to && from < e.End && (e.Start < from || e.End > to) {
					from, to, grown = min(from, e.Start), max(to, e.End), true
				}
			}
		}
	}
	return from, to
}

// within is a passage with the edits that fall into it.
func within(base string, edits []udiff.Edit, from, to int) string {
	var out strings.Builder
	at := from
	for _, e := range edits {
		if e.Start >= from && e.End <= to {
			out.WriteString(base[at:e.Start])
			out.WriteString(e.New)
			at = e.End
		}
	}
	out.WriteString(base[at:to])
	return out.String()
}

// merge takes a person's changes since the agent saw a file into the agent's new text of it.
func (w *Workspace) merge(p string, theirs []byte, exists bool, ours []byte) ([]byte, error) {
	s, known := w.seen[p]
	if !exists || (known && s.hash == store.Hash(theirs)) || bytes.Equal(theirs, ours) {
		return ours, nil
	}
	base, ok := w.seenText(p)
	if !ok {
		return nil, fmt.Errorf("%s was not written: it exists and you have not read it. Read it first; then overwrite it, or append to it", p)
	}
	both, c, err := merge3(base, string(theirs), string(ours))
	if err != nil {
		return nil, fmt.Errorf("%w of %s", err, p)
	}
	if c != nil {
		return nil, w.conflict(p, theirs, c)
	}
	return []byte(both), nil
}

// conflict tells what a person changed; the agent has then seen it.
func (w *Workspace) conflict(p string, theirs []byte, c *clash) error {
	base, _ := w.seenText(p)
	shown, whole := diff(base, string(theirs))
	if whole {
		if err := w.markSeen(p, theirs); err != nil {
			return err
		}
	}
	if c == nil {
		c = &clash{}
	}
	return &ConflictError{Path: p, Diff: shown, Base: c.base, Theirs: c.theirs, Ours: c.ours}
}
