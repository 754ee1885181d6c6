package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// MaxWrite is the size of the largest file that is written, in bytes.
const MaxWrite = 8 << 20

// ConflictError says that a person changed the very lines that a write was going to replace. Nothing was written.
type ConflictError struct {
	Path string
	Diff string // what the person changed since the agent saw the file
}

// Error tells the agent what happened and what to do.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s was not written: a person changed the same lines since you last saw it. Their text stands. What they changed:\n%s\nWrite again with their change taken in.", e.Path, e.Diff)
}

// Create writes a new file; one that exists is an error.
func (w *Workspace) Create(name, text string) error {
	return w.change(name, func(p string, _ []byte, exists bool) ([]byte, error) {
		if exists {
			return nil, fmt.Errorf("%s exists already; read it, then append to it or overwrite it", p)
		}
		return []byte(text), nil
	})
}

// Overwrite replaces a file by a text that was made from it as the agent last saw it. What a person changed since then is
// merged in, and told by Changes; where both changed the same lines it is a ConflictError. A text of a person's that the agent has
// seen and now replaces is kept in the trash, whose path is returned.
func (w *Workspace) Overwrite(name, text string) (kept string, err error) {
	err = w.change(name, func(p string, old []byte, exists bool) ([]byte, error) {
		data, err := w.merge(p, old, exists, []byte(text))
		if err != nil {
			return nil, err
		}
		kept, err = w.keepTheirs(p, old, data)
		return data, err
	})
	return kept, err
}

// Append adds text at the end of a file, which is created if need be. The text starts on a line of its own. What a person changed
// since the agent saw the file stays, and is told by Changes.
func (w *Workspace) Append(name, text string) error {
	return w.change(name, func(_ string, old []byte, _ bool) ([]byte, error) {
		if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
			old = append(old, '\n')
		}
		return append(old, text...), nil
	})
}

// Insert puts text before a line, counted from 1; one more than the last line is the end. A file that a person changed since the
// agent saw it is refused, since its lines may have moved.
func (w *Workspace) Insert(name string, line int, text string) error {
	return w.change(name, func(p string, old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, w.missing(p)
		}
		if s, ok := w.seen[p]; ok && s.hash != hash(old) {
			return nil, w.conflict(p, old)
		}
		lines := strings.SplitAfter(string(old), "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if line < 1 || line > len(lines)+1 {
			return nil, fmt.Errorf("%s has %d lines, so text can be inserted before line 1 to %d, not %d", p, len(lines), len(lines)+1, line)
		}
		before, after := strings.Join(lines[:line-1], ""), strings.Join(lines[line-1:], "")
		if before != "" && !strings.HasSuffix(before, "\n") {
			before += "\n"
		}
		if after != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return []byte(before + text + after), nil
	})
}

// Mkdir creates a folder and those above it.
func (w *Workspace) Mkdir(name string) error {
	p, err := clean(name)
	if err != nil {
		return err
	}
	if err := w.writable(path.Join(p, "file")); err != nil {
		return err
	}
	if err := w.fs.MkdirAll(p, 0o755); err != nil {
		return fmt.Errorf("creating the folder %s: %w", p, cannotWrite(err))
	}
	return syncPath(w.fs, path.Dir(p))
}

// change is the agent's way to write: it makes the new text of a file from the one that stands there.
func (w *Workspace) change(name string, remake func(p string, old []byte, exists bool) ([]byte, error)) error {
	p, err := clean(name)
	if err != nil {
		return err
	}
	if err := w.writable(p); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.put(p, func(old []byte, exists bool) ([]byte, error) { return remake(p, old, exists) })
}

// put makes a file anew from what stands there, with the intention on record first: when a run is killed between the write and the
// record of its result, the action is done again, and finds here that its write stands already. w.mu is held.
func (w *Workspace) put(p string, remake func(old []byte, exists bool) ([]byte, error)) error {
	for range maxTries {
		if err := w.tryPut(p, remake); !errors.Is(err, errSaved) {
			return err
		}
	}
	return fmt.Errorf("%s was not written: somebody saves it again and again; try later", p)
}

// maxTries is how often a write begins anew because a person saved the file while it was under way.
const maxTries = 4

var errSaved = errors.New("the file was saved by somebody else")

func (w *Workspace) tryPut(p string, remake func(old []byte, exists bool) ([]byte, error)) error {
	old, info, err := w.loadInfo(p)
	if err != nil {
		return err
	}
	from, mode, exists := "", newFile, info != nil
	if exists {
		from, mode = hash(old), info.Mode().Perm()
	}
	if under, ok := w.pending[p]; ok {
		delete(w.pending, p)
		if exists && under.to == from {
			return nil
		}
	}
	data, err := remake(bytes.Clone(old), exists)
	if err != nil {
		return err
	}
	if len(data) > MaxWrite {
		return fmt.Errorf("%s would grow to %d bytes, and a file may hold %d; split it", p, len(data), MaxWrite)
	}
	e := entryOf(p, from, hash(data), data)
	if exists && w.seen[p].hash != from {
		if e.Known, err = w.known(p, remake); err != nil {
			return err
		}
	}
	at, err := w.intend(e)
	if err != nil {
		return err
	}
	unchanged := func() error {
		now, info, err := w.loadInfo(p)
		if err == nil && ((info != nil) != exists || !bytes.Equal(now, old)) {
			err = errSaved
		}
		return err
	}
	if err := replace(w.fs, p, data, mode, unchanged); err != nil {
		return fmt.Errorf("saving %s: %w", p, err)
	}
	w.seen[p] = e.seen(at) // its stat is left to the next look for changes: a person may have saved just now
	return nil
}

// known is what the agent knows of a file after a write into which an edit is merged that it was not shown: what it wrote on what it
// knew. The edit is then still to be told, and what it touches is still the person's.
func (w *Workspace) known(p string, remake func([]byte, bool) ([]byte, error)) (*string, error) {
	before, ok := w.seenText(p)
	if !ok {
		return new(string), nil // nothing, of a file that it never saw
	}
	data, err := remake([]byte(before), true)
	text := string(data)
	return &text, err
}

// seen is the file as the agent knows it when the entry's write is done.
func (e writeEntry) seen(at span) seen {
	switch {
	case e.Known == nil:
		return seen{hash: e.To, entry: at}
	case *e.Known == "":
		return seen{}
	}
	return seen{hash: hash([]byte(*e.Known)), entry: at}
}

func (w *Workspace) intend(e writeEntry) (span, error) {
	if w.journal == nil {
		return span{}, errors.New("the workspace is open for reading only")
	}
	if w.newborn {
		if err := w.settle(); err != nil {
			return span{}, err
		}
	}
	if isWork(e.Path) {
		w.written++
	}
	at, err := w.journal.append(keyWrite, e)
	if err != nil {
		return span{}, err
	}
	return at, w.journal.Sync()
}

// merge takes a person's changes since the agent saw a file into the agent's new text of it.
func (w *Workspace) merge(p string, theirs []byte, exists bool, ours []byte) ([]byte, error) {
	s, known := w.seen[p]
	if !exists || (known && s.hash == hash(theirs)) || bytes.Equal(theirs, ours) {
		return ours, nil
	}
	base, ok := w.seenText(p)
	if !ok {
		return nil, fmt.Errorf("%s was not written: it exists and you have not read it. Read it first; then overwrite it, or append to it", p)
	}
	edits, clean := udiff.Merge(udiff.Lines(base, string(theirs)), udiff.Lines(base, string(ours)))
	if !clean {
		return nil, w.conflict(p, theirs)
	}
	both, err := udiff.Apply(base, edits)
	if err != nil {
		return nil, fmt.Errorf("merging %s: %w", p, err)
	}
	return []byte(both), nil
}

// conflict tells what a person changed; the agent has then seen it.
func (w *Workspace) conflict(p string, theirs []byte) error {
	if err := w.rememberEdit(p, theirs); err != nil {
		return err
	}
	base, _ := w.seenText(p)
	shown, whole := diff(base, string(theirs))
	if whole {
		if err := w.markSeen(p, theirs); err != nil {
			return err
		}
	}
	return &ConflictError{Path: p, Diff: shown}
}

// keepTheirs keeps a version in the trash that a person edited and the agent saw, when it is about to be replaced by another.
func (w *Workspace) keepTheirs(p string, old, data []byte) (kept string, err error) {
	if s := w.seen[p]; !s.theirs || s.hash != hash(old) || bytes.Equal(old, data) {
		return "", nil
	}
	name := trashPath(p, old)
	if err := w.fs.MkdirAll(path.Dir(name), 0o755); err != nil {
		return "", fmt.Errorf("keeping the old text of %s: %w", p, cannotWrite(err))
	}
	if err := replace(w.fs, name, old, newFile, always); err != nil {
		return "", fmt.Errorf("keeping the old text of %s: %w", p, err)
	}
	return name, nil
}

func trashPath(p string, data []byte) string {
	return path.Join(stateDir, "trash", hash(data)[:12]+"-"+path.Base(p))
}

// Delete moves a file into .daybook/trash, from where a person can take it back.
func (w *Workspace) Delete(name string) error {
	p, err := clean(name)
	if err != nil {
		return err
	}
	if err := w.writable(p); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if under, ok := w.pending[p]; ok && under.to == "" {
		delete(w.pending, p)
		if _, err := w.fs.Stat(p); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	data, exists, err := w.load(p)
	if err != nil {
		return err
	}
	if !exists {
		return w.missing(p)
	}
	if s, ok := w.seen[p]; ok && s.hash != hash(data) {
		return w.conflict(p, data)
	}
	if _, err := w.intend(writeEntry{Path: p, From: hash(data)}); err != nil {
		return err
	}
	trash := trashPath(p, data)
	if err := w.fs.MkdirAll(path.Dir(trash), 0o755); err != nil {
		return fmt.Errorf("deleting %s: %w", p, cannotWrite(err))
	}
	if err := w.fs.Rename(p, trash); err != nil {
		return fmt.Errorf("deleting %s: %w", p, cannotWrite(err))
	}
	delete(w.seen, p)
	return errors.Join(syncPath(w.fs, path.Dir(trash)), syncPath(w.fs, path.Dir(p)))
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Amend is the program's own way to change a file that it shares with others, such as the list of references in the report: it
// works on the text as it stands.
func (w *Workspace) Amend(name string, change func(text string) (string, error)) error {
	return w.change(name, func(p string, old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, w.missing(p)
		}
		text, err := change(string(old))
		return []byte(text), err
	})
}
