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

// maxDepth bounds the depth of folders; no person nests them deeper.
const maxDepth = 32

// Walk visits the regular files below a folder, or the named file, in the order of their names, until visit
// returns fs.SkipAll. It skips hidden files, links and the copies of sources in Archive/. It returns the
// folders that it could not list, with the reason.
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

// listable resolves a folder to list. It keeps the given name, so that paths of its files begin with it,
// unless the disk spells it differently.
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

// List returns the entries of a folder in the order of their names, without hidden ones.
func (w *Workspace) List(dir string) ([]fs.FileInfo, error) {
	entries, _, err := w.ListAfter(dir, "", math.MaxInt)
	return entries, err
}

// ListAfter returns at most most entries of a folder whose names come after a name, and the number of those
// left.
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

// eachTracked calls use with each tracked file, in no order, and with whether its folder has more files than
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

// eachFolder calls use with each folder where the research keeps its Markdown. more reports whether there are
// more folders than it visits.
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

// present lists the tracked files that exist: for the agent that owns the folder all but the dashboards of
// chapters, for another writer those that it knows. It runs before each step, and opens no file.
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

// A folder with more Markdown files than maxWatched is not one of chapters: a person has filled it. Only
// those of its files are watched that the agent has read or written.
const (
	maxWatched        = 1000
	maxWatchedFolders = 1000
)
