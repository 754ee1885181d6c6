package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// reviveDashboards puts a dashboard back as the journal has it last, when nothing is left of it that could be
// read: it is missing, empty, or no text. What stands there goes into the trash. Where both are missing a
// person wants to begin anew. One that can be read is a person's, whatever they made of it. w.mu is held.
func (w *Workspace) reviveDashboards() error {
	if !w.Exists() {
		return nil
	}
	for _, p := range []string{OverallFile, CurrentFile} {
		data, info, err := w.loadInfo(p)
		if err != nil || info != nil && readableText(data) {
			continue // what is wrong with it is said when it is needed
		}
		text, known := w.lastText(p)
		if !known || !readableText([]byte(text)) {
			continue
		}
		told := fmt.Sprintf("%s was missing, and was written again as it was last.", p)
		if info != nil {
			kept, err := w.keepText(p, data)
			if err != nil {
				return err
			}
			told = fmt.Sprintf("%s could not be read, and was written again as it was last; what stood there is kept as %s.", p, kept)
		}
		under, flying := w.pending[p]
		err = w.put(p, func(string, []byte, bool) ([]byte, error) { return []byte(text), nil })
		if err != nil {
			return err
		}
		if flying { // the call that wrote it is made again, and finds it done
			w.pending[p] = under
		}
		w.warnings = append(w.warnings, told)
	}
	return nil
}

// readableText says whether data is a text with anything in it.
func readableText(data []byte) bool {
	return len(bytes.TrimSpace(data)) > 0 && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}

// bringBack writes a dashboard again that a person deleted during a run, as it was last: there is no research
// without it. The agent is told with the next Changes. w.mu is held.
func (w *Workspace) bringBack(p string) error {
	if w.journal == nil || !isDashboard(p) {
		return nil
	}
	if _, err := w.fs.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, info, err := w.look(p); err != nil || info != nil {
		return err // an editor was replacing it
	}
	_, err := w.revive(p)
	return err
}

// revive is bringBack for a file that is known to be gone, and says whether it was one to be brought back.
func (w *Workspace) revive(p string) (done bool, err error) {
	if !isDashboard(p) {
		return false, nil
	}
	text, known := w.lastText(p)
	if !known || !readableText([]byte(text)) {
		return false, nil
	}
	if err := w.meet(p, nil, false); err != nil {
		return false, err
	}
	e := store.EntryOf(p, "", store.Hash([]byte(text)), []byte(text))
	e.Theirs, e.Revived = w.seen[p].theirs, true
	at, err := w.commit(e, nil, []byte(text), nil)
	if err != nil {
		return false, ignoreSaved(err) // it came back in the instant
	}
	w.seen[p] = seenBy(e, at)
	w.revived = append(w.revived, p)
	return true, nil
}

// broughtBack is load for a file that is not there, and may be a dashboard.
func (w *Workspace) broughtBack(p string) (data []byte, exists bool, err error) {
	if err := w.bringBack(p); err != nil || !isDashboard(p) {
		return nil, false, err
	}
	return w.load(p)
}

// lastText is a dashboard as the agent knows it, or else as the journal has it last.
func (w *Workspace) lastText(p string) (string, bool) {
	if text, known := w.seenText(p); known || w.journal == nil {
		return text, known
	}
	w.journal.mu.Lock()
	h := w.journal.hands[p]
	w.journal.mu.Unlock()
	if h == nil {
		return "", false
	}
	return w.textAt(h.last, h.hash)
}
