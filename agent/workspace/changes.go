package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// seen is a file as the agent last saw it. The journal holds its text, as the base of a merge or a diff.
type seen struct {
	hash  string
	entry span
	stat  statKey // when it is what the file has now, the file need not be read to know that it is the same
}

// maxDiff bounds what is told of one change, in bytes; the file itself can be read.
const maxDiff = 4000

// trackedDirs are the folders whose Markdown a person and the agent both write. Sources never change, and are not among them.
var trackedDirs = []string{".", NotebookDir}

func tracked(p string) bool {
	return strings.HasSuffix(p, ".md") && slices.Contains(trackedDirs, path.Dir(p))
}

// Changes tells, as a text for the agent, what a person changed since the agent last saw the dashboards, the chapters and the
// report; "" when there is nothing. Each change is told once.
func (w *Workspace) Changes() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	present, err := w.present()
	if err != nil {
		return "", err
	}
	var told strings.Builder
	for _, p := range w.trackedFiles(present) {
		text, err := w.changeOf(p, present)
		if err != nil {
			return "", err
		}
		told.WriteString(text)
	}
	if told.Len() == 0 {
		return "", nil
	}
	return "The person who asked changed files by hand. Their text stands; take it into account.\n" + told.String(), nil
}

// Changed says whether Changes would tell anything, and tells nothing yet.
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
			return false, err
		}
		if known := w.seen[p].hash; (exists && known != hash(data)) || (!exists && known != "") {
			return true, nil
		}
	}
	return false, nil
}

// present lists the tracked files that are there. It is done before each step, so it is done by listing two folders and opens no file.
func (w *Workspace) present() (map[string]statKey, error) {
	found := map[string]statKey{}
	for _, dir := range trackedDirs {
		entries, err := w.entries(dir)
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", dir, err)
		}
		for _, e := range entries {
			if p := path.Join(dir, e.Name()); tracked(p) && !hidden(p) && e.Mode().IsRegular() {
				found[p] = keyOf(e)
			}
		}
	}
	return found, nil
}

func (w *Workspace) entries(dir string) (entries []fs.FileInfo, err error) {
	d, err := w.fs.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Readdir(-1)
}

// trackedFiles are those that are there and those that the agent saw, in the order of their names.
func (w *Workspace) trackedFiles(present map[string]statKey) []string {
	paths := make([]string, 0, len(present)+1)
	for p := range present {
		paths = append(paths, p)
	}
	for p := range w.seen {
		if _, ok := present[p]; !ok && tracked(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

func (w *Workspace) changeOf(p string, present map[string]statKey) (string, error) {
	known := w.seen[p]
	stat, there := present[p]
	if !there {
		delete(w.seen, p)
		if known.hash == "" {
			return "", nil
		}
		return fmt.Sprintf("\n%s was deleted.\n", p), nil
	}
	if known.hash != "" && known.stat == stat {
		return "", nil
	}
	data, exists, err := w.load(p)
	if err != nil || !exists {
		return "", err
	}
	if known.hash == hash(data) {
		known.stat = stat
		w.seen[p] = known
		return "", nil
	}
	before, ok := w.seenText(p)
	if err := w.markSeen(p, data); err != nil {
		return "", err
	}
	if !ok {
		return fmt.Sprintf("\n%s is new or was rewritten; it has %d words. Read it when it matters.\n", p, Words(string(data))), nil
	}
	return fmt.Sprintf("\n%s:\n%s", p, diff(before, string(data))), nil
}

func diff(before, after string) string {
	d := udiff.Unified("before", "now", before, after)
	if len(d) > maxDiff {
		d = strings.ToValidUTF8(d[:maxDiff], "") + "\n… (the change goes on; read the file)\n"
	}
	return d
}

// Baseline takes the files as they stand for seen, in a workspace without a record of what the agent saw.
func (w *Workspace) Baseline() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) > 0 {
		return nil
	}
	present, err := w.present()
	if err != nil {
		return err
	}
	for _, p := range w.trackedFiles(present) {
		data, exists, err := w.load(p)
		if err != nil {
			return err
		}
		if exists {
			if err := w.markSeen(p, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// markSeen puts on record that the agent was shown a file, unless it is known to have seen just this. w.mu is held.
func (w *Workspace) markSeen(p string, data []byte) error {
	if w.journal == nil {
		return nil
	}
	h := hash(data)
	if s, ok := w.seen[p]; ok && s.hash == h {
		return w.restat(p, s)
	}
	at, err := w.journal.append(keySeen, entryOf(p, "", h, data))
	if err != nil {
		return err
	}
	return w.restat(p, seen{hash: h, entry: at})
}

func entryOf(p, from, to string, data []byte) writeEntry {
	e := writeEntry{Path: p, From: from, To: to}
	if len(data) <= maxKept {
		e.Text = string(data)
	}
	return e
}

func (w *Workspace) restat(p string, s seen) error {
	info, err := w.fs.Stat(p)
	if err != nil {
		return fmt.Errorf("looking at %s: %w", p, err)
	}
	s.stat = keyOf(info)
	w.seen[p] = s
	return nil
}

// seenText is the text of a file as the agent last saw it, if it is kept.
func (w *Workspace) seenText(p string) (string, bool) {
	s, ok := w.seen[p]
	if !ok || s.hash == "" || w.journal == nil {
		return "", false
	}
	e, err := w.journal.entry(s.entry)
	if err != nil || hash([]byte(e.Text)) != s.hash {
		return "", false // without a base there is no merge, and the write is refused
	}
	return e.Text, true
}
