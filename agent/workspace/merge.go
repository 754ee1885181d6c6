package workspace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

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
	both, c, err := markdown.Merge3(base, string(theirs), string(ours))
	if err != nil {
		return nil, fmt.Errorf("%w of %s", err, p)
	}
	if c != nil {
		return nil, w.conflict(p, theirs, c)
	}
	return []byte(both), nil
}

// conflict tells what a person changed; the agent has then seen it.
func (w *Workspace) conflict(p string, theirs []byte, c *markdown.Clash) error {
	base, _ := w.seenText(p)
	shown, whole := diff(base, string(theirs))
	if whole {
		if err := w.markSeen(p, theirs); err != nil {
			return err
		}
	}
	if c == nil {
		c = &markdown.Clash{}
	}
	return &ConflictError{Path: p, Diff: shown, Base: c.Base, Theirs: c.Theirs, Ours: c.Ours}
}

// ConflictError says that a person changed the very lines that a write was going to replace. Their text
// stands, and nothing else.
type ConflictError struct {
	Path string
	Diff string // what the person changed since the agent saw the file
	// The first lines that both changed: as the agent saw them, as the person has them, and as the agent was
	// going to have them.
	Base, Theirs, Ours string
}

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

// maxClash bounds each of the three texts that are shown of a conflict, in bytes.
const maxClash = 1500

func quoted(lines string) string {
	if lines == "" {
		return "  (nothing)\n"
	}
	if len(lines) > maxClash {
		lines = strings.ToValidUTF8(lines[:maxClash], "") + "…"
	}
	return "  > " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n  > ") + "\n"
}
