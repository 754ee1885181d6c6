package history

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
func (h History) AsOf(over func(store.Entry) bool, paths ...string) ([]Standing, error) {
	s, ended := story{fsys: h.fsys, last: map[string]version{}}, false
	_, err := h.fsys.ReadLog(0, func(e store.Entry, at store.Span) {
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
	if text, ok := aside(s.fsys, p, v.hash); ok {
		at.Text = text
		return at, nil
	}
	return at, fmt.Errorf("%w: %s was longer than 1 MiB then, or no text, and is kept neither in the journal nor in %s", ErrNotOnRecord, p, store.TrashDir)
}
