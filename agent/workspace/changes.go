package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/afero"
)

// seen is a file as the agent last saw it. A copy of its text is kept in .daybook/seen, as the base of a merge or a diff.
type seen struct {
	hash string
	stat statKey // when it is what the file has now, the file need not be read to know that it is the same
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
	if err := w.findNew(); err != nil {
		return "", err
	}
	var told strings.Builder
	for _, p := range w.trackedFiles() {
		text, err := w.changeOf(p)
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

func (w *Workspace) trackedFiles() []string {
	paths := make([]string, 0, len(w.seen))
	for p := range w.seen {
		if tracked(p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// findNew enters the files that nobody knew as unseen. It reads names alone, so that it costs little to do before each step; the
// times of a folder are not to be trusted with it.
func (w *Workspace) findNew() error {
	for _, dir := range trackedDirs {
		names, err := w.names(dir)
		if err != nil {
			return fmt.Errorf("listing %s: %w", dir, err)
		}
		for _, name := range names {
			p := path.Join(dir, name)
			if _, known := w.seen[p]; known || !tracked(p) || hidden(p) {
				continue
			}
			if info, err := w.fs.Stat(p); err == nil && info.Mode().IsRegular() {
				w.seen[p] = seen{}
			}
		}
	}
	return nil
}

func (w *Workspace) names(dir string) (names []string, err error) {
	d, err := w.fs.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Readdirnames(-1)
}

func (w *Workspace) changeOf(p string) (string, error) {
	known := w.seen[p]
	info, err := w.fs.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		delete(w.seen, p)
		if known.hash == "" {
			return "", nil
		}
		return fmt.Sprintf("\n%s was deleted.\n", p), nil
	}
	if err != nil {
		return "", fmt.Errorf("looking at %s: %w", p, err)
	}
	if known.hash != "" && known.stat == keyOf(info) {
		return "", nil
	}
	data, exists, err := w.load(p)
	if err != nil || !exists {
		return "", err
	}
	if known.hash == hash(data) {
		known.stat = keyOf(info)
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
	if err := w.findNew(); err != nil {
		return err
	}
	for _, p := range w.trackedFiles() {
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
	if s, ok := w.seen[p]; ok && s.hash == hash(data) {
		return w.restat(p, s)
	}
	if err := w.journal.Record(keySeen, writeEntry{Path: p, To: hash(data)}); err != nil {
		return err
	}
	return w.remember(p, data)
}

// remember keeps a file as seen, with a copy of its text. The copy is not synced: one that a power cut spoilt does not match its
// hash, and then counts as missing.
func (w *Workspace) remember(p string, data []byte) error {
	s := seen{hash: hash(data)}
	if tracked(p) {
		if err := afero.WriteFile(w.fs, seenPath(p), data, 0o644); err != nil {
			if err := w.fs.MkdirAll(path.Dir(seenPath(p)), 0o755); err != nil {
				return fmt.Errorf("keeping a copy of %s: %w", p, cannotWrite(err))
			}
			if err := afero.WriteFile(w.fs, seenPath(p), data, 0o644); err != nil {
				return fmt.Errorf("keeping a copy of %s: %w", p, cannotWrite(err))
			}
		}
	}
	return w.restat(p, s)
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

// seenText is the text of a file as the agent last saw it, if the copy of it is good.
func (w *Workspace) seenText(p string) (string, bool) {
	s, ok := w.seen[p]
	if !ok || s.hash == "" {
		return "", false
	}
	data, err := afero.ReadFile(w.fs, seenPath(p))
	if err != nil || hash(data) != s.hash {
		return "", false
	}
	return string(data), true
}

func seenPath(p string) string { return path.Join(stateDir, "seen", hash([]byte(p))[:24]+".md") }
