package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/workspace/layout"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxDepth bounds how deep folders are followed; no person nests them deeper.
const maxDepth = 32

// Walk visits the regular files below a folder, or the one that is named, in the order of their names, until
// visit returns fs.SkipAll. It passes over what is hidden or behind a link and over the copies of sources in
// Archive/. It returns the folders that it could not list, with the reason.
func (w *Workspace) Walk(dir string, visit func(p string) error) (skipped []string, err error) {
	p, err := w.listable(dir)
	if err != nil {
		return nil, err
	}
	info, err := w.fs.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, w.missing(p)
	case err != nil:
		return nil, fmt.Errorf("looking at %s: %w", store.Shown(p), store.Plainly(err))
	case info.IsDir():
		err = w.walk(p, 0, visit, &skipped)
	default:
		err = visit(p)
	}
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	return skipped, err
}

// listable is a folder that is to be listed. It keeps the name that it was asked for by, so that what is in
// it does, unless it is spelled otherwise on the disk.
func (w *Workspace) listable(dir string) (string, error) {
	p, err := store.Readable(dir)
	if err != nil {
		return "", err
	}
	at, err := w.allowedTo(p)
	if err == nil && store.Folded(p) == store.Folded(at) {
		return at, nil
	}
	return p, err
}

func (w *Workspace) walk(dir string, depth int, visit func(string) error, skipped *[]string) error {
	const maxSkipped = 20
	entries, err := w.fs.Visible(dir)
	if depth > maxDepth {
		entries, err = nil, fmt.Errorf("more than %d folders deep", maxDepth)
	}
	if err != nil && depth == 0 {
		return fmt.Errorf("listing %s: %w", store.Shown(dir), store.Plainly(err))
	}
	if err != nil && len(*skipped) < maxSkipped {
		*skipped = append(*skipped, fmt.Sprintf("%s (%v)", store.Shown(dir), err))
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && layout.IsCopied(p), !e.IsDir() && !e.Mode().IsRegular():
		case e.IsDir():
			err = w.walk(p, depth+1, visit, skipped)
		default:
			err = visit(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// List gives what stands in a folder, in the order of the names, hidden files left out.
func (w *Workspace) List(dir string) ([]fs.FileInfo, error) {
	entries, _, err := w.ListAfter(dir, "", math.MaxInt)
	return entries, err
}

// ListAfter gives the entries of a folder whose names come after a name, at most so many, and says how many
// more there are.
func (w *Workspace) ListAfter(dir, after string, most int) (entries []fs.FileInfo, more int, err error) {
	p, err := w.listable(dir)
	if err != nil {
		return nil, 0, err
	}
	if entries, err = w.fs.Visible(p); errors.Is(err, fs.ErrNotExist) {
		return nil, 0, w.missing(p)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("listing %s: %w", store.Shown(p), store.Plainly(err))
	}
	entries = slices.DeleteFunc(entries, func(e fs.FileInfo) bool { return e.Name() <= after })
	more = max(0, len(entries)-most)
	return entries[:len(entries)-more], more, nil
}

// eachTracked goes through the tracked files in no order and says of each whether its folder holds more than
// are watched.
func (w *Workspace) eachTracked(use func(p string, state store.Stat, crowded bool)) (more bool, err error) {
	isOther := func(e fs.FileInfo) bool {
		return !e.Mode().IsRegular() || !utf8.ValidString(e.Name()) || !store.IsMarkdown(e.Name())
	}
	return w.eachFolder(func(dir string, entries []fs.FileInfo) {
		files := slices.DeleteFunc(entries, isOther)
		for _, e := range files {
			use(path.Join(dir, e.Name()), store.StatOf(e), len(files) > maxWatched)
		}
	})
}

// eachFolder lists the folders where the research keeps its Markdown. more reports whether there are more
// than are gone through.
func (w *Workspace) eachFolder(use func(dir string, entries []fs.FileInfo)) (more bool, err error) {
	folders := []string{".", NotebookDir, BoardsDir}
	for i := 0; i < len(folders); i++ {
		if i == maxWatchedFolders {
			return true, nil
		}
		dir := folders[i]
		if w.fs.IsLink(dir) {
			continue
		}
		entries, err := w.fs.ReadDir(dir)
		if err != nil && i < 2 {
			return false, fmt.Errorf("listing %s: %w", dir, err)
		}
		for _, e := range entries {
			if e.IsDir() && !store.Hidden(e.Name()) && dir != "." && strings.Count(dir, "/") < maxDepth {
				folders = append(folders, path.Join(dir, e.Name()))
			}
		}
		use(dir, entries)
	}
	return false, nil
}

// present lists the tracked files that are there: for the agent that the folder belongs to all but the
// dashboards of chapters, for another writer those that it knows. It is asked before each step, and opens no
// file.
func (w *Workspace) present() (map[string]store.Stat, error) {
	found := map[string]store.Stat{}
	_, err := w.eachTracked(func(p string, state store.Stat, crowded bool) {
		_, known := w.seen[p]
		if known || w.writer == "" && !layout.IsBoard(p) && (!crowded || layout.IsDashboard(p) || p == ReportFile) {
			found[p] = state
		}
	})
	return found, err
}

// A folder with more Markdown than maxWatched is no folder of chapters, but one that a person has filled: of
// it only the files are watched that the agent has read or written.
const (
	maxWatched        = 1000
	maxWatchedFolders = 1000
)
