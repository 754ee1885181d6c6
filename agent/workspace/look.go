package workspace

import (
	"errors"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// Read returns a text file for the agent, which has then seen it.
func (w *Workspace) Read(name string) (string, error) {
	p, err := store.Readable(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data, info, err := w.look(p)
	if err != nil {
		return "", through(p, err)
	}
	if info == nil {
		return "", w.missing(p)
	}
	if !utf8.ValidString(p) {
		return string(data), nil // the journal cannot record this name, and no action can write to it
	}
	return string(data), w.show(p, data)
}

// Saw records that the agent was shown all parts of a version of a file. If the file has changed since, it
// returns false, and the file counts as unseen.
func (w *Workspace) Saw(name, version string) (bool, error) {
	p, err := store.Readable(name)
	if err != nil || !utf8.ValidString(p) {
		return false, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data, info, err := w.loadInfo(p)
	if err != nil || info == nil || Version(info) != version {
		return false, err
	}
	at, err := w.fs.Real(p)
	if err != nil {
		return false, err
	}
	after, err := w.fs.Stat(at)
	if err != nil || Version(after) != version {
		return false, store.IgnoreMissing(err)
	}
	return true, w.show(p, data)
}

// Open opens a file for reading in parts. Only regular files can be opened.
func (w *Workspace) Open(name string) (store.File, error) {
	p, err := store.Readable(name)
	if err != nil {
		return nil, err
	}
	f, err := w.open(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, w.missed(p)
	}
	return f, through(p, err)
}

// Outline returns the headings of a Markdown file, and its total words. The agent does not thereby count as
// having seen the file.
func (w *Workspace) Outline(name string) (found []markdown.Heading, words int, err error) {
	p, err := store.Readable(name)
	if err != nil {
		return nil, 0, err
	}
	data, exists, err := w.load(p)
	if err != nil {
		return nil, 0, through(p, err)
	}
	if !exists {
		return nil, 0, w.missed(p)
	}
	return markdown.OutlineOf(data), prose.Count(string(data)), nil
}

// Peek returns a text file for the program itself, such as for a check. The agent has not seen it then, so
// that a person's changes in it have yet to be reported.
func (w *Workspace) Peek(name string) (string, error) {
	p, err := store.Readable(name)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data, exists, err := w.find(p)
	if err == nil && !exists {
		if data, exists, err = w.broughtBack(p); err == nil && !exists {
			err = w.missing(p)
		}
	}
	if err != nil {
		return "", err
	}
	return string(data), nil
}

// ByHand returns the non-empty lines of a file, or of the files in a folder, that a person wrote and that are
// still there: those from their last 200 recorded edits of a file, within 16 MiB of texts. Files whose texts
// exceed 1 MiB, or that cannot be read, are left out.
func (w *Workspace) ByHand(name string) []string {
	p, err := w.fileOf(name)
	if err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.journal == nil {
		return nil
	}
	var lines []string
	for _, f := range w.journal.files.Edited(p) {
		data, exists, err := w.load(f)
		if err != nil || !exists {
			continue
		}
		theirs, _ := w.journal.files.WroteIn(f)
		for _, line := range markdown.Standing(theirs, string(data)) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// TakenOut returns the lines that a person removed from a file and did not put back, as far back as
// [Workspace.ByHand] looks.
func (w *Workspace) TakenOut(name string) map[string]bool {
	p, err := w.fileOf(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || w.journal == nil {
		return nil
	}
	return w.journal.files.TookOut(p)
}

// BlocksByHand returns the blocks of a file with a line that a person wrote; code and tables stay whole.
func (w *Workspace) BlocksByHand(name string) []string {
	text, err := w.Peek(name)
	if err != nil {
		return nil
	}
	return markdown.Blocks(w.ByHand(name), text)
}

// HeadingsByHand returns the headings of a file that a person wrote right above a block of others, without
// their marks.
func (w *Workspace) HeadingsByHand(name string) map[string]bool {
	text, err := w.Peek(name)
	if err != nil {
		return nil
	}
	return markdown.HeadingsOverOthers(w.ByHand(name), text)
}

// NotesOn returns the person's current notes on a dashboard, in their order.
func (w *Workspace) NotesOn(d Dashboard) []Note {
	w.mu.Lock()
	defer w.mu.Unlock()
	data, _, _ := w.find(d.File) // the next opening reports what is wrong with it
	return NotesIn(string(data))
}

// Notes returns the person's notes on the current dashboard.
func (w *Workspace) Notes() []Note { return w.NotesOn(Current) }
