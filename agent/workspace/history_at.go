package workspace

import (
	"errors"
	"fmt"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// ErrNoStep says that a research has no such step.
var ErrNoStep = errors.New("there is no such step")

// ErrNotOnRecord says that the text of a file at some time is held nowhere.
var ErrNotOnRecord = errors.New("that text is not on record")

// Standing is a file as it stood at some time.
type Standing struct {
	Path   string
	Exists bool
	Text   string
}

// AsOf gives files as they stood in the research at hand before the first entry that over says yes to, with
// what a person had written by then, as far as the agent was told of it. Its error is [ErrNotOnRecord] for a
// text that is held neither in the journal, nor in the file itself, nor in the trash.
func (w *Workspace) AsOf(over func(store.Entry) bool, paths ...string) ([]Standing, error) {
	s, ended := story{w: w, last: map[string]version{}}, false
	_, err := w.fs.ReadLog(0, func(e store.Entry, at store.Span) {
		later := over(e) // it hears of all entries
		if e.Key == store.KeyBegin {
			clear(s.last)
			ended = false
			return
		}
		if ended = ended || later; ended {
			return
		}
		if f, ok := e.File(); ok {
			s.follow(f, at)
		}
	})
	if err != nil {
		return nil, err
	}
	all := make([]Standing, len(paths))
	for i, p := range paths {
		if all[i], err = s.standing(p); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *story) standing(p string) (Standing, error) {
	v, ok := s.last[p]
	at := Standing{Path: p, Exists: ok && v.hash != ""}
	if !at.Exists {
		return at, nil
	}
	if v.onRecord {
		at.Text = s.text(v)
	}
	if store.Hash([]byte(at.Text)) == v.hash {
		return at, nil
	}
	for _, file := range []string{p, trashOf(p, v.hash)} {
		if data, err := s.w.fs.ReadFile(file); err == nil && store.Hash(data) == v.hash {
			at.Text = string(data)
			return at, nil
		}
	}
	return at, fmt.Errorf("%w: %s was longer than 1 MiB then, or no text, and is kept neither in the journal nor in %s", ErrNotOnRecord, p, trashDir)
}

// PutBack gives a file an older text, as its person would with an editor: the agent is told of it as of any
// change of theirs. What stands there goes to the trash first, whose path is returned; "" when it is the
// same, or nothing.
func (w *Workspace) PutBack(name, text string) (kept string, err error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	if p != OverallFile && p != CurrentFile {
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
	delete(w.pending, p)
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
