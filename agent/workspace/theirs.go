package workspace

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// keepTheirs keeps a version in the trash that holds a person's words and that the agent saw, when it is
// about to be replaced.
func (w *Workspace) keepTheirs(p string, old, data []byte) (kept string, err error) {
	s := w.seen[p]
	if !s.theirs || s.hash != store.Hash(old) || bytes.Equal(old, data) {
		return "", nil
	}
	if kept, err = w.keepText(p, old); err != nil {
		return "", err
	}
	s.theirs = false // what of it is lost from the file can be taken back
	w.seen[p] = s
	if theirs := w.theirsIn(p, string(old)); len(theirs) == 0 || len(markdown.Lost(theirs, string(data))) > 0 {
		w.copied = kept // else all that they wrote stands there still
	}
	return kept, nil
}

// keepReplaced keeps a version in the trash when lines of a person's go that stand in a part of it.
func (w *Workspace) keepReplaced(p string, old []byte, part, text string) (err error) {
	if len(markdown.Lost(w.theirsIn(p, part), text)) > 0 {
		w.copied, err = w.keepText(p, old)
	}
	return err
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

// keepLost is keepTheirs for a change that is made from the text as it stands, which the agent need not have
// seen: what a person wrote in it is then on record nowhere. Where no line goes there is nothing to keep.
func (w *Workspace) keepLost(p string, old, data []byte) error {
	if !markdown.LosesLines(string(old), string(data)) {
		return nil
	}
	if w.seen[p].hash == store.Hash(old) {
		_, err := w.keepTheirs(p, old, data)
		return err
	}
	var err error
	w.copied, err = w.keepText(p, old)
	return err
}

// keepText puts a text of a file into the trash.
func (w *Workspace) keepText(p string, text []byte) (kept string, err error) {
	name := trashPath(p, text)
	if err := errors.Join(w.openTrash(name), w.fs.Replace(name, text)); err != nil {
		return "", fmt.Errorf("keeping the old text of %s: %w", p, err)
	}
	return name, nil
}
