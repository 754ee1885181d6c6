package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// maxDiff bounds what is told of one change, in bytes; the file itself can be read.
const maxDiff = 4000

// tracked reports whether a file is Markdown that a person and an agent both write: at the top, in the Notebook
// and below it, and the dashboards of chapters.
func tracked(p string) bool {
	below := (strings.HasPrefix(p, NotebookDir+"/") || isBoard(p)) && !store.Hidden(p)
	return store.IsMarkdown(path.Base(p)) && (below || !strings.Contains(p, "/"))
}

// A folder with more Markdown than maxWatched is no folder of chapters, but one that a person has filled: of
// it only the files are watched that the agent has read or written.
const (
	maxWatched        = 1000
	maxWatchedFolders = 1000
)

// maxTold bounds what is told at once of all changes, in bytes. A checkout of a hundred files is one message:
// what goes beyond is named.
const (
	maxTold  = 12_000
	maxNamed = 40 // files that are only named
)

// Changes tells, as a text for the agent, what a person changed since the agent last saw the dashboards, the
// chapters and the report; "" when there is nothing. Each change is told once, however often it was saved,
// and all of them in one text of bounded length.
func (w *Workspace) Changes() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := errors.Join(w.heed(false, ""), w.hear()); err != nil {
		return "", err
	}
	present, err := w.present()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), store.Patience)
	defer cancel()
	told, err := w.absences(ctx, present)
	if err != nil {
		return "", err
	}
	if err := w.meetGone(present); err != nil {
		return "", err
	}
	changed, err := w.changesOf(ctx, present, maxTold-len(told))
	if err != nil || told+changed == "" {
		return "", err
	}
	return "The person who asked changed files by hand. Their text stands; take it into account.\n" + told + changed, nil
}

// changesOf tells what became of the files that are there; those for which there is no room are named.
func (w *Workspace) changesOf(ctx context.Context, present map[string]store.Stat, room int) (string, error) {
	var told strings.Builder
	var more []string
	for _, p := range slices.Sorted(maps.Keys(present)) {
		text, err := w.changeOf(ctx, p, present[p], told.Len() < room)
		if err != nil {
			return "", err
		}
		if text == justNamed {
			more = append(more, p)
			continue
		}
		told.WriteString(text)
	}
	return told.String() + namedOnly(more), nil
}

// ChangesIn is Changes for one file: what of a person's came into it, for the answer to a write.
func (w *Workspace) ChangesIn(name string) (string, error) {
	p, err := store.Clean(name)
	if err != nil {
		return "", err
	}
	if p, err = w.fs.Real(p); err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	info, err := w.fs.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && !info.Mode().IsRegular()) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("looking at %s: %w", p, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), store.Patience)
	defer cancel()
	return w.changeOf(ctx, p, store.StatOf(info), true)
}

// namedOnly tells of the files whose changes are not shown.
func namedOnly(files []string) string {
	if len(files) == 0 {
		return ""
	}
	rest := ""
	if len(files) > maxNamed {
		rest = fmt.Sprintf(", and %d more", len(files)-maxNamed)
		files = files[:maxNamed]
	}
	for i, p := range files {
		files[i] = store.Shown(p)
	}
	return "\nAlso changed, renamed or deleted, and not shown: " + strings.Join(files, ", ") + rest + ". Read them when they matter.\n"
}

// Changed reports whether Changes would tell anything, and tells nothing yet.
func (w *Workspace) Changed() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	present, err := w.present()
	if err != nil {
		return false, err
	}
	for _, p := range w.trackedFiles(present) {
		data, exists, err := w.load(p)
		if err != nil {
			continue // what cannot be read is told at the start
		}
		h := store.Hash(data)
		if known := w.seen[p]; (exists && known.hash != h && known.told != h) || (!exists && known.hash != "") {
			return true, nil
		}
	}
	return false, nil
}

// present lists the tracked files that are there: for the agent that the folder belongs to all but the
// dashboards of chapters, for another writer those that it knows. It is done before each step, so it is done by listing the
// folders and opens no file.
func (w *Workspace) present() (map[string]store.Stat, error) {
	found := map[string]store.Stat{}
	_, err := w.eachTracked(func(p string, state store.Stat, crowded bool) {
		_, known := w.seen[p]
		if known || w.writer == "" && !isBoard(p) && (!crowded || isDashboard(p) || p == ReportFile) {
			found[p] = state
		}
	})
	return found, err
}

// eachTracked goes through the tracked files in no order and says of each whether its folder holds more than
// are watched. more reports whether there are more folders than are gone through.
func (w *Workspace) eachTracked(use func(p string, state store.Stat, crowded bool)) (more bool, err error) {
	folders := []string{".", NotebookDir, BoardsDir}
	for i := 0; i < len(folders); i++ {
		if i == maxWatchedFolders {
			return true, nil
		}
		dir := folders[i]
		states, inner, err := w.fs.Survey(dir, func(name string) bool { return utf8.ValidString(name) && store.IsMarkdown(name) })
		if err != nil && i < 2 {
			return false, fmt.Errorf("listing %s: %w", dir, err)
		}
		for name, state := range states {
			use(path.Join(dir, name), state, len(states) > maxWatched)
		}
		for _, name := range inner {
			if p := path.Join(dir, name); dir != "." && strings.Count(p, "/") <= maxDepth {
				folders = append(folders, p)
			}
		}
	}
	return false, nil
}

// justNamed is what changeOf tells of a change that there is no room to show.
const justNamed = "\x00"

// changeOf tells what became of a file that is there.
func (w *Workspace) changeOf(ctx context.Context, p string, stat store.Stat, room bool) (string, error) {
	known := w.seen[p]
	if (known.hash != "" || known.told != "") && known.stat == stat {
		return "", nil
	}
	data, info, err := w.lookFor(ctx, p)
	if err != nil || info == nil {
		return "", nil // what cannot be read cannot be told, and no reason to end
	}
	h := store.Hash(data)
	if known.hash == h || known.told == h {
		known.stat = stat
		w.seen[p] = known
		return "", w.meet(p, data, true) // it may have been another meanwhile
	}
	text, whole := "", false
	if before, ok := w.seenText(p); !room {
		text = justNamed
	} else if ok {
		text, whole = diff(before, string(data))
		text = fmt.Sprintf("\n%s:\n%s", store.Shown(p), text)
	} else {
		text = fmt.Sprintf("\n%s is new or was rewritten; it has %d words. Read it when it matters.\n", store.Shown(p), prose.Count(string(data)))
	}
	e := store.EntryOf(p, "", h, data)
	e.Notice = true // a run that is cut off before the notice is on record tells it again
	if !whole {
		known.told, known.stat = h, stat
		w.seen[p] = known
		_, err := w.enter(store.KeyTold, e)
		return text, err
	}
	at, err := w.enter(store.KeySeen, e)
	w.seen[p] = seen{hash: h, entry: at, theirs: true, stat: stat}
	return text, err
}

// diff shows what became of a text, and says whether it shows all of it.
func diff(before, after string) (shown string, whole bool) {
	d := udiff.Unified("before", "now", before, after)
	if len(d) > maxDiff {
		return strings.ToValidUTF8(d[:maxDiff], "") + "\n… (the change goes on; read the file)\n", false
	}
	return d, true
}
