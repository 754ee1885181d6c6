package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// remake returns the new text of a file, made from the current one. It may be called more than once.
type remake func(p string, old []byte, exists bool) ([]byte, error)

// put rewrites a file. It journals the intention first, so that if the run is killed before the action's
// result is recorded, the repeated action finds the write already done. If the file loses a person's lines,
// it returns where the earlier text is kept. w.mu is held.
func (w *Workspace) put(p string, remake remake) (kept string, err error) {
	if w.journal == nil {
		return "", errOnlyRead
	}
	if err := w.heed(false, p); err != nil {
		return "", err
	}
	var data []byte
	for range maxTries {
		if data, kept, err = w.tryPut(p, remake); !errors.Is(err, store.ErrSaved) {
			return kept, err
		}
	}
	return "", w.gaveUp(p, data)
}

// tryPut also returns the text that it was about to write.
func (w *Workspace) tryPut(p string, remake remake) (data []byte, kept string, err error) {
	old, info, err := w.await(p)
	if err != nil {
		return nil, "", fmt.Errorf("writing %s: %w", p, store.Plainly(err))
	}
	if err := refusedFor(p, info); err != nil {
		return nil, "", err
	}
	if under, ok := w.pending[p]; ok {
		delete(w.pending, p)
		if info != nil && (under.to == store.Hash(old) || under.stands) && !under.past {
			return nil, "", nil
		}
	}
	if data, err = remake(p, bytes.Clone(old), info != nil); err != nil {
		return nil, "", err
	}
	data = []byte(markdown.InStyleOf(string(old), string(data)))
	if err := w.allowed(p, data, info != nil); err != nil {
		return nil, "", err
	}
	kept, isTheirs, err := w.keepLost(p, old, data)
	if err != nil {
		return nil, "", err
	}
	e, err := w.intention(p, old, info != nil, data, remake)
	if err != nil {
		return nil, "", err
	}
	if isTheirs {
		e.Kept = kept
	}
	at, err := w.commit(e, old, data, info)
	var conflict *ConflictError
	if err != nil && !errors.As(err, &conflict) { // which says itself what was being done
		err = fmt.Errorf("saving %s: %w", p, err)
	}
	if err != nil {
		return data, "", err
	}
	if e.Known == nil {
		w.dropLate(p, old, data)
	}
	w.tellKept(e)
	w.seen[p] = w.after(e, at) // the next look for changes sets its stat: a person may have saved just now
	return data, kept, nil
}

// intention returns the entry that is recorded before a write.
func (w *Workspace) intention(p string, old []byte, exists bool, data []byte, remake remake) (e store.FileRow, err error) {
	from := ""
	if exists {
		from = store.Hash(old)
	}
	e = store.EntryOf(p, from, store.Hash(data), data)
	e.Theirs, e.Figures = w.seen[p].theirs, exists && inFiguresAlone(old, data)
	if !exists || w.seen[p].hash == from {
		return e, nil
	}
	e.Known, err = w.known(p, remake)
	return e, err
}

// allowed refuses what is too large or too much, and a file that a person deleted since the agent saw it. A
// dashboard is brought back, since there is no research without it, and Changes reports that it was gone.
func (w *Workspace) allowed(p string, data []byte, exists bool) error {
	switch {
	case len(data) > MaxWrite:
		return fmt.Errorf("%s would grow to %d bytes, and a file may hold %d; split it", p, len(data), MaxWrite)
	case layout.IsDashboard(p):
		return nil
	case exists:
		return layout.Harmless(p, data)
	case w.seen[p].hash != "" || w.seen[p].told != "":
		return w.gone(p, data)
	}
	if err := w.fits(p); err != nil {
		return err
	}
	return layout.Harmless(p, data)
}

// known returns what the agent knows of a file after a write that merges an edit that it was not shown: its
// own text on what it knew. The edit is still to be reported, and what it touches is the person's.
func (w *Workspace) known(p string, remake remake) (*string, error) {
	before, ok := w.seenText(p)
	if !ok {
		return new(string), nil // nothing, if it never saw the file
	}
	data, err := remake(p, []byte(before), true)
	text := string(data)
	return &text, err
}

// change is how the agent writes.
func (w *Workspace) change(name string, remake remake) (kept string, err error) {
	p, err := w.target(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.put(p, remake)
}

// Create writes a new file; it fails if the file exists.
func (w *Workspace) Create(name, text string) error {
	_, err := w.change(name, func(p string, _ []byte, exists bool) ([]byte, error) {
		if exists {
			return nil, fmt.Errorf("%s exists already; read it, then append to it or overwrite it", p)
		}
		return []byte(text), nil
	})
	return err
}

// Overwrite replaces a file by a text that was made from it as the agent last saw it. What a person changed
// since then is merged in, or causes a ConflictError. If a person's lines are lost, the text before is kept
// in the trash, whose path is returned. A file that a person deleted or renamed is not brought back; the
// agent's text is then set aside.
func (w *Workspace) Overwrite(name, text string) (kept string, err error) {
	return w.change(name, func(p string, old []byte, exists bool) ([]byte, error) {
		data, err := w.merge(p, old, exists, []byte(text))
		if err == nil && w.seen[p].theirs {
			data = []byte(markdown.Opened(string(old), string(data)))
		}
		return data, err
	})
}

// Append adds text at the end of a file, creating it if need be. The text starts on a new line, and a heading
// behind a blank one. What a person changed since the agent saw the file stays, and Changes reports it.
func (w *Workspace) Append(name, text string) error {
	_, err := w.change(name, func(p string, old []byte, _ bool) ([]byte, error) {
		if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
			old = append(old, '\n')
		}
		isGap := bytes.HasSuffix(bytes.ReplaceAll(old[max(0, len(old)-4):], []byte("\r"), nil), []byte("\n\n"))
		if strings.HasSuffix(p, ".md") && opensSection.MatchString(text) && len(old) > 0 && !isGap {
			old = append(old, '\n')
		}
		return append(old, text...), nil
	})
	return err
}

var opensSection = regexp.MustCompile(`^#{1,6} `)

// Insert puts text before a line, counted from 1; one more than the last line is the end. The line is that of
// the file as the agent last saw it: what a person changed since is merged, so that the text is between the
// lines it was meant for, or there is a ConflictError.
func (w *Workspace) Insert(name string, line int, text string) error {
	_, err := w.change(name, func(p string, old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, w.missing(p)
		}
		if s, ok := w.seen[p]; !ok || s.hash == "" || s.hash == store.Hash(old) {
			return markdown.Inserted(p, string(old), line, text)
		}
		base, ok := w.seenText(p)
		if !ok {
			return nil, w.conflict(p, old, nil)
		}
		ours, err := markdown.Inserted(p, base, line, text)
		if err != nil {
			return nil, err
		}
		return w.merge(p, old, exists, ours)
	})
	return err
}

// Mkdir creates a folder and those above it.
func (w *Workspace) Mkdir(name string) error {
	p, err := store.Clean(name)
	if err != nil {
		return err
	}
	if p, err = w.target(path.Join(p, "file")); err != nil {
		return err
	}
	p = path.Dir(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	if info, err := w.fs.Stat(p); err == nil && info.IsDir() {
		return nil
	}
	if err := w.fits(p); err != nil {
		return err
	}
	w.made[p] = true
	return w.fs.MakeFolder(p)
}

// Amend is the program's own way to change a file that it shares with others: it works on the current text.
// If a person's lines are lost, the text before is kept in the trash.
func (w *Workspace) Amend(name string, change func(text string) (string, error)) error {
	_, err := w.change(name, func(p string, old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, w.missing(p)
		}
		text, err := change(string(old))
		return []byte(text), err
	})
	return err
}

// figures matches what a counter changes.
var figures = regexp.MustCompile(`\d+`)

// inFiguresAlone reports whether two texts differ only in their numbers.
func inFiguresAlone(old, data []byte) bool {
	return !bytes.Equal(old, data) && bytes.Equal(figures.ReplaceAll(old, []byte("0")),
		figures.ReplaceAll(data, []byte("0")))
}
