package workspace

import (
	"errors"
	"fmt"

	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// PutBack gives a file an older text, as its person would with an editor: the agent is told of it as of any
// change of theirs. What is there goes to the trash first, and its path there is returned; "" when it is the
// same, or nothing.
func (w *Workspace) PutBack(name, text string) (kept string, err error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	if !isDashboard(p) {
		if p, err = w.target(name); err != nil {
			return "", err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return "", errors.New("the workspace is open for reading only")
	}
	if p, err = w.fs.Real(p); err != nil {
		return "", err
	}
	for range maxTries {
		if kept, err = w.tryPutBack(p, text); !errors.Is(err, store.ErrSaved) {
			return kept, err
		}
	}
	return "", fmt.Errorf("%s was not put back, since somebody saves it again and again", p)
}

func (w *Workspace) tryPutBack(p, text string) (kept string, err error) {
	old, info, err := w.look(p)
	// it holds no text, so that the file is made safe at once
	e := store.FileRow{Path: p, To: store.Hash([]byte(text))}
	switch {
	case err != nil:
		return "", fmt.Errorf("putting %s back: %w", p, store.Plainly(err))
	case info != nil && string(old) == text:
		return "", nil
	}
	if err := refusedFor(p, info); err != nil {
		return "", err
	}
	if info != nil {
		if kept, err = w.keepText(p, old); err != nil {
			return "", err
		}
	}
	for _, of := range w.writers {
		delete(of.pending, p)
	}
	if err := errors.Join(w.journal.Record(store.KeyMet, store.EntryOf(p, "", e.To, []byte(text))), w.journal.Sync()); err != nil {
		return "", err
	}
	if info == nil {
		return "", w.placeNew(e, []byte(text))
	}
	out, _, err := w.swap(e, []byte(text), info.Mode().Perm(), len(old), func() error { return w.unchanged(p, old) })
	if err == nil && string(out) != string(old) { // saved in the instant before
		kept, err = w.keepText(p, out)
	}
	return kept, err
}
