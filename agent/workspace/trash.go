package workspace

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// keepLost keeps a text in the trash before a new text replaces it that lacks lines of it, if these are a
// person's, or the text is theirs and was not kept before, or the agent does not know it. isLost reports
// whether any of the person's words disappear from the file.
func (w *Workspace) keepLost(p string, old, data []byte) (kept string, isLost bool, err error) {
	if !markdown.LosesLines(string(old), string(data)) {
		return "", false, nil
	}
	s := w.seen[p]
	theirs, whole := w.theirsIn(p, string(old))
	_, known := w.seenText(p)
	lost := slices.DeleteFunc(markdown.Lost(theirs, string(data)), isLink.MatchString)
	isLost = !known || s.theirs && !whole || len(lost) > 0
	if !isLost && !s.theirs {
		return "", false, nil
	}
	if kept, err = w.fs.SetAside(p, old); err != nil {
		return "", false, err
	}
	if s.hash == store.Hash(old) {
		s.theirs = false // what the file loses can be taken back
		w.seen[p] = s
	}
	return kept, isLost, nil
}

// isLink matches a line of the list of references with the target of a citation. The program writes that list
// at each end, so the line is not a person's.
var isLink = regexp.MustCompile(`^\[s\d+(\.\d+)?\]: `)

// theirsIn returns the lines of a text that a person wrote, even if the agent has not seen them yet, and
// whether all of them are known.
func (w *Workspace) theirsIn(p, text string) (lines []string, whole bool) {
	theirs, whole := w.journal.files.WroteIn(p)
	if before, ok := w.seenText(p); ok {
		for line, n := range markdown.LinesOver(before, text) {
			theirs[line] = theirs[line] || n > 0
		}
	}
	return markdown.Standing(theirs, text), whole
}

// OnKept sets told to be called when a write or a deletion removes a person's words: kept is their path in
// the trash. It is called during the write, and must not use the workspace.
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

// Delete moves a file into .daybook/trash, from where a person may take it back; [Workspace.PutBack] restores
// its text from the history. A file that a person changed since the agent saw it stays.
func (w *Workspace) Delete(name string) error {
	p, err := w.noLink(name, "only a person removes those")
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if under, ok := w.pending[p]; ok && under.to == "" && !under.past {
		delete(w.pending, p)
		if _, err := w.fs.Stat(p); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if info, err := w.fs.Lstat(p); err == nil && info.IsDir() {
		return w.deleteFolder(p)
	}
	data, info, err := w.await(p)
	if err != nil {
		return err
	}
	if info == nil {
		return w.missing(p)
	}
	if err := layout.Harmless(p, nil); err != nil {
		return err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s was not deleted: it was made read-only by a person", p)
	}
	s, known := w.seen[p]
	if !known && store.IsAside(path.Base(p)) { // it may have words that are nowhere else
		return fmt.Errorf("%s was not deleted: it is a copy that another program made, and you have not read it; read it first", p)
	}
	if known && s.hash != store.Hash(data) {
		return w.conflict(p, data, nil)
	}
	return w.moveToTrash(p, data)
}

// moveToTrash checks what it moved: if a person saved just before, their file goes back.
func (w *Workspace) moveToTrash(p string, data []byte) error {
	e := store.FileRow{Path: p, From: store.Hash(data)}
	lines, _ := w.theirsIn(p, string(data))
	return w.discard(e, e.From, len(lines) > 0, func(trash string) error {
		out, _, err := readOut(w.fs, trash)
		if err == nil && bytes.Equal(out, data) {
			return nil
		}
		if err := w.fs.RenameNew(trash, p); err != nil {
			return w.abandon(fmt.Errorf("%s was saved by a person while it was deleted; it is kept as %s: %w", p, trash, err), p)
		}
		return w.abandon(fmt.Errorf("%s was not deleted: a person saved it just now; read it first", p), p)
	})
}

// discard moves a deleted file or folder into the trash, under a hash; moved checks what arrived there.
// theirs means that a person's words are in it.
func (w *Workspace) discard(e store.FileRow, hash string, theirs bool, moved func(trash string) error) error {
	trash, err := w.fs.MakeAside(e.Path, hash)
	if err != nil {
		return fmt.Errorf("deleting %s: %w", e.Path, err)
	}
	if theirs {
		e.Kept = trash
	}
	if _, err := w.intend(e); err != nil {
		return err
	}
	if err := w.fs.Rename(e.Path, trash); err != nil {
		return w.abandon(fmt.Errorf("deleting %s: %w", e.Path, store.CannotWrite(err)), e.Path)
	}
	if err := moved(trash); err != nil {
		return err
	}
	delete(w.seen, e.Path)
	w.tellKept(e)
	w.unsure(e.Path, w.fs.SyncPath(path.Dir(trash)), w.fs.SyncPath(path.Dir(e.Path)))
	return nil
}

// deleteFolder moves a whole folder into the trash. It fails if the folder has anything that the agent has
// not seen in its current state.
func (w *Workspace) deleteFolder(p string) error {
	var files []string
	all, theirs := sha256.New(), false
	err := w.eachShown(p, p, 0, func(f string) error {
		data, exists, err := w.find(f)
		if err != nil || !exists {
			return err
		}
		if s := w.seen[f]; s.hash != store.Hash(data) {
			return fmt.Errorf("%s was not deleted: it holds %s, which you have not seen as it is now; read it first", p, store.Shown(f))
		}
		if err := layout.Harmless(f, nil); err != nil {
			return fmt.Errorf("%s was not deleted: it holds what only a person removes: %w", p, err)
		}
		files = append(files, f)
		lines, _ := w.theirsIn(f, string(data))
		theirs = theirs || len(lines) > 0
		_, err = all.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return w.discard(store.FileRow{Path: p}, store.Hash(all.Sum(nil)), theirs, func(string) error {
		for _, f := range files {
			if err := w.forget(f, false); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachShown calls use with each file in a folder that is to be deleted. Hidden files and non-files, which no
// listing shows the agent, are an error.
func (w *Workspace) eachShown(folder, dir string, depth int, use func(f string) error) error {
	entries, err := w.fs.ReadDir(dir)
	if err != nil || depth > maxDepth {
		return fmt.Errorf("%s was not deleted: it holds folders that could not be looked into: %s", folder, store.Shown(dir))
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case store.Hidden(e.Name()) || !e.IsDir() && !e.Mode().IsRegular():
			err = fmt.Errorf("%s was not deleted: it holds %s, which is hidden or no file, and only a person removes those; delete the files one by one", folder, store.Shown(p))
		case e.IsDir():
			err = w.eachShown(folder, p, depth+1, use)
		default:
			err = use(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
