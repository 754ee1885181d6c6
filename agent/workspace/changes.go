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

// seen is a file as the agent knows it: as it was shown it, or as it wrote it. The journal holds the text, as the base of a merge or
// a diff.
type seen struct {
	hash   string // "" when the agent knows no text of it
	entry  span
	theirs bool    // the text is a person's
	told   string  // hash of a text of which the agent knows that it is there, and not what it says
	stat   statKey // when it is what the file has now, there is nothing new to tell
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
		if errors.Is(err, errTooLarge) {
			continue
		}
		if err != nil {
			return false, err
		}
		h := hash(data)
		if known := w.seen[p]; (exists && known.hash != h && known.told != h) || (!exists && known.hash != "") {
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
		if known.hash == "" && known.told == "" {
			return "", nil
		}
		_, err := w.journal.append(keySeen, writeEntry{Path: p, Notice: true})
		return fmt.Sprintf("\n%s was deleted.\n", p), err
	}
	if (known.hash != "" || known.told != "") && known.stat == stat {
		return "", nil
	}
	data, exists, err := w.load(p)
	if errors.Is(err, errTooLarge) || (err == nil && !exists) {
		return "", nil // too large to be anything that is read whole
	}
	if err != nil {
		return "", err
	}
	h := hash(data)
	if known.hash == h || known.told == h {
		known.stat = stat
		w.seen[p] = known
		return "", nil
	}
	if err := w.rememberEdit(p, data); err != nil {
		return "", err
	}
	text, whole := "", false
	if before, ok := w.seenText(p); ok {
		text, whole = diff(before, string(data))
		text = fmt.Sprintf("\n%s:\n%s", p, text)
	} else {
		text = fmt.Sprintf("\n%s is new or was rewritten; it has %d words. Read it when it matters.\n", p, Words(string(data)))
	}
	e := writeEntry{Path: p, To: h, Notice: true} // a run that is cut off before the notice is on record tells it again
	if !whole {
		known.told, known.stat = h, stat
		w.seen[p] = known
		return text, w.journal.Record(keyTold, e)
	}
	e = entryOf(p, "", h, data)
	e.Notice = true
	at, err := w.journal.append(keySeen, e)
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
		if errors.Is(err, errTooLarge) {
			continue
		}
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

// markSeen puts on record that the agent was shown a file, unless it is known to have seen just this. When the file had this text is
// not known here, so its stat is left to the next look for changes. w.mu is held.
func (w *Workspace) markSeen(p string, data []byte) error {
	if w.journal == nil {
		return nil
	}
	h := hash(data)
	if s, ok := w.seen[p]; ok && s.hash == h {
		return nil
	}
	at, err := w.journal.append(keySeen, entryOf(p, "", h, data))
	if err != nil {
		return err
	}
	w.seen[p] = seen{hash: h, entry: at, theirs: true}
	return nil
}

func entryOf(p, from, to string, data []byte) writeEntry {
	e := writeEntry{Path: p, From: from, To: to}
	if len(data) <= maxKept {
		e.Text = string(data)
	}
	return e
}

// seenText is the text of a file as the agent last saw it, if it is kept.
func (w *Workspace) seenText(p string) (string, bool) {
	s, ok := w.seen[p]
	if !ok || s.hash == "" || w.journal == nil {
		return "", false
	}
	e, err := w.journal.entry(s.entry)
	text := e.Text
	if e.Known != nil {
		text = *e.Known
	}
	if err != nil || hash([]byte(text)) != s.hash {
		return "", false // without a base there is no merge, and the write is refused
	}
	return text, true
}
