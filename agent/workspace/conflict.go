package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// merge merges a person's changes since the agent saw a file into the agent's new text.
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

// conflict returns an error that shows what a person changed; if it shows all, the agent has seen their text.
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
	return &ConflictError{Path: p, Diff: shown, Clash: *c}
}

// ConflictError reports that a person changed the very lines that a write was going to replace. Their text is
// kept, and nothing is written.
type ConflictError struct {
	Path string
	Diff string // what the person changed since the agent saw the file
	markdown.Clash
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

// diff shows how a text changed, and reports whether it shows all of it.
func diff(before, after string) (shown string, whole bool) {
	d := udiff.Unified("before", "now", before, after)
	if len(d) > maxDiff {
		return strings.ToValidUTF8(d[:maxDiff], "") + "\n… (the change goes on; read the file)\n", false
	}
	return d, true
}

// maxDiff bounds the shown part of one change, in bytes; the file itself can be read.
const maxDiff = 4000

func quoted(lines string) string {
	if lines == "" {
		return "  (nothing)\n"
	}
	if len(lines) > maxClash {
		lines = strings.ToValidUTF8(lines[:maxClash], "") + "…"
	}
	return "  > " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n  > ") + "\n"
}

// maxClash bounds each of the three texts shown for a conflict, in bytes.
const maxClash = 1500

// maxTries bounds how often a write starts again because a person saved the file meanwhile. After that, its
// text is kept aside.
const maxTries = 3

// keepWaiting sets a person's file aside that cannot go back into its place, and reports it. If at is "",
// there is no such file.
func (w *Workspace) keepWaiting(at, p string) error {
	if at == "" {
		return nil
	}
	w.forgetOut(at)
	kept, err := w.fs.MoveAside(at, p)
	return w.waits(kept, p, err)
}

// waits tells the person and the agent that a person's text was set aside, or returns an error if it was not.
func (w *Workspace) waits(kept, p string, err error) error {
	if err != nil {
		return fmt.Errorf("keeping what a person wrote in %s: %w", p, err)
	}
	e := store.FileRow{Path: p, Kept: kept}
	w.warnings = append(w.warnings, e.Waiting())
	w.news = append(w.news, e.Waiting())
	_, err = w.enter(store.KeyAside, e)
	return err
}

// keepOurs sets the agent's text aside if it could not be written to a file.
func (w *Workspace) keepOurs(p string, data []byte) (kept string, err error) {
	if kept, err = w.fs.SetAside(p, data); err == nil {
		w.warn(fmt.Sprintf("What the agent wrote for %s could not be written there, and is kept as %s.", p, kept))
	}
	return kept, err
}

// gaveUp returns the error for a file that a person saved during every try to write it.
func (w *Workspace) gaveUp(p string, data []byte) error {
	kept, err := w.keepOurs(p, data)
	if err != nil {
		return fmt.Errorf("%s was not written, since somebody saves it again and again: %w", p, err)
	}
	return fmt.Errorf("%s was not written: somebody saves it again and again. Your text is kept as %s; read %s again and take it in later", p, kept, p)
}

// gone refuses to bring back a file that a person deleted or renamed since the agent saw it. After that the
// agent knows, and may create it again.
func (w *Workspace) gone(p string, data []byte) error {
	to, err := w.renamedTo(p, w.unknown)
	if err != nil {
		return err
	}
	if to != "" {
		return errors.Join(fmt.Errorf("%s was not written: a person renamed it to %s; use that name", p, to), w.follow(p, to, false))
	}
	kept, err := w.keepOurs(p, data)
	if err != nil {
		return fmt.Errorf("%s was not written, since a person deleted it: %w", p, err)
	}
	err = w.forget(p, false)
	return errors.Join(fmt.Errorf("%s was not written: %w since you last saw it, and it is not brought back unasked. Your text is kept as %s", p, ErrTakenAway, kept), err)
}

// ErrTakenAway reports that a person deleted a file that was to be written.
var ErrTakenAway = errors.New("a person deleted it")

// forgetOut stops watching a displaced file that is moved elsewhere.
func (w *Workspace) forgetOut(at string) {
	w.displaced = slices.DeleteFunc(w.displaced, func(d *displaced) bool { return d.at == at })
}

// renamedTo finds the new name of a missing file: a file that the agent does not know and that has the same
// text.
func (w *Workspace) renamedTo(p string, unknown byText) (string, error) {
	known := w.seen[p]
	if known.hash == "" {
		return "", nil
	}
	files, err := unknown()
	for _, q := range files[known.hash] {
		if w.seen[q].hash == "" { // an earlier rename may have claimed it
			return q, nil
		}
	}
	return "", err
}

// unknown returns the existing files that the agent does not know. It reads all of them, so call it once for
// many files.
func (w *Workspace) unknown() (map[string][]string, error) {
	found := map[string][]string{}
	var all []string
	if _, err := w.eachTracked(func(p string, _ store.Stat, _ bool) { all = append(all, p) }); err != nil {
		return nil, err
	}
	slices.Sort(all)
	for _, q := range all {
		if w.seen[q].hash != "" {
			continue
		}
		if data, exists, err := w.load(q); err == nil && exists {
			found[store.Hash(data)] = append(found[store.Hash(data)], q)
		}
	}
	return found, nil
}

// follow moves what the agent knows of a file to the name that a person gave it. notice means that a notice
// reports the change.
func (w *Workspace) follow(from, to string, notice bool) error {
	data, exists, err := w.load(to)
	if err != nil || !exists {
		return err
	}
	known := w.seen[from]
	if err := w.forget(from, notice); err != nil {
		return err
	}
	e := store.EntryOf(to, "", store.Hash(data), data)
	e.Own, e.Notice = !known.theirs, notice
	row, err := w.enter(store.KeySeen, e)
	w.seen[to] = seen{hash: e.To, row: row, theirs: known.theirs}
	return err
}

// byText returns files by the hashes of their texts.
type byText func() (map[string][]string, error)

// expectLate remembers what was merged into a file. w.mu is held.
func (w *Workspace) expectLate(p string, base, text []byte) {
	if len(text) <= store.MaxKept {
		w.late = append(w.late, late{w, p, string(base), string(text), time.Now()})
	}
}

// removeOld removes a file that is on record. If that fails, the next run tries again: the file does no harm.
func (w *Workspace) removeOld(at string) {
	if err := store.IgnoreMissing(w.fs.Remove(at)); err != nil {
		w.warn(fmt.Sprintf("An old copy could not be removed, and is tried again at the next start: %v", err))
	}
}
