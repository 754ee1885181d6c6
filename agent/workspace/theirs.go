package workspace

import (
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// keepLost keeps a text in the trash before another takes its place in which lines of it are missing: a person's,
// or of a text of theirs that was not kept before, or of one that the agent does not know.
func (w *Workspace) keepLost(p string, old, data []byte) (kept string, err error) {
	if !markdown.LosesLines(string(old), string(data)) {
		return "", nil
	}
	s, theirs := w.seen[p], w.theirsIn(p, string(old))
	_, known := w.seenText(p)
	lost := !known || s.theirs && len(theirs) == 0 || len(markdown.Lost(theirs, string(data))) > 0
	if !lost && !s.theirs {
		return "", nil
	}
	if kept, err = w.keepText(p, old); err != nil {
		return "", err
	}
	if s.hash == store.Hash(old) {
		s.theirs = false // what of it is lost from the file can be taken back
		w.seen[p] = s
	}
	if lost { // else all that they wrote stands there still
		w.copied = kept
	}
	return kept, nil
}

// theirsIn are the lines of a text of a file that a person wrote, also those that the agent has not seen yet.
func (w *Workspace) theirsIn(p, text string) []string {
	theirs := w.journal.wroteIn(p)
	if before, ok := w.seenText(p); ok {
		for line, n := range markdown.LinesOver(before, text) {
			theirs[line] = theirs[line] || n > 0
		}
	}
	return markdown.Standing(theirs, text)
}

// OnKept has told be called when a write or a deletion takes from a file, or with it, what a person wrote:
// kept is where in the trash it is. It is called during the write, and may not use the workspace.
func (w *Workspace) OnKept(told func(name, kept string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.onKept = told
}

func (w *Workspace) tellKept(e store.FileRow) {
	if e.Kept != "" && w.onKept != nil {
		w.onKept(e.Path, e.Kept)
	}
}

// keepText puts a text of a file into the trash.
func (w *Workspace) keepText(p string, text []byte) (kept string, err error) {
	name := trashPath(p, text)
	if err := errors.Join(w.openTrash(name), w.fs.Replace(name, text)); err != nil {
		return "", fmt.Errorf("keeping the old text of %s: %w", p, err)
	}
	return name, nil
}
